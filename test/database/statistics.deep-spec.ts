import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { org, person, requestOf } from '../../bench/migration/document.mjs';
import { Statistics } from '../../src/foundation/database/statistics.js';
import { ImportService } from '../../src/migration/import.service.js';
import { EDITOR } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  // PostgreSQL would look at them by itself, at a moment that nothing determines.
  await world.rows('ALTER TABLE user_account SET (autovacuum_enabled = false)');
});
afterAll(() => world.close());

/** How many rows a table has according to the planner, and when it was last analyzed. */
async function knownOf(table: string): Promise<{ rows: number; at: string | null }> {
  const [found] = await world.rows<{ rows: number; at: string | null }>(
    `SELECT c.reltuples AS rows, (SELECT max(s.last_analyze)::text FROM pg_stat_all_tables s WHERE s.relid = c.oid) AS at FROM pg_class c WHERE c.oid = $1::regclass`,
    [table],
  );
  return found!;
}

/** What is under way ends first. */
async function settled(): Promise<void> {
  await world.get(Statistics).onModuleDestroy();
}

async function importPeople(orgId: string, people: number): Promise<void> {
  const entry = (n: number): unknown => person(n, { id: `${orgId}-${n}`, userName: `${n}@${orgId}.test` });
  const request = requestOf({}, [{ about: org(orgId), lists: [['humanUsers', people, entry]] }]);
  const options = { inBackground: false, maxErrors: Infinity };
  const outcome = await world.get(ImportService).start(EDITOR, toBytes(request), options);
  if (outcome.kind !== 'answer') throw new Error('The import was to be answered at once.');
  for await (const _ of outcome.pieces);
  await settled();
}

async function* toBytes(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

it('an import of many people has the tables looked at that it filled, and no others', async () => {
  await importPeople('large', 2_000);
  expect((await knownOf('user_account')).rows).toBeGreaterThanOrEqual(2_000);
  expect((await knownOf('org')).at).toBeNull();
  expect((await knownOf('auth_factor')).at).toBeNull();
});

it('an import of few people leaves a large table as it is', async () => {
  const before = await knownOf('user_account');
  await importPeople('small', 50);
  expect(await knownOf('user_account')).toEqual(before);
});

it('rows that are many, but few beside those that are known, change nothing', async () => {
  const before = await knownOf('user_account');
  await world.rows(`UPDATE pg_class SET reltuples = 1000000 WHERE oid = 'user_account'::regclass`);
  world.get(Statistics).renew(new Map([['user_account', 2_000]]));
  await settled();
  expect(await knownOf('user_account')).toEqual({ ...before, rows: 1_000_000 });
});

it('a table that another session has locked is skipped', async () => {
  const before = await knownOf('user_metadata');
  await world.transaction(async (tx) => {
    await tx.entities.query('LOCK TABLE user_metadata IN SHARE UPDATE EXCLUSIVE MODE');
    world.get(Statistics).renew(new Map([['user_metadata', 5_000]]));
    await settled();
  });
  expect(await knownOf('user_metadata')).toEqual(before);
});
