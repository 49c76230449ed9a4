import { Injectable } from '@nestjs/common';
import { nearest } from '../config/misspelling.js';
import { type FieldViolation, invalidFields } from '../error/domain-error.js';
import { aggregateTypeOf, isExtType } from '../extension/ext-event.js';
import { EventCatalogue } from './event-catalogue.js';
import { EventReader } from './event-reader.js';
import { AGGREGATE_TYPES, INTERNAL_EVENTS, isInternalEvent } from './internal-events.js';

/** The types that a filter of the journal may name: all that can happen, and those of earlier versions. */
@Injectable()
export class KnownEvents {
  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly reader: EventReader,
  ) {}

  /**
   * A misspelt type would find nothing, as if nothing had happened.
   * @throws DomainError InvalidArgument that names each unknown type, and the nearest one
   */
  async check(filter: {
    readonly types: readonly string[];
    readonly aggregateTypes: readonly string[];
  }): Promise<void> {
    const declared = this.catalogue.types();
    const types = new Set([...declared, ...INTERNAL_EVENTS]);
    const aggregateTypes = new Set([...AGGREGATE_TYPES, ...declared.filter(isExtType).map(aggregateTypeOf)]);
    const violations = [
      ...(await unknown(
        'eventTypes',
        'event type',
        filter.types.filter((type) => !isInternalEvent(type)),
        types,
        async () => this.reader.types(),
      )),
      ...(await unknown('aggregateTypes', 'aggregate type', filter.aggregateTypes, aggregateTypes, async () =>
        this.reader.aggregateTypes(),
      )),
    ];
    if (violations.length > 0) throw invalidFields(violations);
  }
}

/** @param stored what the journal contains; read only if a name is not known otherwise */
async function unknown(
  field: string,
  noun: string,
  names: readonly string[],
  known: ReadonlySet<string>,
  stored: () => Promise<readonly string[]>,
): Promise<FieldViolation[]> {
  const strange = names.filter((name) => !known.has(name));
  if (strange.length === 0) return [];
  const all = new Set([...known, ...(await stored())]);
  return [...new Set(strange)]
    .filter((name) => !all.has(name))
    .map((name) => ({
      field,
      description: `${JSON.stringify(name)} is not an ${noun}; the nearest is ${nearest(name, [...all].sort())}`,
    }));
}
