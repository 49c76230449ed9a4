import { immutable, invalidPath, noTarget } from '../error/scim-error.js';
import type { Filter } from '../filter/filter.js';
import { matches, subAt } from '../filter/matches.js';
import { type Complex, type Document, isPrimary, isSame, type Simple } from '../resource/document.js';
import {
  isObject,
  isUnassigned,
  membersOf,
  readList,
  readOne,
  readParts,
  readSimple,
  readValue,
} from '../resource/read-value.js';
import { type Attribute, subOf } from '../schema/attribute.js';
import type { Operation } from './patch-request.js';

/**
 * The resource after the operations, one after the other (RFC 7644 §3.5.2).
 * @throws ScimError `noTarget`, `mutability`, `invalidValue`
 */
export function applyPatch(document: Document, operations: readonly Operation[]): Document {
  return operations.reduce((patched, operation) => applyOne(patched, operation), document);
}

function applyOne(document: Document, operation: Operation): Document {
  const { attribute } = operation;
  if (attribute.isMultiValued) return document.with(attribute, patchList(document.list(attribute), operation));
  if (operation.op === 'remove' && attribute.isRequired && !operation.sub)
    throw immutable(`${attribute.name} is required.`);
  if (operation.sub) return document.with(attribute, withPart(document.complex(attribute), operation, operation.sub));
  if (operation.op === 'remove') return document.with(attribute, undefined);
  // An account is open or not: null says neither (SCM-008).
  if (attribute.type === 'boolean' && operation.value === null) return document;
  if (attribute.type !== 'complex') return document.with(attribute, readValue(attribute, operation.value));
  return document.with(attribute, merged(document.complex(attribute), attribute, operation.value));
}

/** RFC 7644 §3.5.2.3: sub-attributes that the value does not name stay. */
function merged(before: Complex, attribute: Attribute, json: unknown): Complex | undefined {
  if (isUnassigned(json)) return undefined;
  const after = new Map([...before, ...(readOne(attribute, json) ?? [])]);
  if (isObject(json))
    for (const [name, member] of membersOf(json)) {
      const sub = attribute.subAttributes.get(name);
      if (sub && isUnassigned(member)) after.delete(sub);
    }
  return after;
}

function withPart(
  before: Complex,
  { op, attribute, value }: Pick<Operation, 'op' | 'attribute' | 'value'>,
  sub: Attribute,
): Complex {
  const after = new Map(before);
  if (op === 'remove' || isUnassigned(value)) after.delete(sub);
  else after.set(sub, readSimple(sub, `${attribute.name}.${sub.name}`, value));
  return after;
}

function patchList(before: readonly Complex[], operation: Operation): readonly Complex[] {
  const { op, filter } = operation;
  if (op === 'remove') return removeFrom(before, operation);
  const after = filter || operation.sub ? changeSome(before, operation) : setList(before, operation);
  return onePrimary(
    before,
    after.filter((value) => isWhole(operation.attribute, value)),
    operation.attribute,
  );
}

function setList(before: readonly Complex[], { op, attribute, value }: Operation): readonly Complex[] {
  const given = readList(attribute, value);
  if (op === 'replace') return given;
  return given.reduce<readonly Complex[]>((values, one) => {
    const at = values.findIndex((other) => isOneValue(attribute, other, one));
    return at < 0 ? [...values, one] : values.with(at, new Map([...(values[at] ?? []), ...one]));
  }, before);
}

/** Whether two are one value, which differ in what is said of it at most. */
function isOneValue(attribute: Attribute, one: Complex, other: Complex): boolean {
  const main = attribute.subAttributes.get('value');
  if (!main) return isSame(one, other);
  const type = subOf(attribute, 'type');
  return one.get(main) === other.get(main) && one.get(type) === other.get(type);
}

function changeSome(before: readonly Complex[], operation: Operation): readonly Complex[] {
  const { attribute, filter, sub } = operation;
  const isMeant = (value: Complex): boolean => !filter || matches(filter, attribute, value);
  const described = filter ? madeOf(attribute, filter) : new Map<Attribute, Simple>();
  const change = (value: Complex): Complex => {
    if (sub) return withPart(value, operation, sub);
    // RFC 7644 §3.5.2.3: a value that is replaced keeps nothing but what it was chosen by.
    return new Map([...(operation.op === 'add' ? value : (described ?? [])), ...theOne(attribute, operation.value)]);
  };
  if (before.some(isMeant)) return before.map((value) => (isMeant(value) ? change(value) : value));
  // Entra replaces `emails[type eq "work"].value` also where there is none, and expects that it is made.
  if (!described) throw noTarget(`No value of ${attribute.name} fulfils the filter.`);
  return [...before, change(described)];
}

function theOne(attribute: Attribute, json: unknown): Complex {
  const elements: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (elements.length !== 1) throw invalidPath(`${attribute.name} takes one value there.`);
  return readParts(attribute, elements[0]);
}

/** The value that a filter describes, if it consists of equalities; undefined if it says anything else. */
function madeOf(attribute: Attribute, filter: Filter): Complex | undefined {
  if (filter.is === 'compare' && filter.operator === 'eq' && filter.value !== null) {
    const sub = subAt(attribute, filter.path);
    return new Map([[sub, readSimple(sub, `${attribute.name}.${sub.name}`, filter.value)]]);
  }
  if (filter.is !== 'and') return undefined;
  const parts = filter.filters.map((one) => madeOf(attribute, one));
  return parts.every((part) => part !== undefined) ? new Map(parts.flatMap((part) => [...part])) : undefined;
}

function removeFrom(before: readonly Complex[], operation: Operation): readonly Complex[] {
  const { attribute, filter, sub, value } = operation;
  if (filter && !before.some((one) => matches(filter, attribute, one)))
    throw noTarget(`No value of ${attribute.name} fulfils the filter.`);
  const isMeant = (one: Complex): boolean => (filter ? matches(filter, attribute, one) : isNamed(operation, one));
  if (sub)
    return before
      .map((one) => (isMeant(one) ? withPart(one, operation, sub) : one))
      .filter((one) => isWhole(attribute, one));
  if (!filter && value === undefined && attribute.isRequired) throw immutable(`${attribute.name} is required.`);
  return before.filter((one) => !isMeant(one));
}

/** Entra names the values to remove beside the path; without any, all are meant (RFC 7644 §3.5.2.2). */
function isNamed({ attribute, value }: Operation, one: Complex): boolean {
  if (value === undefined || value === null) return true;
  return readList(attribute, value).some((named) => [...named].every(([part, simple]) => one.get(part) === simple));
}

/** A value without what is required of it is none, and neither is one that says only what it would be for. */
function isWhole(attribute: Attribute, value: Complex): boolean {
  return [...attribute.subAttributes.values()].every((sub) => !sub.isRequired || value.has(sub)) && value.size > 0;
}

/** RFC 7644 §3.5.2: a value that becomes the primary one takes that from the others. */
function onePrimary(before: readonly Complex[], after: readonly Complex[], attribute: Attribute): readonly Complex[] {
  if (!attribute.subAttributes.has('primary')) return after;
  const primaries = after.filter((value) => isPrimary(value, attribute));
  if (primaries.length < 2) return after;
  const kept = primaries.findLast((value) => !before.includes(value)) ?? primaries[0];
  const primary = subOf(attribute, 'primary');
  return after.map((value) =>
    value === kept || !isPrimary(value, attribute) ? value : new Map([...value].filter(([part]) => part !== primary)),
  );
}
