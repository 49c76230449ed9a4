import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { TestPerson } from '../support/builders.js';
import { type TestDatabase, workerDatabase } from '../support/database.js';
import { send } from '../support/http.js';
import { paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { type ServiceProcess, startProcess } from '../support/service-process.js';
import { expectToken400 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

/** All rows by table, and the sequences: what `pg_dump` writes of a database besides its schema, in one snapshot. */
interface Backup {
  readonly tables: ReadonlyArray<{ name: string; rows: string }>;
  readonly sequences: ReadonlyArray<{ name: string; value: string }>;
}

const OFFLINE = { scope: 'openid offline_access' };

async function on<T>(database: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function backUp(database: TestDatabase): Promise<Backup> {
  return on(database, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows: names } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    const tables: Array<{ name: string; rows: string }> = [];
    for (const { name } of names) {
      const { rows } = await client.query<{ rows: string }>(
        `SELECT coalesce(json_agg(t), '[]')::text AS rows FROM "${name}" t`,
      );
      tables.push({ name, rows: rows[0]!.rows });
    }
    const { rows: sequences } = await client.query<{ name: string; value: string }>(
      'SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE last_value IS NOT NULL',
    );
    return { tables, sequences };
  });
}

async function restore({ tables, sequences }: Backup, database: TestDatabase): Promise<void> {
  await on(database, async (client) => {
    await client.query('SET session_replication_role = replica'); // as pg_restore, which adds the foreign keys last
    for (const { name, rows } of tables) {
      await client.query(`DELETE FROM "${name}"`);
      await client.query(
        `INSERT INTO "${name}" OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::"${name}", $1::json)`,
        [rows],
      );
    }
    for (const { name, value } of sequences) await client.query('SELECT setval($1::regclass, $2)', [name, value]);
  });
}

let world: World;
let person: TestPerson;
let database: TestDatabase;
let restored: ServiceProcess;
/** Someone who had signed in before the backup. */
let rp: RelyingParty;
let before: Tokens;
let after: Tokens;
let later: TestPerson;

beforeAll(async () => {
  world = await startWorld({ realTime: true });
  person = await world.add.person({ orgId: world.firstStart.orgId });
  rp = new RelyingParty(world, await world.cast.web1);
  before = await rp.tokens(person, OFFLINE);
  const backup = await backUp(world.database); // while the service runs
  after = tokensOf(await rp.refresh(before.refresh_token));
  later = await world.add.person({ orgId: world.firstStart.orgId });
  database = await workerDatabase();
  await restore(backup, database);
  restored = await startProcess({
    DATABASE_URL: database.url,
    PUBLIC_URL: world.issuer,
    MASTER_KEY: world.config.secrets.masterKey!.reveal(),
    LOGIN_LIMITS: 'off',
  });
});
afterAll(async () => {
  await restored.close();
  await database.release();
  await world.close();
});

describe('A database that was restored, with the same MASTER_KEY and PUBLIC_URL,', () => {
  it('has the key set of the backup', async () => {
    const [then, now] = await Promise.all(
      [world.origin, restored.origin].map(async (origin) =>
        (await send(origin, { path: paths.keys })).json<{ keys: Array<{ kid: string }> }>(),
      ),
    );
    // A key that was prepared after the backup is not in it.
    expect(now!.keys.length).toBeGreaterThan(0);
    expect(then!.keys.map(({ kid }) => kid)).toEqual(expect.arrayContaining(now!.keys.map(({ kid }) => kid)));
  });

  it('accepts the access tokens of before the backup', async () => {
    expect((await rp.userinfo(before.access_token, restored)).status).toBe(200);
  });

  it('does not know the refresh tokens that were issued after the backup: their users sign in again', async () => {
    expectToken400(
      await rp.token({ grant_type: 'refresh_token', refresh_token: after.refresh_token }, restored),
      'invalid_grant',
    );
  });

  it('knows the session of a browser, and the password', async () => {
    rp.browser.at = restored;
    expect((await rp.authorize({ prompt: 'none' })).redirect).toContain('code=');
    const elsewhere = rp.elsewhere();
    elsewhere.browser.at = restored;
    const code = await elsewhere.code(person);
    expect((await elsewhere.redeem(code, {}, restored)).status).toBe(200);
  });

  it('does not have what was added after the backup', async () => {
    const elsewhere = rp.elsewhere();
    elsewhere.browser.at = restored;
    const { page, redirect } = await elsewhere.enter(await elsewhere.authorize(), later);
    expect(redirect).toBeUndefined();
    expect(page?.path).not.toContain('callback');
  });
});
