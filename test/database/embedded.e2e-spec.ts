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
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { EmbeddedPostgres } from '../../src/foundation/database/embedded/index.js';
import { built } from '../support/built.js';

const { startEmbeddedPostgres } = await built<typeof import('../../src/foundation/database/embedded/index.js')>(
  'foundation/database/embedded/index',
);
const isWindows = process.platform === 'win32';

/** Made by one first start. */
let template: string;
let dataDir: string;
let running: EmbeddedPostgres[];
let owners: ChildProcess[];

beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'gatehouse-embedded-'));
  chmodSync(template, 0o755);
  await (await startEmbeddedPostgres({ dataDir: template })).stop();
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-embedded-'));
  // Reachable for the server's user, when root runs the tests.
  chmodSync(dataDir, 0o755);
  running = [];
  owners = [];
});

afterEach(async () => {
  for (const server of running) await server.stop();
  for (const owner of owners) owner.kill('SIGKILL');
  await until(() => !isServerAlive(dataDir));
  rmSync(dataDir, { recursive: true, force: true });
});

/** The folder is as a first start leaves it, which few tests are about. */
function initialize(): void {
  const [from, to] = [join(template, 'postgres'), join(dataDir, 'postgres')];
  if (isWindows) cpSync(from, to, { recursive: true });
  else execFileSync('cp', ['-a', from, to]); // with its owner
}

async function start(folder = dataDir, extraSettings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: folder, durable: true, extraSettings });
  running.push(server);
  return server;
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

