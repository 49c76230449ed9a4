import { createInterface } from 'node:readline/promises';
import type { ExtensionRemains, ExtensionRemainsService } from '../process/setup/extension-remains.service.js';
import type { Arguments } from './command/arguments.js';
import { checkSchema } from './command/check-schema.js';
import type { Command, Surroundings } from './command/command.js';
import { CommandError, EXIT, usage } from './command/command-error.js';
import { onDatabase } from './command/on-database.js';

const HELP = `
gatehouse extension COMMAND [options]: which extensions this database has seen, and what it keeps for them

  Runs with the settings of the service, on a machine that reaches its database.

  list                every extension that was loaded here: its version, its seams, whether it is required, its tables, its
                      listeners, and when a process last started with it
  retire ID           lets processes start without an extension that is required. Its tables stay.
  drop ID             removes the tables of an extension, with everything in them, and what its listeners have heard.
                      Stop the processes that load it first.
    --confirm ID      the same ID again, where nobody can be asked

  Exit codes: 0 success, 1 refused or failed, 2 invalid arguments
`;

export const EXTENSION: Command = {
  name: 'extension',
  summary: 'List the extensions of the database, and remove what they store',
  help: HELP,
  options: { confirm: { type: 'string' } },
  run: async (given, around) => {
    const [name = '', id, ...others] = given.positionals;
    if (name === 'list' && id === undefined) return withRemains(async (remains) => list(around, await remains.list()));
    if (name === 'retire' && id !== undefined && others.length === 0)
      return withRemains(async (remains) => {
        await remains.retire(id);
        around.output.write(`Processes start without ${id} from now on.\n`);
      });
    if (name === 'drop' && id !== undefined && others.length === 0)
      return withRemains((remains) => drop(remains, id, given, around));
    throw usage('Give one of: gatehouse extension list, gatehouse extension retire ID, gatehouse extension drop ID.');
  },
};

async function withRemains(work: (remains: ExtensionRemainsService) => Promise<void>): Promise<number> {
  await onDatabase(async (services) => {
    await checkSchema(services);
    const { ExtensionRemainsService: Service } = await import('../process/setup/extension-remains.service.js');
    await work(services.get(Service, { strict: false }));
  });
  return EXIT.done;
}

function list({ output }: Surroundings, all: readonly ExtensionRemains[]): void {
  if (all.length === 0) output.write('This database has seen no extension.\n');
  for (const remains of all) output.write(`${describe(remains)}\n`);
}

async function drop(
  remains: ExtensionRemainsService,
  id: string,
  given: Arguments,
  around: Surroundings,
): Promise<void> {
  const found = await remains.find(id);
  const confirmed = given.text('confirm') ?? (await ask(found, around));
  if (confirmed !== id)
    throw new CommandError(`Nothing was removed: "${confirmed}" is not the id of the extension, ${id}.`);
  await remains.drop(id);
  around.output.write(`${id} was removed from the database.\n`);
}

/** The text that somebody types; empty where nobody can. */
async function ask(found: ExtensionRemains, { input, errors, signal }: Surroundings): Promise<string> {
  errors.write(`${describe(found)}\n`);
  if (input.isTTY !== true)
    throw usage(`Give --confirm ${found.id}: its tables are removed, and cannot be brought back.`);
  const terminal = createInterface({ input, output: errors });
  try {
    return (await terminal.question(`Type ${found.id} to remove all of it: `, { signal })).trim();
  } finally {
    terminal.close();
  }
}

/** `hr 1.2.0 (CLAIMS), required: 2 tables (employee, grade), 48 kB; listeners hr/provision; last loaded 2026-11-23` */
function describe(remains: ExtensionRemains): string {
  const { id, version, seams, isRequired, tables, bytes, listeners, lastLoadedAt } = remains;
  const title = [
    id,
    version === '' ? 'of an unknown version' : version,
    ...(seams.length === 0 ? [] : [`(${seams.join(', ')})`]),
  ];
  const count = `${tables.length} ${tables.length === 1 ? 'table' : 'tables'}`;
  const facts = [
    tables.length === 0 ? 'no tables' : `${count} (${tables.join(', ')}), ${Math.ceil(Number(bytes) / 1024)} kB`,
    ...(listeners.length === 0 ? [] : [`listeners ${listeners.join(', ')}`]),
    ...(lastLoadedAt ? [`last loaded ${lastLoadedAt.toISOString().slice(0, 10)}`] : []),
  ];
  return `${title.join(' ')}${isRequired ? ', required' : ''}: ${facts.join('; ')}`;
}
