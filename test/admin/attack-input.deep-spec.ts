import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeclaredField } from '../../src/admin/kit/wire/field.js';
import { cpuMsOf } from '../support/effort.js';
import { type Headers, type Reply, send } from '../support/http.js';
import { exampleBody, type KnownOperation, looseFieldsOf, pathOf } from '../support/operations.js';
import { bearer } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { Attacker, expectRefused, JSON_TYPE } from './attacker.js';
import { Callers } from './callers.js';

let world: World;
let attacker: Attacker;

beforeAll(async () => {
  world = await startWorld();
  attacker = await Attacker.of(world);
});
afterAll(async () => {
  attacker.close();
  await world.close();
});

function fieldsIn(reply: Reply): string[] {
  const { details } = reply.json<{ details: Array<{ fieldViolations?: Array<{ field: string }> }> }>();
  return details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field));
}

/** Of every field of a body, by a function of the field: what is sent, and the fields that a refusal must name. */
function bodyOf(
  operation: KnownOperation,
  wrong: (field: DeclaredField) => unknown,
): { body: string; named: string[] } {
  const entries = looseFieldsOf(operation)
    .map((field) => [field.name, wrong(field)] as const)
    .filter(([, value]) => value !== undefined);
  return { body: JSON.stringify(Object.fromEntries(entries)), named: entries.map(([name]) => name) };
}

