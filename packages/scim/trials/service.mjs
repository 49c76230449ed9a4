/* A running service with the extension, set up as the README says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '../../..');
const EXTENSION = resolve(import.meta.dirname, '../dist/scim.extension.js');
const START_SECONDS = 120;

/**
 * Starts the service on loopback with a database of its own, which goes with it.
 * @param withExtension false to compare what it costs
 */
export async function startService({ withExtension = true, env = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'scim-trial-'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const began = performance.now();
  const process = spawn(
    globalThis.process.execPath,
    [join(ROOT, 'scripts/gatehouse.mjs'), 'start', ...(withExtension ? ['--with', EXTENSION] : [])],
    {
      cwd: folder,
      env: { ...globalThis.process.env, PORT: String(port), DATA_DIR: join(folder, 'data'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  for (const stream of [process.stdout, process.stderr]) stream.on('data', (chunk) => (said += chunk));
  const isReady = async () => {
    const reply = await fetch(`${origin}/health/ready`).catch(() => undefined);
    return reply?.ok === true;
  };
  while (!(await isReady())) {
    if (process.exitCode !== null || performance.now() - began > START_SECONDS * 1000) {
      process.kill('SIGTERM');
      throw new Error(`The service does not start:\n${said}`);
    }
    await sleep(50);
  }
  return {
    origin,
    pid: process.pid,
    milliseconds: Math.round(performance.now() - began),
    log: () => said,
    admin: readFileSync(join(folder, 'data/admin.pat'), 'utf8').trim(),
    stop: async () => {
      if (process.exitCode === null) {
        process.kill('SIGTERM');
        await once(process, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A directory with its token and the address that is typed into it. */
export async function setUp({ origin, admin }, roles = ['EXT_SCIM_DIRECTORY']) {
  const call = async (method, path, body) => {
    const reply = await fetch(origin + path, {
      method,
      headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
    return reply.json();
  };
  const { org } = await call('GET', '/management/v1/orgs/me');
  const { userId } = await call('POST', '/management/v1/users/machine', { userName: 'directory', name: 'Directory' });
  await call('POST', '/management/v1/orgs/me/members', { userId, roles });
  const { token } = await call('POST', `/management/v1/users/${userId}/pats`, {});
  return { token, directoryId: userId, base: `${origin}/scim/v2/${org.id}`, call };
}

/** The resident memory of a process in MB. */
export function memoryOf(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
