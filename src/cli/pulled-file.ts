import { type Stats, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { CommandError } from './command/command-error.js';
import { readText } from './connection.js';
import { Draft } from './draft.js';

/** How the files begin that `gatehouse pull` writes. */
export const HEADS = {
  configuration: /^(?:# yaml-language-server: [^\n]*\n)?# The configuration of /,
  schema: /^\{\s*"\$schema": "[^"]*",\s*"title": "Gatehouse configuration",/,
} as const;

/** A file to pull into: one that was pulled before is replaced, since git has what it was; another one is not. */
export class PulledFile {
  private constructor(
    readonly path: string,
    /** What is there and replaced. */
    private readonly earlier: Stats | undefined,
  ) {}

  /** @throws CommandError if something else is there, unless `isForced`; a folder is never replaced */
  static at(path: string, head: RegExp, isForced: boolean): PulledFile {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return new PulledFile(path, undefined);
    if (!found.isFile()) throw new CommandError(`${path} is no file. Name a file, such as ${path}/gatehouse.yaml.`);
    if (!isForced && !head.test(readText(path)))
      throw new CommandError(`${path} was not written by gatehouse pull. Choose another name, or give --force.`);
    return new PulledFile(path, found);
  }

  async write(text: string): Promise<void> {
    const draft = await Draft.open(this.path, this.earlier);
    try {
      await draft.write(text);
      await draft.keep();
    } finally {
      await draft.drop();
    }
  }

  /** How this file names another one, so that it is found on every machine. */
  nameOf(other: PulledFile): string {
    return relative(dirname(resolve(this.path)), resolve(other.path))
      .split(sep)
      .join('/');
  }
}
