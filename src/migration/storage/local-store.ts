import { constants, type WriteStream } from 'node:fs';
import { link, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newId } from '../../foundation/crypto/id.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { ObjectStore } from './object-store.js';
import { notReadable, objectExists, objectMissing, storeFull, storeReadOnly } from './store.errors.js';

const MAX_NAME_BYTES = 1_024;
const DRAFT = /^\.\d+\.part$/;
const FORGOTTEN_MS = 90_000_000;

/** What is wrong with the name of a file in the directory; undefined if it is valid. */
export function localNameProblem(name: string): string | undefined {
  const parts = name.split('/');
  if (name === '' || Buffer.byteLength(name) > MAX_NAME_BYTES) return `must have 1 to ${MAX_NAME_BYTES} bytes`;
  // A leading dot would also name drafts and the parent directory.
  if (parts.some((part) => part === '' || part.startsWith('.')))
    return 'must be a path within the directory: folders and a file, none of which is empty or begins with a dot';
  if (!/^[\p{L}\p{N}\p{M} ._@+=,()~-]+$/u.test(parts.join('')))
    return 'may have letters, digits, spaces and ._@+=,()~- in its names';
  return undefined;
}

/** Files in a directory of the operator: for a single machine, a mounted disk, and tests. */
export class LocalStore implements ObjectStore {
  constructor(private readonly directory: string) {}

  /** Written under another name and made durable before it gets its own. */
  async write(name: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const path = await this.pathOf(name, true);
    const draft = join(dirname(path), `.${newId()}.part`);
    try {
      await this.writeDraft(draft, source, signal);
      await removeForgotten(draft);
      // Unlike a rename, a link never replaces an existing file.
      await link(draft, path);
      await syncFolder(dirname(path));
    } catch (error) {
      signal.throwIfAborted();
      throw this.toRefusal(error, name, 'write');
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  async read(name: string, signal: AbortSignal): Promise<Readable> {
    const path = await this.pathOf(name, false);
    try {
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      if (!(await file.stat()).isFile()) {
        await file.close();
        throw notReadable(name);
      }
      return file.createReadStream({ signal, highWaterMark: 262_144 });
    } catch (error) {
      throw this.toRefusal(error, name, 'read');
    }
  }

  private async writeDraft(draft: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const file = await open(draft, 'wx', 0o600);
    // `flush`: data buffered by the operating system reaches the disk before the stream ends.
    const stream: WriteStream = file.createWriteStream({ flush: true, highWaterMark: 262_144 });
    await pipeline(source, stream, { signal });
  }

  /** The path of a file after resolving links between folders, which must not lead out of the directory. */
  private async pathOf(name: string, make: boolean): Promise<string> {
    const problem = localNameProblem(name);
    if (problem !== undefined) throw new Error(`The name of a file was not checked: it ${problem}.`);
    try {
      const root = await realpath(this.directory);
      const wanted = join(root, name);
      const above = await this.existing(dirname(wanted));
      if (above !== root && !above.startsWith(`${root}${sep}`)) throw notReadable(name);
      if (make) await mkdir(dirname(wanted), { recursive: true, mode: 0o700 });
      return wanted;
    } catch (error) {
      throw this.toRefusal(error, name, make ? 'write' : 'read');
    }
  }

  /** The folder, or its nearest existing ancestor. */
  private async existing(folder: string): Promise<string> {
    try {
      return await realpath(folder);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      return this.existing(dirname(folder));
    }
  }

  private toRefusal(error: unknown, name: string, doing: 'read' | 'write'): unknown {
    if (error instanceof DomainError) return error;
    const code = codeOf(error);
    switch (code) {
      case 'ENOSPC':
      case 'EDQUOT':
      case 'EFBIG':
        return storeFull(name, code);
      case 'EEXIST':
        return objectExists(name, code);
      case 'ENOENT':
        return doing === 'read' ? objectMissing(name, code) : storeReadOnly(name, code);
      case 'EACCES':
      case 'EPERM':
      case 'EROFS':
      case 'ENOTDIR':
      case 'EISDIR':
      case 'ELOOP':
      case 'ENAMETOOLONG':
      case 'ENXIO':
        return doing === 'read' ? notReadable(name, code) : storeReadOnly(name, code);
      default:
        return error;
    }
  }
}

/**
 * Removes drafts of processes that were killed: older, by the disk's clock, than any job may run. Errors are ignored.
 */
async function removeForgotten(draft: string): Promise<void> {
  const folder = dirname(draft);
  const { mtimeMs: now } = await stat(draft);
  const others = (await readdir(folder)).filter((name) => DRAFT.test(name) && name !== basename(draft));
  for (const name of others) {
    const { mtimeMs = now } = (await stat(join(folder, name)).catch(() => undefined)) ?? {};
    if (now - mtimeMs > FORGOTTEN_MS) await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** The name of a file is durable only when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
