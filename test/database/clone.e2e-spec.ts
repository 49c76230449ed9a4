import { afterAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type TestDatabase, workerDatabase } from '../support/database.js';

const databases: TestDatabase[] = [];
afterAll(async () => {
  for (const database of databases) await database.release();
});

it('gives each asker a database of its own with the schema, also two at once', async () => {
  databases.push(...(await Promise.all([workerDatabase(), workerDatabase(), workerDatabase()])));
  const names = await Promise.all(
    databases.map(async ({ url }) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<{ name: string; changes: string }>(
        'SELECT current_database() AS name, count(*) AS changes FROM schema_change',
      );
      await client.end();
      expect(Number(rows[0]!.changes)).toBeGreaterThan(0);
      return rows[0]!.name;
    }),
  );
  expect(new Set(names).size).toBe(3);
});
