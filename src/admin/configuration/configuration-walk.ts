import { isRefusal, type Json } from '../kit/inner-calls.js';
import { located, notInEffect, type Refusal } from './configuration.errors.js';
import type { Ground } from './ground.js';
import type { CollectionKind, FieldsChange, FolderKind, Kind, Kinds, SettingKind } from './kind.js';
import { CONFIGURATION, LATER, OF_INSTANCE, ORGS, placeOfOrg } from './kinds/levels.js';
import { ObjectFields } from './object-fields.js';
import type { Place, Present } from './place.js';
import {
  checkObject,
  checkWords,
  differences,
  disclosed,
  type FieldChange,
  fieldsOfRead,
  givenFor,
  isSame,
  merged,
  mistake,
  shown,
  withoutPlaceholders,
} from './values.js';

export interface Change {
  readonly action: 'add' | 'change' | 'remove';
  /** Where it stands in the file. */
  readonly path: readonly string[];
  /** `login policy`, `application` */
  readonly label: string;
  readonly fields: readonly FieldChange[];
  /** What it does to people, in sentences. */
  readonly effects: readonly string[];
  /** The id of the operation that does it. */
  readonly operationId: string;
}

export interface WalkOptions {
  /** Whether what a collection of the file does not name is removed. */
  readonly prunes: boolean;
  /** Whether secrets are set anew also where nothing else changes. */
  readonly setsSecrets: boolean;
}

/**
 * Makes an instance as a file says, change by change, within a transaction: a plan is the same walk, of which nothing
 * is kept. What the file does not name stays as it is.
 */
export class ConfigurationWalk {
  readonly changes: Change[] = [];
  readonly refusals: Refusal[] = [];
  private readonly fields: ObjectFields;

  constructor(
    private readonly ground: Ground,
    private readonly options: WalkOptions,
  ) {
    this.fields = new ObjectFields(ground, options.setsSecrets);
  }

  async run(given: Json): Promise<void> {
    const file = withoutPlaceholders(given) as Json;
    await this.safely([], async () => checkWords(file, Object.keys(CONFIGURATION), []));
    const orgs = file['organizations'];
    if (orgs !== undefined) {
      checkObject(orgs, ['organizations']);
      // All of them first, since what is granted names others.
      await this.eachOrg(orgs, (given) => given !== null);
    }
    const instance = file['instance'];
    if (instance !== undefined)
      await this.node(CONFIGURATION['instance']!, instance, { ...OF_INSTANCE, path: ['instance'] });
    for (const isLater of [false, true]) {
      for (const [name, given] of Object.entries(orgs ?? {})) {
        const found = given === null ? undefined : await this.ground.org(name);
        if (!found) continue; // to be removed, or refused
        const place = placeOfOrg(name, found.ids['orgId'] as string);
        const parts = Object.entries(ORGS.parts!).filter(([word]) => LATER.has(word) === isLater);
        await this.parts(Object.fromEntries(parts), given as Json, place);
      }
    }
    // Last, since the file may make another one the default organization.
    if (orgs !== undefined) await this.eachOrg(orgs, (given) => given === null);
  }

  private async eachOrg(orgs: Json, isMeant: (given: unknown) => boolean): Promise<void> {
    for (const [name, given] of Object.entries(orgs))
      if (isMeant(given)) await this.safely(['organizations', name], () => this.org(name, given));
  }

  private async org(name: string, given: unknown): Promise<void> {
    const found = await this.ground.org(name);
    const path = ['organizations'];
    const place = found ? { ...placeOfOrg(name, found.ids['orgId'] as string), path } : { ...OF_INSTANCE, path };
    if (given === null) {
      if (found) await this.remove(ORGS, found, place);
      this.ground.forgetOrgs();
      return;
    }
    checkObject(given, [...path, name]);
    await this.object(ORGS, found, name, given, place);
  }

  private async node(kind: Kind, given: unknown, place: Place): Promise<void> {
    if (kind.type === 'collection') return this.safely(place.path, () => this.collection(kind, given, place));
    return this.safely(place.path, async () => {
      if (given === null && kind.type === 'setting') return this.reset(kind, place);
      checkObject(given, place.path);
      if (kind.type === 'setting') {
        this.fields.check(kind, given, place);
        await this.setting(kind, given, place);
      } else {
        checkWords(given, Object.keys(kind.parts), place.path);
      }
      await this.parts(kind.parts ?? {}, given, place);
      if (kind.type === 'folder' && this.options.prunes) await this.pruneFolder(kind, given, place);
    });
  }

  private async parts(parts: Kinds, given: Json, place: Place): Promise<void> {
    for (const [word, kind] of Object.entries(parts)) {
      if (given[word] !== undefined) await this.node(kind, given[word], { ...place, path: [...place.path, word] });
    }
  }

