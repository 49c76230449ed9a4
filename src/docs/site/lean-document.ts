import type { ApiDocument } from './document.js';

/** The members of an operation that the list shows, and whether a form may be sent without a body. */
const LISTED = ['operationId', 'summary', 'tags', 'deprecated', 'security'] as const;

type Values = Readonly<Record<string, unknown>>;
type Components = Record<string, Record<string, unknown>>;

/**
 * The document for Swagger UI, which copies all of it at its start, and again with every operation that is opened or
 * sent, so that each field costs time for all operations together. `partOf` has the rest.
 */
export function listedDocument(document: ApiDocument): Values {
  const { components, paths, ...head } = document;
  const { securitySchemes, schemas } = components as unknown as Components;
  return {
    ...head,
    paths: mapValues(paths, (item) => mapValues(item, (operation) => listedOperation(operation as unknown as Values))),
    // References in a circle stay references: Swagger UI looks them up when a reader unfolds them.
    components: { securitySchemes, schemas: pick(schemas!, namesInCircles(schemas!)) },
  };
}

/** A document with only what is at `path`, and what that refers to. */
export function partOf(document: ApiDocument, path: readonly string[]): Values {
  const found = path.reduce<unknown>((value, name) => (value as Values | undefined)?.[name], document);
  const components: Components = {};
  addReferred(found, document.components, components);
  const nested = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), found) as Values;
  const all = { ...components, ...(nested['components'] as Values | undefined) };
  // A copy: Swagger UI writes into what it resolves.
  return JSON.parse(JSON.stringify({ openapi: document.openapi, ...nested, components: all })) as Values;
}

function listedOperation(operation: Values): Values {
  const { required } = (operation['requestBody'] ?? {}) as { required?: boolean };
  const listed = LISTED.filter((name) => name in operation).map((name) => [name, operation[name]] as const);
  return { ...Object.fromEntries(listed), ...(required ? { requestBody: { required } } : {}) };
}

function addReferred(value: unknown, all: Components, components: Components): void {
  for (const [kind, name] of referencesIn(value)) {
    const place = (components[kind] ??= {});
    if (name in place) continue;
    place[name] = all[kind]?.[name];
    addReferred(place[name], all, components);
  }
}

/** The schemas that refer to themselves, at whatever distance, and all that they refer to. */
function namesInCircles(schemas: Values): Set<string> {
  const next = new Map(Object.entries(schemas).map(([name, one]) => [name, referencesIn(one).map(([, to]) => to)]));
  const names = new Set<string>();
  for (const name of next.keys()) {
    if (names.has(name)) continue;
    const reached = new Set(next.get(name));
    // A set that grows is iterated to its new end.
    for (const one of reached) for (const other of next.get(one) ?? []) reached.add(other);
    if (reached.has(name)) for (const one of reached) names.add(one);
  }
  return names;
}

function referencesIn(value: unknown): Array<readonly [kind: string, name: string]> {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key !== '$ref' || typeof inner !== 'string') return referencesIn(inner);
    const [kind, name] = inner.split('/').slice(-2);
    return [[kind!, name!] as const];
  });
}

function pick(values: Values, names: ReadonlySet<string>): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}

function mapValues<T>(values: Readonly<Record<string, T>>, change: (value: T) => unknown): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
