export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly example?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

export interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema?: Schema;
}

/** The OpenAPI document, as far as the page reads it. */
export interface ApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, Content> };
  readonly deprecated?: boolean;
  readonly 'x-former-name'?: boolean;
  readonly 'x-confirm'?: string;
  readonly 'x-current'?: CurrentValues;
}

/** Where the values that an update replaces can be read (docs/current-values.ts). */
export interface CurrentValues {
  readonly path: string;
  readonly search?: object;
  readonly field: readonly string[];
  readonly elsewhere?: Readonly<Record<string, readonly string[]>>;
  readonly names?: Readonly<Record<string, string>>;
}

export interface ApiDocument {
  readonly openapi: string;
  readonly info: { description: string };
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  readonly paths: Record<string, Record<string, ApiOperation>>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
  };
  readonly 'x-tagGroups': ReadonlyArray<{ readonly name: string; readonly tags: readonly string[] }>;
  readonly 'x-instance': string;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

export function routesOf({ paths }: ApiDocument): Route[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** Operations under older, misspelt names are for programs that were written against them. */
export function hideFormerNames(document: ApiDocument): void {
  for (const { method, path, operation } of routesOf(document)) {
    if (operation['x-former-name']) delete document.paths[path]![method];
  }
}

/**
 * The header with which a call is about another organization than the caller's own. Its name contains a word that the
 * operator chooses.
 */
export function orgHeaderOf(document: ApiDocument): string | undefined {
  return routesOf(document)
    .flatMap(({ operation }) => operation.parameters ?? [])
    .find(({ name, in: place }) => place === 'header' && name.endsWith('-orgid'))?.name;
}
