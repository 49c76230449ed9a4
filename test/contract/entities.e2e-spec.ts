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

it('every table has an entity, but the one of schema changes', async () => {
  const tables = await world.rows<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const known = world
    .get(Database)
    .source.entityMetadatas.filter(({ schema }) => schema === undefined)
    .map(({ tableName }) => tableName);
  expect(
    tables
      .map(({ name }) => name)
      .filter((name) => name !== 'schema_change')
      .sort(),
  ).toEqual([...known].sort());
});
