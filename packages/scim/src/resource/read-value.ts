import { invalidSyntax, invalidValue } from '../error/scim-error.js';
import type { Attribute } from '../schema/attribute.js';
import type { Complex, Simple, Value } from './document.js';

/** What no text may contain: PostgreSQL stores no NUL, and UTF-8 has no lone surrogates. Lines may be broken. */
const CONTROL = /[^\P{Cc}\t\r\n]|\p{Cs}/u;

/** A JSON object, as `JSON.parse` makes it. */
export type JsonMembers = Readonly<Record<string, unknown>>;

export function isObject(json: unknown): json is JsonMembers {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/**
 * The members of an object by their names in lower case (RFC 7643 §2.1).
 * @throws ScimError if two differ in case alone: it would be a matter of chance which counts
 */
export function membersOf(json: JsonMembers): ReadonlyMap<string, unknown> {
  const members = new Map<string, unknown>();
  for (const [name, value] of Object.entries(json)) {
    const key = name.toLowerCase();
    if (members.has(key)) throw invalidSyntax('Two members of an object have one name.');
    members.set(key, value);
  }
  return members;
}

/** RFC 7643 §2.5: null and an empty list are no value, and neither is an empty text, which Okta sends for one. */
export function isUnassigned(json: unknown): boolean {
  return json === null || json === undefined || json === '' || (Array.isArray(json) && json.length === 0);
}

/**
 * The value of an attribute; undefined if it is unassigned.
 * @throws ScimError `invalidValue`
 */
export function readValue(attribute: Attribute, json: unknown): Value | undefined {
  if (isUnassigned(json)) return undefined;
  if (attribute.isMultiValued) return readList(attribute, json);
  if (attribute.type === 'complex') return readOne(attribute, json);
  return readSimple(attribute, attribute.name, json);
}

/**
 * The values of a multi-valued attribute: one of them may stand without its list.
 * @throws ScimError `invalidValue`
 */
export function readList(attribute: Attribute, json: unknown): readonly Complex[] {
  if (isUnassigned(json)) return [];
  const elements: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (elements.length > attribute.maxValues)
    throw invalidValue(attribute.name, `has more than ${attribute.maxValues} values`);
  return elements.flatMap((element) => {
    if (isUnassigned(element)) return [];
    const value = readParts(attribute, element);
    const lacking = [...attribute.subAttributes.values()].find((sub) => sub.isRequired && !value.has(sub));
    if (lacking === undefined) return value.size === 0 ? [] : [value];
    // Said, and empty: directories send it for an address that somebody does not have.
    if (isObject(element) && membersOf(element).has(lacking.name.toLowerCase())) return [];
    throw invalidValue(`${attribute.name}.${lacking.name}`, 'is missing');
  });
}

/**
 * A complex attribute that has one value: Entra sends that of `manager` in a list.
 * @throws ScimError `invalidValue`
 */
export function readOne(attribute: Attribute, json: unknown): Complex | undefined {
  const elements: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (elements.length !== 1) throw invalidValue(attribute.name, 'has one value');
  const value = readParts(attribute, elements[0]);
  return value.size === 0 ? undefined : value;
}

/**
 * The parts that a complex value has. A text stands for the part `value`, as in the manager that Entra sends.
 * @throws ScimError `invalidValue`
 */
export function readParts(attribute: Attribute, json: unknown): Complex {
  const value = new Map<Attribute, Simple>();
  const main = attribute.subAttributes.get('value');
  if (typeof json === 'string' && main) return value.set(main, readSimple(main, attribute.name, json));
  if (!isObject(json)) throw invalidValue(attribute.name, 'must be an object');
  for (const [name, member] of membersOf(json)) {
    const sub = attribute.subAttributes.get(name);
    if (!sub || sub.mutability === 'readOnly' || isUnassigned(member)) continue;
    value.set(sub, readSimple(sub, `${attribute.name}.${sub.name}`, member));
  }
  return value;
}

/** The value of an attribute without parts. @throws ScimError `invalidValue` */
export function readSimple(attribute: Attribute, name: string, json: unknown): Simple {
  if (attribute.type === 'boolean') return readFlag(name, json);
  if (typeof json !== 'string') throw invalidValue(name, 'must be a text');
  if ([...json].length > attribute.maxCharacters)
    throw invalidValue(name, `must have at most ${attribute.maxCharacters} characters`);
  if (CONTROL.test(json)) throw invalidValue(name, 'must have no control characters');
  return json;
}

/** Entra sends the texts "True" and "False" unless its flag aadOptscim062020 is set. */
function readFlag(name: string, json: unknown): boolean {
  if (typeof json === 'boolean') return json;
  const word = typeof json === 'string' ? json.toLowerCase() : '';
  if (word === 'true') return true;
  if (word === 'false') return false;
  throw invalidValue(name, 'must be true or false');
}