async function expectNamed(wrong: (field: DeclaredField) => unknown): Promise<void> {
  const before = await world.contents();
  const concerned = attacker.withBody.filter((operation) => bodyOf(operation, wrong).named.length > 0);
  expect(concerned.length).toBeGreaterThan(2);
  const asked = await attacker.each(concerned, (operation) =>
    attacker.ask(operation, pathOf(operation), bodyOf(operation, wrong).body),
  );
  expectRefused(asked);
  for (const { operation, reply } of asked) {
    const named = fieldsIn(reply).map((field) => field.replace(/[.[].*$/, ''));
    expect([operation.name, named]).toEqual([operation.name, expect.arrayContaining(bodyOf(operation, wrong).named)]);
  }
  expect(await world.contents()).toBe(before);
}

const many = (field: DeclaredField, value: unknown): unknown => (field.many ? [value] : value);
const of = (kinds: readonly DeclaredField['kind'][], value: unknown) => (field: DeclaredField) =>
  kinds.includes(field.kind) ? many(field, value) : undefined;

describe('Every operation refuses, names every broken field at once, and changes nothing', () => {
  it.each<[string, (field: DeclaredField) => unknown]>([
    [
      'a number for whatever else',
      (field) =>
        field.many ? 7 : field.kind === 'count' || field.kind === 'long' ? -7 : field.kind === 'choice' ? 99 : 7,
    ],
    [
      'an object where none may stand',
      (field) => (field.kind === 'part' || field.kind === 'struct' ? 'text' : many(field, {})),
    ],
    ['a list in a list', (field) => (field.many ? [[]] : [])],
    ['a boolean as text', of(['flag'], 'true')],
    ['null in a list', (field) => (field.many ? [1, null].slice(1) : undefined)],
    ['a hundred thousand entries', (field) => (field.many ? Array(100_000).fill(0) : undefined)],
  ])('%s [ADM-011]', async (_, wrong) => expectNamed(wrong));

  it.each([
    ['an unknown name', 'NO_SUCH_NAME'],
    ['a number as text', '1'],
    ['99', 99],
    ['-1', -1],
    ['1.5', 1.5],
    ['2147483648', 2_147_483_648],
    ['a list', []],
  ])('%s as an enumeration [ADM-012]', async (_, value) => expectNamed(of(['choice'], value)));

  it.each([
    ['NUL', 'a\0b'],
    ['a lone surrogate', '\ud800'],
  ])('%s in each text [ADM-013, ADM-014]', async (_, text) => expectNamed(of(['text'], text)));

  it.each([
    ['half a second', '0.5s'],
    ['no unit', '60'],
    ['less than nothing', '-1s'],
    ['longer than anybody lives', '999999999999s'],
  ])('%s as a duration', async (_, value) => expectNamed(of(['span'], value)));

  it.each<[string, string | Buffer]>([
    ['a list', '[]'],
    ['text', '"x"'],
    ['a number', '1'],
    ['a comma at the end', '{"name":"x",}'],
    ['bytes behind the end', '{}x'],
    ['two objects', '{}{}'],
    ['a byte order mark alone', '\ufeff'],
    ['NaN', '{"name":NaN}'],
    ['single quotes', "{'name':'x'}"],
    ['a comment', '{}//'],
    ['half of it', '{"name":'],
    ['no UTF-8', Buffer.from('{"name":"\xff"}', 'latin1')],
  ])('%s as the body [ADM-015]', async (_, body) => {
    const before = await world.contents();
    expectRefused(
      await attacker.each(attacker.withBody, (operation) => attacker.ask(operation, pathOf(operation), body)),
    );
    expect(await world.contents()).toBe(before);
  });

  it.each<[string, Headers]>([
    ['no type', {}],
    ['text', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['XML', { 'Content-Type': 'application/xml' }],
    ['UTF-16', { 'Content-Type': 'application/json; charset=utf-16' }],
    ['compressed', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
    ['nonsense', { 'Content-Type': ';' }],
  ])('a body declared as %s [ADM-018]', async (_, headers) => {
    const before = await world.contents();
    expectRefused(
      await attacker.each(attacker.withBody, (operation) =>
        attacker.ask(operation, pathOf(operation), JSON.stringify(exampleBody(operation)), {
          ...headers,
          Accept: 'image/png',
        }),
      ),
    );
    expect(await world.contents()).toBe(before);
  });

  it('JSON that is nested ten thousand deep, in time [ADM-015]', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const asked = await attacker.each(attacker.withBody, (operation) =>
      attacker.ask(
        operation,
        pathOf(operation),
        `{${looseFieldsOf(operation)
          .map(({ name }) => `${JSON.stringify(name)}:${deep}`)
          .join()}}`,
      ),
    );
    expectRefused(asked);
  });

  it('a member that its object has twice, with its path: parsers differ in which of them counts (RFC 8259 §4)', async () => {
    const before = await world.contents();
    const asked = await attacker.each(attacker.withBody, (operation) => {
      const [field] = looseFieldsOf(operation);
      const name = JSON.stringify(field?.name ?? 'unknown');
      return attacker.ask(operation, pathOf(operation), `{${name}:null,${name}:null}`);
    });
    expectRefused(asked);
    for (const { operation, reply } of asked) {
      const named = fieldsIn(reply)[0] ?? reply.json()['message']; // a document is read as a stream, with refusals of its own
      const field = looseFieldsOf(operation)[0]?.name ?? 'unknown';
      expect([operation.name, named]).toEqual([operation.name, expect.stringContaining(field)]);
    }
    expect(await world.contents()).toBe(before);
  });

  it.each(['POST /management/v1/projects', 'POST /admin/v1/idps/oidc', 'PUT /admin/v1/text/message/init/:language'])(
    '10 MB at %s, with little work, whatever it is [ADM-015]',
    async (name) => {
      const operation = attacker.operations.find((one) => one.name === name)!;
      for (const body of [`{"name":"${'x'.repeat(10_000_000)}"}`, `{"a":${'['.repeat(10_000_000)}`]) {
        const cpuMs = await cpuMsOf(async () => {
          const reply = await send(world.origin, {
            method: operation.method,
            path: pathOf(operation),
            headers: { ...bearer(attacker.token), ...JSON_TYPE },
            body,
          }).catch(String);
          // It is answered before it was read: the sender may see the connection end first.
          if (typeof reply === 'string') expect(reply).toMatch(/EPIPE|ECONNRESET/);
          else
            expect([reply.status, reply.json()['message']]).toEqual([
              400,
              'The body must have at most 1048576 bytes. (body.too_large)',
            ]);
        });
        expect(cpuMs).toBeLessThan(500);
      }
    },
  );

  it('nothing on behalf of a prototype [ADM-016]', async () => {
    const hostile = '{"__proto__":{"isAdmin":true,"name":"x"},"constructor":{"prototype":{"isAdmin":true}},';
    const concerned = attacker.withBody.filter((operation) =>
      looseFieldsOf(operation).some(({ kind, many: isList }) => kind === 'text' && !isList),
    );
    expectRefused(
      await attacker.each(concerned, (operation) => {
        const text = looseFieldsOf(operation).find(({ kind, many: isList }) => kind === 'text' && !isList)!;
        return attacker.ask(
          operation,
          pathOf(operation),
          `${hostile}${JSON.stringify(text.name)}:{"__proto__":{"isAdmin":true}}}`,
        );
      }),
    );
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    const nobody = await new Callers(world).service([]);
    expect(
      (await send(world.origin, { path: '/admin/v1/text/default/message/init/en', headers: bearer(nobody.pat) }))
        .status,
    ).toBe(403);
  });

  it('a secret without repeating it', async () => {
    const secret = `never-say-this-again-${'x'.repeat(1_000)}`;
    world.plant(secret.slice(0, 40));
    const isSecret = (field: DeclaredField): boolean =>
      field.kind === 'text' && /secret|password|code|token|hash/i.test(field.name);
    const concerned = attacker.withBody.filter((operation) => looseFieldsOf(operation).some(isSecret));
    expect(concerned.length).toBeGreaterThan(3);
    const asked = await attacker.each(concerned, (operation) => {
      const entries = looseFieldsOf(operation).map((field) => [
        field.name,
        isSecret(field) ? many(field, secret) : field.kind === 'text' && !field.many ? 7 : undefined,
      ]);
      return attacker.ask(operation, pathOf(operation), JSON.stringify(Object.fromEntries(entries)));
    });
    for (const { reply } of asked) expect(reply.text).not.toContain('never-say-this');
  });
});

describe('Every operation takes null for what was not sent', () => {
  // Last: some change what they are about.
  it('in every member at once, and never fails on it [ADM-100]', async () => {
    const asked = await attacker.each(attacker.withBody, (operation) =>
      attacker.ask(
        operation,
        pathOf(operation),
        JSON.stringify(Object.fromEntries(looseFieldsOf(operation).map(({ name }) => [name, null]))),
      ),
    );
    for (const { operation, reply } of asked) {
      expect([operation.name, reply.status < 500]).toEqual([operation.name, true]);
      expect([operation.name, reply.text]).toEqual([operation.name, expect.not.stringContaining('null')]);
    }
  });
});
