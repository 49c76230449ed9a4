import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

interface Schema {
  readonly $ref?: string;
  /** Of a property with a description of its own: the schema that it refers to. */
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Where the values that an update replaces can be read. */
export interface CurrentValues {
  /** With the parameters of the path of the update. */
  readonly path: string;
  /** Their place in the response. */
  readonly field: readonly string[];
}

/** Policies whose instance-wide update has a path of its own. */
const READ_ELSEWHERE: Readonly<Record<string, string>> = { '/policies/password/lockout': '/policies/lockout' };
/** `idp.oidcConfig` */
const MAX_DEPTH = 2;

/** An update replaces everything, so the page at /docs fills its form with what is there: from the GET of the same or the enclosing path. */
export function findCurrent(document: OpenAPIObject, path: string, update: Operation): CurrentValues | undefined {
  const wanted = Object.keys(schemaOf(document, update.requestBody)?.properties ?? {});
  if (wanted.length === 0) return undefined;
  for (const candidate of [path, elsewhere(path), path.slice(0, path.lastIndexOf('/'))]) {
    const get = candidate === undefined ? undefined : findGet(document, candidate);
    const part = toCamelCase(path.slice(path.lastIndexOf('/') + 1));
    const found = get && bestMatch(document, schemaOf(document, get.responses['200']), new Set(wanted), part);
    if (found) return { path: candidate!, field: found };
  }
  return undefined;
}

function elsewhere(path: string): string | undefined {
  const entry = Object.entries(READ_ELSEWHERE).find(([end]) => path.endsWith(end));
  return entry && path.slice(0, -entry[0].length) + entry[1];
}

/** Parameters of the path may have other names there. */
function findGet(document: OpenAPIObject, path: string): Operation | undefined {
  const shape = shapeOf(path);
  return Object.entries(document.paths).find(([other, item]) => item.get && shapeOf(other) === shape)?.[1].get;
}

function toCamelCase(word: string): string {
  return word.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

/** The object in the response that has most of the wanted fields; `oidc_config` updates the part of that name, whatever else has them. */
function bestMatch(
  document: OpenAPIObject,
  response: Schema | undefined,
  wanted: ReadonlySet<string>,
  part: string,
): readonly string[] | undefined {
  let best: { readonly field: readonly string[]; readonly shared: number } | undefined;
  const look = (schema: Schema | undefined, field: readonly string[]): void => {
    const properties = Object.entries(resolve(document, schema)?.properties ?? {});
    const named = field.at(-1) === part ? wanted.size : 0;
    const shared = named + properties.filter(([name]) => wanted.has(name)).length;
    if (shared > (best?.shared ?? 0)) best = { field, shared };
    if (field.length === MAX_DEPTH) return;
    for (const [name, property] of properties) if (name !== 'details') look(property, [...field, name]);
  };
  look(response, []);
  return best?.field;
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
