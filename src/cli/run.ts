import { Arguments } from './arguments.js';
import { type Command, type Surroundings } from './command.js';
import { CommandError, EXIT, usage } from './command-error.js';
import { COMMANDS, START } from './commands.js';

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

/** Runs the command that the arguments name. @returns the exit code */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  const [name, ...rest] = args;
  const command = COMMANDS.find((one) => one.name === name);
  try {
    if (command) return await runCommand(command, rest, around);
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      around.output.write(overview());
      return name === undefined ? EXIT.usage : EXIT.done;
    }
    throw usage(`Unknown command "${name}". Commands: ${COMMANDS.map((one) => one.name).join(', ')}.`);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    around.errors.write(`${[error.message, ...error.details.map((line) => `  ${line}`)].join('\n')}\n`);
    if (error.exit === EXIT.usage && command) around.errors.write(`See: gatehouse ${command.name} --help\n`);
    return error.exit;
  }
}

async function runCommand(command: Command, args: readonly string[], around: Surroundings): Promise<number> {
  const given = Arguments.parse(args, { ...command.options, ...HELP });
  if (!given.flag('help')) return command.run(given, around);
  around.output.write(`${command.help.trim()}\n`);
  return EXIT.done;
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const lines = [START, ...COMMANDS].map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `gatehouse <command> [options]\n\n${lines.join('\n')}\n\nSee gatehouse <command> --help for details.\n`;
}
