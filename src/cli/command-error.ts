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
