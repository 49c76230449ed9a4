import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Database } from '../../src/foundation/database/database.js';
import { EventDispatcher } from '../../src/foundation/event/event-dispatcher.js';
import { EVENT_LISTENER, type EventListener, type HeardEvent } from '../../src/foundation/event/event-listener.js';
import { Journal } from '../../src/foundation/event/journal.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { uniqueName } from '../support/builders.js';
import { settingsBeside } from '../support/processes.js';
import { startWorld, type World } from '../support/world.js';
import { gatehouseApart } from './command-apart.js';
import { gatehouseHere, type Outcome } from './command-here.js';

const TYPE = 'test.happened';
/** A transaction of another test file, in any database of the server, holds the feed back. */
const FEED_LIMIT_MS = 45_000;

let heard: HeardEvent[] = [];

@Injectable()
class Provision implements EventListener {
  readonly name = 'provision';
  readonly types = [TYPE];
  readonly since = 'now';
  async handle(events: readonly HeardEvent[]): Promise<void> {
    heard.push(...events);
  }
}

@Module({ providers: [Provision] })
class HrModule {}

const hr = defineExtension({
  id: 'hr',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HrModule,
  provides: [provide(EVENT_LISTENER, Provision)],
});

let world: World;

beforeAll(async () => {
  world = await startWorld({ realTime: true, extensions: [hr] });
  for (const name of ['first', 'second', 'third']) await happen(name);
  await untilHeard('third');
});
beforeEach(() => {
  heard = [];
});
afterAll(() => world.close());

const happen = (name: string) =>
  world.get(Journal).append(world.get(Database), {
    aggregateType: 'test',
    aggregateId: uniqueName('test'),
    type: TYPE,
    orgId: 'org',
    editorId: 'system',
    payload: { name },
  });

const names = (): string[] => heard.map(({ payload }) => String(payload['name']));

async function untilHeard(name: string): Promise<void> {
  for (const deadline = Date.now() + FEED_LIMIT_MS; !names().includes(name); await sleep(20)) {
    if (Date.now() > deadline) throw new Error(`The listener has not heard ${name}.`);
    await world.get(EventDispatcher).run();
  }
}

/** As an operator runs it: with the database and the master key, and no token. */
const events = (...args: string[]): Promise<Outcome> => gatehouseHere(['events', ...args], settingsBeside(world));

describe('gatehouse events', () => {
  it('lists the listeners', async () => {
    // In a process of its own, which knows nothing of the extension.
    expect(await gatehouseApart(['events', 'list'], { env: settingsBeside(world) })).toEqual({
      code: 0,
      stdout: 'hr/provision: no failure; 0 left out\n',
      stderr: '',
    });
  });

  it.each<[string, () => string | Promise<string>, string[]]>([
    ['beginning', () => 'beginning', ['first', 'second', 'third']],
    [
      'an event',
      async (): Promise<string> => {
        const [event] = await world.rows<{ id: string }>(
          `SELECT 'evt_' || position AS id FROM event WHERE type = '${TYPE}' AND payload ->> 'name' = 'second'`,
        );
        return event!.id;
      },
      ['second', 'third'],
    ],
    ['a time', () => new Date(Date.now() - 3_600_000).toISOString(), ['first', 'second', 'third']],
  ])('lets a listener hear again what happened since %s, and journals that', async (_, place, again) => {
    const from = await place();
    expect(await events('replay', 'hr/provision', '--from', from)).toMatchObject({
      code: 0,
      stdout: `hr/provision hears again what has happened since ${from}.\n`,
    });
    await untilHeard('third');
    expect(names()).toEqual(again);
    const [last] = await world.rows<{ payload: Record<string, string>; editor_id: string }>(
      `SELECT payload, editor_id FROM event WHERE type = 'instance.event_listener.replayed' ORDER BY position DESC LIMIT 1`,
    );
    expect(last).toMatchObject({ payload: { listener: 'hr/provision' }, editor_id: 'system' });
  });

  it('never moves a listener forward', async () => {
    expect((await events('replay', 'hr/provision', '--from', 'beginning')).code).toBe(0);
    const [newest] = await world.rows<{ id: string }>(`SELECT 'evt_' || max(position) AS id FROM event`);
    expect((await events('replay', 'hr/provision', '--from', newest!.id)).code).toBe(0);
    await untilHeard('third');
    expect(names()).toEqual(['first', 'second', 'third']);
  });

  it.each([
    [['replay', 'hr/unknown', '--from', 'beginning'], 1, /no such listener/],
    [['replay', 'gatehouse/webhooks', '--from', 'beginning'], 1, /no such listener/],
    [['replay', 'hr/provision', '--from', 'evt_999999999'], 1, /no event with this id/],
    [['replay', 'hr/provision', '--from', 'yesterday'], 2, /--from is "yesterday"\. Give a time such as/],
    [['replay', 'hr/provision', '--from', '2026-11-01T08:00:00'], 2, /Give a time such as/],
    [['replay', 'hr/provision'], 2, /Give a time such as/],
    [['replay'], 2, /gatehouse events replay EXTENSION\/LISTENER/],
    [['forget'], 2, /Give one of/],
  ] as const)('%j ends with %i', async (args, code, message) => {
    expect(await events(...args)).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) });
  });
});
