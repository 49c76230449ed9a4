import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CachedReads } from '../../src/foundation/database/cached-reads.js';
import { ChangeChannel } from '../../src/foundation/database/change-channel.js';
import { ConnectionSettings } from '../../src/foundation/database/connection-settings.js';
import { Logger } from '../../src/foundation/log/logger.js';
import { CutLine } from '../support/cut-line.js';
import { startWorld, type World } from '../support/world.js';

const LOOK_EVERY_MS = 20;
/** A heartbeat each 300 ms, with 700 ms to answer, and as much again for half a second. */
const MOST_STALE_LOOKS = 1_500 / LOOK_EVERY_MS;

let world: World;
let line: CutLine;
let channel: ChangeChannel;
let cache: CachedReads<string>;
/** What the database has, and how often it was asked. */
let truth: string;
let loads: number;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

beforeEach(async () => {
  const { host = '', port = 5432, user = '', database = '' } = partsOf(world);
  line = await CutLine.to({ host, port });
  channel = new ChangeChannel(
    new ConnectionSettings({ host: '127.0.0.1', port: line.port, user, database }, 'test'),
    world.get(Logger),
  );
  [truth, loads] = ['old', 0];
  cache = new CachedReads(channel, 'instance', () => {
    loads += 1;
    return Promise.resolve(truth);
  });
  await channel.onModuleInit();
});
afterEach(async () => {
  channel.onApplicationShutdown();
  await line.close();
});

/** A change that is announced by another process. */
async function change(value: string): Promise<void> {
  await world.transaction(async (tx) => world.get(ChangeChannel).announce(tx, 'instance', 'one'));
  truth = value;
}

async function untilUp(): Promise<void> {
  for (let tries = 0; tries < 300 && !channel.isUp; tries += 1) await sleep(20);
  expect(channel.isUp).toBe(true);
}

/**
 * How often `value` was not found yet, looking every 20 ms: on a busy machine the looks take longer, and are not more.
 */
async function looksUntil(value: string): Promise<number> {
  let looks = 0;
  for (; (await cache.find('one')) !== value; looks += 1) await sleep(LOOK_EVERY_MS);
  return looks;
}

describe('The connection that announces changes', () => {
  it('lets what it announces be kept, and forgotten', async () => {
    for (let i = 0; i < 5; i += 1) expect(await cache.find('one')).toBe('old');
    expect(loads).toBe(1);
    await sleep(1_200); // several heartbeats later
    expect(await cache.find('one')).toBe('old');
    expect(loads).toBe(1);
    await change('new');
    await looksUntil('new');
  });

  it.each([
    ['was cut off silently: a firewall dropped it', () => line.swallow()],
    ['was ended by the server', () => line.hangUp()],
  ])('is not believed for longer than about a second after it %s', async (_, cut) => {
    expect(await cache.find('one')).toBe('old');
    cut();
    await change('new');
    expect(await looksUntil('new')).toBeLessThan(MOST_STALE_LOOKS);
  });

  it('lets nothing be kept while it is down, however long that is, and everything once it is up again', async () => {
    line.swallow();
    while (channel.isUp) await sleep(20);
    for (let i = 0; i < 8; i += 1) {
      truth = `value ${i}`;
      expect(await cache.find('one')).toBe(truth);
      await sleep(300); // long enough for several tries to connect
    }
    expect(loads).toBe(8);
    line.mend();
    await untilUp();
    loads = 0;
    for (let i = 0; i < 5; i += 1) await cache.find('one');
    expect(loads).toBe(1);
    await change('heard again');
    await looksUntil('heard again');
  }, 20_000);

  it('leaves one connection behind after many losses', async () => {
    for (let i = 0; i < 5; i += 1) {
      line.hangUp();
      while (channel.isUp) await sleep(10);
      await untilUp();
    }
    await sleep(200);
    const listening = await world.rows(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'gatehouse changes'",
    );
    expect(listening).toHaveLength(2); // that of the world, and this one
  }, 20_000);
});

function partsOf({
  database: { connection },
}: World): Pick<World['database']['connection'], 'host' | 'port' | 'user' | 'database'> {
  if (connection.connectionString === undefined) return connection;
  const url = new URL(connection.connectionString);
  return {
    host: decodeURIComponent(url.hostname),
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    database: url.pathname.slice(1),
  };
}
