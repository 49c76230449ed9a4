/* The upgrade of docs/operations.md: the first new process changes the schema while an old one serves, and then takes over. See README.md. */
import { join, resolve } from 'node:path';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial } from './machine.mjs';
import { Api, Client } from './traffic.mjs';

if (!process.env.OLD)
  throw new Error('OLD is missing: the folder of an earlier version, built with `npm ci && npm run build`.');
const OLD = join(resolve(process.env.OLD), 'dist/main.js');

await trial(async (machine) => {
  const [serverPort, oldPort, newPort] = [machine.port(), machine.port(), machine.port()];
  const server = await machine.startPostgres('server', serverPort);
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  const settings = { DATABASE_URL: server.url, PUBLIC_URL: `http://127.0.0.1:${oldPort}` };
  const old = await machine.startService(oldPort, settings, OLD);
  const api = new Api(old);
  const clientId = await api.addApplication();
  const [person] = await api.addPeople(1);
  const onOld = new Client(old.origin, clientId, '192.0.2.1');
  const before = await onOld.signIn(person);

  const next = await machine.startService(newPort, settings);
  const onNew = new Client(next.origin, clientId, '192.0.2.2');
  promise(await onNew.isAlive(before), 'a token of the old version is valid in the new one');
  promise(Boolean((await onOld.signIn(person)).access_token), 'the old version signs users in on the new schema');
  promise(Boolean(await api.addApplication()), 'the old version adds an application on the new schema');
  const during = await onNew.signIn(person);
  promise(await onOld.isAlive(during), 'a token of the new version is valid in the old one');
  promise(
    Boolean((await onNew.refresh(before)).access_token),
    'the new version takes the refresh token of the old one',
  );

  old.child.kill('SIGTERM');
  await new Promise((ended) => old.child.once('exit', ended));
  promise(await onNew.isAlive(during), 'tokens are valid after the old process has ended');
  const refused = await machine.startService(oldPort, settings, OLD).then(
    () => false,
    (error) => /newer/.test(String(error)),
  );
  promise(refused, 'the old version does not start on the newer schema, and says so');
  for (const client of [onOld, onNew]) client.close();
});
