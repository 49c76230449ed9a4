import type { CurrentValues } from '../../src/docs/site/document.js';

/** openapi.json as tests read it. */
export interface Document {
  readonly tags: ReadonlyArray<{ name: string; description?: string }>;
  readonly servers: ReadonlyArray<{ url: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
  readonly 'x-example-ids': ReadonlyArray<{ method: string; path: string; field: readonly string[]; example: string }>;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly description?: string;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

export interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { value: unknown }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema?: Schema;
  readonly description?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags: readonly string[];
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description?: string;
        readonly headers?: Readonly<Record<string, unknown>>;
        readonly content?: Readonly<Record<string, Content>>;
      }
    >
  >;
  readonly 'x-permission'?: string;
  readonly 'x-current'?: CurrentValues;
}

/** An operation and where it stands. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function routesOf(document: Document): Route[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Those of the administrative API. */
export function adminRoutesOf(document: Document): Route[] {
  return routesOf(document).filter(({ path }) => /^\/(?:(?:admin|management|auth)\/v1|v2)\//.test(path));
}

/** What Swagger UI sends when the user presses Execute without changes. */
export function exampleOf({ method, path, operation }: Route): {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
} {
  const parameters = (operation.parameters ?? []).filter(({ example }) => example !== undefined);
  const of = (place: Parameter['in']): Parameter[] => parameters.filter((parameter) => parameter.in === place);
  const filled = of('path').reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = new URLSearchParams(of('query').map(({ name, example }) => [name, String(example)])).toString();
  const content = operation.requestBody?.content['application/json'];
  return {
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    headers: Object.fromEntries(of('header').map(({ name, example }) => [name, String(example)])),
    body: content
      ? JSON.stringify(content.example ?? Object.values(content.examples ?? {})[0]?.value ?? {})
      : undefined,
  };
}

/** Where a value is not as the document promises: a field that is missing, unknown, or of another kind. */
export function brokenPromises(
  schema: Schema,
  value: unknown,
  schemas: Document['components']['schemas'],
  at = '',
): string[] {
  const reference = (schema.$ref ?? schema.allOf?.[0]?.$ref)?.split('/').at(-1);
  if (reference !== undefined) return brokenPromises(schemas[reference]!, value, schemas, at);
  if (schema.enum)
    return schema.enum.includes(value as string) ? [] : [`${at}: ${String(value)} is none of its values`];
  switch (schema.type) {
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((one: unknown, index) => brokenPromises(schema.items!, one, schemas, `${at}[${index}]`))
        : [`${at}: no list`];
    case 'integer':
      return Number.isInteger(value) ? [] : [`${at}: no whole number`];
    case 'string':
    case 'boolean':
      return typeof value === schema.type ? [] : [`${at}: no ${schema.type}`];
    default:
      return brokenFields(schema, value, schemas, at);
  }
}

function brokenFields(
  { properties = {}, required = [], additionalProperties }: Schema,
  value: unknown,
  schemas: Document['components']['schemas'],
  at: string,
): string[] {
  if (typeof value !== 'object' || value === null) return [`${at}: no object`];
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name}: missing`);
  const present = Object.entries(value).flatMap(([name, one]) => {
    const property = properties[name];
    if (property) return brokenPromises(property, one, schemas, `${at}.${name}`);
    return additionalProperties === true ? [] : [`${at}.${name}: unknown`];
  });
  return [...missing, ...present];
}
