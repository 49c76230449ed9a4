import { Arguments } from './command/arguments.js';
import { type Command, type Surroundings } from './command/command.js';
import { CommandError, EXIT, usage } from './command/command-error.js';
import { COMMANDS, START, TEST_IDP } from './commands.js';
import { inWords } from './failure.js';

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

/** Runs the command that the arguments name. @returns the exit code */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  let command: Command | undefined;
  let commands: readonly Command[] = COMMANDS;
  try {
    const { words, others } = withoutExtensions(args);
    const [name, ...rest] = others;
    const named = extensionsFor(name, words, around);
    if (named.length > 0) commands = [...COMMANDS, ...(await commandsIn(named, name))];
    command = commands.find((one) => one.name === name);
    if (command) return await runCommand(command, rest, around);
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      around.output.write(overview(commands));
      return name === undefined ? EXIT.usage : EXIT.done;
    }
    throw usage(`Unknown command "${name}". Commands: ${commands.map((one) => one.name).join(', ')}.`);
  } catch (thrown) {
    const error = inWords(thrown, around.signal);
    if (!(error instanceof CommandError)) throw error;
    around.errors.write(`${[error.message, ...error.details.map((line) => `  ${line}`)].join('\n')}\n`);
    if (error.exit === EXIT.usage && command) around.errors.write(`See: gatehouse ${command.name} --help\n`);
    return error.exit;
  }
}

/** The words of `--with`, wherever they stand before `--`, and what else was given. */
function withoutExtensions(args: readonly string[]): {
  readonly words: readonly string[];
  readonly others: readonly string[];
} {
  const words: string[] = [];
  const others: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!;
    if (arg === '--') return { words, others: [...others, ...args.slice(at)] };
    if (arg.startsWith('--with=')) words.push(arg.slice('--with='.length));
    else if (arg === '--with') words.push(args[(at += 1)] ?? '');
    else others.push(arg);
  }
  if (words.includes('')) throw usage('--with needs the file or the package of an extension.');
  return { words, others };
}

/**
 * The extensions that a command is run with: those of the settings, then those of the arguments. The product's own
 * commands use none, and so do not read the settings for it: the way back in works while an extension is missing.
 */
function extensionsFor(
  name: string | undefined,
  words: readonly string[],
  { settings }: Surroundings,
): readonly string[] {
  if (words.length === 0 && COMMANDS.some((one) => one.name === name)) return [];
  return [...settings.extensions, ...words];
}

async function commandsIn(words: readonly string[], name: string | undefined): Promise<readonly Command[]> {
  // Loaded here, because other commands need nothing of it.
  const { extCommands } = await import('./ext-commands.js');
  return extCommands(words, name);
}

async function runCommand(command: Command, args: readonly string[], around: Surroundings): Promise<number> {
  const given = Arguments.parse(args, { ...command.options, ...HELP });
  if (!given.flag('help')) return command.run(given, around);
  around.output.write(`${command.help.trim()}\n`);
  return EXIT.done;
}

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = [START, TEST_IDP, ...commands].map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `gatehouse [--with EXTENSION]... <command> [options]\n\n${lines.join('\n')}\n\nSee gatehouse <command> --help for details.\n`;
}
