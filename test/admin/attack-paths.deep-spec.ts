import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldsOf } from '../../src/admin/kit/wire/declared-field.js';
import type { DeclaredField, MessageClass } from '../../src/admin/kit/wire/field.js';
import { send } from '../support/http.js';
import { exampleBody, type KnownOperation, looseFieldsOf, pathFieldsOf, pathOf } from '../support/operations.js';
import { bearer } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { Attacker, expectRefused, JSON_TYPE, others } from './attacker.js';

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

const many = (field: DeclaredField, value: unknown): unknown => (field.many ? [value] : value);

describe('Ids in paths [ADM-022, ADM-024]', () => {
  it.each([
    '0',
    '-1',
    '18446744073709551616',
    '１２',
    '%00',
    'a%00b',
    '%ff',
    '%ed%a0%80',
    "' OR 1=1--",
    '$$',
    '\\',
    '%25_',
    '%25%27',
    '*',
    '${7*7}',
    '{{7*7}}',
    '%2e%2e',
    '..%2f..%2fetc',
    '%2e%2e%2f',
    'a%2Fb',
    ';select pg_sleep(5)',
    '%F0%9F%92%A9',
    'constructor',
    '__proto__',
    'undefined',
    ' ',
    '%0d%0aX-Evil:1',
    'a very long one',
  ])('%s finds nothing, and does no harm', async (named) => {
    const id = named === 'a very long one' ? 'x'.repeat(4_000) : named;
    const concerned = attacker.operations.filter(
      // The keys of an organization's metadata are texts of any kind: what is named is there once it is set.
      (operation) => pathFieldsOf(operation).some((name) => name !== 'key') && operation.permission !== undefined,
    );
    const sent = /%[0-9a-f]{2}/i.test(id) ? id : encodeURIComponent(id);
    const before = await world.contents();
    const asked = await attacker.each(concerned, (operation) => {
      const body = exampleBody(operation);
      return attacker.ask(
        operation,
        operation.path.replace(/:\w+/g, () => sent),
        body && JSON.stringify(body),
      );
    });
    // Of what users do for themselves, every other user is refused alike.
    const found = asked.filter(({ reply }) => !reply.text.includes('account.not_own'));
    expect(others(found, [400, 404])).toEqual([]);
    expect(await world.contents()).toBe(before);
    for (const { reply } of asked) expect(reply.headers['x-evil']).toBeUndefined();
  });
});

const PAYLOADS = ["' OR 1=1--", '$$; DROP TABLE org; --', '\\', '%_', '%', '_', '\u2028', 'x'.repeat(150)];

/** A message whose every text is this one; of alternatives, the one at `turn`. */
function filled(message: MessageClass, text: string, turn: number, depth = 0): Record<string, unknown> {
  const alternatives = fieldsOf(message).filter(({ oneof }) => oneof !== undefined);
  const chosen = alternatives[turn % Math.max(alternatives.length, 1)];
  const fields = fieldsOf(message).filter((field) => field.oneof === undefined || field === chosen);
  return Object.fromEntries(
    fields.flatMap((field): Array<[string, unknown]> => {
      if (field.kind === 'text') return [[field.name, many(field, text)]];
      if (field.kind === 'part' && depth < 3)
        return [[field.name, many(field, filled(field.part(), text, turn, depth + 1))]];
      return [];
    }),
  );
}

function queriesOf(operation: KnownOperation): DeclaredField | undefined {
  return looseFieldsOf(operation).find(({ name, kind }) => name === 'queries' && kind === 'part');
}

function hasOffset({ facts: { request } }: KnownOperation): boolean {
  const query = request && fieldsOf(request).find(({ name }) => name === 'query');
  return query?.kind === 'part' && fieldsOf(query.part()).some(({ name }) => name === 'offset');
}

function alternativesOf(operation: KnownOperation): number {
  const queries = queriesOf(operation);
  return queries ? fieldsOf(queries.part!()).filter(({ oneof }) => oneof !== undefined).length : 0;
}

