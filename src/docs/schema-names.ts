import type { OpenAPIObject } from '@nestjs/swagger';

const PREFIX = '#/components/schemas/';

/**
 * Client generators wrap the response of the operation `AddProject` in a type of their own, `AddProjectResponse`
 * (oapi-codegen does by default), so no schema may have that name: the response itself is `AddProjectResult`.
 * @throws Error if that name is taken by another schema
 */
export function nameAnswers(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  const names = new Map(
    Object.keys(schemas)
      .filter((name) => name.endsWith('Response'))
      .map((name) => [name, name.replace(/Response$/, 'Result')]),
  );
  for (const [name, better] of names) {
    if (better in schemas) throw new Error(`openapi: ${name} cannot be called ${better}, as another schema is.`);
    schemas[better] = schemas[name]!;
    delete schemas[name];
  }
  forEachObject(document, (node) => {
    if (typeof node['$ref'] !== 'string') return;
    const better = names.get(node['$ref'].slice(PREFIX.length));
    if (better !== undefined) node['$ref'] = `${PREFIX}${better}`;
  });
}

/** Replaces a composition of a single schema with that schema. */
export function plainReferences(document: OpenAPIObject): void {
  forEachObject(document, (node) => {
    const { allOf, ...rest } = node;
    if (!Array.isArray(allOf) || allOf.length !== 1 || Object.keys(rest).length > 0) return;
    delete node['allOf'];
    Object.assign(node, allOf[0]);
  });
}

function forEachObject(value: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) visit(value as Record<string, unknown>);
  for (const inner of Object.values(value)) forEachObject(inner, visit);
}
