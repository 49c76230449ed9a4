import { isDeepStrictEqual } from 'node:util';
import { nearest } from '../../foundation/config/misspelling.js';
import { DomainError, invalidFields } from '../../foundation/error/domain-error.js';
import type { Json } from '../kit/inner-calls.js';
import { readMessage } from '../kit/wire/read-message.js';
import { writeMessage } from '../kit/wire/write-message.js';
import type { Ground } from './ground.js';
import type { CollectionKind, FieldGroup, Kind, SettingKind } from './kind.js';
import type { Place } from './place.js';

/** How a file marks a value that it has from elsewhere (`env:`, `file:`): it is sent, and never compared or shown. */
export const SECRET = '$secret';
/** How a configuration that was read says where a secret would come from: the name of a variable. */
export const FROM = '$from';
/** Unknown words that are named, and how much of each: comparing them with known ones blocks the event loop. */
const MAX_UNKNOWN = 100;
const MAX_WORD = 60;
/** What is shown in place of such a value. */
const HIDDEN = '(secret)';

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSecret(value: unknown): boolean {
  return isJson(value) && Object.keys(value).length === 1 && typeof value[SECRET] === 'string';
}

/** A secret that is not given. */
function isPlaceholder(value: unknown): boolean {
  return isJson(value) && Object.keys(value).length === 1 && typeof value[FROM] === 'string';
}

/** What is given, without the places of secrets that are not. */
export function withoutPlaceholders(value: unknown): unknown {
  if (!isJson(value)) return value;
  const given = Object.entries(value).filter(([, one]) => !isPlaceholder(one));
  return Object.fromEntries(given.map(([name, one]) => [name, withoutPlaceholders(one)]));
}

/** `ACME_PARTNER_CLIENT_SECRET` */
export function placeholderFor(path: readonly string[], field: string): Json {
  const words = [...path.filter((word) => !STRUCTURE.has(word)), field.replaceAll(/[A-Z]/g, (letter) => `_${letter}`)];
  const name = words
    .join('_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_');
  return { [FROM]: name.replace(/^_|_$/g, '') };
}

/** Words of paths that say nothing in the name of a variable. */
const STRUCTURE: ReadonlySet<string> = new Set(['instance', 'organizations', 'identityProviders', 'mailServers']);

/** The value with its secrets as texts, to be sent. */
export function disclosed(value: unknown): unknown {
  if (isSecret(value)) return (value as Json)[SECRET];
  if (Array.isArray(value)) return value.map(disclosed);
  return isJson(value) ? mapped(value, disclosed) : value;
}

/** The value as it may be shown. */
export function shown(value: unknown): unknown {
  if (isSecret(value)) return HIDDEN;
  if (Array.isArray(value)) return value.map(shown);
  return isJson(value) ? mapped(value, shown) : value;
}

/** The value without its secrets. */
export function withoutSecrets(value: Json): Json {
  const kept = Object.entries(value).filter(([, one]) => !isSecret(one));
  return Object.fromEntries(kept.map(([name, one]) => [name, isJson(one) ? withoutSecrets(one) : one]));
}

export function hasSecrets(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecrets);
  return isSecret(value) || (isJson(value) && Object.values(value).some(hasSecrets));
}

function mapped(value: Json, to: (one: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, to(one)]));
}

/** @throws DomainError InvalidArgument unless it is an object */
export function checkObject(value: unknown, path: readonly string[]): asserts value is Json {
  if (!isJson(value)) throw mistake(path, 'must be an object with the settings of this place');
}

/** @throws DomainError InvalidArgument for a word that is not known there, with the nearest one */
export function checkWords(given: Json, known: readonly string[], path: readonly string[]): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const named = unknown.slice(0, MAX_UNKNOWN).map((name) => name.slice(0, MAX_WORD));
  throw invalidFields(
    named.map((name) => ({
      field: [...path, name].join('.'),
      description: `is not known here; the nearest is ${nearest(name, [...known].sort())}`,
    })),
  );
}

export function mistake(path: readonly string[], description: string): DomainError {
  return invalidFields([{ field: path.join('.'), description }]);
}

