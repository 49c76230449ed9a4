import { readFile } from 'node:fs/promises';
import { afterAll, expect, it } from '@jest/globals';
import { Database } from '../../src/foundation/database/database.js';
import { startWorld } from '../support/world.js';

const world = await startWorld();
afterAll(() => world.close());

// @nestjs/typeorm keeps the entities of every module that the process has seen: those of an extension, in a schema of
// its own, may be there from another test.
const OF_EXTENSIONS = /"ext_\w+"\./;

it('the entities are the schema: nothing would have to be changed to make them so', async () => {
  const { upQueries } = await world.get(Database).source.driver.createSchemaBuilder().log();
  expect(upQueries.map(({ query }) => query).filter((query) => !OF_EXTENSIONS.test(query))).toEqual([]);
});

async function tables(): Promise<string[]> {
  const found = await world.rows<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  return found
    .map(({ name }) => name)
    .filter((name) => name !== 'schema_change')
    .sort();
}

it('every table has an entity, but the one of schema changes', async () => {
  const known = world
    .get(Database)
    .source.entityMetadatas.filter(({ schema }) => schema === undefined)
    .map(({ tableName }) => tableName);
  expect(await tables()).toEqual([...known].sort());
});

it('the operator is told what bounds every table', async () => {
  const page = await readFile('docs/operations.md', 'utf8');
  const section = /^## What bounds each table\n(.*?)^## /ms.exec(page)![1]!;
  const named = [...section.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) => cell!.match(/\w+/g)!);
  expect(named.toSorted()).toEqual(await tables());
});
