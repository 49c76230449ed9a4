import { Injectable } from '@nestjs/common';
import { InnerCalls, type Json } from '../kit/inner-calls.js';
import { fieldsOf } from '../kit/wire/declared-field.js';
import type { DeclaredField, MessageClass } from '../kit/wire/field.js';
import { routeAt } from './ground.js';
import type { CollectionKind, FieldGroup, Kind, Kinds, SettingKind } from './kind.js';
import { CONFIGURATION } from './kinds/levels.js';
import type { Place } from './place.js';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
/** How a file has a value from elsewhere. */
const REFERENCE = { type: 'string', pattern: '^(?:env|file):.+$' };

/** The schema of configurations, made of the kinds and of the messages that set them. */
@Injectable()
export class ConfigurationSchema {
  private made: Json | undefined;

  constructor(private readonly calls: InnerCalls) {}

  get document(): Json {
    this.made ??= {
      $schema: DRAFT,
      title: 'Gatehouse configuration',
      ...this.objectOf(this.partsOf(CONFIGURATION, 'instance')),
    };
    return this.made;
  }

  private partsOf(parts: Kinds, level: Place['level']): Record<string, Json> {
    return Object.fromEntries(
      Object.entries(parts).map(([word, kind]) => [word, this.of(kind, word === 'organizations' ? 'org' : level)]),
    );
  }

  private of(kind: Kind, level: Place['level']): Json {
    if (kind.type === 'folder') return { ...this.objectOf(this.partsOf(kind.parts, level)), description: kind.label };
    const own = this.objectSchema(kind, level);
    if (kind.type === 'setting') return { ...own, ...(kind.reset === undefined ? {} : { type: ['object', 'null'] }) };
    const value = kind.shorthand === undefined ? own : (own['properties'] as Record<string, Json>)[kind.shorthand]!;
    return {
      type: 'object',
      description: `Each ${kind.label}, by its name.`,
      additionalProperties: { anyOf: [value, { type: 'null' }] },
    };
  }

  private objectSchema(kind: SettingKind | CollectionKind, level: Place['level']): Json {
    const { groups, specials = [], parts = {} } = kind;
    const flat = Object.fromEntries(
      groups
        .filter(({ word }) => word === undefined)
        .flatMap((group) => Object.entries(this.groupSchema(group, level))),
    );
    const worded = groups.filter(({ word }) => word !== undefined);
    return {
      ...this.objectOf({
        ...flat,
        ...Object.fromEntries(worded.map((group) => [group.word!, this.objectOf(this.groupSchema(group, level))])),
        ...Object.fromEntries(specials.map(({ word, schema }) => [word, schema])),
        ...this.partsOf(parts, level),
      }),
      description: kind.label,
    };
  }

  private groupSchema(
    { route, keyField, without = [], fixed = [] }: FieldGroup,
    level: Place['level'],
  ): Record<string, Json> {
    const request = this.calls.requestOf(routeAt(level, route))!;
    const names = this.calls.bodyOf(routeAt(level, route));
    const fields = fieldsOf(request).filter(
      ({ name }) => names.includes(name) && name !== keyField && !without.includes(name),
    );
    return {
      ...Object.fromEntries(fields.map((field) => [field.name, this.fieldSchema(field)])),
      ...Object.fromEntries(fixed.map((name) => [name, { type: 'string' }])),
    };
  }

  private fieldSchema(field: DeclaredField): Json {
    const one = field.isSecret ? REFERENCE : this.valueSchema(field);
    const { description } = field;
    return {
      ...(field.many ? { type: 'array', items: one } : one),
      ...(description === undefined ? {} : { description }),
    };
  }

  private valueSchema(field: DeclaredField): Json {
    switch (field.kind) {
      case 'flag':
        return { type: 'boolean' };
      case 'count':
        return { type: 'integer' };
      case 'choice':
        return { enum: field.choice.members.map(({ name }) => name) };
      case 'struct':
        return { type: 'object' };
      case 'part':
        return this.messageSchema(field.part());
      default:
        return { type: 'string' };
    }
  }

  private messageSchema(message: MessageClass): Json {
    return this.objectOf(Object.fromEntries(fieldsOf(message).map((field) => [field.name, this.fieldSchema(field)])));
  }

  private objectOf(properties: Readonly<Record<string, Json>>): Json {
    return { type: 'object', properties, additionalProperties: false };
  }
}
