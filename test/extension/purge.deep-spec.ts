import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { defineExtension, type Extension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import type { SqlTransaction } from '../../src/foundation/extension/sql.js';
import { type ExtPurge, PURGE, type PurgeTurn } from '../../src/process/housekeeping/ext-purge.js';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { startWorld, type World } from '../support/world.js';

type Work = (tx: SqlTransaction, turn: PurgeTurn, signal: AbortSignal) => Promise<number>;

async function removeExpired(tx: SqlTransaction, { now, most }: PurgeTurn): Promise<number> {
  const removed = await tx.query(
    `DELETE FROM ext_hr.visit
     WHERE id IN (SELECT id FROM ext_hr.visit WHERE expires_at < :now ORDER BY expires_at LIMIT :most)
     RETURNING 1`,
    { now, most },
  );
  return removed.length;
}

/** What the first of the two does next. */
let work: Work = removeExpired;
const calls = { visits: 0, letters: 0 };

@Injectable()
class Visits implements ExtPurge {
  readonly name = 'visits';
  async purge(tx: SqlTransaction, turn: PurgeTurn, signal: AbortSignal): Promise<number> {
    calls.visits += 1;
    return work(tx, turn, signal);
  }
}

@Injectable()
class Letters implements ExtPurge {
  readonly name = 'letters';
  async purge(): Promise<number> {
    calls.letters += 1;
    return 0;
  }
}

@Module({ providers: [Visits, Letters] })
class HrModule {}

const hr = defineExtension({
  id: 'hr',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HrModule,
  provides: [provide(PURGE, Visits), provide(PURGE, Letters)],
  schemaChanges: [
    {
      name: '1-visit',
      up: `CREATE TABLE visit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, expires_at timestamptz NOT NULL);
        CREATE INDEX visit_expires_at_idx ON visit (expires_at)`,
    },
  ],
});

let world: World;
beforeAll(async () => {
  world = await startWorld({ extensions: [hr] });
});
afterEach(async () => {
  work = removeExpired;
  calls.visits = 0;
  calls.letters = 0;
  await world.rows('DELETE FROM ext_hr.visit');
});
afterAll(async () => {
  await world.rows('DROP SCHEMA ext_hr CASCADE');
  await world.close();
});

const run = () => world.get(HousekeepingService).run();
const leave = (count: number, age: string) =>
  world.rows(
    'INSERT INTO ext_hr.visit (expires_at) SELECT $1::timestamptz - $2::interval FROM generate_series(1, $3)',
    [world.clock.now(), age, count],
  );
const left = async (): Promise<number> =>
  (await world.rows<{ count: number }>('SELECT count(*)::int FROM ext_hr.visit'))[0]!.count;

const linesOf = (): string[] =>
  world
    .logText()
    .split('\n')
    .filter((line) => line.includes('an extension failed'));

describe('The purge of an extension', () => {
  it('removes its expired rows in the turn of the product, in batches', async () => {
    await leave(2_500, '1 minute');
    await leave(3, '-1 minute');
    expect(await run()).toBeGreaterThanOrEqual(2_500);
    expect(await left()).toBe(3);
    expect(calls).toEqual({ visits: 3, letters: 1 });
  });

  it('is asked ten times a turn at most, and goes on in the next', async () => {
    await leave(10_500, '1 minute');
    await run();
    expect(await left()).toBe(500);
    expect(calls.visits).toBe(10);
    await run();
    expect(await left()).toBe(0);
  });

  it.each<[string, Work]>([
    [
      'throws',
      async (tx, turn) => {
        await removeExpired(tx, turn);
        throw new Error('no such table');
      },
    ],
    ['removes more than it may', async (tx) => (await tx.query('DELETE FROM ext_hr.visit RETURNING 1')).length * 1_000],
    [
      'answers no number',
      async (tx, turn) => {
        await removeExpired(tx, turn);
        return 'all of them' as unknown as number;
      },
    ],
  ])('that %s removes nothing, is named in the log, and keeps no other from its turn', async (_, hostile) => {
    await leave(2, '1 minute');
    work = hostile;
    const before = linesOf().length;
    await run();
    expect(await left()).toBe(2);
    expect(calls).toEqual({ visits: 1, letters: 1 });
    const [line, ...others] = linesOf().slice(before);
    expect(others).toEqual([]);
    expect(JSON.parse(line!)).toMatchObject({ extension: 'hr', seam: 'PURGE', part: 'Visits' });
  });

  it('that hangs is given up after 5 s, also where PostgreSQL hangs, and what it sends later is refused', async () => {
    await leave(2, '1 minute');
    let later: Promise<unknown> | undefined;
    work = async (tx, turn, signal) => {
      await removeExpired(tx, turn);
      later = new Promise((resolve) => signal.addEventListener('abort', resolve)).then(() =>
        tx.query('DELETE FROM ext_hr.visit'),
      );
      later.catch(() => undefined);
      await tx.query('SELECT pg_sleep(60)');
      return 0;
    };
    const before = linesOf().length;
    const since = performance.now();
    await run();
    expect(performance.now() - since).toBeLessThan(60_000); // the rest of the round may be slow, pg_sleep takes longer
    const [line, ...others] = linesOf().slice(before);
    expect(others).toEqual([]);
    // PostgreSQL has the same limit, and on a busy machine it may be the first to give up.
    expect(JSON.parse(line!)).toMatchObject({
      part: 'Visits',
      err: { message: expect.stringMatching(/^It took longer than 5000 ms\.$|statement timeout/) },
    });
    await expect(later).rejects.toThrow();
    expect(await left()).toBe(2);
    expect(calls.letters).toBe(1);
  });

  it('is asked in one process at a time', async () => {
    const replica = await startWorld({ extensions: [hr], replicaOf: world });
    try {
      await leave(1_500, '1 minute');
      await Promise.all([run(), replica.get(HousekeepingService).run()]);
      await run();
      expect(await left()).toBe(0);
    } finally {
      await replica.close();
    }
  });
});

describe('A start', () => {
  const named = (name: string, ...parts: Array<typeof Visits>): Extension => {
    class Named extends Visits {
      override readonly name = name as 'visits';
    }
    Injectable()(Named);
    class NamedModule {}
    Module({ providers: [Named, ...parts] })(NamedModule);
    return defineExtension({
      id: 'crm',
      version: '1.0.0',
      gatehouse: '>=0.1.0',
      module: NamedModule,
      provides: [Named, ...parts].map((part) => provide(PURGE, part)),
    });
  };

  it('is refused if the name of a purge is none, or if two have the same', async () => {
    await expect(startWorld({ extensions: [named('All of it')], replicaOf: world })).rejects.toThrow(
      'Named of the extension crm needs a name of lower-case letters, digits and hyphens.',
    );
    await expect(startWorld({ extensions: [named('visits', Visits)], replicaOf: world })).rejects.toThrow(
      'Several purges have the name crm/visits. Give each its own.',
    );
  });
});