describe('Lists', () => {
  const lists = (): KnownOperation[] =>
    attacker.withBody.filter(
      ({ facts: { request } }) => request !== undefined && fieldsOf(request).some(({ name }) => name === 'query'),
    );

  it.each(PAYLOADS)('take %j in any filter for data [ADM-022]', async (payload) => {
    const before = await world.contents();
    expect(lists().length).toBeGreaterThan(10);
    for (let turn = 0; turn < 16; turn += 1) {
      const asked = await attacker.each(
        lists().filter((operation) => turn < alternativesOf(operation)),
        (operation) => {
          const { part } = queriesOf(operation)!;
          return attacker.ask(
            operation,
            pathOf(operation),
            JSON.stringify({ queries: [filled(part!(), payload, turn)] }),
          );
        },
      );
      expect(others(asked, [200, 400, 404])).toEqual([]);
    }
    expect(await world.contents()).toBe(before);
  });

  it.each<[string, object, readonly number[]]>([
    ['a limit of -1', { query: { limit: -1 } }, [400]],
    ['a limit of a half', { query: { limit: 0.5 } }, [400]],
    ['a limit of 1e9', { query: { limit: 1e9 } }, [200, 404]],
    ['a limit of 2^32', { query: { limit: 4_294_967_296 } }, [400]],
    ['the greatest offset', { query: { offset: '18446744073709551615' } }, [200, 404]],
    ['an offset of -1', { query: { offset: -1 } }, [400]],
    ['an offset beyond 64 bit', { query: { offset: '18446744073709551616' } }, [400]],
    ['SQL as an offset', { query: { offset: '0;select pg_sleep(5)' } }, [400]],
    ['a query that is none', { query: [] }, [400]],
  ])('answer %s [ADM-023]', async (_, body, statuses) => {
    // Changes have no offset: their list goes on after a sequence.
    const concerned = lists().filter((operation) => !JSON.stringify(body).includes('offset') || hasOffset(operation));
    expect(concerned.length).toBeGreaterThan(10);
    const asked = await attacker.each(concerned, (operation) =>
      attacker.ask(operation, pathOf(operation), JSON.stringify({ ...body, ...neededBy(operation) })),
    );
    expect(others(asked, statuses)).toEqual([]);
  });

  it('sort by what they name alone [ADM-023]', async () => {
    const sorted = lists().filter((operation) => looseFieldsOf(operation).some(({ name }) => name === 'sortingColumn'));
    expect(sorted.length).toBeGreaterThan(3);
    for (const sortingColumn of [';select pg_sleep(5)', 'id', 'password_hash', 999]) {
      expectRefused(
        await attacker.each(sorted, (operation) =>
          attacker.ask(operation, pathOf(operation), JSON.stringify({ sortingColumn })),
        ),
      );
    }
  });

  it('answer a thousand entries at most, and a hundred unless asked', async () => {
    const { id } = await world.cast.orgA;
    await world.rows(
      `INSERT INTO project (id, org_id, name, sequence, creation_date, change_date) SELECT 'bulk-' || n, $1, 'Bulk ' || n, 0, now(), now() FROM generate_series(1, 1100) n`,
      [id],
    );
    const count = async (body: object): Promise<number> => {
      const reply = await send(world.origin, {
        method: 'POST',
        path: '/management/v1/projects/_search',
        headers: { ...bearer(attacker.token), ...JSON_TYPE, 'x-service-orgid': id },
        body: JSON.stringify(body),
      });
      return reply.json<{ result: unknown[] }>().result.length;
    };
    expect([
      await count({}),
      await count({ query: { limit: 5 } }),
      await count({ query: { limit: 4_294_967_295 } }),
    ]).toEqual([100, 5, 1_000]);
  });
});

/** Of the lists, one has a field that must be sent. */
function neededBy({ facts: { id } }: KnownOperation): object {
  return id === 'ListAllUsers' ? { text: 'somebody' } : {};
}
