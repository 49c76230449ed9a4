import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource, MigrationInterface } from 'typeorm';
import { Database } from '../../src/foundation/database/database.js';
import { applySchemaChanges, pendingSchemaChanges } from '../../src/foundation/database/schema-change/index.js';
import { SCHEMA } from '../../src/schema/index.js';
import { startWorld } from '../support/world.js';

const BASELINE = 'Baseline1795219200100';
const REPLACED = ['Identity1795219200000', 'Text1795219200002', 'LongLists1795219200066'];

/** The changes that came after the first one; a database of a test has them. */
const AFTER = SCHEMA.changes.slice(1).map(({ name }) => name);

class Later1795219200999 implements MigrationInterface {
  readonly up = (): Promise<void> => Promise.resolve();
  readonly down = (): Promise<void> => Promise.resolve();
}

const world = await startWorld();
afterAll(() => world.close());

const source = (): DataSource => world.get(Database).source;
const apply = (): Promise<void> => applySchemaChanges(source(), SCHEMA);
const pending = (): Promise<string[]> => pendingSchemaChanges(source(), SCHEMA);
const recorded = async (): Promise<string[]> =>
  (await world.rows<{ name: string }>('SELECT name FROM schema_change ORDER BY id'))
    .map(({ name }) => name)
    .filter((name) => !AFTER.includes(name));

/** Of all other tables. */
const contents = async (): Promise<string[]> =>
  (await world.contents()).split('\n').filter((line) => !line.startsWith('schema_change '));

/** As if these, and what came after the first change, had made the tables, and no others. */
async function record(names: readonly string[]): Promise<void> {
  await world.rows('DELETE FROM schema_change');
  for (const name of [...names, ...AFTER])
    await world.rows('INSERT INTO schema_change (timestamp, name) VALUES ($1, $2)', [name.slice(-13), name]);
}

beforeEach(() => record([BASELINE]));

describe('The changes that the next start will make', () => {
  it('are those that are not recorded, and stay so', async () => {
    const schema = { ...SCHEMA, changes: [...SCHEMA.changes, Later1795219200999] };
    expect(await pendingSchemaChanges(source(), schema)).toEqual([Later1795219200999.name]);
    expect(await pendingSchemaChanges(source(), schema)).toEqual([Later1795219200999.name]);
    await record([]);
    expect(await pendingSchemaChanges(source(), schema)).toEqual([BASELINE, Later1795219200999.name]);
  });
});

describe('A database that a build before the first release has made', () => {
  it('goes on with all that it has, as if the first change had made it', async () => {
    await record(REPLACED);
    const before = await contents();
    expect(await pending()).toEqual([]);
    expect(await recorded()).toEqual(REPLACED);
    await apply();
    expect(await recorded()).toEqual([BASELINE]);
    expect(await pending()).toEqual([]);
    expect(await contents()).toEqual(before);
  });

  it('is recorded with the number by which changes are ordered', async () => {
    await record(REPLACED);
    await apply();
    expect(await world.rows('SELECT timestamp::text FROM schema_change WHERE name = $1', [BASELINE])).toEqual([
      { timestamp: BASELINE.slice(-13) },
    ]);
  });

  it('keeps the changes after it', async () => {
    await record([...REPLACED, Later1795219200999.name]);
    const schema = { ...SCHEMA, changes: [...SCHEMA.changes, Later1795219200999] };
    expect(await pendingSchemaChanges(source(), schema)).toEqual([]);
    await applySchemaChanges(source(), schema);
    expect((await recorded()).sort()).toEqual([BASELINE, Later1795219200999.name]);
  });

  it('is refused, and left as it is, if it lacks some: the message names the build to start first', async () => {
    const older = REPLACED.slice(0, -1);
    await record(older);
    const refusal = {
      kind: 'FailedPrecondition',
      reason: 'database.older',
      message:
        'The database was made by an older build than this one can follow (its last schema change is Text1795219200002). ' +
        'First start the build of commit b7c689a6 of 0.1.0, which makes the changes up to LongLists1795219200066.',
    };
    await expect(pending()).rejects.toMatchObject(refusal);
    await expect(apply()).rejects.toMatchObject(refusal);
    expect(await recorded()).toEqual(older);
  });

  it('is refused, and left as it is, if a later version has changed it', async () => {
    const newer = [...REPLACED, Later1795219200999.name];
    await record(newer);
    const refusal = { kind: 'FailedPrecondition', reason: 'database.newer' };
    await expect(pending()).rejects.toMatchObject(refusal);
    await expect(apply()).rejects.toMatchObject(refusal);
    expect(await recorded()).toEqual(newer);
  });
});
