import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { EmbeddedPostgres } from '../../src/process/embedded/index.js';
import { built } from '../support/built.js';
import { newFastFolder } from '../support/fast-folder.js';

const { startEmbeddedPostgres } = built<typeof import('../../src/process/embedded/index.js')>('process/embedded/index');
const isWindows = process.platform === 'win32';

/** Made by one first start. */
let template: string;

beforeAll(async () => {
  template = newFastFolder();
  chmodSync(template, 0o755);
  await (await startEmbeddedPostgres({ dataDir: template })).stop();
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

/** The folder of a test, with the servers and processes that it has started on it: tests run beside one another. */
class Place {
  readonly running: EmbeddedPostgres[] = [];
  private readonly others: ChildProcess[] = [];

  /**
   * Usually in memory: no test ends by a failure of the power, and to flush a new database to a disk takes longer than
   * to make it.
   */
  constructor(readonly dataDir = newFastFolder()) {
    // Reachable for the server's user, when root runs the tests.
    chmodSync(this.dataDir, 0o755);
  }

  /** As a first start leaves it, which few tests are about. */
  static initialized(): Place {
    const place = new Place();
    const [from, to] = [join(template, 'postgres'), join(place.dataDir, 'postgres')];
    if (isWindows) cpSync(from, to, { recursive: true });
    else execFileSync('cp', ['-a', from, to]); // with its owner
    return place;
  }

  async start(extraSettings: Record<string, string> = {}, folder = this.dataDir): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ dataDir: folder, durable: true, extraSettings });
    this.running.push(server);
    return server;
  }

  /** Another process that owns the database, which has committed a row as soon as it says something. */
  own(...args: string[]): ChildProcess {
    const owner = spawn(process.execPath, [join(import.meta.dirname, 'owner-process.mjs'), this.dataDir, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.endLater(owner);
    return owner;
  }

  async ownWithCommittedRow(): Promise<ChildProcess> {
    const owner = this.own();
    await once(owner.stdout!, 'data');
    return owner;
  }

  endLater(process: ChildProcess): void {
    this.others.push(process);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.running) await server.stop();
    for (const other of this.others) other.kill('SIGKILL');
    await until(() => !isServerAlive(this.dataDir));
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** The first row of the answer. */
async function ask(server: EmbeddedPostgres, sql: string): Promise<Record<string, unknown>> {
  const client = new Client(server.connection);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows[0] ?? {};
  } finally {
    await client.end();
  }
}

async function kill(pid: number | undefined): Promise<void> {
  process.kill(pid!, 'SIGKILL');
  await until(() => !isAlive(pid!));
}

const postmasterPid = (folder: string) =>
  Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** The process that would stop the server. */
function supervisorOf(folder: string): number {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
  const found = lines.filter((line) => line.includes('embedded/supervisor') && line.includes(folder));
  if (found.length !== 1) throw new Error(`${found.length} processes guard ${folder}`);
  return Number.parseInt(found[0]!, 10);
}

/** A process that was killed and not yet waited for counts as gone. */
function isAlive(pid: number): boolean {
  try {
    if (process.platform === 'linux') return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function isServerAlive(folder: string): boolean {
  try {
    return isAlive(postmasterPid(folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** The command lines of the supervisors and servers of a folder. */
function processesOn(folder: string): string[] {
  if (process.platform !== 'linux') return isServerAlive(folder) ? ['postgres'] : [];
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return /^\d+$/.test(pid) && Number(pid) !== process.pid && command.includes(folder) ? [command] : [];
    } catch {
      return []; // It has ended meanwhile.
    }
  });
}

async function until(condition: () => boolean): Promise<void> {
  const limit = performance.now() + 15_000;
  while (!condition()) {
    if (performance.now() > limit) throw new Error('It did not happen within 15 s');
    await sleep(20);
  }
}

describe('Starting', () => {
  it.concurrent('makes the database gatehouse at the first start: UTF-8, upper and lower case beyond ASCII, order by code point', async () => {
    await using place = new Place(mkdtempSync(join(tmpdir(), 'gatehouse-embedded-')));
    const server = await place.start();
    expect(server.version).toBe('18');
    expect(server.connection).toMatchObject({ user: 'gatehouse', database: 'gatehouse' });
    expect(
      await ask(
        server,
        "SELECT current_database() AS name, current_setting('server_encoding') AS encoding, lower('ÄÉ') AS low, 'Z' < 'a' AS by_code_point",
      ),
    ).toEqual({
      name: 'gatehouse',
      encoding: 'UTF8',
      low: 'äé',
      by_code_point: true,
    });
  });

  it.concurrent('keeps what it holds from one start to the next', async () => {
    await using place = new Place(mkdtempSync(join(tmpdir(), 'gatehouse-embedded-')));
    const first = await place.start();
    await ask(first, 'CREATE TABLE note AS SELECT 7 AS id');
    await first.stop();
    expect(await ask(await place.start(), 'SELECT id FROM note')).toEqual({ id: 7 });
  });

  it.concurrent('is durable, and takes settings', async () => {
    await using place = Place.initialized();
    const server = await place.start({ max_connections: '33' });
    expect(
      await ask(server, "SELECT current_setting('fsync') AS fsync, current_setting('max_connections') AS connections"),
    ).toEqual({ fsync: 'on', connections: '33' });
  });

  it.concurrent('opens no port, and gives only its own user and root access to its socket', async () => {
    await using place = Place.initialized();
    const server = await place.start();
    if (isWindows) return expect(server.connection.host).toBe('127.0.0.1');
    expect(await ask(server, "SELECT current_setting('listen_addresses') AS addresses")).toEqual({ addresses: '' });
    expect(statSync(server.connection.host).mode & 0o077).toBe(0);
  });

  it.concurrent('never runs as root', async () => {
    await using place = new Place();
    await place.start();
    const { uid } = statSync(join(place.dataDir, 'postgres'));
    const own = process.getuid?.();
    if (own === 0) expect(uid).not.toBe(0);
    else expect(uid).toBe(own ?? uid);
    if (process.platform === 'linux') expect(statSync(`/proc/${postmasterPid(place.dataDir)}`).uid).toBe(uid);
  });

  it.concurrent('works in a folder that no other user may enter', async () => {
    await using place = new Place();
    chmodSync(place.dataDir, 0o700);
    const server = await place.start();
    expect(await ask(server, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await server.stop();
    expect(await ask(await place.start(), 'SELECT 2 AS two')).toEqual({ two: 2 });
  });

  it.concurrent('works in a folder whose path is too long for a socket, and holds characters that lists and quotes are made of', async () => {
    await using place = new Place();
    const folder = join(place.dataDir, `${'long '.repeat(18)}, "quoted"`);
    const server = await place.start({}, folder);
    expect(await ask(server, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await server.stop();
    expect(isWindows || !existsSync(server.connection.host)).toBe(true);
  });

  it.concurrent('begins anew after a first start that was cut short', async () => {
    await using place = new Place();
    mkdirSync(join(place.dataDir, 'postgres.unfinished'));
    writeFileSync(join(place.dataDir, 'postgres.unfinished', 'PG_VERSION'), '18\n');
    expect(await ask(await place.start(), 'SELECT 1 AS one')).toEqual({ one: 1 });
  });

  it.concurrent('refuses the files of another PostgreSQL version, and names the setting', async () => {
    await using place = Place.initialized();
    writeFileSync(join(place.dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(place.start()).rejects.toMatchObject({
      reason: 'database.embedded_version',
      message: expect.stringMatching(/PostgreSQL 17.*DATA_DIR.*DATABASE_URL/s),
    });
  });

  it.concurrent('reports the message of the server if it does not start', async () => {
    await using place = Place.initialized();
    await expect(place.start({ no_such_setting: 'on' })).rejects.toMatchObject({
      reason: 'database.embedded_failed',
      message: expect.stringContaining('no_such_setting'),
    });
    expect(await ask(await place.start(), 'SELECT 1 AS one')).toEqual({ one: 1 });
  });
});

describe('A start that is given up', () => {
  it.concurrent.each([0, 50, 150, 300, 600, 1_000, 1_500, 2_500])(
    'has ended every process by the time it says so, and leaves no half-made files: after %i ms',
    async (ms) => {
      await using place = new Place();
      const stop = new AbortController();
      const starting = startEmbeddedPostgres({ dataDir: place.dataDir, durable: true, signal: stop.signal });
      const outcome = starting.then(
        async (server) => server.stop(),
        () => undefined,
      );
      await sleep(ms);
      stop.abort();
      await outcome;
      expect(processesOn(place.dataDir)).toEqual([]);
      expect(existsSync(join(place.dataDir, 'postgres.unfinished'))).toBe(false);
      if (ms % 300 === 0) expect(await ask(await place.start(), 'SELECT 1 AS one')).toEqual({ one: 1 });
    },
  );
});

describe('Two processes and one folder', () => {
  it.concurrent('refuses the second, names the first and the settings that help, and leaves the first alone', async () => {
    await using place = Place.initialized();
    const owner = await place.ownWithCommittedRow();
    await expect(place.start()).rejects.toMatchObject({
      reason: 'database.embedded_in_use',
      message: expect.stringMatching(new RegExp(`process ${owner.pid}.*DATA_DIR.*DATABASE_URL`, 's')),
    });
    expect(isServerAlive(place.dataDir)).toBe(true);
  });

  it.concurrent('lets exactly one of two win that start at once on a new folder', async () => {
    await using place = new Place();
    const results = await Promise.allSettled([place.start(), place.start()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await ask(place.running[0]!, 'SELECT 1 AS one')).toEqual({ one: 1 });
  });

  it.concurrent('makes a successor wait for a server that is shutting down', async () => {
    await using place = Place.initialized();
    const first = await place.start();
    await ask(first, 'CREATE TABLE note AS SELECT generate_series(1, 200000) AS id');
    const stopping = first.stop();
    const second = await place.start();
    await stopping;
    expect(await ask(second, 'SELECT count(*) FROM note')).toEqual({ count: '200000' });
  });
});

describe('Ending', () => {
  it.concurrent('stops in order, twice as well as once', async () => {
    await using place = Place.initialized();
    const server = await place.start();
    const pid = postmasterPid(place.dataDir);
    await server.stop();
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(join(place.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    await expect(ask(server, 'SELECT 1')).rejects.toThrow();
  });

  it.concurrent('does not keep a process alive that has nothing else to do, and ends with it', async () => {
    await using place = Place.initialized();
    const owner = place.own('leave');
    expect(await once(owner, 'exit')).toEqual([0, null]);
    await until(() => !isServerAlive(place.dataDir));
  });

  it.concurrent('ends when its owner is killed, and keeps the committed rows', async () => {
    await using place = Place.initialized();
    const owner = await place.ownWithCommittedRow();
    const pid = postmasterPid(place.dataDir);
    await kill(owner.pid);
    await until(() => !isAlive(pid));
    expect(await ask(await place.start(), 'SELECT count(*) FROM note')).toEqual({ count: '1' });
  });

  it.concurrent('keeps the committed rows when owner, supervisor and server are killed', async () => {
    await using place = Place.initialized();
    const owner = await place.ownWithCommittedRow();
    const server = postmasterPid(place.dataDir);
    const supervisor = supervisorOf(place.dataDir);
    await kill(supervisor);
    await kill(server);
    await kill(owner.pid);
    expect(await ask(await place.start(), 'SELECT count(*) FROM note')).toEqual({ count: '1' });
  });

  it.concurrent('starts at once after its owner was killed', async () => {
    await using place = Place.initialized();
    const owner = await place.ownWithCommittedRow();
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(await ask(await place.start(), 'SELECT count(*) FROM note')).toEqual({ count: '1' });
  });

  it.concurrent('stops a server whose supervisor was killed before it starts the next', async () => {
    await using place = Place.initialized();
    const owner = await place.ownWithCommittedRow();
    const orphan = postmasterPid(place.dataDir);
    await kill(supervisorOf(place.dataDir));
    await kill(owner.pid);
    expect(isAlive(orphan)).toBe(true);
    expect(await ask(await place.start(), 'SELECT count(*) FROM note')).toEqual({ count: '1' });
    expect(isAlive(orphan)).toBe(false);
    expect(postmasterPid(place.dataDir)).not.toBe(orphan);
  });

  it.concurrent('takes no other process for its server when a number was given anew', async () => {
    await using place = Place.initialized();
    await (await place.start()).stop();
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60000)'], { stdio: 'ignore' });
    place.endLater(stranger);
    await once(stranger, 'spawn');
    writeFileSync(
      join(place.dataDir, 'postgres', 'postmaster.pid'),
      `${stranger.pid}\n${join(place.dataDir, 'postgres')}\n1\n5432\n\n\n0 0\nready   \n`,
    );
    expect(await ask(await place.start(), 'SELECT 1 AS one')).toEqual({ one: 1 });
    expect(isAlive(stranger.pid!)).toBe(true);
  });

  it.concurrent('comes back when the server itself dies', async () => {
    await using place = Place.initialized();
    const server = await place.start();
    await ask(server, 'CREATE TABLE note AS SELECT 7 AS id');
    const dead = postmasterPid(place.dataDir);
    await kill(dead);
    await until(
      () =>
        isServerAlive(place.dataDir) &&
        readFileSync(join(place.dataDir, 'postgres', 'postmaster.pid'), 'utf8').includes('ready'),
    );
    expect(await ask(server, 'SELECT id FROM note')).toEqual({ id: 7 });
  });
});
