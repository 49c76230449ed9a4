/*
 * The Terraform provider of the described system, unchanged: each resource by its own documented example is applied, planned again without a
 * difference, and destroyed. See README.md.
 *
 *   PROVIDER=<the built provider> EXAMPLES=<its folder examples/provider/resources> node deploy/trials/terraform.mjs
 *
 * ONLY runs the examples whose name matches it.
 */
import { readdirSync } from 'node:fs';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial } from './machine.mjs';
import { Bench, WORD } from './terraform/bench.mjs';

const { PROVIDER, EXAMPLES, ONLY = '' } = process.env;

/** Examples that cannot work, and why. */
const NOT_HERE = [
  [/^action$|^trigger_actions$/, 'JavaScript in the server is not run'],
  [/^action_(target|execution)/, 'targets: not built'],
  [/^sms_provider/, 'there are no SMS'],
  [/_(ldap|saml)$/, 'by the packages gatehouse-ldap and gatehouse-saml, with operations of their own'],
  [/^instance_custom_domain$/, 'one installation is one instance, whose domain is PUBLIC_URL'],
  [/^system_/, 'there is no system above the instance'],
];

await trial(async (machine) => {
  if (!PROVIDER || !EXAMPLES) throw new Error('PROVIDER and EXAMPLES must be set: see the head of this file.');
  const [serverPort, port] = [machine.port(), machine.port()];
  const server = await machine.startPostgres('server', serverPort);
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  const service = await machine.startService(port, {
    DATABASE_URL: server.url,
    URN_WORD: WORD,
    EXTENSIONS: 'social',
  });
  const bench = new Bench(machine, service, port);
  await bench.furnish();

  const names = readdirSync(EXAMPLES)
    .filter((file) => file.endsWith('.tf'))
    .map((file) => file.slice(0, -3))
    .filter((name) => new RegExp(ONLY).test(name));
  for (const name of names) {
    const reason = NOT_HERE.find(([pattern]) => pattern.test(name))?.[1];
    const problem = await bench.tryExample(name);
    if (reason === undefined) promise(problem === undefined, `${name}${problem === undefined ? '' : `: ${problem}`}`);
    else console.log(`  not supported  ${name}: ${reason}${problem === undefined ? ' (BUT IT WORKS)' : ''}`);
  }
});
