import { type ChildProcess, type IOType, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Binaries } from './binaries.js';
import { messageOf, notAccessible, otherVersion, startFailed } from './embedded.errors.js';
import type { OsAccount } from './os-account.js';

/** This process's environment (PGDATA, PGOPTIONS, LANG …) must not influence the programs. */
const ENVIRONMENT = process.platform === 'win32' ? undefined : { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' };
/**
 * `builtin` sorts by code point and still handles upper and lower case beyond ASCII, the same on every platform. The
 * folder is what protects a server without passwords: only its account may enter it.
 */
const INITDB = [
  ...['--username=gatehouse', '--auth=trust', '--no-sync', '--no-instructions', '--encoding=UTF8'],
  ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
];

type Program = Exclude<keyof Binaries, 'version'>;

/** The folder of a database, and PostgreSQL's programs on it. */
export class DataFolder {
  /**
   * The folder as the programs see it. Their account may not be able to pass the folders above it (a project below
   * /root): on Linux they inherit the open folder, and have a path through that handle.
   */
  readonly seenAs: string;

  constructor(
    readonly path: string,
    readonly binaries: Binaries,
    readonly account: OsAccount | undefined,
  ) {
    this.seenAs = account && process.platform === 'linux' ? '/proc/self/fd/3' : path;
  }

  /** Starts one of the programs. */
  start(program: Program, args: readonly string[], stdio: ReadonlyArray<IOType | number>): ChildProcess {
    const handle = this.seenAs === this.path ? undefined : openSync(this.path, 'r');
    try {
      const all: StdioOptions = [...stdio, handle ?? 'ignore'];
      const options = { ...this.account, cwd: '/', env: ENVIRONMENT, stdio: all, windowsHide: true };
      return spawn(this.binaries[program], args, options);
    } finally {
      if (handle !== undefined) closeSync(handle);
    }
  }

  /**
   * Runs one of the programs to its end.
   * @param gone aborted when the database is no longer needed: the program is then ended
   * @throws DomainError FailedPrecondition `database.embedded_failed`; the reason of `gone`
   */
  async run(program: Program, args: readonly string[], gone: AbortSignal, input = ''): Promise<void> {
    gone.throwIfAborted();
    const child = this.start(program, args, ['pipe', 'pipe', 'pipe']);
    const closed = once(child, 'close').catch((error: unknown) => [messageOf(error)]);
    child.stdin!.on('error', () => {}).end(input);
    const said = Promise.all([text(child.stdout!), text(child.stderr!)]);
    const giveUp = (): void => void child.kill();
    gone.addEventListener('abort', giveUp);
    const [status] = (await closed) as [number | string | null];
    gone.removeEventListener('abort', giveUp);
    gone.throwIfAborted(); // its children share its output, so they have ended as well
    if (status !== 0) throw startFailed(`${program} ended with ${status}`, (await said).join(''));
  }

  /**
   * Creates the database's files if there are none. They get their name when they are complete, so an interrupted start
   * leaves nothing that could be mistaken for a database.
   * @throws DomainError FailedPrecondition `database.embedded_version`, `…_no_access`, `…_failed`; the reason of `gone`
   */
  async ensureDatabase(isDurable: boolean, gone: AbortSignal): Promise<void> {
    if (existsSync(this.path)) return this.checkVersion();
    const unfinished = new DataFolder(`${this.path}.unfinished`, this.binaries, this.account);
    rmSync(unfinished.path, { recursive: true, force: true });
    mkdirSync(unfinished.path, { mode: 0o700 });
    if (this.account) chownSync(unfinished.path, this.account.uid, this.account.gid);
    try {
      const at = ['-D', unfinished.seenAs];
      await unfinished.run('initdb', [...at, ...INITDB], gone);
      await unfinished.run('postgres', ['--single', '-F', ...at, 'postgres'], gone, 'CREATE DATABASE gatehouse\n');
      if (isDurable) await unfinished.run('initdb', [...at, '--sync-only'], gone);
    } catch (error) {
      rmSync(unfinished.path, { recursive: true, force: true });
      throw error;
    }
    renameSync(unfinished.path, this.path);
  }

  private checkVersion(): void {
    let found: string;
    try {
      found = readFileSync(join(this.path, 'PG_VERSION'), 'utf8').trim();
    } catch (error) {
      throw notAccessible(this.path, error);
    }
    if (found !== this.binaries.version) throw otherVersion(this.path, found, this.binaries.version);
  }
}
