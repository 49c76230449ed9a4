import type { ExtendedServices } from '../process/start/extended-services.js';
import type { Command } from './command/command.js';
import { EXIT } from './command/command-error.js';

const HELP = `
gatehouse --with EXTENSION settings
  Writes the settings that these extensions read: what each accepts, whether it must be given, and whether it is. Values are not shown.
  Those of Gatehouse itself are in docs/operating.md. Needs no database.
`;

const HEAD = '| Setting | Extension | Accepts | Required: what to give | Given by |\n|---|---|---|---|---|\n';

/** The settings of extensions, for the operator who writes them down. */
export function settingsCommand(services: ExtendedServices): Command {
  return {
    name: 'settings',
    summary: 'Print the settings of these extensions',
    help: HELP,
    options: {},
    run: async (_, { output }) => {
      // Loaded here, because the other commands need none of it.
      const { readerOfProcess } = await import('../foundation/config/load-config.js');
      const settings = services.settings(readerOfProcess());
      const rows = settings.map(({ name, extension, accepts, remedy, givenBy }) => {
        const cells = [`\`${name}\``, extension, accepts, remedy ?? '', givenBy === undefined ? '' : `\`${givenBy}\``];
        return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
      });
      output.write(rows.length === 0 ? 'These extensions have no settings.\n' : HEAD + rows.join(''));
      return EXIT.done;
    },
  };
}
