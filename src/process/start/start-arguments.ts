import { parseArgs } from 'node:util';

export const START_HELP = `
gatehouse start [--with EXTENSION]... [--watch]

Starts Gatehouse, with the settings of the environment and of the file .env in this folder. The setting EXTENSIONS names
extensions, comma-separated, in the same words as --with; they come first.

  --with EXTENSION   loads an extension: a file, ./dist/hr.extension.js, or a package, scim for gatehouse-scim, or
                     @acme/gatehouse-hr. It is a module whose default export is what defineExtension returns, or a list
                     of such. Can be repeated; the order counts. The packages that Gatehouse brings need not be installed
                     beside a file.
  --watch            starts again whenever a file beside the extensions changes. For development.
  -h, --help         shows this text
`;

export interface StartArguments {
  readonly with: readonly string[];
  readonly watch: boolean;
  readonly help: boolean;
}

/**
 * Reads the arguments of `gatehouse start`; `mistake` says what is wrong with them.
 * @param named the extensions that the settings name
 */
export function readStart(
  args: readonly string[],
  named: readonly string[],
): StartArguments | { readonly mistake: string } {
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
    if (given.watch && given.with.length === 0 && named.length === 0)
      return { mistake: '--watch needs an extension to watch: give --with EXTENSION.' };
    return given;
  } catch (error) {
    return { mistake: (error as Error).message };
  }
}
