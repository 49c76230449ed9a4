import { existsSync, realpathSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { CommandError } from './command/command-error.js';

/** A file that gets its final name when it is complete. */
export class Draft {
  private constructor(
    private readonly path: string,
    private readonly draft: string,
    private readonly handle: FileHandle,
    private readonly replaces: boolean,
  ) {}

  /**
   * @param replaced the file that is there and may be replaced, whose mode the new one gets
   * @throws CommandError if the file exists already and may not, or cannot be written
   */
  static async open(name: string, replaced?: { readonly mode: number }): Promise<Draft> {
    // Where a link leads: the link stays.
    const path = replaced === undefined ? name : realpathSync(name);
    const draft = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
    if (replaced === undefined && existsSync(path)) throw isThere(path);
    try {
      // The file may contain hashes, so only its owner may read it.
      const handle = await open(draft, 'wx', 0o600);
      if (replaced !== undefined) await handle.chmod(replaced.mode & 0o777);
      return new Draft(path, draft, handle, replaced !== undefined);
    } catch (error) {
      throw new CommandError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
    }
  }

  stream(): Writable {
    return this.handle.createWriteStream({ flush: true });
  }

  async write(text: string): Promise<void> {
    await this.handle.writeFile(text);
    await this.handle.sync();
  }

  async keep(): Promise<void> {
    try {
      await (this.replaces ? rename(this.draft, this.path) : link(this.draft, this.path));
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      throw code === 'EEXIST' ? isThere(this.path) : new CommandError(`${this.path} cannot be written (${code}).`);
    }
  }

  async drop(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await rm(this.draft, { force: true });
  }
}

function isThere(path: string): CommandError {
  return new CommandError(`${path} already exists and is not replaced. Choose another name or remove the file.`);
}
