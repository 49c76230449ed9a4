import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AttemptService } from '../../src/foundation/attempt/attempt.service.js';
import { CachedReads } from '../../src/foundation/database/cached-reads.js';
import { ChangeChannel } from '../../src/foundation/database/change-channel.js';
import { Database, type Transaction } from '../../src/foundation/database/database.js';
import { statement } from '../../src/foundation/database/statement.js';
import { startWorld, type World } from '../support/world.js';

const INSERT = statement('test.insert', 'INSERT INTO test_note (id, text) VALUES (:id, :text)');
const READ = statement('test.read', 'SELECT text FROM test_note WHERE id = :id').rows<{ text: string }>();
const WRITE = statement('test.write', 'UPDATE test_note SET text = :text WHERE id = :id');
const RAISE = statement('test.raise_again', "DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$");

let world: World;
let replica: World;
let database: Database;

beforeAll(async () => {
  world = await startWorld({ loginLimits: 'on' });
  replica = await startWorld({ replicaOf: world, loginLimits: 'on' });
  database = world.get(Database);
  await world.rows('CREATE TABLE test_note (id int PRIMARY KEY, text text)');
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

describe('The error of a statement', () => {
  it.each([
    ['by itself', 'storeAlone'],
    ['in a transaction', 'storeTogether'],
  ])('that runs %s says in its stack who asked', async (_, name) => {
    const note = { id: 5, text: '' };
    const asking = {
      storeAlone: async () => {
        await database.query(INSERT, note);
      },
      storeTogether: () =>
        database.transaction(async function storeTogether(tx) {
          await tx.query(INSERT, note);
        }),
    };
    await database.query(INSERT, note);
    const error: unknown = await asking[name as keyof typeof asking]().catch((failure: unknown) => failure);
    await world.rows('DELETE FROM test_note');
    expect(error).toMatchObject({ code: '23505' });
    expect((error as Error).stack).toContain(`${name} (`);
  });
});

describe('A transaction', () => {
  it('commits what it answers, and undoes everything when it throws', async () => {
    expect(
      await database.transaction(async (tx) => {
        await tx.query(INSERT, { id: 1, text: 'kept' });
        return 'done';
      }),
    ).toBe('done');
    await expect(
      database.transaction(async (tx) => {
        await tx.query(INSERT, { id: 2, text: 'lost' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await world.rows('SELECT id FROM test_note ORDER BY id')).toEqual([{ id: 1 }]);
  });

  it('runs wholly again after a serialization failure, and gives up after a few times', async () => {
    let runs = 0;
    const result = await database.transaction(async (tx) => {
      runs += 1;
      await tx.query(INSERT, { id: 10, text: `run ${runs}` });
      if (runs < 3) await tx.query(RAISE);
      return runs;
    });
    expect(result).toBe(3);
    expect(await database.query(READ, { id: 10 })).toEqual([{ text: 'run 3' }]);
    await expect(database.transaction((tx) => tx.query(RAISE))).rejects.toMatchObject({ kind: 'Unavailable' });
  });

  it('survives a deadlock with another one', async () => {
    await database.transaction(async (tx) => {
      await tx.query(INSERT, { id: 20, text: '' });
      await tx.query(INSERT, { id: 21, text: '' });
    });
    const both = (first: number, second: number, text: string) =>
      database.transaction(async (tx) => {
        await tx.query(WRITE, { id: first, text });
        await sleep(50);
        await tx.query(WRITE, { id: second, text });
      });
    await Promise.all([both(20, 21, 'a'), both(21, 20, 'b')]);
    const [one, other] = await world.rows<{ text: string }>('SELECT text FROM test_note WHERE id IN (20, 21)');
    expect(one).toEqual(other);
  });

  it('runs callbacks after a commit only if there was one', async () => {
    const told: string[] = [];
    await database.transaction((tx) => {
      tx.onCommit(() => told.push('committed'));
      return Promise.resolve();
    });
    await database
      .transaction((tx) => {
        tx.onCommit(() => told.push('undone'));
        return Promise.reject(new Error('no'));
      })
      .catch(() => undefined);
    expect(told).toEqual(['committed']);
  });

  it('leaves no connection behind, however it ends', async () => {
    await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) =>
        database.transaction(async (tx) => {
          await tx.query(READ, { id: 1 });
          if (i % 2 === 0) throw new Error('no');
        }),
      ),
    );
    expect(
      await world.rows(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
      ),
    ).toEqual([]);
    expect(await database.query(READ, { id: 1 })).toEqual([{ text: 'kept' }]);
  });
});

describe('A connection that is lost', () => {
  const SLOW = statement('test.slow', 'SELECT pg_sleep(:seconds)');
  const SLOW_INSERT = statement(
    'test.slow-insert',
    'INSERT INTO test_note (id, text) SELECT :id::int, :text FROM pg_sleep(30)',
  );
  const PID = statement('test.pid', 'SELECT pg_backend_pid() AS pid').rows<{ pid: number }>();
  const nothingDone = { kind: 'Unavailable', reason: 'database.unavailable', retryAfterSeconds: 2 };
  const perhapsDone = { kind: 'Unavailable', reason: 'database.outcome_unknown', retryAfterSeconds: 2 };

  async function endOwn(tx: Transaction): Promise<void> {
    const [row] = await tx.query(PID);
    await world.rows('SELECT pg_terminate_backend($1)', [row!.pid]);
    await sleep(100);
    await setImmediate(); // after a stall, timers run before sockets are read
  }

  /** Ends what runs such a statement, once it does. */
  async function endWhileRunning(words: string): Promise<void> {
    for (let tries = 0; tries < 200; tries += 1) {
      const ended = await world.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE $1 AND wait_event = 'PgSleep' AND pid <> pg_backend_pid()",
        [`%${words}%`],
      );
      if (ended.length > 0) return;
      await sleep(10);
    }
    throw new Error(`Nothing ran ${words}.`);
  }

  beforeAll(async () => {
    await world.rows(`CREATE FUNCTION test_slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.text = 'slow' THEN PERFORM pg_sleep(30); END IF;
      IF NEW.text = 'refused' THEN RAISE EXCEPTION 'no' USING ERRCODE = '23514'; END IF;
      IF NEW.text = 'once more' AND NOT EXISTS (SELECT FROM test_note WHERE id = 999) THEN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END IF;
      RETURN NULL; END $$`);
    await world.rows(
      'CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON test_note DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION test_slow_commit()',
    );
  });

  it('between two statements has undone everything, whatever comes next', async () => {
    const next: ReadonlyArray<(tx: Transaction) => Promise<unknown>> = [
      (tx) => tx.query(READ, { id: 1 }),
      (tx) => tx.entities.query('SELECT 1'),
      () => Promise.resolve('nothing'),
      () => Promise.reject(new Error('of whatever kind')),
    ];
    for (const go of next) {
      await expect(
        database.transaction(async (tx) => {
          await tx.query(INSERT, { id: 40, text: '' });
          await endOwn(tx);
          return go(tx);
        }),
      ).rejects.toMatchObject(nothingDone);
    }
    expect(await database.query(READ, { id: 40 })).toEqual([]);
  });

  it('in a statement has undone everything', async () => {
    const lost = expect(
      database.transaction(async (tx) => {
        await tx.query(INSERT, { id: 41, text: '' });
        await tx.query(SLOW, { seconds: 30 });
      }),
    ).rejects.toMatchObject(nothingDone);
    await endWhileRunning('pg_sleep($1)');
    await lost;
    expect(await database.query(READ, { id: 41 })).toEqual([]);
  });

  it('in a commit may have stored everything: reports that, and does not run the work again', async () => {
    let runs = 0;
    const told: string[] = [];
    const lost = expect(
      database.transaction(async (tx) => {
        runs += 1;
        tx.onCommit(() => told.push('committed'));
        await tx.query(INSERT, { id: 42, text: 'slow' });
      }),
    ).rejects.toMatchObject(perhapsDone);
    await endWhileRunning('COMMIT');
    await lost;
    expect([runs, told]).toEqual([1, []]);
  });

  it('is another thing than a commit that the server refuses', async () => {
    await expect(database.transaction((tx) => tx.query(INSERT, { id: 43, text: 'refused' }))).rejects.toMatchObject({
      code: '23514',
    });
    let runs = 0;
    await expect(
      database.transaction(async (tx) => {
        runs += 1;
        await tx.query(INSERT, { id: 44, text: 'once more' });
      }),
    ).rejects.toMatchObject({ reason: 'database.unavailable' });
    expect(runs).toBe(4);
  });

  it.each(['query', 'atomically'] as const)(
    'in a change of one statement may have stored it, but not in a question: %s',
    async (how) => {
      const changed = expect(database[how](SLOW_INSERT, { id: 45, text: '' })).rejects.toMatchObject(perhapsDone);
      await endWhileRunning('INSERT INTO test_note');
      await changed;
      const asked = expect(database[how](SLOW, { seconds: 30 })).rejects.toMatchObject(nothingDone);
      await endWhileRunning('pg_sleep($1)');
      await asked;
    },
  );
});

describe('What is kept in memory', () => {
  const noteCache = (at: World, loads: number[]): CachedReads<string> =>
    new CachedReads(at.get(ChangeChannel), 'instance', async (key) => {
      loads.push(Number(key));
      const [row] = await at.get(Database).query(READ, { id: Number(key) });
      return row?.text;
    });

  async function change(id: number, text: string): Promise<void> {
    await database.transaction(async (tx) => {
      await tx.query(WRITE, { id, text });
      await world.get(ChangeChannel).announce(tx, 'instance', String(id));
    });
  }

  async function until(read: () => Promise<unknown>, expected: unknown): Promise<void> {
    for (let tries = 0; tries < 100 && (await read()) !== expected; tries += 1) await sleep(10);
    expect(await read()).toBe(expected);
  }

  it('is read once, and forgotten at once here and within a second elsewhere when it changes', async () => {
    await database.transaction((tx) => tx.query(INSERT, { id: 30, text: 'old' }));
    const [here, there]: [number[], number[]] = [[], []];
    const [own, others] = [noteCache(world, here), noteCache(replica, there)];
    await Promise.all(Array.from({ length: 20 }, () => Promise.all([own.find('30'), others.find('30')])));
    expect([here.length, there.length]).toEqual([1, 1]);
    await change(30, 'new');
    expect(await own.find('30')).toBe('new');
    await until(() => others.find('30'), 'new');
  });

  it('does not hold what does not exist: strangers must not fill the memory', async () => {
    const loads: number[] = [];
    const cache = noteCache(world, loads);
    for (let i = 0; i < 3; i += 1) expect(await cache.find('999')).toBeUndefined();
    expect(loads).toHaveLength(3);
  });

  it('is forgotten altogether when word of changes may have been missed', async () => {
    await database.transaction((tx) => tx.query(INSERT, { id: 31, text: 'before' }));
    const cache = noteCache(replica, []);
    expect(await cache.find('31')).toBe('before');
    // The connections that listen are cut; what changes now is not announced to anybody.
    await world.rows(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'gatehouse changes'",
    );
    await database.query(WRITE, { id: 31, text: 'after' });
    await until(() => cache.find('31'), 'after');
    // And it listens again.
    await sleep(1000);
    await change(31, 'announced');
    await until(() => cache.find('31'), 'announced');
  });
});

describe('Limits of failed tries', () => {
  const limit = { what: 'test', whom: 'somebody', failures: 5, windowSeconds: 60 };

  it('admit exactly as many of 40 at once over two processes', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? world : replica).get(AttemptService).count([limit])),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(world.get(AttemptService).count([limit])).rejects.toMatchObject({
      kind: 'ResourceExhausted',
      retryAfterSeconds: 60,
    });
  });

  it('open again after the window, and after a success', async () => {
    world.clock.advance('61s');
    for (let i = 0; i < 5; i += 1) await world.get(AttemptService).count([limit]);
    await world.get(AttemptService).forgive([limit], []);
    for (let i = 0; i < 5; i += 1) await world.get(AttemptService).count([limit]);
    await expect(world.get(AttemptService).count([limit])).rejects.toMatchObject({ reason: 'attempt.too_many' });
  });

  it('hold for one alone', async () => {
    await world.get(AttemptService).count([{ ...limit, whom: 'somebody else' }]);
  });
});
