/** openapi.json as tests read it. */
export interface Document {
  readonly tags: ReadonlyArray<{ name: string; description?: string }>;
  readonly servers: ReadonlyArray<{ url: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly securitySchemes: Readonly<Record<string, unknown>> };
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
}

export interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { value: unknown }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
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
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly headers?: Readonly<Record<string, unknown>>; readonly content?: Readonly<Record<string, Content>> }>>;
  readonly 'x-permission'?: string;
}

/** An operation and where it stands. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function routesOf(document: Document): Route[] {
  return Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })));
}

/** Those of the administrative API. */
export function adminRoutesOf(document: Document): Route[] {
  return routesOf(document).filter(({ path }) => /^\/(admin|management|auth)\/v1\//.test(path));
}

/** What Swagger UI sends when somebody presses Execute and has changed nothing. */
export function exampleOf({ method, path, operation }: Route): { method: string; path: string; headers: Record<string, string>; body: string | undefined } {
  const parameters = (operation.parameters ?? []).filter(({ example }) => example !== undefined);
  const of = (place: Parameter['in']): Parameter[] => parameters.filter((parameter) => parameter.in === place);
  const filled = of('path').reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))), path);
  const query = new URLSearchParams(of('query').map(({ name, example }) => [name, String(example)])).toString();
  const content = operation.requestBody?.content['application/json'];
  return {
    method, path: query === '' ? filled : `${filled}?${query}`,
    headers: Object.fromEntries(of('header').map(({ name, example }) => [name, String(example)])),
    body: content ? JSON.stringify(content.example ?? Object.values(content.examples ?? {})[0]?.value ?? {}) : undefined,
  };
}
