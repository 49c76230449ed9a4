import { type FieldViolation, invalidFields } from '../../foundation/error/domain-error.js';
import type { Json } from '../kit/inner-calls.js';
import { fieldsOf } from '../kit/wire/declared-field.js';
import { readMessage } from '../kit/wire/read-message.js';
import { located } from './configuration.errors.js';
import type { Ground } from './ground.js';
import type { CollectionKind, FieldGroup, SettingKind } from './kind.js';
import type { Place } from './place.js';
import {
  canonical,
  checkObject,
  checkWords,
  differences,
  disclosed,
  type FieldChange,
  givenFor,
  hasSecrets,
  isSame,
  isSecret,
  keyOf,
  merged,
  mistake,
  namesOf,
  picked,
  withoutSecrets,
  wordsOf,
} from './values.js';

interface Wish {
  readonly path: readonly string[];
  /** The fields as they are. */
  readonly all: Json;
  /** Those that the file names. */
  readonly own: Json;
  /** The fields as they shall be, without secrets. */
  readonly wanted: Json;
  /** What is sent for that. */
  readonly body: Json;
}

/** The fields of objects: what a file may say of them, and setting what differs. */
export class ObjectFields {
  constructor(
    private readonly ground: Ground,
    private readonly setsSecrets: boolean,
  ) {}

  /** Sets what differs, and says what did. */
  async fill(kind: SettingKind | CollectionKind, read: Json, given: Json, place: Place): Promise<FieldChange[]> {
    const changes: FieldChange[] = [];
    for (const group of kind.groups) changes.push(...(await this.fillGroup(group, read, given, place)));
    for (const { word, of, set, toCompare = sorted } of kind.specials ?? []) {
      const wanted = given[word];
      if (wanted === undefined) continue;
      const current = await of(read, this.ground, place);
      if (isSame(toCompare(current), toCompare(wanted))) continue;
      await set(this.ground, place, wanted, current);
      changes.push({ name: word, from: current, to: toCompare(wanted) });
    }
    return changes;
  }

  private async fillGroup(group: FieldGroup, read: Json, given: Json, place: Place): Promise<FieldChange[]> {
    const wish = this.wishFor(group, read, given, place);
    if (!wish) return [];
    const { all, wanted, own, body, path } = wish;
    const current = canonical(group, all, read, this.ground, place);
    const changed = differences(current, canonical(group, wanted, read, this.ground, place));
    const setsSecrets = this.setsSecrets && hasSecrets(own);
    if (changed.length === 0 && !setsSecrets) return [];
    await located(path, () => this.ground.change(place, group.route, body));
    const prefix = group.word === undefined ? '' : `${group.word}.`;
    return [
      ...changed.map(({ name, from, to }) => ({ name: `${prefix}${name}`, from, to })),
      ...(setsSecrets ? [{ name: `${prefix}secrets`, from: undefined, to: '(secret)' }] : []),
    ];
  }

  /**
   * Whether the operations would take what is given, as far as their messages say.
   * @throws DomainError InvalidArgument
   */
  async validate(kind: SettingKind | CollectionKind, read: Json, given: Json, place: Place): Promise<void> {
    for (const group of kind.groups) {
      const wish = this.wishFor(group, read, given, place);
      if (!wish) continue;
      const message = this.ground.messageAt(place, group.route, wish.body);
      await located(wish.path, async () => readMessage(this.ground.requestAt(place, group.route)!, message));
    }
  }

  /** What a file wants of the fields of a group; undefined if it names none. */
  private wishFor(group: FieldGroup, read: Json, given: Json, place: Place): Wish | undefined {
    const fields = givenFor(group, given, this.ground, place);
    if (fields === undefined) return undefined;
    const path = group.word === undefined ? place.path : [...place.path, group.word];
    const names = namesOf(group, this.ground, place);
    const all = group.of(read);
    if (!all) throw mistake(path, 'cannot be changed: it is of another kind. Remove it, and add it anew');
    for (const name of group.fixed ?? []) {
      if (fields[name] !== undefined && fields[name] !== all[name])
        throw mistake([...path, name], 'cannot be changed. Remove the object, and add it anew');
    }
    const own = picked(fields, names);
    const wanted = merged(picked(all, names), withoutSecrets(own));
    const body = { ...keyOf(group, read), ...(disclosed(merged(wanted, own)) as Json) };
    return { path, all, own, wanted, body };
  }

  /** @throws DomainError InvalidArgument for words that are not known here, and for secrets that stand in the file */
  check(kind: SettingKind | CollectionKind, given: Json, place: Place): void {
    checkWords(given, wordsOf(kind, this.ground, place), place.path);
    for (const group of kind.groups) {
      const fields = givenFor(group, given, this.ground, place);
      if (fields === undefined) continue;
      const path = group.word === undefined ? place.path : [...place.path, group.word];
      checkObject(fields, path);
      checkWords(fields, [...namesOf(group, this.ground, place), ...(group.fixed ?? [])], path);
      const secret = this.ground.secretsAt(place, group.route);
      const plain = secret.filter(
        (name) => fields[name] !== undefined && fields[name] !== null && !isSecret(fields[name]),
      );
      if (plain.length > 0) throw invalidFields(plain.map((name) => secretInFile([...path, name])));
      const hidden = this.shownFields(group, place).filter((name) => hasSecrets(fields[name]));
      if (hidden.length > 0) throw invalidFields(hidden.map((name) => noSecret([...path, name])));
    }
    const hidden = (kind.specials ?? []).filter(({ word }) => hasSecrets(given[word]));
    if (hidden.length > 0) throw invalidFields(hidden.map(({ word }) => noSecret([...place.path, word])));
  }

  /** Those whose values a plan shows. Settings of extensions may be secret, however deep they stand. */
  private shownFields({ route, fixed = [] }: FieldGroup, place: Place): string[] {
    const fields = fieldsOf(this.ground.requestAt(place, route)!);
    return [
      ...fixed,
      ...fields.flatMap(({ name, kind, isSecret: hides }) => (hides || kind === 'struct' ? [] : [name])),
    ];
  }
}

function secretInFile(path: readonly string[]): FieldViolation {
  return {
    field: path.join('.'),
    description: 'is a secret, which has no place in a file: write env:NAME or file:PATH',
  };
}

function noSecret(path: readonly string[]): FieldViolation {
  return { field: path.join('.'), description: 'is no secret, so that a plan shows it: write its value here' };
}

/** Lists are sets here: their order says nothing. */
function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...(value as unknown[])].sort() : value;
}
