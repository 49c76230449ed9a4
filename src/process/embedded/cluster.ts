import { type StdioOptions, spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Binaries } from './binaries.js';
import { messageOf, notAccessible, otherVersion, startFailed } from './embedded.errors.js';
import { mayReach, type OsAccount } from './os-account.js';

const DATABASE = 'gatehouse';
const SUPERUSER = 'gatehouse';

/** How a server process is started on a folder. */
export interface FolderForServer {
  /** The folder's path as the server sees it. */
  readonly path: string;
  /** An open handle of the folder, inherited as descriptor 3. */
  readonly handle: number | 'ignore';
}

/** This process's environment (PGDATA, PGOPTIONS, LANG …) must not influence the server. */
export const SERVER_ENVIRONMENT =
  process.platform === 'win32' ? undefined : { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' };

/**
 * The account may not be able to traverse the parent folders (a project below /root): on Linux the server then gets the
 * open folder itself, and a path through that handle.
 */
export function openForServer(folder: string, account: OsAccount | undefined): FolderForServer {
  if (!account || mayReach(account, dirname(folder))) return { path: folder, handle: 'ignore' };
  if (process.platform !== 'linux') throw notAccessible(folder, `the user with number ${account.uid} cannot reach it`);
  return { path: '/proc/self/fd/3', handle: openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY) };
}

export function closeForServer({ handle }: FolderForServer): void {
  if (typeof handle === 'number') closeSync(handle);
}

/**
 * Creates the database's files if there are none. They get their name when they are complete, so an interrupted start
 * leaves nothing that could be mistaken for a database.
 * @param gone aborted when the database is no longer needed: the running program is then ended
 * @throws DomainError FailedPrecondition `database.embedded_version`, `…_no_access`, `…_failed`; the reason of `gone`
 */
export async function ensureCluster(
  folder: string,
  binaries: Binaries,
  account: OsAccount | undefined,
  isDurable: boolean,
  gone: AbortSignal,
): Promise<void> {
  if (existsSync(folder)) {
    checkVersion(folder, binaries);
    return;
  }
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  if (account) chownSync(unfinished, account.uid, account.gid);
  const server = openForServer(unfinished, account);
  const run = (program: string, args: string[], input = '') => runAs(account, server, gone, program, args, input);
  try {
    // The provider `builtin` sorts by code point and still handles upper and lower case beyond ASCII, the same on every
    // platform.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    await run(binaries.initdb, [
      '-D',
      server.path,
      '-U',
      SUPERUSER,
      '-A',
      'trust',
      '--no-sync',
      '--no-instructions',
      ...locale,
    ]);
    await run(binaries.postgres, ['--single', '-F', '-D', server.path, 'postgres'], `CREATE DATABASE ${DATABASE}\n`);
    if (isDurable) await run(binaries.initdb, ['-D', server.path, '--sync-only']);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    closeForServer(server);
  }
  renameSync(unfinished, folder);
}

function checkVersion(folder: string, binaries: Binaries): void {
  let found: string;
  try {
    found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    throw notAccessible(folder, error);
  }
  if (found !== binaries.version) throw otherVersion(folder, found, binaries.version);
}

async function runAs(
  account: OsAccount | undefined,
  server: FolderForServer,
  gone: AbortSignal,
  program: string,
  args: string[],
  input: string,
): Promise<void> {
  gone.throwIfAborted();
  const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', server.handle];
  const child = spawn(program, args, { ...account, cwd: '/', env: SERVER_ENVIRONMENT, stdio, windowsHide: true });
  const exit = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  child.stdin!.on('error', () => {});
  child.stdin!.end(input);
  const said = Promise.all([text(child.stdout!), text(child.stderr!)]);
  const giveUp = (): void => void child.kill();
  gone.addEventListener('abort', giveUp);
  const status = await exit
    .catch((error: unknown) => {
      throw startFailed(`${program}: ${messageOf(error)}`, '');
    })
    .finally(() => gone.removeEventListener('abort', giveUp));
  gone.throwIfAborted(); // its children share its output, so they have ended as well
  if (status !== 0) throw startFailed(`${program} ended with status ${status}`, (await said).join(''));
}
