import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.js';
import { startFailed } from './embedded.errors.js';

export const POLL_MS = 10;
/**
 * A fast shutdown writes everything to disk; after this long the server is stopped immediately, and recovers at the
 * next start.
 */
export const FAST_SHUTDOWN_LIMIT_MS = 30_000;
const IMMEDIATE_SHUTDOWN_LIMIT_MS = 10_000;

const FILE = 'postmaster.pid';

interface Postmaster {
  readonly pid: number;
  readonly isReady: boolean;
  readonly port: number;
  /** As the server sees it. Empty on Windows, where it listens on 127.0.0.1. */
  readonly socketFolder: string;
}

/**
 * What the server wrote about itself (PostgreSQL, "pidfile.h"): the first line is its process, the fourth its port, the
 * fifth the folder of its socket, the eighth its state.
 */
export function readPostmaster(folder: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(folder, FILE), 'utf8').split('\n');
    return {
      pid: Number(lines[0]),
      isReady: lines[7]?.trim() === 'ready',
      port: Number(lines[3]),
      socketFolder: lines[4]?.trim() ?? '',
    };
  } catch {
    return undefined;
  }
}

/** Where the server of this folder accepts connections; undefined if none does. */
export function findServer(folder: string): { readonly host: string; readonly port: number } | undefined {
  const found = readPostmaster(folder);
  if (!found?.isReady) return undefined;
  const { pid, port, socketFolder } = found;
  if (process.platform === 'win32') return isAlive(pid) ? { host: '127.0.0.1', port } : undefined;
  if (whoIs(pid, realpathSync(folder)) === 'other') return undefined;
  // A server that cannot reach the folder by its path has it by a handle of its own.
  return { host: socketFolder.startsWith('/proc/self/') ? folder : socketFolder, port };
}

/**
 * Stops a server that outlived its supervisor, and removes the lock files of a dead one: its process number may have
 * been reused, and PostgreSQL would then refuse to start. Only for the owner of the folder.
 */
export async function clearOrphan(folder: string, binaries: Binaries): Promise<void> {
  const left = readPostmaster(folder);
  if (!left) return;
  if (process.platform === 'win32') return stopOnWindows(folder, binaries);
  const found = whoIs(left.pid, realpathSync(folder));
  // PostgreSQL's own check of the file decides.
  if (found === 'unknown') return;
  if (found === 'server') await end(left.pid, folder);
  const socketLocks = readdirSync(folder).filter((name) => name.startsWith('.s.PGSQL.') && name.endsWith('.lock'));
  for (const name of [FILE, ...socketLocks]) rmSync(join(folder, name), { force: true });
}

async function end(pid: number, folder: string): Promise<void> {
  process.kill(pid, 'SIGINT');
  if (await isGone(pid, folder, FAST_SHUTDOWN_LIMIT_MS)) return;
  process.kill(pid, 'SIGQUIT');
  if (await isGone(pid, folder, IMMEDIATE_SHUTDOWN_LIMIT_MS)) return;
  throw startFailed(`a server of an earlier start, process ${pid}, does not end`, '');
}

/** Checks for the server rather than the number: a dead process keeps its number until its parent collects it. */
async function isGone(pid: number, folder: string, limitMs: number): Promise<boolean> {
  const limit = performance.now() + limitMs;
  while (performance.now() < limit) {
    if (whoIs(pid, realpathSync(folder)) !== 'server') return true;
    await sleep(POLL_MS);
  }
  return false;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether that process is the server of this folder: a server's working directory is its data folder. */
function whoIs(pid: number, folder: string): 'server' | 'other' | 'unknown' {
  if (!(pid > 0) || !isAlive(pid)) return 'other';
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === folder ? 'server' : 'other';
    const command = execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
    return command.includes(folder) ? 'server' : 'other';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'other' : 'unknown';
  }
}

/** Windows has no signals; pg_ctl uses the server's own pipe, which no other process has. */
export async function stopOnWindows(folder: string, binaries: Binaries): Promise<void> {
  // It fails if no server is running.
  await promisify(execFile)(binaries.pgCtl, ['stop', '-D', folder, '-m', 'fast', '-w', '-t', '30'], {
    windowsHide: true,
  }).catch(() => {});
}
