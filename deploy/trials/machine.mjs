import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const FIRST_PORT = Number(process.env.FIRST_PORT ?? 5300);
const WAIT_MS = 60_000;
const STOP_MS = 20_000;
/** For a program that runs to its end. */
const PROGRAM_MS = 180_000;
const MAIN = new URL('../../dist/main.js', import.meta.url).pathname;
const DEBIAN = '/usr/lib/postgresql';

/** What a trial runs: programs on loopback, in a folder of its own, as an ordinary user. Everything ends with it. */
export class Machine {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-trial-'));
  /** PostgreSQL and PgBouncer refuse to run as root. */
  account = process.getuid?.() === 0 ? accountOf('postgres') : undefined;
  children = [];
  /** What has to be undone, last first, before the programs are asked to end. */
  endings = [];
  ending = new AbortController();
  ports = 0;

  constructor() {
    if (this.account) chownSync(this.folder, this.account.uid, this.account.gid);
    chmodSync(this.folder, 0o755);
  }

  port() {
    this.ports += 1;
    return FIRST_PORT + this.ports - 1;
  }

  /** A program of PostgreSQL, by this folder, of Debian, or on the PATH. */
  static postgres(name, folder = process.env.PGBIN) {
    const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
    const folders = [folder, ...versions.map((version) => join(DEBIAN, version, 'bin'))];
    const found = folders.find((one) => one && existsSync(join(one, name)));
    return found ? join(found, name) : name;
  }

  /** Runs a program to its end. @returns its output */
  run(program, args, options = {}) {
    return execFileSync(program, args, {
      ...this.account,
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    });
  }

  /** The same as ourselves, beside others. @returns its output @throws Error with all that it said */
  async execute(program, args, cwd, env = {}, timeout = PROGRAM_MS) {
    const options = {
      cwd,
      env: { ...process.env, ...env },
      maxBuffer: 2 ** 26,
      timeout,
      signal: this.ending.signal,
    };
    const { stdout } = await promisify(execFile)(program, args, options).catch(({ message, stdout: said }) => {
      throw new Error(`${message}\n${said}`);
    });
    return stdout;
  }

  /** Starts a program. @param asOurselves it is the service, not a program beside it */
  start(program, args, { env = {}, asOurselves = false } = {}) {
    const child = spawn(program, args, {
      ...(asOurselves ? {} : this.account),
      cwd: asOurselves ? undefined : this.folder,
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = { child, text: '' };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (started.text += chunk));
    this.children.push(child);
    return started;
  }

  /** A cluster of its own. @param programs the folder of the server @returns the URL of its database `gatehouse` */
  async startPostgres(name, port, settings = {}, programs = undefined) {
    const data = join(this.folder, name);
    if (!existsSync(data))
      this.run(Machine.postgres('initdb', programs), [
        '-D',
        data,
        '-U',
        'gatehouse',
        '-A',
        'trust',
        '--no-sync',
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
      ]);
    return this.startServer(name, port, settings, programs);
  }

  async startServer(name, port, settings = {}, programs = undefined) {
    const all = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', ...settings };
    const args = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const server = this.start(Machine.postgres('postgres', programs), ['-D', join(this.folder, name), ...args]);
    await until(
      () => server.text.includes('ready to accept'),
      () => `PostgreSQL to start:\n${server.text}`,
    );
    return { ...server, url: `postgresql://gatehouse@127.0.0.1:${port}/gatehouse` };
  }

  /** The built service in production. @param main a program and its arguments @returns where it is, and the token of an owner of the instance */
  async startService(port, env, main = MAIN) {
    const tokenPath = env.FIRST_TOKEN_PATH ?? join(this.folder, 'first-token');
    const origin = `http://127.0.0.1:${port}`;
    const service = this.start(process.execPath, [main].flat(), {
      asOurselves: true,
      env: {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: origin,
        MASTER_KEY: 'the master key of a trial',
        FIRST_TOKEN_PATH: tokenPath,
        TRUSTED_PROXIES: '127.0.0.1',
        ADMIN_RATE: '100000',
        DRAIN_SECONDS: '0',
        LOG_LEVEL: 'warn',
        DATA_DIR: this.folder,
        ...env,
      },
    });
    await until(
      () => service.text.includes('Ready in') || service.child.exitCode !== null,
      () => 'the service to start',
    );
    if (service.child.exitCode !== null) throw new Error(service.text);
    return { ...service, origin, token: existsSync(tokenPath) ? readFileSync(tokenPath, 'utf8').trim() : '' };
  }

  async end() {
    this.ending.abort();
    for (const undo of this.endings.splice(0).reverse()) undo();
    for (const child of this.children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      if ((await Promise.race([ended, sleep(STOP_MS, 'late', { ref: false })])) === 'late') child.kill('SIGKILL');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A trial from its start to its end, whatever happens in between. */
export async function trial(work) {
  const machine = new Machine();
  // Interrupted, or too late for whoever started it.
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void machine.end().then(() => process.exit(1)));
  try {
    await work(machine);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await machine.end();
  }
}

/** A promise of the documentation. */
export function promise(kept, text) {
  console.log(`${kept ? 'kept  ' : 'BROKEN'}  ${text}`);
  if (!kept) process.exitCode = 1;
}

export async function until(isSo, what, limitMs = WAIT_MS) {
  for (const deadline = Date.now() + limitMs; !(await isSo()); await sleep(50))
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what()}`);
}

function accountOf(name) {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = (line ?? 'nobody:x:65534:65534').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