/** Another process that owns the database and has committed a row. */
async function ownerWithCommittedRow(): Promise<ChildProcess> {
  initialize();
  const owner = spawn(process.execPath, [join(import.meta.dirname, 'owner-process.mjs'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  owners.push(owner);
  await once(owner.stdout, 'data');
  return owner;
}

async function kill(pid: number | undefined): Promise<void> {
  process.kill(pid!, 'SIGKILL');
  await until(() => !isAlive(pid!));
}

const postmasterPid = (folder: string) =>
  Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

function parentOf(pid: number): number {
  if (process.platform !== 'linux')
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()!.split(' ')[1]);
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
  return existsSync(join(folder, 'postgres', 'postmaster.pid')) && isAlive(postmasterPid(folder));
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
  it('makes the database gatehouse at the first start: UTF-8, upper and lower case beyond ASCII, order by code point', async () => {
    const server = await start();
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

  it('keeps what it holds from one start to the next', async () => {
    const first = await start();
    await ask(first, 'CREATE TABLE note AS SELECT 7 AS id');
    await first.stop();
    expect(await ask(await start(), 'SELECT id FROM note')).toEqual({ id: 7 });
  });

  it('is durable, and takes settings', async () => {
    initialize();
    const server = await start(dataDir, { max_connections: '33' });
    expect(
      await ask(server, "SELECT current_setting('fsync') AS fsync, current_setting('max_connections') AS connections"),
    ).toEqual({ fsync: 'on', connections: '33' });
  });

  it('opens no port, and gives only its own user and root access to its socket', async () => {
    initialize();
    const server = await start();
    if (isWindows) return expect(server.connection.host).toBe('127.0.0.1');
    expect(await ask(server, "SELECT current_setting('listen_addresses') AS addresses")).toEqual({ addresses: '' });
    expect(statSync(server.connection.host).mode & 0o077).toBe(0);
  });

  it('never runs as root', async () => {
    await start();
    const { uid } = statSync(join(dataDir, 'postgres'));
    const own = process.getuid?.();
    if (own === 0) expect(uid).not.toBe(0);
    else expect(uid).toBe(own ?? uid);
    if (process.platform === 'linux') expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(uid);
  });

  it('works in a folder that no other user may enter', async () => {
    chmodSync(dataDir, 0o700);
    const server = await start();
    expect(await ask(server, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await server.stop();
    expect(await ask(await start(), 'SELECT 2 AS two')).toEqual({ two: 2 });
  });

  it('works in a folder whose path is too long for a socket, and holds characters that lists and quotes are made of', async () => {
    const folder = join(dataDir, `${'long '.repeat(18)}, "quoted"`);
    const server = await start(folder);
    expect(await ask(server, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await server.stop();
    expect(isWindows || !existsSync(server.connection.host)).toBe(true);
  });

  it('begins anew after a first start that was cut short', async () => {
    mkdirSync(join(dataDir, 'postgres.unfinished'));
    writeFileSync(join(dataDir, 'postgres.unfinished', 'PG_VERSION'), '18\n');
    expect(await ask(await start(), 'SELECT 1 AS one')).toEqual({ one: 1 });
  });

  it('refuses the files of another PostgreSQL version, and names the setting', async () => {
    initialize();
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toMatchObject({
      reason: 'database.embedded_version',
      message: expect.stringMatching(/PostgreSQL 17.*DATA_DIR.*DATABASE_URL/s),
    });
  });

  it('reports the message of the server if it does not start', async () => {
    initialize();
    await expect(start(dataDir, { no_such_setting: 'on' })).rejects.toMatchObject({
      reason: 'database.embedded_failed',
      message: expect.stringContaining('no_such_setting'),
    });
    expect(await ask(await start(), 'SELECT 1 AS one')).toEqual({ one: 1 });
  });
});

describe('A start that is given up', () => {
  it.each([0, 50, 150, 300, 600, 1_000, 1_500, 2_500])(
    'has ended every process by the time it says so, and leaves no half-made files: after %i ms',
    async (ms) => {
      const stop = new AbortController();
      const starting = startEmbeddedPostgres({ dataDir, durable: true, signal: stop.signal });
      const outcome = starting.then(
        async (server) => server.stop(),
        () => undefined,
      );
      await sleep(ms);
      stop.abort();
      await outcome;
      expect(processesOn(dataDir)).toEqual([]);
      expect(existsSync(join(dataDir, 'postgres.unfinished'))).toBe(false);
      if (ms % 300 === 0) expect(await ask(await start(), 'SELECT 1 AS one')).toEqual({ one: 1 });
    },
  );
});

describe('Two processes and one folder', () => {
  it('refuses the second, names the first and the settings that help, and leaves the first alone', async () => {
    const owner = await ownerWithCommittedRow();
    await expect(start()).rejects.toMatchObject({
      reason: 'database.embedded_in_use',
      message: expect.stringMatching(new RegExp(`process ${owner.pid}.*DATA_DIR.*DATABASE_URL`, 's')),
    });
    expect(isServerAlive(dataDir)).toBe(true);
  });

  it('lets exactly one of two win that start at once on a new folder', async () => {
    const results = await Promise.allSettled([start(), start()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await ask(running[0]!, 'SELECT 1 AS one')).toEqual({ one: 1 });
  });

  it('makes a successor wait for a server that is shutting down', async () => {
    initialize();
    const first = await start();
    await ask(first, 'CREATE TABLE note AS SELECT generate_series(1, 200000) AS id');
    const stopping = first.stop();
    const second = await start();
    await stopping;
    expect(await ask(second, 'SELECT count(*) FROM note')).toEqual({ count: '200000' });
  });
});

describe('Ending', () => {
  it('stops in order, twice as well as once', async () => {
    initialize();
    const server = await start();
    const pid = postmasterPid(dataDir);
    await server.stop();
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    await expect(ask(server, 'SELECT 1')).rejects.toThrow();
  });

  it('does not keep a process alive that has nothing else to do, and ends with it', async () => {
    initialize();
    const owner = spawn(process.execPath, [join(import.meta.dirname, 'owner-process.mjs'), dataDir, 'leave'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    owners.push(owner);
    expect(await once(owner, 'exit')).toEqual([0, null]);
    await until(() => !isServerAlive(dataDir));
  });

  it('ends when its owner is killed, and keeps the committed rows', async () => {
    const owner = await ownerWithCommittedRow();
    const pid = postmasterPid(dataDir);
    await kill(owner.pid);
    await until(() => !isAlive(pid));
    expect(await ask(await start(), 'SELECT count(*) FROM note')).toEqual({ count: '1' });
  });

  it('keeps the committed rows when owner, supervisor and server are killed', async () => {
    const owner = await ownerWithCommittedRow();
    const server = postmasterPid(dataDir);
    const supervisor = parentOf(server);
    await kill(supervisor);
    await kill(server);
    await kill(owner.pid);
    expect(await ask(await start(), 'SELECT count(*) FROM note')).toEqual({ count: '1' });
  });

  it('starts at once after its owner was killed', async () => {
    const owner = await ownerWithCommittedRow();
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(await ask(await start(), 'SELECT count(*) FROM note')).toEqual({ count: '1' });
  });

  it('stops a server whose supervisor was killed before it starts the next', async () => {
    const owner = await ownerWithCommittedRow();
    const orphan = postmasterPid(dataDir);
    await kill(parentOf(orphan));
    await kill(owner.pid);
    expect(isAlive(orphan)).toBe(true);
    expect(await ask(await start(), 'SELECT count(*) FROM note')).toEqual({ count: '1' });
    expect(isAlive(orphan)).toBe(false);
    expect(postmasterPid(dataDir)).not.toBe(orphan);
  });

  it('takes no other process for its server when a number was given anew', async () => {
    initialize();
    await (await start()).stop();
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60000)'], { stdio: 'ignore' });
    owners.push(stranger);
    await once(stranger, 'spawn');
    writeFileSync(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${stranger.pid}\n${join(dataDir, 'postgres')}\n1\n5432\n\n\n0 0\nready   \n`,
    );
    expect(await ask(await start(), 'SELECT 1 AS one')).toEqual({ one: 1 });
    expect(isAlive(stranger.pid!)).toBe(true);
  });

  it('comes back when the server itself dies', async () => {
    initialize();
    const server = await start();
    await ask(server, 'CREATE TABLE note AS SELECT 7 AS id');
    const dead = postmasterPid(dataDir);
    await kill(dead);
    await until(
      () =>
        isServerAlive(dataDir) && readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').includes('ready'),
    );
    expect(await ask(server, 'SELECT id FROM note')).toEqual({ id: 7 });
  });
});
