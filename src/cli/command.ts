import type { Readable, Writable } from 'node:stream';
import type { ParseArgsOptionsConfig } from 'node:util';
import type { CallerSettings } from '../foundation/config/caller.js';
import type { Arguments } from './arguments.js';

/** How a command ends, for scripts. */
export const EXIT = {
  /** Everything was done. */
  done: 0,
  /** It was refused or failed; nothing was done. */
  failed: 1,
  /** It was called wrongly; nothing was tried. */
  usage: 2,
  /** Done, but something was left out. */
  leftOut: 3,
  /** Interrupted (128 + SIGINT). */
  interrupted: 130,
} as const;

export interface Command {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** What `--help` shows. */
  readonly help: string;
  readonly options: ParseArgsOptionsConfig;
  /** @returns how it ends. @throws CommandError */
  run(given: Arguments, around: Surroundings): Promise<number>;
}

/** Where a command runs. */
export interface Surroundings {
  readonly input: Readable & { readonly isTTY?: boolean | undefined };
  /** For what was asked for, and nothing else. */
  readonly output: Terminal;
  /** For progress and complaints. */
  readonly errors: Terminal;
  readonly settings: CallerSettings;
  /** Aborted when the command is interrupted. */
  readonly signal: AbortSignal;
}

export type Terminal = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };

/** Why a command cannot go on, and what to do about it; `details` are further lines. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exit: number = EXIT.failed,
    readonly details: readonly string[] = [],
  ) {
    super(message);
    this.name = 'CommandError';
  }
}

/** The command was called wrongly. */
export function usage(message: string): CommandError {
  return new CommandError(message, EXIT.usage);
}
