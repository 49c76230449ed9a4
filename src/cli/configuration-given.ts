import type { Arguments } from './command/arguments.js';
import type { Surroundings } from './command/command.js';
import { usage } from './command/command-error.js';
import { type ConfigurationApi, noteUnset } from './configuration-api.js';
import { type Configuration, ConfigurationFile, withSecrets } from './configuration-file.js';

/** What a command is to plan or apply: a file, or what takes an application back. */
export interface Given {
  readonly configuration: Configuration;
  /** The file, whose lines refusals name. */
  readonly file: ConfigurationFile | undefined;
}

export const UNDO = { undo: { type: 'string' } } as const;

/** @throws CommandError unless one file is named that can be read, or a position with --undo */
export async function configurationGiven(
  given: Arguments,
  api: ConfigurationApi,
  around: Surroundings,
  command: string,
): Promise<Given> {
  const position = given.text('undo');
  if (position === undefined) {
    const file = readConfiguration(given, around, command);
    return { configuration: file.configuration, file };
  }
  if (given.positionals.length > 0) throw usage('Give a file or --undo, not both.');
  if (!/^\d{1,18}$/.test(position)) throw usage(`--undo is "${position}". Give a position, a number.`);
  const undo = withSecrets(await api.undoOf(position), around.settings.variables);
  noteUnset(undo, around);
  return { configuration: undo.configuration, file: undefined };
}

/** @throws CommandError unless one file is named that can be read */
export function readConfiguration(given: Arguments, around: Surroundings, command: string): ConfigurationFile {
  const [path, ...more] = given.positionals;
  if (path === undefined || more.length > 0)
    throw usage(`Give one file or folder: gatehouse ${command} gatehouse.yaml.`);
  const file = ConfigurationFile.read(path, around.settings.variables);
  noteUnset(file, around);
  return file;
}
