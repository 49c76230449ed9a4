import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TAGS } from '../../src/admin/kit/tags.js';
import { exampleOf, fieldsOf } from '../../src/admin/kit/wire/declared-field.js';
import { declaredOperations } from '../../src/admin/kit/wire/declared-operation.js';
import type { MessageClass } from '../../src/admin/kit/wire/field.js';
import { readMessage } from '../../src/admin/kit/wire/read-message.js';
import { ApiDocument } from '../../src/docs/api-document.js';
import { StandingIds } from '../../src/docs/standing-ids.js';
import type { DomainError } from '../../src/foundation/error/domain-error.js';
import { send } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';
import { adminRoutesOf, type Document, type Operation, type Schema } from './openapi-document.js';

/** Whose meaning nothing could add to. */
const SELF_EXPLAINING =
  /^(id|[a-z][A-Za-z]*Id|name|[a-z][A-Za-z]*Name|email|phone|domain|orgDomain|country|postalCode|key|roleKey|details|active|aud|keys|issuer|scope|email_verified|token_type|authorization_endpoint|token_endpoint|jwks_uri)$/;

interface FieldOfSchema {
  readonly path: string;
  readonly name: string;
  readonly schema: Schema;
}

let world: World;
let document: Document;
let fields: FieldOfSchema[];

beforeAll(async () => {
  world = await startWorld({ publicUrl: 'http://localhost:3000' });
  document = (await world.get(ApiDocument).get()) as unknown as Document;
  fields = Object.entries(document.components.schemas).flatMap(([owner, { properties = {} }]) =>
    Object.entries(properties).map(([name, schema]) => ({ path: `${owner}.${name}`, name, schema })),
  );
});
afterAll(() => world.close());

/** A message explains itself by its fields. */
function isMessage(schema: Schema): boolean {
  const reference = (schema.$ref ?? schema.allOf?.[0]?.$ref ?? schema.items?.$ref)?.split('/').at(-1);
  return reference !== undefined && document.components.schemas[reference]!.enum === undefined;
}

function hasForm({ format, pattern, description = '' }: Schema): boolean {
  return format === 'byte' || pattern !== undefined || /\bIt must /.test(description);
}

/** The fields of a message whose absence is refused. */
function mandatoryIn(message: MessageClass): string[] {
  try {
    readMessage(message, {});
    return [];
  } catch (error) {
    const broken = new Set((error as DomainError).violations.map(({ field }) => field));
    return namesIn(message).filter((name) => broken.has(name));
  }
}

/** What is read, or what is refused. */
function outcomeOf(message: MessageClass, json: object): object {
  try {
    return { ...readMessage(message, json) };
  } catch (error) {
    return (error as DomainError).violations;
  }
}

function namesIn(message: MessageClass): string[] {
  return fieldsOf(message).map(({ name }) => name);
}

/** Every message within these. */
function partsOf(messages: readonly MessageClass[], found = new Set<MessageClass>()): Set<MessageClass> {
  const parts = messages.flatMap((message) => fieldsOf(message).flatMap(({ part }) => part?.() ?? []));
  const added = parts.filter((part) => !found.has(part));
  for (const part of added) found.add(part);
  return added.length === 0 ? found : partsOf(added, found);
}

function requiredIn({ requestBody, parameters = [] }: Operation): string[] {
  const reference = requestBody?.content['application/json']?.schema?.$ref?.split('/').at(-1) ?? '';
  const inQuery = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true);
  return [...(document.components.schemas[reference]?.required ?? []), ...inQuery.map(({ name }) => name)];
}

