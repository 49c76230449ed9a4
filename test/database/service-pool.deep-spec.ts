import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { ChangeChannel } from '../../src/foundation/database/change-channel.js';
import { ConnectionSettings } from '../../src/foundation/database/connection-settings.js';
import { NoConnection, toFailure } from '../../src/foundation/database/database-failure.js';
import { addressOf, type ServerAddress } from '../../src/foundation/database/server-address.js';
import { allowStatements } from '../../src/foundation/database/service-client.js';
import { type PoolTrouble, ServicePool } from '../../src/foundation/database/service-pool.js';
import { Logger } from '../../src/foundation/log/logger.js';
import { CutLine } from '../support/cut-line.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let line: CutLine;

beforeAll(async () => {
  world = await startWorld();
  const { hostname, port } = new URL(world.database.url);
  line = await CutLine.to({ host: decodeURIComponent(hostname), port: Number(port || 5432) });
});
afterAll(async () => {
  await line.close();
  await world.close();
});

const urlOf = (user: string): string =>
  `postgres://${user}@127.0.0.1:${line.port}${new URL(world.database.url).pathname}`;
const ownUrl = (): string => urlOf(new URL(world.database.url).username);

class Watched implements AsyncDisposable {
  readonly troubles: string[] = [];
  readonly pool: ServicePool;

  constructor(address: ServerAddress, statementMs = 15_000) {
    this.pool = new ServicePool({ ...address, address, statementMs, max: 4, connectionTimeoutMillis: 2_000 });
    this.pool.on('error', () => undefined);
    this.pool.onTrouble = ({ kind }: PoolTrouble) => this.troubles.push(kind);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.end();
  }
}

describe('A server that has fallen silent [OPS-052]', () => {
  it('is not waited for longer than a statement may take: a transaction and a statement by itself fail', async () => {
    await using silent = new Watched({ connectionString: ownUrl() }, 200);
    const client = await silent.pool.connect();
    await client.query('BEGIN');
    await silent.pool.query('SELECT 1');
    line.swallow();
    const began = performance.now();
    const asked = [client.query('SELECT 1'), silent.pool.query('SELECT 1')];
    const failures = await Promise.all(asked.map((one) => one.then(() => undefined, toFailure)));
    expect(failures).toMatchObject([{ kind: 'Unavailable' }, { kind: 'Unavailable' }]);
    expect(performance.now() - began).toBeLessThan(4_000);
    client.release();
    expect(silent.pool.totalCount).toBe(0);
    expect(silent.troubles).toEqual(['overdue', 'overdue']);
    line.mend();
    expect((await silent.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('is waited for where the server was told of longer work, by that work alone', async () => {
    await using slow = new Watched({ connectionString: ownUrl() }, 200);
    const client = await slow.pool.connect();
    allowStatements(client, 10_000);
    await client.query('SELECT pg_sleep(2)');
    await sleep(1_500); // a transaction that waits for something else keeps the server from nothing
    await client.query('SELECT 1');
    client.release();
    await expect(slow.pool.query('SELECT pg_sleep(5)')).rejects.toThrow('Connection terminated');
  });
});

describe('A login that is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-url-'));
  const file = join(folder, 'url');
  const [former, next] = ['t_former', 't_next'].map((name) => `${name}_${process.pid}`) as [string, string];

  beforeAll(async () => {
    for (const role of [former, next]) await world.rows(`CREATE ROLE ${role} LOGIN`);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    for (const role of [former, next]) await world.rows(`DROP ROLE ${role}`);
  });

  const givenBy = (user: string): ServerAddress => {
    writeFileSync(file, `${urlOf(user)}\n`);
    return addressOf({ url: new Secret(urlOf(user)), file });
  };
  const userOf = async ({ pool }: Watched): Promise<unknown> =>
    (await pool.query<{ name: string }>('SELECT current_user AS name')).rows[0]?.name;

  it('is tried again with the URL that DATABASE_URL_FILE has by now, so that no request fails', async () => {
    await using watched = new Watched(givenBy(former));
    const kept = await watched.pool.connect();
    writeFileSync(file, urlOf(next));
    expect(await userOf(watched)).toBe(former); // the former one is still let in
    await world.rows(`ALTER ROLE ${former} NOLOGIN`);
    const others = await Promise.all([1, 2, 3].map(() => watched.pool.connect()));
    for (const client of [kept, ...others]) client.release(true);
    expect(await userOf(watched)).toBe(next);
    expect(watched.troubles).toEqual(['read again']);
    await world.rows(`ALTER ROLE ${former} LOGIN`);
  });

  it.each([
    ['has none', ''],
    ['has no URL', 'postgre'],
  ])('is told as what it is while the file %s: a failure of the database, and not of the request', async (_, text) => {
    await using watched = new Watched(givenBy('t_nobody'));
    writeFileSync(file, text);
    const error = await watched.pool.query('SELECT 1').then(String, (thrown: unknown) => thrown);
    expect(error).toMatchObject({ isLogin: true, code: '28000' });
    expect(error).toBeInstanceOf(NoConnection);
    expect(toFailure(error)).toMatchObject({ kind: 'Unavailable', reason: 'database.unavailable' });
    expect(watched.troubles).toEqual(['no connection']);
  });

  it('is tried again by the connection that announces changes, too', async () => {
    const address = givenBy(former);
    const channel = new ChangeChannel(new ConnectionSettings(address, 'test'), world.get(Logger));
    await channel.onModuleInit();
    await world.rows(`ALTER ROLE ${former} NOLOGIN`);
    writeFileSync(file, urlOf(next));
    line.hangUp();
    for (const deadline = Date.now() + 5_000; channel.isUp; await sleep(10)) expect(Date.now()).toBeLessThan(deadline);
    for (const deadline = Date.now() + 5_000; !channel.isUp; await sleep(10)) expect(Date.now()).toBeLessThan(deadline);
    channel.onApplicationShutdown();
    await world.rows(`ALTER ROLE ${former} LOGIN`);
  });
});
