import type { Arguments } from './command/arguments.js';
import type { Command, Surroundings } from './command/command.js';
import { EXIT, usage } from './command/command-error.js';
import { ConfigurationApi } from './configuration-api.js';
import { withImages } from './configuration-images.js';
import { toYaml } from './configuration-text.js';
import { addressOf, CONNECTION, CONNECTION_HELP, connect } from './connection.js';
import { HEADS, PulledFile } from './pulled-file.js';

const HELP = `
gatehouse pull [options]: writes the configuration of a service as a file

  Policies, texts, identity providers, projects with roles, applications and grants, groups, webhooks, mail servers and
  managers. Secrets are not in it: env:NAME says where each would come from. Neither are people.

  --output, -o FILE     the file to write, with logos and icons in the folder images beside it; default: standard output.
                        One that pull has written before is replaced, and so is that of --schema
  --force               replace other files, too, such as one in JSON
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
    force: { type: 'boolean' },
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
  const [output, schema] = [fileOf(given, 'output', HEADS.configuration), fileOf(given, 'schema', HEADS.schema)];
  const service = connect(given, around);
  const api = new ConfigurationApi(service, around);
  const { configuration, leftOut } = await api.pull({
    organizations: given.texts('org'),
    withoutInstance: given.flag('without-instance'),
    withoutOrganizations: given.flag('instance-only'),
    without: given.texts('without'),
  });
  const kept = output ? await withImages(configuration, output.path, service, around) : configuration;
  await schema?.write(`${JSON.stringify(await api.schema(), undefined, 2)}\n`);
  const schemaName = schema && (output?.nameOf(schema) ?? schema.path);
  const text = given.flag('json')
    ? `${JSON.stringify(kept, undefined, 2)}\n`
    : toYaml(kept, addressOf(given, around), schemaName);
  if (output) await output.write(text);
  else around.output.write(text);
  for (const { path, reason } of leftOut) around.errors.write(`Left out: ${path.join('.')}: ${reason}\n`);
  return leftOut.length > 0 ? EXIT.leftOut : EXIT.done;
}

/** The file that an option names; undefined for the standard output. */
function fileOf(given: Arguments, option: 'output' | 'schema', head: RegExp): PulledFile | undefined {
  const path = given.text(option);
  return path === undefined || (option === 'output' && path === '-')
    ? undefined
    : PulledFile.at(path, head, given.flag('force'));
}
