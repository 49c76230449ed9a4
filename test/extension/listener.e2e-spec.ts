import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Client } from 'pg';
import { Database } from '../../src/foundation/database/database.js';
import { EventDispatcher } from '../../src/foundation/event/event-dispatcher.js';
import { EventFeed } from '../../src/foundation/event/event-feed.js';
import { EventLagWatch } from '../../src/foundation/event/event-lag-watch.js';
import { EVENT_LISTENER, type EventListener, type HeardEvent } from '../../src/foundation/event/event-listener.js';
import { Journal } from '../../src/foundation/event/journal.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import type { SqlTransaction } from '../../src/foundation/extension/sql.js';
import { setEventClock } from '../../src/schema/event-clock.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { uniqueName } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

const TYPE = 'test.happened';
const OTHER = 'test.ignored';

type Handle = (events: readonly HeardEvent[], tx: SqlTransaction, signal: AbortSignal) => Promise<void>;

/** What the listeners do next; usually they write a row for each event. */
let handle: Handle | undefined;

async function write(events: readonly HeardEvent[], tx: SqlTransaction): Promise<void> {
  for (const { id, payload } of events)
    await tx.query('INSERT INTO heard (id, name) VALUES (:id, :name)', { id, name: String(payload['name']) });
}

@Injectable()
class Provision implements EventListener {
  readonly name = 'provision';
  readonly types = [TYPE];
  readonly since = 'now';
  async handle(events: readonly HeardEvent[], tx: SqlTransaction, signal: AbortSignal): Promise<void> {
    await (handle ?? write)(events, tx, signal);
  }
}

@Injectable()
class Patient implements EventListener {
  readonly name = 'patient';
  readonly types = [OTHER];
  readonly since = 'beginning';
  readonly onPoison = 'park';
  static heard: string[] = [];
  static isBroken = false;
  async handle(events: readonly HeardEvent[]): Promise<void> {
    if (Patient.isBroken || events.some(({ payload }) => payload['name'] === 'poison'))
      throw new Error('I cannot read this');
    Patient.heard.push(...events.map(({ payload }) => String(payload['name'])));
  }
}

@Module({ providers: [Provision, Patient] })
class HrModule {}

const hr = defineExtension({
  id: 'hr',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HrModule,
  provides: [provide(EVENT_LISTENER, Provision), provide(EVENT_LISTENER, Patient)],
});

let world: World;
let replica: World;
let owner: AdminApi;

beforeAll(async () => {
  world = await startWorld({ extensions: [hr] });
  await world.rows('CREATE TABLE heard (id text PRIMARY KEY, name text NOT NULL)');
  replica = await startWorld({ extensions: [hr], replicaOf: world });
  owner = (await callerWith(world, await world.cast.orgA, ['IAM_OWNER'])).api;
});
beforeEach(() => {
  handle = undefined;
  Patient.heard = [];
});
afterEach(async () => {
  world.clock.advance('10m'); // whatever was postponed is due
});
afterAll(async () => {
  await world.rows('DROP TABLE heard');
  await replica.close();
  await world.close();
});

const newEvent = (name: string, type = TYPE) => ({
  aggregateType: 'test',
  aggregateId: uniqueName('test'),
  type,
  orgId: 'org',
  editorId: 'system',
  payload: { name },
});
const happen = (name: string, type?: string) => world.get(Journal).append(world.get(Database), newEvent(name, type));
const dispatch = (at = world) => at.get(EventDispatcher).run();
const tries = async (): Promise<number> => {
  const [cursor] = await world.rows<{ tries: number }>(
    `SELECT tries FROM event_cursor WHERE listener = 'hr/provision'`,
  );
  return cursor!.tries;
};
const heard = async (): Promise<string[]> =>
  (await world.rows<{ name: string }>('SELECT name FROM heard ORDER BY substr(id, 5)::bigint')).map(({ name }) => name);

/**
 * Against what never comes. A transaction of another test file, in any database of the server, holds the feed back for
 * as long.
 */
const FEED_LIMIT_MS = 45_000;

