import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Database } from '../../../src/extension/facade/database.js';
import { GatehouseServices } from '../../../src/extension/facade/gatehouse-services.js';
import { eventListenerContract } from '../../../src/extension/testing/contract/event-listener.contract.js';
import { EVENT_LISTENER, type EventListener, type HeardEvent } from '../../../src/foundation/event/event-listener.js';
import { defineExtension } from '../../../src/foundation/extension/extension.js';
import { provide } from '../../../src/foundation/extension/seam.js';
import type { SqlTransaction } from '../../../src/foundation/extension/sql.js';
import { startWorld } from '../../support/world.js';
import { brokenIn } from './broken.js';

type Handle = (events: readonly HeardEvent[], tx: SqlTransaction, database: Database) => Promise<void>;

const INSERT = `INSERT INTO ext_hr.employee (user_id, cost_centre)
  SELECT id, :costCentre FROM user_account WHERE id = :userId
  ON CONFLICT (user_id) DO NOTHING`;

async function provision(events: readonly HeardEvent[], tx: Pick<SqlTransaction, 'query'>): Promise<void> {
  for (const { aggregateId, payload } of events)
    await tx.query(INSERT, { userId: aggregateId, costCentre: `K-${String(payload['userName'])}` });
}

/** Gives each new person a cost centre; `does` breaks it. */
@Injectable()
class Provision implements EventListener {
  static does: Handle | undefined;
  readonly name = 'provision';
  readonly types = ['user.human.added'];
  readonly since = 'beginning';

  constructor(private readonly database: Database) {}

  async handle(events: readonly HeardEvent[], tx: SqlTransaction): Promise<void> {
    await (Provision.does ?? provision)(events, tx, this.database);
  }
}

@Module({ imports: [GatehouseServices], providers: [Provision] })
class HrModule {}

const hr = defineExtension({
  id: 'hr',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HrModule,
  provides: [provide(EVENT_LISTENER, Provision)],
  schemaChanges: [
    {
      name: '1-employee',
      up: `CREATE TABLE employee (
        user_id text PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
        cost_centre text NOT NULL
      )`,
    },
    { name: '2-note', up: 'CREATE TABLE note (id bigserial PRIMARY KEY, text text NOT NULL)' },
  ],
});

const world = await startWorld({ extensions: [hr] });
afterAll(() => world.close());

const contract = () =>
  eventListenerContract(world, {
    listener: 'provision',
    cause: () => world.add.user(),
    written: async () => [
      await world.sql`SELECT * FROM ext_hr.employee ORDER BY user_id`,
      await world.sql`SELECT text FROM ext_hr.note ORDER BY id`,
    ],
  });

describe('A listener that fills a table keeps the contract', () => {
  for (const { name, run } of eventListenerContract(() => world, {
    listener: 'provision',
    cause: () => world.add.user(),
    written: () => world.sql`SELECT * FROM ext_hr.employee ORDER BY user_id`,
  }))
    it(name, run);
});

describe('The contract tells what is wrong with a listener', () => {
  afterEach(async () => {
    Provision.does = undefined;
    await world.sql`UPDATE event_cursor SET tries = 0, due_at = 'epoch' WHERE listener = 'hr/provision'`;
    world.clock.advance('10m');
  });
  const NOTE = 'INSERT INTO ext_hr.note (text) VALUES (:text)';

  it.each<[string, Handle, RegExp, RegExp]>([
    [
      'throws',
      () => Promise.reject(new Error('no directory')),
      /heard, and written once/,
      /^The listener hr\/provision fails: no directory$/,
    ],
    [
      'writes nothing',
      async () => undefined,
      /heard, and written once/,
      /^Provision has heard \d+ events, and written nothing\.$/,
    ],
    [
      'writes beside its transaction',
      (events, _, database) => provision(events, database),
      /goes with its transaction/,
      /^After its transaction was rolled back, what Provision has written is /,
    ],
    [
      'adds up',
      async (events, tx) => {
        for (const { aggregateId } of events) await tx.query(NOTE, { text: aggregateId });
      },
      /twice lead to the same rows/,
      /^After the same events once more, what Provision has written is /,
    ],
    [
      'fails for a user who is gone',
      async (events, tx) => {
        for (const { aggregateId: userId } of events)
          await tx.query('INSERT INTO ext_hr.employee VALUES (:userId, :costCentre) ON CONFLICT DO NOTHING', {
            userId,
            costCentre: 'K',
          });
      },
      /is gone is no failure/,
      /^Provision\.handle throws: .*foreign key/,
    ],
    [
      'hangs on a full batch',
      async (events, tx) => (events.length > 50 ? new Promise(() => undefined) : provision(events, tx)),
      /a full batch/,
      /^Provision\.handle takes longer than 10000 ms\.$/,
    ],
  ])('that %s', async (_, does, only, message) => {
    Provision.does = does;
    const found = await brokenIn(contract(), only);
    expect(Object.values(found)).toEqual([expect.stringMatching(message)]);
  });

  it('that does not hear what the test causes', async () => {
    const cases = eventListenerContract(world, {
      listener: 'provision',
      cause: () => world.add.organization(),
      written: async () => 0,
    });
    expect(Object.values(await brokenIn(cases, /written once/))).toEqual([
      'Provision hears nothing of what "cause" does: none of it is user.human.added.',
    ]);
  });
});
