import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

interface Schema {
  readonly $ref?: string;
  /** The schema that a property with a description of its own refers to. */
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Where the values that an update replaces can be read. */
export interface CurrentValues {
  /** The path, with the parameters of the update's path. */
  readonly path: string;
  /**
   * The body of a search, with the same parameters, where only that returns the values; otherwise, the path is that of
   * a GET.
   */
  readonly search?: object;
  /** The place of the values in the response. */
  readonly field: readonly string[];
  /** The fields of the update that are at other places in the response. */
  readonly elsewhere?: Readonly<Record<string, readonly string[]>>;
  /** The fields of the update that have another name in the response. */
  readonly names?: Readonly<Record<string, string>>;
}

/** The condition of a search that finds what the last parameter of the path of an update names. */
const FOUND_BY: Readonly<Record<string, object>> = {
  userId: { userIdQuery: { userId: '{userId}' } },
  roleKey: { keyQuery: { key: '{roleKey}', method: 'TEXT_QUERY_METHOD_EQUALS' } },
};

/** The fields of an update, and whether each is a message. */
type Wanted = ReadonlyMap<string, boolean>;

/** Policies whose instance-wide update has a path of its own. */
const READ_ELSEWHERE: Readonly<Record<string, string>> = { '/policies/password/lockout': '/policies/lockout' };
/** Fields of updates that are called differently where they are read. */
const READ_AS: Readonly<Record<string, string>> = { roleKeys: 'grantedRoleKeys' };
/** Configurations of providers that are called differently in paths. */
const CONFIG_OF: Readonly<Record<string, string>> = { generic_oidc: 'oidc', generic_jwt: 'jwt', azure: 'azureAd' };
/** `idp.oidcConfig` */
const MAX_DEPTH = 2;

/**
 * An update replaces everything, so the page at /docs fills its form with what is there: from the GET of the same or
 * the enclosing path, or from the search in the list that the path is about.
 */
export function findCurrent(document: OpenAPIObject, path: string, update: Operation): CurrentValues | undefined {
  const provider = findProvider(path);
  if (provider) return provider;
  const properties = schemaOf(document, update.requestBody)?.properties ?? {};
  const wanted: Wanted = new Map(
    Object.entries(properties).map(([name, property]) => [name, isMessage(document, property)]),
  );
  if (wanted.size === 0) return undefined;
  const enclosing = path.slice(0, path.lastIndexOf('/'));
  const part = toCamelCase(path.slice(path.lastIndexOf('/') + 1));
  for (const candidate of [path, elsewhere(path), enclosing]) {
    const get = candidate === undefined ? undefined : findGet(document, candidate);
    const found = get && bestMatch(document, schemaOf(document, get.responses['200']), wanted, part);
    if (found) return { path: candidate!, ...found };
  }
  return findInList(document, enclosing, /\{(\w+)\}$/.exec(path)?.[1], wanted);
}

/** Identity providers of every type and vendor are read by one operation. */
function findProvider(path: string): CurrentValues | undefined {
  const [, base, type = ''] = /^(.*\/idps)\/(\w+)\/\{id\}$/.exec(path) ?? [];
  if (base === undefined) return undefined;
  return {
    path: `${base}/templates/{id}`,
    field: ['idp', 'config', CONFIG_OF[type] ?? toCamelCase(type)],
    elsewhere: { id: ['idp', 'id'], name: ['idp', 'name'], providerOptions: ['idp', 'config', 'options'] },
  };
}

/** @param parameter of the path that names one entry of the list */
function findInList(
  document: OpenAPIObject,
  list: string,
  parameter: string | undefined,
  wanted: Wanted,
): CurrentValues | undefined {
  const condition = FOUND_BY[parameter ?? ''];
  const search = document.paths[`${list}/_search`]?.post;
  if (!condition || !search) return undefined;
  const { result } = schemaOf(document, search.responses['200'])?.properties ?? {};
  const found = bestMatch(document, result?.items, wanted);
  return (
    found && {
      ...found,
      path: `${list}/_search`,
      search: { queries: [condition] },
      field: ['result', '0', ...found.field],
    }
  );
}

function elsewhere(path: string): string | undefined {
  const entry = Object.entries(READ_ELSEWHERE).find(([end]) => path.endsWith(end));
  return entry && path.slice(0, -entry[0].length) + entry[1];
}

/** Parameters of the path may have other names there. */
/** None that must also be told which values to read: only the path of the update says that. */
function findGet(document: OpenAPIObject, path: string): Operation | undefined {
  const shape = shapeOf(path);
  const get = Object.entries(document.paths).find(([other, item]) => item.get && shapeOf(other) === shape)?.[1].get;
  const asksForMore = get?.parameters?.some((one) => 'in' in one && one.in === 'query' && one.required === true);
  return asksForMore === true ? undefined : get;
}

function toCamelCase(word: string): string {
  return word.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

/**
 * The object in the response that has most of the wanted fields; `oidc_config` updates the part of that name, whatever
 * else has them.
 */
function bestMatch(
  document: OpenAPIObject,
  response: Schema | undefined,
  wanted: Wanted,
  part?: string,
): Pick<CurrentValues, 'field' | 'names'> | undefined {
  let best:
    | { readonly field: readonly string[]; readonly renamed: readonly string[]; readonly weight: number }
    | undefined;
  const look = (schema: Schema | undefined, field: readonly string[]): void => {
    const properties = resolve(document, schema)?.properties ?? {};
    const shared = [...wanted.keys()].filter((name) => name in properties || (READ_AS[name] ?? name) in properties);
    // What is read in another form than it is sent in cannot be sent back.
    const isAlike = shared.every(
      (name) => !(name in properties) || isMessage(document, properties[name]) === wanted.get(name),
    );
    const weight = !isAlike ? 0 : shared.length + (part !== undefined && field.at(-1) === part ? wanted.size : 0);
    if (weight > (best?.weight ?? 0)) best = { field, renamed: shared.filter((name) => !(name in properties)), weight };
    if (field.length === MAX_DEPTH) return;
    for (const [name, property] of Object.entries(properties)) if (name !== 'details') look(property, [...field, name]);
  };
  look(response, []);
  if (!best) return undefined;
  const { field, renamed } = best;
  return renamed.length === 0
    ? { field }
    : { field, names: Object.fromEntries(renamed.map((name) => [name, READ_AS[name]!])) };
}

function isMessage(document: OpenAPIObject, schema: Schema | undefined): boolean {
  return resolve(document, schema)?.properties !== undefined;
}

function schemaOf(document: OpenAPIObject, holder: unknown): Schema | undefined {
  const { content } = (holder ?? {}) as { content?: Record<string, { schema?: Schema }> };
  return resolve(document, content?.['application/json']?.schema);
}

function resolve(document: OpenAPIObject, schema: Schema | undefined): Schema | undefined {
  const reference = schema?.$ref ?? schema?.allOf?.[0]?.$ref;
  if (reference === undefined) return schema;
  return (document.components?.schemas as Record<string, Schema> | undefined)?.[reference.split('/').at(-1)!];
}