/** Both worlds also look by themselves, and one that works keeps the other from it. */
async function dispatchUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + FEED_LIMIT_MS; !(await isDone()); await sleep(20)) {
    if (Date.now() > deadline) {
      const cursors = await world.rows('SELECT listener, tx, position, tries, reason FROM event_cursor ORDER BY 1');
      throw new Error(`The listener did not get that far: ${JSON.stringify(cursors)}`);
    }
    await dispatch();
  }
}

const untilHeard = (name: string) => dispatchUntil(async () => (await heard()).includes(name));

describe('A listener', () => {
  it('hears each event of its types once, in order, however many processes look', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `order-${index}`);
    for (const name of names) await happen(name);
    await happen('another', OTHER);
    await Promise.all([dispatch(), dispatch(replica), dispatch()]);
    await untilHeard('order-119');
    await dispatchUntil(async () => Patient.heard.includes('another'));
    expect((await heard()).filter((name) => name.startsWith('order-'))).toEqual(names);
    expect(Patient.heard).toContain('another');
  });

  it('whose types are not public is named in the log of the start, with each type and the nearest public one', () => {
    expect(world.logText()).toMatch(
      /"level":40.*The listener Provision of the extension hr names the event type test\.happened, which is not public: .* The nearest public type is [a-z._]+ /,
    );
    expect(world.logText()).toContain('The listener Patient of the extension hr names the event type test.ignored,');
  });

  it('hears an event whose transaction commits later than another that began after it', async () => {
    const late = new Client(world.database.connection);
    await late.connect();
    await late.query('BEGIN');
    await late.query(
      `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, payload, editor_id, org_id, created_at)
       VALUES ('test', 'late', 1, '${TYPE}', '{"name": "late"}', 'system', 'org', now())`,
    );
    await happen('early');
    await dispatch();
    expect(await heard()).not.toContain('early'); // not before it is known that nothing precedes it
    await late.query('COMMIT');
    await late.end();
    await untilHeard('early');
    expect((await heard()).slice(-2)).toEqual(['late', 'early']);
  });

  it('shows for how long an open transaction has held events back', async () => {
    const feed = world.get(EventFeed);
    const late = new Client(world.database.connection);
    await late.connect();
    await late.query('BEGIN');
    await late.query('SELECT pg_current_xact_id()');
    await world.rows(
      `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, payload, editor_id, org_id, created_at)
       VALUES ('test', 'held-back', 1, 'test.held_back', '{}', 'system', 'org', now() - interval '90 seconds')`,
    );
    expect(await feed.lagSeconds()).toBeGreaterThanOrEqual(90);
    await late.query('COMMIT');
    await late.end();
    // Transactions of other tests on this server hold events back as well, for a moment.
    while ((await feed.lagSeconds()) > 0) await sleep(20);
  });

  it('makes one process warn once a minute while a transaction holds its events back for more than a minute', async () => {
    const [watch, elsewhere] = [world.get(EventLagWatch), replica.get(EventLagWatch)];
    const warnings = () =>
      [world, replica].flatMap(
        (one) => one.logText().match(/.*holds events back from listeners and webhooks.*/g) ?? [],
      );
    const late = new Client(world.database.connection);
    await late.connect();
    await late.query('BEGIN');
    await late.query('SELECT pg_current_xact_id()');
    await Promise.all([watch.run(), elsewhere.run()]);
    expect(warnings()).toEqual([]);
    await world.rows(
      `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, payload, editor_id, org_id, created_at)
       VALUES ('test', 'late-by-minutes', 1, 'test.held_back', '{}', 'system', 'org', now() - interval '2 minutes')`,
    );
    try {
      await Promise.all([watch.run(), elsewhere.run()]);
      await watch.run();
      expect(warnings()).toEqual([expect.stringMatching(/"lagSeconds":12\d.*pg_stat_activity.*backend_xid/)]);
      world.clock.advance('61s');
      await watch.run();
      expect(warnings()).toHaveLength(2);
    } finally {
      await late.query('COMMIT');
      await late.end();
    }
    while ((await world.get(EventFeed).lagSeconds()) > 0) await sleep(20);
    world.clock.advance('61s');
    await watch.run();
    expect(warnings()).toHaveLength(2);
  });

  it('is not moved past an event that was committed after it had looked for events of its types', async () => {
    const feed = world.get(EventFeed);
    await feed.enrol('audit/between', false, world.clock.now());
    const late = new Client(world.database.connection);
    await late.connect();
    await late.query('BEGIN');
    await late.query(
      `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, payload, editor_id, org_id, created_at)
       VALUES ('test', 'between', 1, '${OTHER}', '{"name": "between"}', 'system', 'org', now())`,
    );
    const { rows } = await late.query<{ tx: string }>('SELECT pg_current_xact_id()::text AS tx');
    await world.transaction(async (tx) => {
      const taken = (await feed.take(tx, 'audit/between', world.clock.now()))!;
      expect(await feed.read(tx, taken, [OTHER], 100)).toEqual([]);
      await late.query('COMMIT');
      const end = await feed.end(tx, taken, [OTHER]);
      expect(BigInt(end?.tx ?? 0)).toBeLessThan(BigInt(rows[0]!.tx));
    });
    await late.end();
  });

  it('hears an event again if handling it fails; what it wrote is rolled back with the cursor', async () => {
    await happen('again');
    handle = async (events, tx) => {
      await write(events, tx);
      throw new Error('no connection to the directory');
    };
    await dispatchUntil(async () => (await tries()) > 0);
    expect(await heard()).not.toContain('again');
    expect(await world.rows(`SELECT tries, reason FROM event_cursor WHERE listener = 'hr/provision'`)).toEqual([
      { tries: 1, reason: 'no connection to the directory' },
    ]);
    handle = undefined;
    await dispatch(); // not due yet
    expect(await heard()).not.toContain('again');
    world.clock.advance('2s');
    await untilHeard('again');
    expect((await heard()).filter((name) => name === 'again')).toEqual(['again']);
    expect(world.logText()).toMatch(/"extension":"hr","seam":"EVENT_LISTENER","part":"Provision"/);
  });

  it('cannot use the transaction after its end; the log says once who has tried', async () => {
    let kept: SqlTransaction | undefined;
    handle = async (events, tx) => {
      kept = tx;
      await write(events, tx);
    };
    await happen('kept');
    await untilHeard('kept');
    const lines = world.logText().length;
    for (let use = 0; use < 2; use += 1)
      await expect(kept!.query('SELECT 1')).rejects.toThrow('This transaction has ended.');
    expect(() => kept!.onCommit(() => undefined)).toThrow('This transaction has ended.');
    const said = world
      .logText()
      .slice(lines)
      .match(/"reason":"extension\.handle_kept".*"extension":"hr","seam":"EVENT_LISTENER"/g);
    expect(said).toHaveLength(1);
  });

  it('that swallows an error of the database is tried again', async () => {
    await happen('swallowed');
    handle = async (_, tx) => {
      await tx.query('SELECT no_such_column').catch(() => undefined);
    };
    await dispatchUntil(async () => (await tries()) > 0);
    expect(await heard()).not.toContain('swallowed');
    handle = undefined;
    world.clock.advance('2s');
    await untilHeard('swallowed');
    expect(await heard()).toContain('swallowed');
  });

  it('leaves out an event that fails twenty times alone, if it says so, and continues with the next', async () => {
    for (const name of ['before', 'poison', 'after']) await happen(name, OTHER);
    await dispatchUntil(async () => {
      world.clock.advance('6m');
      return Patient.heard.includes('after');
    });
    expect(Patient.heard.filter((name) => ['before', 'poison', 'after'].includes(name))).toEqual(['before', 'after']);
    expect(await world.rows(`SELECT listener FROM event_parked`)).toEqual([{ listener: 'hr/patient' }]);
  });

  it('hears an event that it had left out when a manager lets it, and keeps it parked if it fails again', async () => {
    await happen('left out', OTHER);
    await dispatchUntil(async () => Patient.heard.includes('left out'));
    Patient.heard = [];
    await world.rows(
      `INSERT INTO event_parked (listener, position, reason, parked_at)
       SELECT 'hr/patient', max(position), 'It failed 20 times.', now() FROM event WHERE type = '${OTHER}'`,
    );
    const position = async () => {
      const rows = await world.rows<{ position: string }>(
        `SELECT max(position)::text AS position FROM event_parked WHERE listener = 'hr/patient'`,
      );
      return rows[0]!.position;
    };
    const last = await position();
    const path = '/admin/v1/event_listeners/hr/patient/parked';
    const { result } = await owner.call('POST', `${path}/_search`, {});
    expect(result.at(-1)).toMatchObject({ eventId: `evt_${last}`, eventType: OTHER });
    Patient.isBroken = true;
    expect(await owner.verdict('POST', `${path}/evt_${last}/_retry`, {})).toBe('400 event_listener.failed');
    expect(await position()).toBe(last);
    Patient.isBroken = false;
    expect(await owner.verdict('POST', `${path}/evt_${last}/_retry`, {})).toBe('200');
    expect(Patient.heard).toEqual(['left out']);
    for (const id of [`evt_${last}`, 'evt_x', 'evt_99999999999999999999'])
      expect(await owner.verdict('POST', `${path}/${id}/_retry`, {})).toBe('404 event_listener.event_not_parked');
  });

  it('hears again what happened since a time when a manager lets it, and is never moved forward', async () => {
    await happen('replayed');
    await untilHeard('replayed');
    await world.rows('DELETE FROM heard');
    const path = '/admin/v1/event_listeners/hr/provision/_replay';
    const viewer = (await callerWith(world, await world.cast.orgA, ['IAM_OWNER_VIEWER'])).api;
    expect(await viewer.verdict('POST', path, {})).toMatch(/^403/);
    expect(await owner.verdict('POST', path, { from: '2999-01-01T00:00:00Z' })).toBe('200');
    await owner.call('POST', path, { from: world.clock.now().toISOString() });
    await untilHeard('replayed');
    expect((await heard()).filter((name) => name === 'replayed')).toEqual(['replayed']);
    const unknown = '/admin/v1/event_listeners/hr/nobody';
    expect(await owner.verdict('POST', `${unknown}/_replay`, {})).toBe('404 event_listener.not_found');
    const { result } = await owner.call('POST', '/admin/v1/event_listeners/_search', {});
    expect(result.filter(({ extension }: { extension: string }) => extension === 'hr')).toMatchObject([
      { extension: 'hr', listener: 'patient', isLoaded: true },
      { extension: 'hr', listener: 'provision', isLoaded: true, tries: 0 },
    ]);
  });

  it('is retried by a process that loads it alone', async () => {
    await world.rows(`UPDATE event_cursor SET listener = 'crm/patient' WHERE listener = 'hr/patient'`);
    await world.rows(
      `INSERT INTO event_parked (listener, position, reason, parked_at) SELECT 'crm/patient', max(position), '', now() FROM event`,
    );
    const [{ last } = { last: '' }] = await world.rows<{ last: string }>(
      `SELECT max(position)::text AS last FROM event_parked WHERE listener = 'crm/patient'`,
    );
    const path = `/admin/v1/event_listeners/crm/patient/parked/evt_${last}/_retry`;
    expect(await owner.verdict('POST', path, {})).toBe('400 event_listener.not_loaded');
    await world.rows(`UPDATE event_cursor SET listener = 'hr/patient' WHERE listener = 'crm/patient'`);
  });

  it('continues after a dump was restored into a server whose transaction ids are smaller', async () => {
    await happen('before the dump');
    await untilHeard('before the dump');
    const ahead = '9000000000';
    await world.rows(`UPDATE event SET tx = tx + ${ahead} WHERE type = '${TYPE}'`);
    await world.rows(`UPDATE event_cursor SET tx = tx + ${ahead}`);
    try {
      await setEventClock(world.get(Database).source);
      await happen('after the dump');
      await untilHeard('after the dump');
      expect((await heard()).at(-1)).toBe('after the dump');
      expect((await heard()).filter((name) => name === 'before the dump')).toHaveLength(1);
    } finally {
      await world.rows('ALTER TABLE event ALTER COLUMN tx SET DEFAULT ((pg_current_xact_id())::text)::bigint');
    }
  });
});
