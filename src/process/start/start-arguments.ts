import { parseArgs } from 'node:util';

export const START_HELP = `
gatehouse start [--with FILE]... [--watch]

Starts Gatehouse, with the settings of the environment and of the file .env in this folder.

  --with FILE   loads an extension: a module whose default export is what defineExtension returns, or a list of such.
                Can be repeated; the order counts. The packages that Gatehouse brings need not be installed beside it.
  --watch       starts again whenever a file beside the extensions changes. For development.
  -h, --help    shows this text
`;

export interface StartArguments {
  readonly with: readonly string[];
  readonly watch: boolean;
  readonly help: boolean;
}

/** Reads the arguments of `gatehouse start`; `reason` says what is wrong with them. */
export function readStart(args: readonly string[]): StartArguments | { readonly mistake: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        with: { type: 'string', multiple: true },
        watch: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const given = { with: values.with ?? [], watch: values.watch === true, help: values.help === true };
    if (given.watch && given.with.length === 0)
      return { mistake: '--watch needs an extension to watch: give --with FILE.' };
    return given;
  } catch (error) {
    return { mistake: (error as Error).message };
  }
}
