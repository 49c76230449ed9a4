import { Clock } from '../foundation/time/clock.js';
import { writePrivateFile } from '../process/setup/private-file.js';
import type { RecoveredAccess, RecoveryService } from '../process/setup/recovery.service.js';
import type { Arguments } from './command/arguments.js';
import { checkSchema } from './command/check-schema.js';
import type { Command, Surroundings } from './command/command.js';
import { EXIT, usage } from './command/command-error.js';
import { onDatabase } from './command/on-database.js';

const DAY_MS = 86_400_000;
const MAX_DAYS = 365;

const HELP = `
gatehouse admin COMMAND [options]: the way back in, on the database itself

  Runs with the settings of the service, DATABASE_URL and MASTER_KEY, on a machine that reaches the database; for the embedded database in its
  folder, or with its DATA_DIR. The service may run meanwhile.

  token                      a personal access token of a service user who owns the instance
    --user NAME              the service user, created if needed; default: automation
    --days N                 how long the token is valid, 1 to 365; default: 30
    --output, -o FILE        write it into a file that only its owner can read; default: standard output
  reset-password LOGIN-NAME  a new password, to be changed at the next sign-in; unlocks the account and ends its sessions
  unlock LOGIN-NAME          lets a locked user sign in again
  create USER-NAME E-MAIL    another administrator, an owner of the instance

  Exit codes: 0 success, 1 refused or failed, 2 invalid arguments
`;

type Step = (given: Arguments, around: Surroundings, recovery: RecoveryService) => Promise<void>;

interface Subcommand {
  /** What it needs besides options, in words. */
  readonly takes: readonly string[];
  readonly run: Step;
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  token: { takes: [], run: issueToken },
  'reset-password': {
    takes: ['a login name'],
    run: async (given, around, recovery) => show(around, await recovery.resetPassword(given.positionals[1]!)),
  },
  unlock: {
    takes: ['a login name'],
    run: async (given, around, recovery) => {
      await recovery.unlock(given.positionals[1]!);
      around.output.write(`${given.positionals[1]!} can sign in again.\n`);
    },
  },
  create: {
    takes: ['a user name', 'an e-mail address'],
    run: async ({ positionals }, around, recovery) =>
      show(around, await recovery.createAdministrator(positionals[1]!, positionals[2]!)),
  },
};

export const ADMIN: Command = {
  name: 'admin',
  summary: 'Create a token, a new password or another administrator, directly in the database',
  help: HELP,
  options: {
    user: { type: 'string' },
    days: { type: 'string' },
    output: { type: 'string', short: 'o' },
  },
  run: async (given, around) => {
    const [name = ''] = given.positionals;
    const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
    if (!subcommand) throw usage(`Unknown command "${name}". Give one of: ${Object.keys(SUBCOMMANDS).join(', ')}.`);
    if (given.positionals.length !== subcommand.takes.length + 1)
      throw usage(`gatehouse admin ${name} takes ${subcommand.takes.join(' and ') || 'options only'}.`);
    await onDatabase(async (services) => {
      await checkSchema(services);
      const { RecoveryService: Recovery } = await import('../process/setup/recovery.service.js');
      await subcommand.run(given, around, services.get(Recovery, { strict: false }));
    });
    return EXIT.done;
  },
};

async function issueToken(given: Arguments, around: Surroundings, recovery: RecoveryService): Promise<void> {
  const days = given.text('days') ?? '30';
  if (!/^\d{1,3}$/.test(days) || Number(days) < 1 || Number(days) > MAX_DAYS)
    throw usage(`--days is "${days}". Give a number from 1 to ${MAX_DAYS}.`);
  const until = new Date(new Clock().now().getTime() + Number(days) * DAY_MS);
  const token = await recovery.issueToken(given.text('user') ?? 'automation', until);
  const path = given.text('output');
  if (path === undefined) {
    around.output.write(`${token.reveal()}\n`);
    return;
  }
  await writePrivateFile(path, `${token.reveal()}\n`);
  around.errors.write(`The token is in ${path}, valid until ${until.toISOString().slice(0, 10)}.\n`);
}

function show(around: Surroundings, { loginName, password }: RecoveredAccess): void {
  around.output.write(
    `Login name  ${loginName}\nPassword    ${password.reveal()}   (to be changed at the next sign-in)\n`,
  );
}