  /** A folder that the file names is whole, like a collection: what it does not name goes. */
  private async pruneFolder({ parts }: FolderKind, given: Json, place: Place): Promise<void> {
    for (const [word, kind] of Object.entries(parts)) {
      if (given[word] !== undefined) continue;
      const at = { ...place, path: [...place.path, word] };
      if (kind.type !== 'setting') await this.node(kind, {}, at);
      else if (kind.reset !== undefined) await this.node(kind, null, at);
    }
  }

  private async setting(kind: SettingKind, given: Json, place: Place): Promise<void> {
    const { isOwn, read } = await kind.read(this.ground, place);
    const own = ownFields(kind, given);
    await this.fields.validate(kind, read, given, place);
    const before = await fieldsOfRead(kind, read, this.ground, place, isOwn ? given : undefined);
    const change = {
      action: isOwn ? 'change' : 'add',
      key: place.path.at(-1)!,
      before,
      after: merged(before, own),
      ids: place.ids,
    } as const;
    const effects = await this.effectsOf(kind, change, place);
    if (!isOwn) {
      await this.firstSetting(kind, before, own, place);
      this.note('add', kind, place, kind.first!, differences({}, shown(own) as Json), effects);
      return;
    }
    const isPending = await kind.isPending?.(this.ground, place, read);
    const fields = await this.fields.fill(kind, read, given, place);
    if (fields.length === 0) return;
    if (isPending === true) throw notInEffect(kind.label);
    this.note('change', kind, place, routeOf(kind, fields), fields, effects);
    if (kind.afterwards !== undefined) await this.ground.change(place, kind.afterwards);
  }

  /** What is not given is as it was above: a policy of an organization begins as that of the instance. */
  private async firstSetting(kind: SettingKind, inherited: Json, given: Json, place: Place): Promise<void> {
    const ownAlone = (kind.specials ?? []).filter(({ isOwnAlone }) => isOwnAlone).map(({ word }) => word);
    const begun = Object.fromEntries(Object.entries(inherited).filter(([word]) => !ownAlone.includes(word)));
    const wanted = merged(begun, given);
    const fields = givenFor(kind.groups[0]!, wanted, this.ground, place) ?? {};
    await this.ground.change(place, kind.first!, disclosed(fields) as Json);
    if (this.ground.onlyReads) return;
    const { read } = await kind.read(this.ground, place);
    await this.fields.fill(kind, read, wanted, place);
    if (kind.afterwards !== undefined) await this.ground.change(place, kind.afterwards);
  }

  private async reset(kind: SettingKind, place: Place): Promise<void> {
    if (kind.reset === undefined) throw mistake(place.path, `cannot be taken back: the ${kind.label} is always there`);
    const { isOwn, read } = await kind.read(this.ground, place);
    if (!isOwn) return;
    const before = await fieldsOfRead(kind, read, this.ground, place);
    const effects = await this.effectsOf(
      kind,
      { action: 'remove', key: place.path.at(-1)!, before, after: {}, ids: place.ids },
      place,
    );
    await this.ground.change(place, kind.reset);
    this.note('remove', kind, place, kind.reset, [], effects);
  }

  private async collection(kind: CollectionKind, given: unknown, place: Place): Promise<void> {
    checkObject(given, place.path);
    const present = await kind.list(this.ground, place);
    const named = new Set<Present>();
    const entries = Object.entries(given);
    // What is removed comes last: what takes its place may have to be there by then.
    for (const [key, wanted] of [
      ...entries.filter(([, one]) => one !== null),
      ...entries.filter(([, one]) => one === null),
    ]) {
      const path = [...place.path, key];
      await this.safely(path, async () => {
        const found = await this.find(kind, present, key, wanted === null, place);
        if (found) named.add(found);
        if (wanted === null) return found ? this.remove(kind, found, place) : undefined;
        await this.object(kind, found, key, this.inFull(kind, wanted, path), place);
      });
    }
    if (!this.options.prunes) return;
    for (const one of present.filter((other) => !named.has(other)))
      await this.safely([...place.path, one.key], () => this.remove(kind, one, place));
  }

  /**
   * The object that a key means.
   * @param isUnwanted whether it is well if there is none, nor anybody who could be meant
   * @throws DomainError InvalidArgument for the name of several
   */
  private async find(
    kind: CollectionKind,
    present: readonly Present[],
    key: string,
    isUnwanted: boolean,
    place: Place,
  ): Promise<Present | undefined> {
    const same = present.find((one) => one.key === key);
    if (same) return same;
    const [one] = present.filter((other) => other.key.startsWith(`${key}#`));
    if (one)
      throw mistake([...place.path, key], `is the name of several: write the one that is meant, such as ${one.key}`);
    try {
      return await kind.find?.(present, key, this.ground, place);
    } catch (error) {
      if (isUnwanted && isRefusal(error) && error.kind === 'NotFound') return undefined;
      throw error;
    }
  }

