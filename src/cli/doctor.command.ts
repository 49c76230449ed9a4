import type { Command } from './command/command.js';
import { EXIT } from './command/command-error.js';
import { toText } from './doctor/finding.js';

const HELP = `
gatehouse doctor: examines a configuration and says what to do about each finding

  Runs with the settings of the service, on a machine that reaches its database and its PUBLIC_URL. The service should run. Nothing is changed.

  --json                print the findings as JSON

  Exit codes: 0 everything is in order, 1 something is wrong, 2 invalid arguments
`;

export const DOCTOR: Command = {
  name: 'doctor',
  summary: 'Check settings, database, keys, e-mail, and the way through PUBLIC_URL',
  help: HELP,
  options: { json: { type: 'boolean' } },
  run: async (given, around) => {
    // Loaded here, because the other commands need none of it.
    const { examine } = await import('./doctor/examination.js');
    const findings = await examine(around.signal);
    around.output.write(given.flag('json') ? `${JSON.stringify(findings)}\n` : findings.map(toText).join(''));
    return findings.some(({ state }) => state === 'wrong') ? EXIT.failed : EXIT.done;
  },
};
