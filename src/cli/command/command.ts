import type { Readable, Writable } from 'node:stream';
import type { ParseArgsOptionsConfig } from 'node:util';
import type { CallerSettings } from '../../foundation/config/caller.js';
import type { Arguments } from './arguments.js';

export interface Command {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** What `--help` shows. */
  readonly help: string;
  readonly options: ParseArgsOptionsConfig;
  /** @returns the exit code. @throws CommandError */
  run(given: Arguments, around: Surroundings): Promise<number>;
}

/** The surroundings in which a command runs. */
export interface Surroundings {
  readonly input: Readable & { readonly isTTY?: boolean | undefined };
  /** For the result and nothing else. */
  readonly output: Terminal;
  /** For progress and errors. */
  readonly errors: Terminal;
  readonly settings: CallerSettings;
  /** Aborted when the command is interrupted. */
  readonly signal: AbortSignal;
}

export type Terminal = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };
