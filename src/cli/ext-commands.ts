import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../foundation/error/domain-error.js';
import {
  COMMAND,
  type CommandFacts,
  commandsOf,
  type ExtCommand,
  type ProvidedCommand,
} from '../foundation/extension/ext-command.js';
import type { Filled } from '../foundation/extension/seam.js';
import { asExtension } from '../foundation/log/running-extension.js';
import type { ExtendedServices } from '../process/start/extended-services.js';
import { checkCommand } from './check/check.command.js';
import type { Arguments } from './command/arguments.js';
import { checkSchema } from './command/check-schema.js';
import type { Command, Surroundings } from './command/command.js';
import { CommandError, EXIT, usage } from './command/command-error.js';
import { onDatabase } from './command/on-database.js';
import { interrupted } from './remote-api.js';
import { settingsCommand } from './settings.command.js';

/** How long an interrupted command may take to end. */
const LAST_MS = 5_000;
const MAX_EXIT = 125;

/**
 * The commands that there are with these extensions: theirs, and those that describe what they add to the service.
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
  return [
    check,
    settingsCommand(services),
    ...describing(services),
    ...services.extensions.flatMap((extension) =>
      commandsOf(extension).map((provided) => toCommand(extension.id, provided, services)),
    ),
  ];
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
        output.write(`${JSON.stringify(await services.openapi(), null, 2)}\n`);
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

function toCommand(extension: string, { facts, by }: ProvidedCommand, services: ExtendedServices): Command {
  const name = `${extension}:${facts.name}`;
  const { takes = [] } = facts;
  return {
    name,
    summary: facts.summary,
    help: helpOf(name, facts),
    options: facts.options ?? {},
    run: async (given, around) => {
      if (given.positionals.length !== takes.length)
        throw usage(`gatehouse ${name} takes ${takes.join(' and ') || 'options only'}.`);
      return onDatabase(
        async (context) => {
          await checkSchema(context);
          const all = context.get<ReadonlyArray<Filled<ExtCommand>>>(COMMAND.token, { strict: false });
          const { part } = all.find((one) => one.extension === extension && one.name === by.name)!;
          return asExtension(extension, async () => call(name, part, given, around));
        },
        {},
        {
          read: (env) => services.readSettings(env),
          assemble: (config, connection) => services.assemble(config, connection),
        },
      );
    },
  };
}

function helpOf(name: string, { summary, help, takes = [] }: CommandFacts): string {
  const usageLine = [`gatehouse --with EXTENSION ${name}`, ...takes.map((what) => `<${what}>`)].join(' ');
  return [`${usageLine} [options]: ${summary}`, ...(help === undefined ? [] : ['', help])].join('\n');
}

/** @returns the exit code. @throws CommandError for whatever the command throws or makes no sense */
async function call(name: string, part: ExtCommand, given: Arguments, around: Surroundings): Promise<number> {
  const running = (async (): Promise<unknown> => part.run(given, around))();
  running.catch(() => undefined); // an interrupted one may still fail
  const result = await Promise.race([running, givenUp(around.signal)]).catch((error: unknown) => {
    throw error instanceof CommandError ? error : failed(name, error);
  });
  if (result === undefined) return around.signal.aborted ? EXIT.interrupted : EXIT.done;
  if (Number.isInteger(result) && Number(result) >= 0 && Number(result) <= MAX_EXIT) return Number(result);
  throw new CommandError(`${name} returned what is no exit code from 0 to ${MAX_EXIT}.`);
}

function failed(name: string, error: unknown): CommandError {
  if (error instanceof DomainError)
    return new CommandError(error.message, error.kind === 'InvalidArgument' ? EXIT.usage : EXIT.failed);
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new CommandError(`${name} failed, which is a defect of its extension.`, EXIT.failed, text.split('\n'));
}

/** Rejects once an interrupted command had its time. */
async function givenUp(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await sleep(LAST_MS, undefined, { ref: false });
  throw interrupted();
}