describe('openapi.json', () => {
  it('describes each field, unless its name suffices', () => {
    expect(fields.length).toBeGreaterThan(1_000);
    const silent = fields.filter(
      ({ name, schema }) => schema.description === undefined && !isMessage(schema) && !SELF_EXPLAINING.test(name),
    );
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('shows an example of each text that must have a form', () => {
    const withForm = fields.filter(({ schema }) => hasForm(schema));
    expect(withForm.length).toBeGreaterThan(30);
    expect(withForm.filter(({ schema }) => schema.example === undefined).map(({ path }) => path)).toEqual([]);
  });

  it('documents the length or the form of each text of a request', () => {
    const bodies = adminRoutesOf(document).flatMap(({ operation }) =>
      Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema?.$ref?.split('/').at(-1)),
    );
    const texts = fields.filter(
      ({ path, schema }) =>
        bodies.includes(path.split('.')[0]) &&
        schema.type === 'string' &&
        schema.format === undefined &&
        schema.pattern === undefined,
    );
    expect(texts.length).toBeGreaterThan(100);
    expect(
      texts.filter(({ schema }) => schema.maxLength === undefined && !hasForm(schema)).map(({ path }) => path),
    ).toEqual([]);
  });

  it('lists a field of a request as required exactly if its absence is refused', () => {
    const declared = new Map(declaredOperations().map(({ id, request }) => [id, request]));
    const requests = adminRoutesOf(document).flatMap(({ operation }) => {
      const message = declared.get(operation.operationId);
      const inPath = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name);
      return message ? [{ message, inPath, required: requiredIn(operation) }] : [];
    });
    const parts = [...partsOf(requests.map(({ message }) => message))].map((message) => ({
      message,
      inPath: [] as string[],
      required: document.components.schemas[message.name]?.required ?? [],
    }));
    expect(requests.length).toBeGreaterThan(300);
    expect(parts.length).toBeGreaterThan(50);
    const differences = [...requests, ...parts].flatMap(({ message, inPath, required }) => {
      const mandatory = mandatoryIn(message).filter((name) => !inPath.includes(name));
      return [
        ...mandatory.filter((name) => !required.includes(name)).map((name) => `${message.name}.${name}: not listed`),
        ...required.filter((name) => !mandatory.includes(name)).map((name) => `${message.name}.${name}: may be absent`),
      ];
    });
    expect(differences).toEqual([]);
  });

  it('says that null counts as not sent, and so it does in each member of each request [ADM-100]', () => {
    expect((document as unknown as { info: { description: string } }).info.description).toContain(
      'A member that is `null` counts as not sent',
    );
    const requests = declaredOperations().flatMap(({ request, example }) => (request ? [{ request, example }] : []));
    const parts = [...partsOf(requests.map(({ request }) => request))].map((request) => ({
      request,
      example: undefined,
    }));
    let members = 0;
    for (const { request, example } of [...requests, ...parts]) {
      const whole: Record<string, unknown> = { ...(example ?? exampleOf(request)) };
      for (const { name } of fieldsOf(request)) {
        const { [name]: _, ...without } = whole;
        const asNull = outcomeOf(request, { ...without, [name]: null });
        expect([request.name, name, asNull]).toEqual([request.name, name, outcomeOf(request, without)]);
        members += 1;
      }
    }
    expect(members).toBeGreaterThan(1_500);
  });

  it('demands the list that is all that an update is about [ADM-088]', () => {
    const declared = new Map(declaredOperations().map(({ id, request }) => [id, request]));
    const demanded = adminRoutesOf(document).flatMap(({ method, path, operation }) => {
      const request = method.toUpperCase() === 'PUT' ? declared.get(operation.operationId) : undefined;
      const [only, ...others] = request ? fieldsOf(request).filter(({ name }) => !path.includes(`{${name}}`)) : [];
      const isAll = only?.many === true && only.maxItems > 0 && others.length === 0;
      return isAll ? [[request!.name, mandatoryIn(request!).includes(only.name)]] : [];
    });
    expect(demanded.length).toBeGreaterThan(5);
    expect(demanded.filter(([, isDemanded]) => isDemanded === false)).toEqual([]);
  });

  it('explains each tag, and puts each operation under one', () => {
    for (const { operation } of adminRoutesOf(document)) expect(Object.keys(TAGS)).toContain(operation.tags[0]);
    for (const { name, description } of document.tags)
      expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
  });

  it('shows the body of each refusal that an operation names', () => {
    const shown = new Map(
      adminRoutesOf(document).map(({ operation }) => [
        operation.operationId,
        Object.values(operation.responses).flatMap(({ content }) =>
          Object.keys(content?.['application/json']?.examples ?? {}),
        ),
      ]),
    );
    const named = declaredOperations().flatMap(({ id, refuses = [] }) =>
      refuses.map(({ reason }) => [id, reason] as const),
    );
    expect(named.length).toBeGreaterThan(300);
    expect(named.filter(([id, reason]) => shown.has(id) && !shown.get(id)!.includes(reason))).toEqual([]);
  });

  it('documents deprecated operations, and the header of their responses', () => {
    const deprecated = adminRoutesOf(document).filter(({ operation }) => operation.deprecated === true);
    expect(deprecated.map(({ operation }) => operation.operationId)).toEqual(
      expect.arrayContaining(['AddOIDCIDP', 'AddJWTIDP', 'GetDeafultPasswordResetMessageText']),
    );
    for (const { operation } of deprecated) expect(operation.responses['200']!.headers).toHaveProperty('Deprecation');
  });
});

describe('docs/operation-names.md', () => {
  it('names each operation of an organization whose name the instance has as well', () => {
    const ids = new Map(
      adminRoutesOf(document).map(({ method, path, operation }) => [operation.operationId, `${method} ${path}`]),
    );
    const rows = [
      ...readFileSync(new URL('../../docs/operation-names.md', import.meta.url), 'utf8').matchAll(
        /^\| `(\w+)` +\| `(\w+)` +\| `([^`]+)` +\|$/gm,
      ),
    ];
    expect(rows.map(([, , id]) => [id, ids.get(id!)])).toEqual(rows.map(([, , id, route]) => [id, route]));
    expect(rows.filter(([, name]) => !ids.has(name!))).toEqual([]);
    const twins = [...ids.keys()].filter((id) => id.endsWith('OfOrg'));
    expect(twins.filter((id) => !rows.some(([, name, twin]) => twin === id && `${name}OfOrg` === id))).toEqual([]);
  });
});

describe('/docs-json', () => {
  it('shows in its examples the ids of what this instance has from its first start', async () => {
    const { orgId, projectId, adminUserId } = world.firstStart;
    const shown = (await send(world.origin, { path: '/docs-json' })).json<Document>();
    const parameterOf = (path: string): unknown =>
      shown.paths[path]!['get']!.parameters!.find(({ in: place }) => place === 'path')!.example;
    expect(parameterOf('/admin/v1/orgs/{orgId}')).toBe(orgId);
    expect(parameterOf('/management/v1/projects/{id}')).toBe(projectId);
    expect(parameterOf('/management/v1/users/{id}')).toBe(adminUserId);
  });

  it('does not reveal in production who manages the instance', async () => {
    const { adminUserId, orgId } = world.firstStart;
    const replica = await startWorld({
      replicaOf: world,
      env: { NODE_ENV: 'production', DATABASE_URL: 'postgres://127.0.0.1/gatehouse', LOGIN_LIMITS: 'on' },
    });
    expect([...(await replica.get(StandingIds).find()).values()]).toContain(orgId);
    const { text } = await send(replica.origin, { path: '/docs-json' });
    expect([text.includes(orgId), text.includes(adminUserId)]).toEqual([true, false]);
    await replica.close();
  });
});
