import { writeFile } from 'node:fs/promises';
import type { Arguments } from './command/arguments.js';
import type { Command, Surroundings } from './command/command.js';
import { EXIT, usage } from './command/command-error.js';
import { ConfigurationApi } from './configuration-api.js';
import { withImages } from './configuration-images.js';
import { toYaml } from './configuration-text.js';
import { addressOf, CONNECTION, CONNECTION_HELP, connect } from './connection.js';
import { Draft } from './draft.js';

const HELP = `
gatehouse pull [options]: writes the configuration of a service as a file

  Policies, texts, identity providers, projects with roles, applications and grants, groups, webhooks, mail servers and
  managers. Secrets are not in it: env:NAME says where each would come from. Neither are people.

  --output, -o FILE     the file to write, with logos and icons in the folder images beside it; default: standard output
  --org NAME            an organization that is wanted; may be repeated; default: all that you may read
  --instance-only       without organizations
  --without-instance    without the instance itself
  --without WORD        leaves out parts with this name wherever they stand, such as managers; may be repeated
  --schema FILE         writes the JSON schema for editors, and names it in the configuration
${CONNECTION_HELP.slice(1)}

  Exit codes: 0 success, 1 refused or failed, 2 invalid arguments, 3 something was left out, for you may not read it
`;

export const PULL: Command = {
  name: 'pull',
  summary: 'Write the configuration of a service as a file',
  help: HELP,
  options: {
    ...CONNECTION,
    output: { type: 'string', short: 'o' },
    org: { type: 'string', multiple: true },
    'instance-only': { type: 'boolean' },
    'without-instance': { type: 'boolean' },
    without: { type: 'string', multiple: true },
    schema: { type: 'string' },
  },
  run: runPull,
};

async function runPull(given: Arguments, around: Surroundings): Promise<number> {
  if (given.positionals.length > 0)
    throw usage(`Unexpected argument "${given.positionals[0]!}". Use --output to name a file.`);
  const service = connect(given, around);
  const api = new ConfigurationApi(service, around);
  const { configuration, leftOut } = await api.pull({
    organizations: given.texts('org'),
    withoutInstance: given.flag('without-instance'),
    withoutOrganizations: given.flag('instance-only'),
    without: given.texts('without'),
  });
  const output = given.text('output');
  const kept =
    output === undefined || output === '-' ? configuration : await withImages(configuration, output, service, around);
  const schema = given.text('schema');
  if (schema !== undefined) await writeFile(schema, `${JSON.stringify(await api.schema(), undefined, 2)}\n`);
  const text = given.flag('json')
    ? `${JSON.stringify(kept, undefined, 2)}\n`
    : toYaml(kept, addressOf(given, around), schema);
  await write(text, output, around);
  for (const { path, reason } of leftOut) around.errors.write(`Left out: ${path.join('.')}: ${reason}\n`);
  return leftOut.length > 0 ? EXIT.leftOut : EXIT.done;
}

async function write(text: string, path: string | undefined, around: Surroundings): Promise<void> {
  if (path === undefined || path === '-') {
    around.output.write(text);
    return;
  }
  const file = await Draft.open(path);
  try {
    await file.write(text);
    await file.keep();
  } finally {
    await file.drop();
  }
}
