import { changeLines, summaryOf } from './change-lines.js';
import type { Arguments } from './command/arguments.js';
import type { Command, Surroundings } from './command/command.js';
import { EXIT } from './command/command-error.js';
import { ConfigurationApi, checkNothingRefused, MEANT, MEANT_HELP } from './configuration-api.js';
import { configurationGiven, UNDO } from './configuration-given.js';
import { CONNECTION, CONNECTION_HELP, connect } from './connection.js';

const HELP = `
gatehouse plan FILE [options]: says what a configuration would change, and what that does to people
gatehouse plan --undo POSITION [options]: says what taking back an application would change

  FILE may be a folder: its *.yaml, *.yml and *.json say the configuration together. Nothing is done.
${MEANT_HELP}
  --undo POSITION       what takes back the change with this position, which apply has printed
  --compare-only        only compare, for a token that may read and not change
${CONNECTION_HELP.slice(1)}

  Exit codes: 0 success, 1 refused or failed, 2 invalid arguments
`;

export const PLAN: Command = {
  name: 'plan',
  summary: 'Say what a configuration would change, and what that does to people',
  help: HELP,
  options: { ...CONNECTION, ...MEANT, ...UNDO, 'compare-only': { type: 'boolean' } },
  run: runPlan,
};

async function runPlan(given: Arguments, around: Surroundings): Promise<number> {
  const api = new ConfigurationApi(connect(given, around), around);
  const { configuration, file } = await configurationGiven(given, api, around, 'plan');
  const plan = await api.plan(configuration, given, { compareOnly: given.flag('compare-only') });
  if (given.flag('json')) {
    around.output.write(`${JSON.stringify(plan)}\n`);
    return plan.refusals.length > 0 ? EXIT.failed : EXIT.done;
  }
  around.output.write(changeLines(plan.changes));
  checkNothingRefused(plan, file);
  around.output.write(
    plan.changes.length === 0
      ? 'Nothing to change.\n'
      : `${summaryOf(plan.changes)}. Nothing was done.\n${plan.fingerprint === '' ? '' : `Fingerprint: ${plan.fingerprint}\n`}`,
  );
  return EXIT.done;
}
