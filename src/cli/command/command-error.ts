/** The exit codes of commands. */
export const EXIT = {
  /** Everything was done. */
  done: 0,
  /** The work was refused or failed; nothing has changed. */
  failed: 1,
  /** Wrong usage; nothing was attempted. */
  usage: 2,
  /** The work is done, but something was left out. */
  leftOut: 3,
  /** Two things that are compared differ. */
  differs: 4,
  /** Interrupted (128 + SIGINT). */
  interrupted: 130,
} as const;

/** Why a command cannot continue, and what to do about it; `details` are further lines. */
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

/** Wrong usage of a command. */
export function usage(message: string): CommandError {
  return new CommandError(message, EXIT.usage);
}
