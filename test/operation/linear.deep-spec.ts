import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { addPeople, fill } from '../../bench/operations/fill.mjs';
import { Database, type Transaction } from '../../src/foundation/database/database.js';
import { statement } from '../../src/foundation/database/statement.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { startWorld, type World } from '../support/world.js';

/** Where each is compared with each, a million. */
const PEOPLE = 1_000;
/** Rows and index entries that are read for one person, those of foreign keys included; with half as many guests. */
const READ_EACH = 30;

/**
 * Of tables and of indexes, triggers included, since the connection last reported: it does not within a transaction.
 */
const READ_SO_FAR = statement(
  'test.read_so_far',
  `SELECT sum(pg_stat_get_xact_tuples_returned(oid))::int AS count FROM pg_class WHERE relkind IN ('r', 'i')`,
).rows<{ count: number }>();

const DOMAIN_POLICY = '/admin/v1/policies/domain';
const PROJECT = '/management/v1/projects/crowd-project';

let world: World;
let owner: AdminApi;
let readInAll = 0;

async function readSoFar(tx: Transaction): Promise<number> {
  const [row] = await tx.query(READ_SO_FAR);
  return row!.count;
}

/** Has every transaction of the service counted from now on. */
function countReads(database: Database): void {
  const transaction = database.transaction.bind(database);
  const counted: Database['transaction'] = (work) =>
    transaction(async (tx) => {
      const before = await readSoFar(tx);
      const result = await work(tx);
      readInAll += (await readSoFar(tx)) - before;
      return result;
    });
  Object.assign(database, { transaction: counted });
}

describe('Among many people whose names are reserved already', () => {
  beforeEach(async () => {
    world = await startWorld();
    owner = (await callerWith(world, await world.cast.orgA, ['IAM_OWNER'])).api;
    const client = new Client(world.database.connection);
    await client.connect();
    await client.query(`INSERT INTO org (id, name) VALUES ('crowd', 'Crowd'), ('guests', 'Guests')`);
    await addPeople(client, 'guests', 40 * PEOPLE, (n: string) => `'guest' || ${n}`);
    await addPeople(client, 'crowd', PEOPLE, (n: string) => `'p' || ${n}`, { scope: 'crowd' });
    await client.query('VACUUM (ANALYZE) user_account');
    await client.end();
    countReads(world.get(Database));
  });
  afterEach(() => world.close());

  it('reserving the names of one organization reads a bounded number of rows for each of its people', async () => {
    const policy = '/admin/v1/orgs/crowd/policies/domain';
    await owner.call('POST', policy, { userLoginMustBeDomain: true });
    readInAll = 0;
    await owner.call('PUT', policy, { userLoginMustBeDomain: false });
    expect(readInAll / PEOPLE).toBeLessThan(READ_EACH);
    expect(await world.rows(`SELECT 1 FROM user_account WHERE org_id = 'crowd' AND name_scope <> ''`)).toEqual([]);
  });
});

// The indexes of the journal have different heights at these sizes, by which the planner chooses where it expects no
// more than a row.
describe.each([250, 30_000])('With %d events that statistics do not know, an operation', (events) => {
  beforeEach(async () => {
    world = await startWorld();
    owner = (await callerWith(world, await world.cast.orgA, ['IAM_OWNER'])).api.about('crowd');
    const client = new Client(world.database.connection);
    await client.connect();
    await fill(client, PEOPLE);
    await client.query(
      `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, editor_id, org_id, created_at)
       SELECT 'session', 'g-guests-' || n, 1, 'session.signed_in', 'test', 'crowd', now() FROM generate_series(1, $1::int) n`,
      [events],
    );
    await client.end();
    countReads(world.get(Database));
  });
  afterEach(() => world.close());

  it('reads a bounded number of rows for each affected user', async () => {
    const read: Record<string, number> = {};
    await owner.call('PUT', DOMAIN_POLICY, { userLoginMustBeDomain: true });
    await world.rows(`UPDATE user_account SET name_scope = org_id WHERE org_id IN ('crowd', 'guests')`);
    for (const [what, method, path, body] of [
      ['names are reserved in the instance', 'PUT', DOMAIN_POLICY, { userLoginMustBeDomain: false }],
      ['a role is removed', 'DELETE', `${PROJECT}/roles/writer`],
      ['a project grant is removed', 'DELETE', `${PROJECT}/grants/crowd-grant`],
      ['a provider is removed', 'DELETE', '/management/v1/idps/crowd-idp'],
      ['a project is removed', 'DELETE', PROJECT],
      ['an organization is removed', 'DELETE', '/admin/v1/orgs/crowd'],
    ] as const) {
      readInAll = 0;
      await owner.call(method, path, body);
      read[what] = readInAll / PEOPLE;
    }
    expect(Object.entries(read).filter(([, each]) => !(each > 0 && each < READ_EACH))).toEqual([]);
  });
});