/** The words that may stand in an object of this kind. */
export function wordsOf(kind: Kind, ground: Ground, place: Place): string[] {
  if (kind.type === 'folder') return Object.keys(kind.parts);
  const { groups, specials = [], parts = {} } = kind;
  return [
    ...groups.flatMap((group) => (group.word === undefined ? namesOf(group, ground, place) : [group.word])),
    ...specials.map(({ word }) => word),
    ...Object.keys(parts),
  ];
}

/** The fields of a group. */
export function namesOf({ route, keyField, without = [] }: FieldGroup, ground: Ground, place: Place): string[] {
  return ground.bodyAt(place, route).filter((name) => name !== keyField && !without.includes(name));
}

/** What a file gives for the fields of a group; undefined if it names none. */
export function givenFor(group: FieldGroup, given: Json, ground: Ground, place: Place): Json | undefined {
  const fields = group.word === undefined ? picked(given, namesOf(group, ground, place)) : given[group.word];
  if (fields === undefined || (group.word === undefined && Object.keys(fields as Json).length === 0)) return undefined;
  return fields as Json;
}

export function picked(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));
}

/**
 * The fields of an object as a file would name them, with the words of its groups.
 * @param wanted of the fields that take an operation of their own, only those that it names are read; absent: all
 */
export async function fieldsOfRead(
  kind: SettingKind | CollectionKind,
  read: Json,
  ground: Ground,
  place: Place,
  wanted?: Json,
): Promise<Json> {
  const found: Record<string, unknown> = {};
  for (const group of kind.groups) {
    const all = group.of(read);
    if (!all) continue;
    const fields = { ...picked(all, group.fixed ?? []), ...canonical(group, all, read, ground, place) };
    if (group.word === undefined) Object.assign(found, fields);
    else found[group.word] = fields;
  }
  for (const { word, of } of kind.specials ?? []) {
    if (wanted && wanted[word] === undefined) continue;
    const value = await of(read, ground, place);
    if (value !== undefined) found[word] = value;
  }
  return found;
}

/**
 * The fields of a group in the one form in which this API writes them, so that `12h` equals `43200s`. What the
 * operation would refuse stays as it is: it is refused where it is sent.
 * @param read the object, which has what is not among the fields
 */
export function canonical(group: FieldGroup, fields: Json, read: Json, ground: Ground, place: Place): Json {
  const names = namesOf(group, ground, place);
  const message = ground.requestAt(place, group.route)!;
  const given = picked(fields, names);
  try {
    const sent = readMessage(message, ground.messageAt(place, group.route, { ...keyOf(group, read), ...given }));
    const written = picked(writeMessage(message, sent), Object.keys(given));
    return group.isSparse === true ? filled(written) : written;
  } catch {
    return given;
  }
}

/** Without empty texts. */
function filled(value: Json): Json {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      if (one === '') return [];
      const kept = isJson(one) ? filled(one) : one;
      return isJson(kept) && Object.keys(kept).length === 0 ? [] : [[name, kept] as const];
    }),
  );
}

/** The key of an object, in the body of its operation. */
export function keyOf({ keyField }: FieldGroup, read: Json): Json {
  return keyField === undefined ? {} : { [keyField]: read[keyField] };
}

/** A field that differs; `from` and `to` are as the API writes them, undefined where there is none. */
export interface FieldChange {
  /** `oidc.redirectUris` */
  readonly name: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The members that differ, however deep they stand. */
export function differences(before: Json, after: Json, prefix = ''): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const from = before[name];
    const to = after[name];
    if (isSame(from, to)) return [];
    const isDeep = (isJson(from) || from === undefined) && (isJson(to) || to === undefined);
    if (isDeep) return differences(from ?? {}, to ?? {}, `${prefix}${name}.`);
    return [{ name: `${prefix}${name}`, from, to }];
  });
}

/** What a file says in place of what is there; `null` takes a member away, and what is not named stays. */
export function merged(there: Json, given: Json): Json {
  const result = new Map(Object.entries(there));
  for (const [name, value] of Object.entries(given)) {
    const former = result.get(name);
    if (value === null) result.delete(name);
    else if (isJson(value) && !isSecret(value)) result.set(name, merged(isJson(former) ? former : {}, value));
    else result.set(name, value);
  }
  return Object.fromEntries(result);
}

export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}
