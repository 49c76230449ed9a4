import { createInterface } from 'node:readline/promises';
import { changeLines, summaryOf } from './change-lines.js';
import type { Arguments } from './command/arguments.js';
import type { Command, Surroundings } from './command/command.js';
import { CommandError, EXIT, usage } from './command/command-error.js';
import { ConfigurationApi, checkNothingRefused, MEANT, MEANT_HELP, type Outcome } from './configuration-api.js';
import { configurationGiven, type Given, UNDO } from './configuration-given.js';
import { CONNECTION, CONNECTION_HELP, connect } from './connection.js';

const HELP = `
gatehouse apply FILE [options]: makes a service as a configuration says
gatehouse apply --undo POSITION [options]: takes back what was applied

  Shows the plan, asks, and makes all changes in one transaction, or none. If anything else would be changed by then, it
  is refused. FILE may be a folder.
${MEANT_HELP}
  --yes                 do not ask
  --fingerprint TEXT    do what that plan has shown and nothing else, without showing it again
  --reason TEXT         why, for the journal
  --commit ID           the version of the file, for the journal; default: GITHUB_SHA or CI_COMMIT_SHA
  --undo POSITION       what takes back the change with this position, which apply has printed
${CONNECTION_HELP.slice(1)}

  Exit codes: 0 success, 1 refused or failed, 2 invalid arguments
`;

export const APPLY: Command = {
  name: 'apply',
  summary: 'Make a service as a configuration says, or take that back',
  help: HELP,
  options: {
    ...CONNECTION,
    ...MEANT,
    ...UNDO,
    yes: { type: 'boolean', short: 'y' },
    fingerprint: { type: 'string' },
    reason: { type: 'string' },
    commit: { type: 'string' },
  },
  run: runApply,
};

async function runApply(given: Arguments, around: Surroundings): Promise<number> {
  const api = new ConfigurationApi(connect(given, around), around);
  const wanted = await configurationGiven(given, api, around, 'apply');
  const fingerprint = given.text('fingerprint') ?? (await agreedTo(api, wanted, given, around));
  if (fingerprint === undefined) return EXIT.done;
  const outcome = await api.apply(wanted.configuration, given, {
    fingerprint,
    reason: given.text('reason') ?? (wanted.file ? '' : `Undo of ${given.text('undo')!}`),
    commit: given.text('commit') ?? commitOf(around) ?? '',
  });
  around.output.write(given.flag('json') ? `${JSON.stringify(outcome)}\n` : outcomeLines(outcome));
  return EXIT.done;
}

/**
 * The fingerprint of the plan that was shown; undefined if there is nothing to change.
 * @throws CommandError if the plan is refused, by the service, or by the answer to the question
 */
async function agreedTo(
  api: ConfigurationApi,
  { configuration, file }: Given,
  given: Arguments,
  around: Surroundings,
): Promise<string | undefined> {
  const plan = await api.plan(configuration, given);
  around.errors.write(changeLines(plan.changes));
  checkNothingRefused(plan, file);
  if (plan.changes.length === 0) {
    around.errors.write('Nothing to change.\n');
    return undefined;
  }
  around.errors.write(`${summaryOf(plan.changes)}.\n`);
  if (given.flag('yes')) return plan.fingerprint;
  if (around.input.isTTY !== true)
    throw usage(
      'Nobody can be asked here. Give --yes, or the --fingerprint that "gatehouse plan" prints ("gatehouse plan --undo" for an undo).',
    );
  const terminal = createInterface({ input: around.input, output: around.errors });
  const answer = await terminal
    .question('Apply this? yes or no: ', { signal: around.signal })
    .finally(() => terminal.close());
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError('Nothing was done.');
  return plan.fingerprint;
}

function commitOf({ settings: { variables } }: Surroundings): string | undefined {
  return variables['GITHUB_SHA'] ?? variables['CI_COMMIT_SHA'];
}

function outcomeLines({ changes, made, position, isUndoKept }: Outcome): string {
  const shown = made.map(({ path, clientId, secret }) => {
    const values = [
      ...(clientId === '' ? [] : [`    client id      ${clientId}\n`]),
      ...(secret === '' ? [] : [`    secret         ${secret}   (shown only here)\n`]),
    ];
    return `${path.join(' / ')}\n${values.join('')}`;
  });
  return [
    ...shown,
    `Done: ${changes.length} ${changes.length === 1 ? 'change' : 'changes'}, at position ${position} of the journal.\n`,
    isUndoKept
      ? `To take it back: gatehouse apply --undo ${position}\n`
      : 'It is too large to be taken back by --undo: keep the file that was pulled before.\n',
  ].join('');
}
