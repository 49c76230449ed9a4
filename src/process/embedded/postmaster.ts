import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.js';

const FILE = 'postmaster.pid';

interface Postmaster {
  readonly pid: number;
  readonly isReady: boolean;
  readonly port: number;
  /** Empty on Windows, where it listens on 127.0.0.1. */
  readonly socketFolder: string;
}

/**
 * Reads what the server wrote about itself (PostgreSQL, "pidfile.h"): the first line is its process, the fourth its
 * port, the fifth the folder of its socket, the eighth its state.
 */
function readPostmaster(folder: string): Postmaster | undefined {
  try {
    const [pid, , , port, socketFolder = '', , , state] = readFileSync(join(folder, FILE), 'utf8')
      .split('\n')
      .map((line) => line.trim());
    return { pid: Number(pid), isReady: state === 'ready', port: Number(port), socketFolder };
  } catch {
    return undefined;
  }
}

/** Whether there is a server, be it that it recovers from its log. */
export function isServed(folder: string): boolean {
  const found = readPostmaster(folder);
  return found !== undefined && whoIs(found.pid, folder) !== 'other';
}

/** Where the server of this folder accepts connections; undefined if none does. */
export function findServer(folder: string): { readonly host: string; readonly port: number } | undefined {
  const found = readPostmaster(folder);
  if (!found?.isReady || !isServed(folder)) return undefined;
  return { host: found.socketFolder || '127.0.0.1', port: found.port };
}

/**
 * Stops a server that outlived its supervisor, and removes the lock files of a dead one: its process number may have
 * been reused, and PostgreSQL would then refuse to start. Only for the owner of the folder.
 */
export async function clearOrphan(folder: DataFolder): Promise<void> {
  const left = readPostmaster(folder.path);
  if (!left) return;
  const found = whoIs(left.pid, folder.path);
  // PostgreSQL's own check of the file decides. On Windows, pg_ctl finds a server by a pipe that nothing else has.
  if (found === 'unknown') return process.platform === 'win32' ? stopServer(folder, 'fast').catch(() => {}) : undefined;
  // A server that a fast shutdown has not ended after half a minute recovers from its log at the next start.
  if (found === 'server') await stopServer(folder, 'fast').catch(() => stopServer(folder, 'immediate'));
  rmSync(join(folder.path, FILE), { force: true });
}

/** Ends its connections, and waits until it is down. */
async function stopServer(folder: DataFolder, mode: 'fast' | 'immediate'): Promise<void> {
  const seconds = mode === 'fast' ? '30' : '10';
  const args = ['stop', '-D', folder.seenAs, '-m', mode, '-w', '-t', seconds];
  await folder.run('pgCtl', args, new AbortController().signal);
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
  if (process.platform === 'win32') return 'unknown';
  try {
    const real = realpathSync(folder);
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === real ? 'server' : 'other';
    const command = execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
    return command.includes(real) ? 'server' : 'other';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'other' : 'unknown';
  }
}
