import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BatchedWrite } from '../../src/foundation/database/batched-write.js';
import { Database } from '../../src/foundation/database/database.js';
import { statement } from '../../src/foundation/database/statement.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';

const RAISE = statement<{ id: string }>(
  'test.raise',
  'UPDATE test_count SET count = count + 1 WHERE id = :id::int AND count < 9 RETURNING count',
).rows<{ count: number }>();

const RAISE_TOGETHER = statement(
  'test.raise_together',
  `WITH asked AS MATERIALIZED (
     SELECT q.* FROM json_to_recordset(:questions::json) AS q(place int, id text)),
   free AS MATERIALIZED (
     SELECT one.id
     FROM asked q
     CROSS JOIN LATERAL (
       SELECT c.id
       FROM test_count c
       WHERE c.id = q.id::int
       FOR NO KEY UPDATE SKIP LOCKED) one)
   UPDATE test_count c SET count = count + 1
   FROM asked q
   WHERE c.id = ANY(ARRAY(SELECT free.id FROM free)) AND c.id = q.id::int AND c.count < 9
   RETURNING q.place, c.count`,
);

let world: World;
let counts: BatchedWrite<{ id: string }, { count: number }>;

beforeAll(async () => {
  world = await startWorld();
  const database = world.get(Database);
  counts = new BatchedWrite<{ id: string }, { count: number }>(database, {
    together: RAISE_TOGETHER,
    alone: async (question) => (await database.query(RAISE, question))[0],
  });
  await world.rows('CREATE TABLE test_count (id int PRIMARY KEY, count int NOT NULL)');
});
beforeEach(async () => {
  await world.rows('TRUNCATE test_count');
  await world.rows('INSERT INTO test_count SELECT id, 0 FROM generate_series(1, 50) id');
});
afterAll(() => world.close());

const raise = async (...ids: string[]): Promise<unknown[]> => {
  const results = await Promise.allSettled(ids.map((id) => counts.ask({ id })));
  return results.map((each) => (each.status === 'fulfilled' ? each.value?.count : 'failed'));
};

const namesDuring = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await statementsDuring(work)).map((text) => text.split(':')[0]!);

describe('A change that many make at once', () => {
  it('goes to the database in one statement, and everybody gets their own answer', async () => {
    await world.rows('UPDATE test_count SET count = id WHERE id < 9');
    let results: unknown[] = [];
    const names = await namesDuring(async () => {
      results = await raise('3', '1', '20');
    });
    expect(results).toEqual([4, 2, 1]);
    expect(names).toEqual(['test.raise_together']);
  });

  it('is made by the single statement if it is the only one', async () => {
    expect(await namesDuring(() => raise('3'))).toEqual(['test.raise']);
  });

  it('is made once for each who asks, also of the same row', async () => {
    expect((await raise('5', '5', '5')).sort()).toEqual([1, 2, 3]);
  });

  it('that is refused is asked once more by itself, and harms no other', async () => {
    await world.rows('UPDATE test_count SET count = 9 WHERE id = 7');
    let results: unknown[] = [];
    const names = await namesDuring(async () => {
      results = await raise('6', '7', '8');
    });
    expect(results).toEqual([1, undefined, 1]);
    expect(names).toEqual(['test.raise_together', 'test.raise']);
  });

  it('does not wait for a row that another transaction holds', async () => {
    let late: Promise<unknown> | undefined;
    await world.transaction(async (tx) => {
      await tx.query(RAISE, { id: '2' });
      const [one, two, three] = ['1', '2', '3'].map((id) => counts.ask({ id }));
      expect([await one, await three]).toMatchObject([{ count: 1 }, { count: 1 }]);
      late = two;
    });
    expect(await late).toMatchObject({ count: 2 });
  });

  it('fails only for the caller of an impossible one', async () => {
    expect(await raise('1', 'no number', '2')).toEqual([1, 'failed', 1]);
  });

  it('is made once although two processes change the same rows in opposite order', async () => {
    const ids = Array.from({ length: 16 }, (_, at) => String(at + 1));
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([
        raise(...ids),
        new Promise((resolve) => setImmediate(resolve)).then(() => raise(...ids.toReversed())),
      ]);
    }
    const found = await world.rows<{ count: number }>('SELECT count FROM test_count WHERE id <= 16');
    expect(found.map(({ count }) => count)).toEqual(Array(16).fill(8));
  });
});
