import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE_ORG } from '../admin/kit/operation.js';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
};
interface Schema {
  readonly $ref?: string;
  readonly allOf?: Schema[];
  readonly type?: string;
  readonly description?: string;
  readonly example?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * The administrative API declares one message per operation. Here its fields get their places: parameters of the path,
 * other fields of GET and DELETE as parameters of the query, and the rest in the body.
 */
export function placeRequests(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const [path, item] of Object.entries(document.paths)) {
    const inPath = namesIn(path);
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      placeRequest(operation, method, inPath, schemas);
      placeOrg(operation);
    }
  }
}

type Values = Readonly<Record<string, unknown>>;

function placeRequest(
  operation: Operation,
  method: (typeof METHODS)[number],
  inPath: readonly string[],
  schemas: Record<string, Schema>,
): void {
  const body = operation.requestBody as
    | {
        content?: Record<string, { schema?: Schema; example?: Values; examples?: Record<string, { value: Values }> }>;
      }
    | undefined;
  const json = body?.content?.['application/json'];
  const reference = json?.schema?.$ref;
  const name = reference?.split('/').at(-1);
  const declared = name === undefined ? undefined : schemas[name];
  const message =
    declared?.properties && method === 'get'
      ? { ...declared, properties: spelledOut(declared.properties, schemas) }
      : declared;
  if (!json || !message?.properties) return;
  const example = json.examples?.['working']?.value ?? json.example ?? {};
  const takesBody = method === 'delete' && Object.values(message.properties).some(({ type }) => type === 'array');
  const elsewhere = method === 'get' || (method === 'delete' && !takesBody) ? Object.keys(message.properties) : inPath;
  const parameters = (operation.parameters ?? []) as Parameter[];
  const moved = elsewhere.filter((field) => Object.hasOwn(message.properties!, field));
  operation.parameters = [
    ...moved.map((field) => toParameter(field, message, inPath.includes(field) ? 'path' : 'query', example[field])),
    ...parameters.filter((parameter) => !moved.includes(parameter.name)),
  ];
  const staying = Object.keys(message.properties).filter((field) => !moved.includes(field));
  if (staying.length === 0) {
    delete operation.requestBody;
    return;
  }
  const bodyName = moved.length === 0 ? name! : `${operation.operationId}Body`;
  schemas[bodyName] = {
    ...message,
    properties: Object.fromEntries(staying.map((field) => [field, message.properties![field]!])),
    ...(message.required ? { required: message.required.filter((field) => staying.includes(field)) } : {}),
  };
  if (schemas[bodyName].required?.length === 0) delete schemas[bodyName].required;
  const shown = Object.fromEntries(
    staying.filter((field) => Object.hasOwn(example, field)).map((field) => [field, example[field]]),
  );
  operation.requestBody = {
    required: (schemas[bodyName].required ?? []).length > 0,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${bodyName}` }, example: shown } },
  };
}

/**
 * The parameters of a query as their reader expects them (admin/kit/wire/message.ts): fields of nested messages are
 * written with a dot, and lists are omitted.
 */
function spelledOut(
  properties: Readonly<Record<string, Schema>>,
  schemas: Readonly<Record<string, Schema>>,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      if (schema.type === 'array') return [];
      const { properties: within } = schemas[(schema.$ref ?? schema.allOf?.[0]?.$ref)?.split('/').at(-1) ?? ''] ?? {};
      return within
        ? Object.entries(within).map(([inner, one]) => [`${name}.${inner}`, one] as const)
        : [[name, schema] as const];
    }),
  );
}

/** The header with the organization of the example. */
function placeOrg(operation: Operation & { [EXAMPLE_ORG]?: string }): void {
  const { [EXAMPLE_ORG]: example } = operation;
  if (example === undefined) return;
  delete operation[EXAMPLE_ORG];
  const parameters = (operation.parameters ?? []) as Parameter[];
  operation.parameters = parameters.map((parameter) =>
    parameter.in === 'header' ? { ...parameter, example } : parameter,
  );
}

function toParameter(name: string, message: Schema, place: 'path' | 'query', example: unknown): Parameter {
  const { description, example: _, ...schema } = message.properties![name]!;
  return {
    name,
    in: place,
    required: place === 'path' || (message.required ?? []).includes(name),
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    schema,
  };
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}

/** Removes schemas without references, whose fields have moved elsewhere. */
export function dropUnusedSchemas(document: OpenAPIObject, keep: readonly string[]): void {
  const schemas = document.components?.schemas ?? {};
  for (let dropped = true; dropped; ) {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    const used = new Set([...keep, ...references.map(([, name]) => name!)]);
    const unused = Object.keys(schemas).filter((name) => !used.has(name));
    for (const name of unused) delete schemas[name];
    dropped = unused.length > 0;
  }
}
