import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchedRead } from '../../src/foundation/database/batched-read.js';
import { Database } from '../../src/foundation/database/database.js';
import { statement } from '../../src/foundation/database/statement.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';

const NOTE_OF = statement(
  'test.note_of',
  `SELECT q.place, (SELECT to_json(n.text) FROM test_batch n WHERE n.id = q.id::int) AS answer
   FROM json_to_recordset(:questions::json) AS q(place int, id text)`,
);

let world: World;
let notes: BatchedRead<{ id: string }, string>;

beforeAll(async () => {
  world = await startWorld();
  notes = new BatchedRead(world.get(Database), NOTE_OF);
  await world.rows("CREATE TABLE test_batch AS SELECT id, 'note ' || id AS text FROM generate_series(1, 100) id");
});
afterAll(() => world.close());

const ask = (...ids: string[]): Promise<PromiseSettledResult<string | undefined>[]> =>
  Promise.allSettled(ids.map((id) => notes.ask({ id })));
const notesOf = (results: PromiseSettledResult<string | undefined>[]): unknown[] =>
  results.map((each) => (each.status === 'fulfilled' ? each.value : 'failed'));

describe('A question that many ask at once', () => {
  it('goes to the database in one statement, and everybody gets their own answer', async () => {
    let results: PromiseSettledResult<string | undefined>[] = [];
    const statements = await statementsDuring(async () => {
      results = await ask('7', '999', '3', '7');
    });
    expect(statements).toHaveLength(1);
    expect(notesOf(results)).toEqual(['note 7', undefined, 'note 3', 'note 7']);
  });

  it('goes in several statements when there are very many, so that several cores can answer', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => String(i + 1));
    let results: PromiseSettledResult<string | undefined>[] = [];
    const statements = await statementsDuring(async () => {
      results = await ask(...ids);
    });
    expect(statements).toHaveLength(7);
    expect(notesOf(results)).toEqual(ids.map((id) => `note ${id}`));
  });

  it('is never answered from memory', async () => {
    expect(await notes.ask({ id: '50' })).toBe('note 50');
    await world.rows("UPDATE test_batch SET text = 'changed' WHERE id = 50");
    expect(await notes.ask({ id: '50' })).toBe('changed');
  });

  it('fails only for the caller of an impossible look-up', async () => {
    expect(notesOf(await ask('1', 'no number', '2', 'a\u0000b'))).toEqual(['note 1', 'failed', 'note 2', 'failed']);
  });

  it('fails for all when the database is away', async () => {
    const away = new BatchedRead<{ id: string }, string>(
      new Database(world.get(Database).source),
      statement('test.away', "SELECT 1 FROM pg_terminate_backend(pg_backend_pid()) WHERE :questions <> ''"),
    );
    const results = await Promise.allSettled([away.ask({ id: '1' }), away.ask({ id: '2' })]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { kind: 'Unavailable' } },
      { status: 'rejected', reason: { kind: 'Unavailable' } },
    ]);
  });
});
