import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type ApiDocument, routesOf } from './document.js';
import { listedDocument, partOf } from './lean-document.js';

const text = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(text) as ApiDocument;
const listed = listedDocument(document) as unknown as ApiDocument;

type Schemas = Readonly<Record<string, unknown>>;
const schemasOf = (part: unknown): Schemas => (part as { components: { schemas?: Schemas } }).components.schemas ?? {};

describe('The document that Swagger UI gets at its start', () => {
  it('lists every operation in its place, with what a closed row shows', () => {
    const rows = (of: ApiDocument): unknown[] =>
      routesOf(of).map(({ method, path, operation: { operationId, summary, tags } }) => [
        method,
        path,
        operationId,
        summary,
        tags,
      ]);
    expect(rows(listed)).toEqual(rows(document));
  });

  it('says which operations are deprecated, need a sign-in or need a body', () => {
    const facts = (of: ApiDocument): unknown[] =>
      routesOf(of).map(({ operation }) => {
        const { deprecated, security, requestBody } = operation as unknown as {
          deprecated?: boolean;
          security?: unknown;
          requestBody?: { required?: boolean };
        };
        return [deprecated, security, requestBody?.required === true];
      });
    expect(facts(listed)).toEqual(facts(document));
  });

  it('is a fifth of the whole document at most, since every field is copied many times', () => {
    expect(JSON.stringify(listed).length).toBeLessThan(text.length / 5);
  });

  it('has the schemas that refer to themselves, which Swagger UI looks up by their names', () => {
    expect(schemasOf(listed)).toHaveProperty('UserSearchQuery', schemasOf(document)['UserSearchQuery']);
    expect(schemasOf(listed)).not.toHaveProperty('AddProjectRequest');
  });
});

describe('The part of an operation', () => {
  it('has the operation whole, and everything that it refers to', () => {
    for (const { path, method, operation } of routesOf(document)) {
      const part = partOf(document, ['paths', path, method]);
      expect(part).toMatchObject({ openapi: document.openapi, paths: { [path]: { [method]: operation } } });
      const named = [...JSON.stringify(part).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
      const there = part['components'] as Readonly<Record<string, Schemas>>;
      for (const [, kind, name] of named) expect(there[kind!]?.[name!]).toBeDefined();
    }
  });

  it('is a copy, because Swagger UI writes into it', () => {
    const part = partOf(document, ['components', 'securitySchemes']) as { components: { securitySchemes: object } };
    expect(part.components.securitySchemes).not.toBe(
      (document.components as unknown as { securitySchemes: object }).securitySchemes,
    );
  });

  it('contains nothing that the operation does not need', () => {
    const { path, method } = routesOf(document).find(({ operation }) => operation.operationId === 'AddProject')!;
    expect(JSON.stringify(partOf(document, ['paths', path, method])).length).toBeLessThan(20_000);
  });

  it('is empty where there is nothing', () => {
    expect(partOf(document, ['components', 'links'])).toEqual({ openapi: document.openapi, components: {} });
  });
});
