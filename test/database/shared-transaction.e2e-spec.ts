import { AsyncResource } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CachedReads } from '../../src/foundation/database/cached-reads.js';
import { ChangeChannel } from '../../src/foundation/database/change-channel.js';
import { Database } from '../../src/foundation/database/database.js';
import { statement } from '../../src/foundation/database/statement.js';
import { LockoutPolicy } from '../../src/org/policy/lockout-policy.entity.js';
import { startWorld, type World } from '../support/world.js';

const INSERT = statement('test.shared_insert', 'INSERT INTO test_shared (id, text) VALUES (:id, :text)');
const READ = statement('test.shared_read', 'SELECT text FROM test_shared WHERE id = :id').rows<{ text: string }>();
const WRITE = statement('test.shared_write', 'UPDATE test_shared SET text = :text WHERE id = :id');

let world: World;
let database: Database;

beforeAll(async () => {
  world = await startWorld();
  database = world.get(Database);
  await world.rows('CREATE TABLE test_shared (id int PRIMARY KEY, text text)');
});
beforeEach(() => world.rows('DELETE FROM test_shared'));
afterAll(() => world.close());

const all = (): Promise<object[]> => world.rows('SELECT id, text FROM test_shared ORDER BY id');

describe('A shared transaction', () => {
  it('takes in transactions and statements that begin within, and undoes all of them together', async () => {
    const failing = database.sharedTransaction(async () => {
      await database.transaction((tx) => tx.query(INSERT, { id: 1, text: 'by a transaction' }));
      await database.query(INSERT, { id: 2, text: 'by itself' });
      await database.atomically(INSERT, { id: 3, text: 'atomically' });
      expect(await database.query(READ, { id: 1 })).toEqual([{ text: 'by a transaction' }]);
      throw new Error('not kept');
    });
    await expect(failing).rejects.toThrow('not kept');
    expect(await all()).toEqual([]);
  });

  it('keeps all of it at its end, and runs what waited for the commit then', async () => {
    const reactions: string[] = [];
    await database.sharedTransaction(async () => {
      await database.transaction(async (tx) => {
        await tx.query(INSERT, { id: 1, text: 'kept' });
        tx.onCommit(() => reactions.push('committed'));
      });
      expect(reactions).toEqual([]);
    });
    expect(reactions).toEqual(['committed']);
    expect(await all()).toEqual([{ id: 1, text: 'kept' }]);
  });

  it('undoes a transaction within that fails, with its reactions, and goes on', async () => {
    const reactions: string[] = [];
    await database.sharedTransaction(async () => {
      await database.query(INSERT, { id: 1, text: 'kept' });
      const failing = database.transaction(async (tx) => {
        tx.onCommit(() => reactions.push('never'));
        await tx.query(INSERT, { id: 1, text: 'twice' });
      });
      await expect(failing).rejects.toMatchObject({ code: '23505' });
      await database.query(INSERT, { id: 2, text: 'afterwards' });
    });
    expect(reactions).toEqual([]);
    expect(await all()).toHaveLength(2);
  });

  it('lets rows of repositories be read as it has changed them', async () => {
    const rows = database.entities.getRepository(LockoutPolicy);
    const failing = database.sharedTransaction(async () => {
      await database.transaction((tx) => tx.of(rows).insert({ ownerId: 'shared', maxPasswordAttempts: 3 }));
      expect(await rows.countBy({ ownerId: 'shared' })).toBe(1);
      throw new Error('not kept');
    });
    await expect(failing).rejects.toThrow('not kept');
    expect(await rows.countBy({ ownerId: 'shared' })).toBe(0);
  });

  it('neither fills a cache nor reads from one [ADM-111]', async () => {
    const cached = new CachedReads(world.get(ChangeChannel), 'probe', async (id) => {
      return (await database.query(READ, { id: Number(id) }))[0]?.text;
    });
    await database.query(INSERT, { id: 1, text: 'before' });
    expect(await cached.find('1')).toBe('before');
    const failing = database.sharedTransaction(async () => {
      await database.query(WRITE, { id: 1, text: 'tried' });
      expect(await cached.find('1')).toBe('tried');
      throw new Error('not kept');
    });
    await expect(failing).rejects.toThrow('not kept');
    expect(await cached.find('1')).toBe('before');
  });

  it('asks one thing after the other, whoever asks at once', async () => {
    await database.sharedTransaction(async () => {
      const asked = Array.from({ length: 5 }, (_, id) => database.query(INSERT, { id, text: 'at once' }));
      await Promise.all(asked);
    });
    expect(await all()).toHaveLength(5);
  });

  it('does not take in what goes on after its end', async () => {
    let later: Promise<unknown> | undefined;
    const failing = database.sharedTransaction(() => {
      later = new Promise((resolve) => setTimeout(resolve, 50)).then(() =>
        database.query(INSERT, { id: 9, text: 'later' }),
      );
      return Promise.reject(new Error('not kept'));
    });
    await expect(failing).rejects.toThrow('not kept');
    await later;
    expect(await all()).toEqual([{ id: 9, text: 'later' }]);
  });

  it('runs again if another transaction has changed meanwhile what it changes', async () => {
    await database.query(INSERT, { id: 1, text: 'before' });
    // In the context of this test, which is no part of the transaction.
    const byAnother = AsyncResource.bind(() => world.rows("UPDATE test_shared SET text = 'by another' WHERE id = 1"));
    let runs = 0;
    await database.sharedTransaction(async () => {
      runs += 1;
      const [row] = await database.query(READ, { id: 1 });
      if (runs === 1) await byAnother();
      await database.query(WRITE, { id: 1, text: `${row!.text}, and more` });
    });
    expect(runs).toBe(2);
    expect(await all()).toEqual([{ id: 1, text: 'by another, and more' }]);
  });
});
