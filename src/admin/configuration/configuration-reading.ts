import { isRefusal, type Json } from '../kit/inner-calls.js';
import type { Ground } from './ground.js';
import type { CollectionKind, FolderKind, Kind, Kinds, SettingKind } from './kind.js';
import { CONFIGURATION, OF_INSTANCE, ORGS, placeOfOrg } from './kinds/levels.js';
import type { Place } from './place.js';
import { fieldsOfRead, placeholderFor } from './values.js';

/** What a caller may not read, and the permission that is missing. */
export interface LeftOut {
  readonly path: readonly string[];
  readonly reason: string;
}

/** Reads what there is, as a file would say it. */
export class ConfigurationReading {
  readonly leftOut: LeftOut[] = [];

  /**
   * @param without words of parts that are not wanted, wherever they stand: `managers`
   * @param isForJournal people are named by id, whose names may be erased; and what is empty is said, too
   */
  constructor(
    private readonly ground: Ground,
    private readonly without: readonly string[] = [],
    private readonly isForJournal = false,
  ) {}

  async instance(): Promise<unknown> {
    return this.node(CONFIGURATION['instance']!, { ...OF_INSTANCE, path: ['instance'] });
  }

  async org(name: string, read: Json): Promise<Json> {
    const place = placeOfOrg(name, read['id'] as string);
    return this.objectOf(ORGS, read, place);
  }

  /** An object with all that is below it. */
  async objectOf(kind: CollectionKind | SettingKind, read: Json, place: Place): Promise<Json> {
    const fields = this.withPlaceholders(kind, await fieldsOfRead(kind, read, this.ground, place), place);
    return { ...fields, ...(await this.parts(kind.parts ?? {}, place)) };
  }

  /** Secrets are never read: a variable says where they come from where the object is added. */
  private withPlaceholders(kind: CollectionKind | SettingKind, fields: Json, place: Place): Json {
    const found: Record<string, unknown> = { ...fields };
    for (const { word, route } of kind.groups) {
      const secrets = this.ground
        .secretsAt(place, route)
        .map((name) => [name, placeholderFor(place.path, name)] as const);
      if (secrets.length === 0) continue;
      if (word === undefined) Object.assign(found, Object.fromEntries(secrets));
      else if (found[word] !== undefined) found[word] = { ...(found[word] as Json), ...Object.fromEntries(secrets) };
    }
    return found;
  }

  private async parts(parts: Kinds, place: Place): Promise<Json> {
    const found: Record<string, unknown> = {};
    for (const [word, kind] of Object.entries(parts)) {
      if (this.without.includes(word)) continue;
      const value = await this.node(kind, { ...place, path: [...place.path, word] });
      if (value !== undefined) found[word] = value;
    }
    return found;
  }

  private async node(kind: Kind, place: Place): Promise<unknown> {
    try {
      return await this.read(kind, place);
    } catch (error) {
      if (!isRefusal(error) || error.kind !== 'PermissionDenied') throw error;
      this.leftOut.push({ path: place.path, reason: error.message });
      return undefined;
    }
  }

  /** Undefined where there is nothing to be said. */
  private async read(kind: Kind, place: Place): Promise<unknown> {
    if (kind.type === 'folder') {
      const parts = await this.parts(kind.parts, place);
      return this.isSilent(kind) ? orNone(parts) : parts;
    }
    if (kind.type === 'setting') {
      const { isOwn, read } = await kind.read(this.ground, place);
      return isOwn ? this.objectOf(kind, read, place) : undefined;
    }
    const found: Array<readonly [string, unknown]> = [];
    for (const present of await kind.list(this.ground, place)) {
      const { ids, read } = present;
      const key = (this.isForJournal ? kind.lastingKey?.(present) : undefined) ?? present.key;
      const at = { ...place, ids: { ...place.ids, ...ids }, path: [...place.path, key] };
      const value = await this.objectOf(kind, read, at);
      found.push([key, kind.shorthand === undefined ? value : value[kind.shorthand]]);
    }
    const objects = Object.fromEntries(found);
    return this.isSilent(kind) ? orNone(objects) : objects;
  }

  private isSilent({ isQuiet = false }: CollectionKind | FolderKind): boolean {
    return isQuiet && !this.isForJournal;
  }
}

function orNone(value: Json): Json | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