  /** An object of the file with its one field under its name. */
  private inFull({ shorthand }: CollectionKind, wanted: unknown, path: readonly string[]): Json {
    const given = shorthand === undefined ? wanted : { [shorthand]: wanted };
    checkObject(given, path);
    return given;
  }

  private async object(
    kind: CollectionKind,
    found: Present | undefined,
    key: string,
    given: Json,
    place: Place,
  ): Promise<void> {
    const path = [...place.path, key];
    this.fields.check(kind, given, { ...place, path });
    if (!found) return this.add(kind, key, given, place);
    const at = { ...place, ids: { ...place.ids, ...found.ids }, path };
    await this.fields.validate(kind, found.read, given, at);
    const before = await fieldsOfRead(kind, found.read, this.ground, at, given);
    const change = {
      action: 'change',
      key,
      before,
      after: merged(before, ownFields(kind, given)),
      ids: found.ids,
    } as const;
    const effects = await this.effectsOf(kind, change, at);
    const fields = await this.fields.fill(kind, found.read, given, at);
    if (fields.length > 0) {
      this.note('change', kind, at, routeOf(kind, fields), fields, effects);
    }
    if (kind !== ORGS) await this.parts(kind.parts ?? {}, given, at);
  }

  private async add(kind: CollectionKind, key: string, given: Json, place: Place): Promise<void> {
    const path = [...place.path, key];
    const own = ownFields(kind, given);
    this.note('add', kind, { ...place, path }, kind.addRoute(own), differences({}, shown(own) as Json), []);
    if (this.ground.onlyReads) return;
    const word = kind.groups.find((group) => group.word !== undefined && own[group.word] !== undefined)?.word;
    const ids = await located(word === undefined ? path : [...path, word], () =>
      kind.add(this.ground, place, key, disclosed(merged({}, own)) as Json),
    );
    const at = { ...place, ids: { ...place.ids, ...ids }, path };
    if (kind === ORGS) {
      const { read } = (await this.ground.org(key))!;
      await this.fields.fill(kind, read, given, placeOfOrg(key, ids['orgId'] as string));
      return;
    }
    // What the operation does not take is set like a change of it.
    const added = (await kind.list(this.ground, place)).find((one) => isSame(one.ids, ids));
    if (added) await this.fields.fill(kind, added.read, given, at);
    await this.parts(kind.parts ?? {}, given, at);
  }

  private async remove(kind: CollectionKind, found: Present, place: Place): Promise<void> {
    if (kind.remove === undefined) return;
    const path = [...place.path, found.key];
    const at = { ...place, ids: { ...place.ids, ...found.ids }, path };
    const before = await fieldsOfRead(kind, found.read, this.ground, at);
    const effects = await this.effectsOf(
      kind,
      { action: 'remove', key: found.key, before, after: {}, ids: found.ids },
      at,
    );
    await this.ground.change(at, kind.remove);
    this.note('remove', kind, at, kind.remove, [], effects);
  }

  private async effectsOf(
    kind: SettingKind | CollectionKind,
    change: FieldsChange,
    place: Place,
  ): Promise<readonly string[]> {
    // Counts tell of people: who may not read them could learn of one in a small organization.
    if (!kind.effects || !this.ground.mayReadUsers(place)) return [];
    return kind.effects(change, this.ground, place);
  }

  private note(
    action: Change['action'],
    kind: SettingKind | CollectionKind,
    place: Place,
    route: string,
    fields: readonly FieldChange[],
    effects: readonly string[],
  ): void {
    const { path } = place;
    this.changes.push({
      action,
      path,
      label: kind.label,
      fields,
      effects,
      operationId: this.ground.idAt(place, route),
    });
  }

  /** A refusal concerns its place in the file; the others are looked at all the same. */
  private async safely(path: readonly string[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.refusals.push({ path, error });
    }
  }
}

/** What a file says of the object itself, without what is below it. */
function ownFields({ parts = {} }: SettingKind | CollectionKind, given: Json): Json {
  return Object.fromEntries(Object.entries(given).filter(([word]) => !(word in parts)));
}

/** The route that sets the first of these fields. */
function routeOf({ groups, specials = [] }: SettingKind | CollectionKind, [first]: readonly FieldChange[]): string {
  const word = first!.name.split('.')[0]!;
  const special = specials.find((one) => one.word === word);
  return (special ?? groups.find((group) => group.word === word) ?? groups[0]!).route;
}
