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
  [/^instance_(custom|trusted)_domain$/, 'one installation is one instance, whose domain is PUBLIC_URL'],
  [/^system_features$/, 'its example has an argument that the provider does not know'],
  [/^instance_features$/, 'it switches on what does not exist here, such as a console: each switch is refused by name'],
  [/^instance_restrictions$/, 'it allows single languages; pages speak all that they know'],
  [/^instance_secret_generator$/, 'it changes the length of codes, which is fixed'],
  [/^email_provider_http$/, 'e-mails are sent by SMTP, or by an extension'],
  [
    /_idp_azure_ad$|^idp_azure_ad$/,
    'it calls all addresses of Entra verified, which whoever administers a tenant can write',
  ],
  [/^active_webkey$/, 'it prepares keys of two kinds, and the signing settings name one'],
  [/^default_notification_policy$/, 'the provider sends no false before it has sent a true'],
  [/^organization_domain$/, 'it proves verified.example.com, which is not on the internet'],
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
