/* A backup with pg_dump while the service runs, restored into another database. See README.md. */
import { join } from 'node:path';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { Machine, promise, trial } from './machine.mjs';
import { Api, Client } from './traffic.mjs';

await trial(async (machine) => {
  const [serverPort, port] = [machine.port(), machine.port()];
  const server = await machine.startPostgres('server', serverPort);
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  const service = await machine.startService(port, { DATABASE_URL: server.url });
  const api = new Api(service);
  const clientId = await api.addApplication();
  const [person] = await api.addPeople(1);
  const client = new Client(service.origin, clientId, '192.0.2.1');
  const tokens = await client.signIn(person);
  const keys = await (await fetch(`${service.origin}/oauth/v2/keys`)).text();

  const dump = join(machine.folder, 'gatehouse.dump');
  const dumpMs = timed(() => machine.run(Machine.postgres('pg_dump'), ['-Fc', '-f', dump, server.url]));
  const later = await client.refresh(tokens);
  service.child.kill('SIGTERM');
  await new Promise((resolve) => service.child.once('exit', resolve));
  const there = ['-h', '127.0.0.1', '-p', String(serverPort), '-U', 'gatehouse'];
  const restoreMs = timed(() => {
    machine.run(Machine.postgres('createdb'), [...there, 'restored']);
    machine.run(Machine.postgres('pg_restore'), [...there, '-d', 'restored', dump]);
  });
  console.log(`pg_dump took ${Math.round(dumpMs)} ms, the restore ${Math.round(restoreMs)} ms.`);

  const restored = await machine.startService(port, { DATABASE_URL: server.url.replace(/gatehouse$/, 'restored') });
  promise(keys === (await (await fetch(`${restored.origin}/oauth/v2/keys`)).text()), 'the key set is the same');
  promise(await client.isAlive(tokens), 'an access token of before the backup is valid');
  const refused = await client.refresh(later).then(
    () => false,
    (error) => String(error).includes('invalid_grant'),
  );
  promise(refused, 'a refresh token of after the backup is refused: its user signs in again');
  promise(Boolean((await client.signIn(person)).access_token), 'the password is that of before the backup');
  client.close();
});

function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}
