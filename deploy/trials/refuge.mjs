/*
 * A whole move from ZITADEL by docs/migration-from-zitadel.md: a database of its shape is filled, converted and
 * imported, and then programs of the vendor, people and applications use the new place as they used the old one.
 * See README.md.
 *
 *   PROVIDER=<the built Terraform provider> node deploy/trials/refuge.mjs [--people 2000]
 */
import { parseArgs } from 'node:util';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { trial } from './machine.mjs';
import { Clients } from './refuge/clients.mjs';
import { Move } from './refuge/move.mjs';
import { People } from './refuge/people.mjs';
import { Steps } from './refuge/steps.mjs';

const { values: options } = parseArgs({ options: { people: { type: 'string', default: '2000' } } });
const people = Number(options.people);

await trial(async (machine) => {
  const [serverPort, port] = [machine.port(), machine.port()];
  const server = await machine.startPostgres('server', serverPort);
  for (const database of ['gatehouse', 'source'])
    await inDatabase(maintenanceUrl(server.url), `CREATE DATABASE ${database}`);
  const move = new Move(machine, server.url, `http://localhost:${port}`, people);
  const steps = new Steps();
  const hasMoved =
    (await steps.take('fill the database of the source', () => move.fill())) &&
    (await steps.take('convert', () => move.convert())) &&
    (await steps.take('start the target', () => move.start(port))) &&
    (await steps.take('import', () => move.import()));
  if (hasMoved) {
    const [clients, visitors] = [new Clients(machine, move.origin, move.known), new People(move.origin, move.known)];
    const users = await move.usersOfFirstOrg();
    await steps.take('everybody is there', () => move.compare());
    await steps.take('a password', () => visitors.byPassword());
    await steps.take('an authenticator app', () => visitors.byApp());
    await steps.take('a recovery code', () => visitors.byRecoveryCode());
    await steps.take('a passkey', () => visitors.byPasskey());
    await steps.take('a passkey in a browser', () => visitors.byPasskeyInChromium());
    await steps.take('keys of a service user and of an API, in Go', () => clients.go(users));
    await steps.take('secret and key of a service user, in Python', () => clients.python(users));
    await steps.take('managers of the instance, by hand', () => move.grantByHand());
    await steps.take('terraform plan', () => clients.terraform());
  }
  steps.print(`${people.toLocaleString('en-US')} people`);
});
