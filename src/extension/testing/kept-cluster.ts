import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readVersion } from '../../foundation/config/version.js';
import { millisecondsNow } from '../../foundation/time/clock.js';
import { versionOfBinaries } from '../../process/embedded/binaries.js';

const execute = promisify(execFile);

/** The folder of the files of a cluster within its data folder. */
const CLUSTER = 'postgres';
const UNUSED_MS = 14 * 86_400_000;
const OF_OTHERS = 0o077;

/**
 * The files of a server that has the schema of this build, kept from one run to the next: making them takes ten times
 * as long as copying them. One per installation, replaced when that changes.
 */
export class KeptCluster {
  private readonly place: string;

  private constructor(private readonly folder: string) {
    const installation = fileURLToPath(new URL('../../', import.meta.url));
    const build = [readVersion(), versionOfBinaries(), statSync(installation).mtimeMs].join(' ');
    this.place = join(folder, `${digest(installation)}-${digest(build)}`);
  }

  /**
   * Undefined where files cannot be kept safely: a server starts from them what its configuration names.
   * @throws DomainError FailedPrecondition `database.embedded_unavailable`
   */
  static find(): KeptCluster | undefined {
    const folder = join(tmpdir(), `gatehouse-kept-${process.getuid?.() ?? 'user'}`);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (!isOursAlone(folder)) return undefined;
    } catch {
      return undefined;
    }
    return new KeptCluster(folder);
  }

  /** Puts a copy into a data folder. @returns false if there is none to copy */
  async copyTo(dataDir: string): Promise<boolean> {
    if (!existsSync(this.place)) return false;
    const target = join(dataDir, CLUSTER);
    try {
      await copyFolder(join(this.place, CLUSTER), target);
      const now = millisecondsNow() / 1000;
      utimesSync(this.place, now, now);
      return true;
    } catch {
      await rm(target, { recursive: true, force: true }); // replaced meanwhile, or no room
      return false;
    }
  }

  /** @param make makes the files in the data folder that it is given, and ends the server */
  async fill(make: (dataDir: string) => Promise<void>): Promise<void> {
    this.removeOld();
    const unfinished = mkdtempSync(join(this.folder, `unfinished-${process.pid}-`));
    try {
      await make(unfinished);
      for (const name of readdirSync(unfinished)) {
        if (name !== CLUSTER) rmSync(join(unfinished, name), { recursive: true, force: true });
      }
      await rename(unfinished, this.place);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      if (!existsSync(this.place)) throw error; // otherwise another process was quicker
    }
  }

  /** Those of earlier builds of this installation, and those that nobody has used for long. */
  private removeOld(): void {
    const [installation = ''] = this.place.slice(this.folder.length + 1).split('-');
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
      if (name.startsWith(`${installation}-`) || millisecondsNow() - mtimeMs > UNUSED_MS)
        rmSync(path, { recursive: true, force: true });
    }
  }
}

function isOursAlone(folder: string): boolean {
  const entry = lstatSync(folder);
  if (process.platform === 'win32') return entry.isDirectory();
  return entry.isDirectory() && entry.uid === process.getuid?.() && (entry.mode & OF_OTHERS) === 0;
}

/** With their owner, where root starts a server that runs as somebody else. */
async function copyFolder(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') await cp(from, to, { recursive: true });
  else await execute('cp', ['-a', from, to]);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
