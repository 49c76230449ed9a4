import { type FieldViolation, invalidFields } from '../../foundation/error/domain-error.js';
import type { Json } from '../kit/inner-calls.js';
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
    for (const { word, of, set } of kind.specials ?? []) {
      const wanted = given[word];
      if (wanted === undefined) continue;
      const current = await of(read, this.ground, place);
      if (isSame(sorted(current), sorted(wanted))) continue;
      await set(this.ground, place, wanted, current);
      changes.push({ name: word, from: current, to: wanted });
    }
    return changes;
  }

  private async fillGroup(group: FieldGroup, read: Json, given: Json, place: Place): Promise<FieldChange[]> {
    const fields = givenFor(group, given, this.ground, place);
    if (fields === undefined) return [];
    const path = group.word === undefined ? place.path : [...place.path, group.word];
    const names = namesOf(group, this.ground, place);
    const all = group.of(read);
    if (!all) throw mistake(path, 'cannot be changed: it is of another kind. Remove it, and add it anew');
    for (const name of group.fixed ?? []) {
      if (fields[name] !== undefined && fields[name] !== all[name])
        throw mistake([...path, name], 'cannot be changed. Remove the object, and add it anew');
    }
    const current = canonical(group, all, read, this.ground, place);
    const own = picked(fields, names);
    const wanted = merged(picked(all, names), withoutSecrets(own));
    const changed = differences(current, canonical(group, wanted, read, this.ground, place));
    const setsSecrets = this.setsSecrets && hasSecrets(own);
    if (changed.length === 0 && !setsSecrets) return [];
    const body = { ...keyOf(group, read), ...(disclosed(merged(wanted, own)) as Json) };
    await this.ground.change(place, group.route, body);
    const prefix = group.word === undefined ? '' : `${group.word}.`;
    return [
      ...changed.map(({ name, from, to }) => ({ name: `${prefix}${name}`, from, to })),
      ...(setsSecrets ? [{ name: `${prefix}secrets`, from: undefined, to: '(secret)' }] : []),
    ];
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
    }
  }
}

function secretInFile(path: readonly string[]): FieldViolation {
  return {
    field: path.join('.'),
    description: 'is a secret, which has no place in a file: write env:NAME or file:PATH',
  };
}

/** Lists are sets here: their order says nothing. */
function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...(value as unknown[])].sort() : value;
}
