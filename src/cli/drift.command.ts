import { rename, writeFile } from 'node:fs/promises';
import type { ConfigurationChange } from '../client/index.js';
import { actionOf, changeLines, summaryOf } from './change-lines.js';
import type { Arguments } from './command/arguments.js';
import type { Command, Surroundings } from './command/command.js';
import { EXIT } from './command/command-error.js';
import { ConfigurationApi, checkNothingRefused } from './configuration-api.js';
import { readConfiguration } from './configuration-given.js';
import { CONNECTION, CONNECTION_HELP, connect } from './connection.js';

const HELP = `
gatehouse drift FILE [options]: says where a service differs from its configuration

  Compares, and changes nothing: a token that may read suffices. What collections of the file do not name counts as
  different. FILE may be a folder.

  --metrics FILE        writes the number of differences in the text format of Prometheus, for its node exporter
${CONNECTION_HELP.slice(1)}

  Exit codes: 0 no difference, 1 refused or failed, 2 invalid arguments, 4 there are differences
`;

export const DRIFT: Command = {
  name: 'drift',
  summary: 'Say where a service differs from its configuration',
  help: HELP,
  options: { ...CONNECTION, metrics: { type: 'string' } },
  run: runDrift,
};

async function runDrift(given: Arguments, around: Surroundings): Promise<number> {
  const file = readConfiguration(given, around, 'drift');
  const api = new ConfigurationApi(connect(given, around), around);
  const plan = await api.plan(file.configuration, given, { compareOnly: true, prune: true });
  checkNothingRefused(plan, file);
  const { changes } = plan;
  const metrics = given.text('metrics');
  if (metrics !== undefined) await writeMetrics(metrics, changes);
  if (given.flag('json')) around.output.write(`${JSON.stringify(plan)}\n`);
  else
    around.output.write(changes.length === 0 ? 'No difference.\n' : `${changeLines(changes)}${summaryOf(changes)}.\n`);
  return changes.length === 0 ? EXIT.done : EXIT.differs;
}

/** In one step, since the exporter reads whenever it likes. */
async function writeMetrics(path: string, changes: readonly ConfigurationChange[]): Promise<void> {
  const lines = (['ADD', 'CHANGE', 'REMOVE'] as const).map((action) => {
    const count = changes.filter((change) => actionOf(change) === action).length;
    return `gatehouse_configuration_drift{action="${action.toLowerCase()}"} ${count}\n`;
  });
  const text = `# HELP gatehouse_configuration_drift What would have to be changed for the service to be as its file says.
# TYPE gatehouse_configuration_drift gauge
${lines.join('')}`;
  await writeFile(`${path}.part`, text);
  await rename(`${path}.part`, path);
}
