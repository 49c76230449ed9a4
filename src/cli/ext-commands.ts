import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExtendedServices } from '../process/start/extended-services.js';
import { checkCommand } from './check/check.command.js';
import type { Command } from './command/command.js';
import { CommandError, EXIT, usage } from './command/command-error.js';
import { settingsCommand } from './settings.command.js';

/**
 * The commands that there are with extensions: what they would say at a start, and what they add to the service.
 * @param words files and packages
 * @param name the command that is called: `check` runs whatever is wrong with the extensions, the others only if
 * nothing is
 * @throws CommandError if there is no such extension; ConfigError with what is wrong with the extensions
 */
export async function extCommands(words: readonly string[], name: string | undefined): Promise<readonly Command[]> {
  const { NotLoaded } = await import('../process/start/start-extensions.js');
  const { ExtendedServices: Services } = await import('../process/start/extended-services.js');
  const services = await Services.of(words).catch((error: unknown) => {
    throw error instanceof NotLoaded ? new CommandError(error.message) : error;
  });
  const check = checkCommand(services);
  if (name !== check.name) services.check();
  return [check, settingsCommand(services), ...describing(services)];
}

function describing(services: ExtendedServices): Command[] {
  const help = (name: string, what: string, more = '') =>
    `gatehouse --with EXTENSION ${name}${more}\n  ${what}, of the service with these extensions. Needs no database.`;
  return [
    {
      name: 'openapi',
      summary: 'Print the OpenAPI document of the service with these extensions',
      help: help('openapi', 'Writes the OpenAPI document'),
      options: {},
      run: async (_, { output }) => {
        const { documentText } = await import('../process/description/document-text.js');
        output.write(documentText(await services.openapi()));
        return EXIT.done;
      },
    },
    {
      name: 'permissions',
      summary: 'Print which roles have which permissions in the service with these extensions',
      help: help('permissions', 'Writes the table of roles, permissions and operations'),
      options: {},
      run: async (_, { output }) => {
        output.write(await services.permissions());
        return EXIT.done;
      },
    },
    {
      name: 'proto',
      summary: 'Write the .proto files of the service with these extensions',
      help: `${help('proto', 'Writes the .proto files', ' --output FOLDER')}\n\n  --output, -o FOLDER   where to write them\n  --urn-word WORD       URN_WORD of the service; default: service`,
      options: { output: { type: 'string', short: 'o' }, 'urn-word': { type: 'string' } },
      run: async (given) => {
        const folder = given.text('output');
        if (folder === undefined) throw usage('Give the folder for the files with --output.');
        for (const [path, text] of await services.proto(given.text('urn-word') ?? 'service')) {
          mkdirSync(dirname(join(folder, path)), { recursive: true });
          writeFileSync(join(folder, path), text);
        }
        return EXIT.done;
      },
    },
  ];
}
