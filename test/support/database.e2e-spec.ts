import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { runSql, type TestDatabase } from '../../src/extension/testing/test-database.js';
import { workerDatabase } from './database.js';
import { testServer } from './test-server.js';

const WAIT_MS = 20_000;

async function nameOf({ connection }: TestDatabase): Promise<string> {
  const [row] = await rows<{ name: string }>(connection, 'SELECT current_database() AS name');
  return row!.name;
}

async function rows<Row extends object>(connection: TestDatabase['connection'], sql: string): Promise<Row[]> {
  const client = new Client(connection);
  await client.connect();
  const { rows: found } = await client.query<Row>(sql);
  await client.end();
  return found;
}

/** A database that a file has left after these statements. */
async function left(...statements: string[]): Promise<string> {
  const database = await workerDatabase({ isNew: true });
  const name = await nameOf(database);
  await runSql(database.connection, ...statements);
  await database.release();
  return name;
}

/** Whether other files will not get it: it is dropped, after a while. */
async function isDropped(name: string): Promise<boolean> {
  const { connection } = testServer();
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await sleep(20)) {
    const found = await rows(connection, `SELECT 1 FROM pg_database WHERE datname = '${name}'`);
    if (found.length === 0) return true;
  }
  return false;
}

describe('A database that a test file has left', () => {
  it('is handed to the next file without rows', async () => {
    const name = await left("INSERT INTO hash_speed VALUES ('argon2id', 1, now())");
    const taken: TestDatabase[] = [];
    do taken.push(await workerDatabase());
    while ((await nameOf(taken.at(-1)!)) !== name);
    expect(await rows(taken.at(-1)!.connection, 'SELECT 1 FROM hash_speed')).toEqual([]);
    for (const database of taken) await database.release();
  });

  it.each([
    ['a column', 'ALTER TABLE outbox ADD COLUMN extra text'],
    ['a default', 'ALTER TABLE hash_speed ALTER COLUMN nanoseconds SET DEFAULT 7'],
    ['another default', 'ALTER TABLE instance ALTER COLUMN access_token_seconds SET DEFAULT 7'],
    ['an index', 'CREATE INDEX extra ON outbox (state)'],
    ['an index less', 'DROP INDEX user_account_name_key'],
    ['a constraint', "ALTER TABLE outbox ADD CONSTRAINT extra CHECK (state <> 'odd')"],
    ['a foreign key that is off', 'ALTER TABLE project DISABLE TRIGGER ALL'],
    ['a function', 'CREATE FUNCTION extra() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$'],
    ['a table', 'CREATE TABLE extra (id int)'],
    ['a table less', 'DROP TABLE outbox CASCADE'],
    ['a right', 'GRANT SELECT ON outbox TO PUBLIC'],
    ['a schema', 'CREATE SCHEMA ext_extra'],
    ['a schema change that is recorded', "INSERT INTO schema_change (timestamp, name) VALUES (1, 'extra')"],
  ])('is dropped if it has %s', async (_, change) => {
    expect(await isDropped(await left(change))).toBe(true);
  });
});
