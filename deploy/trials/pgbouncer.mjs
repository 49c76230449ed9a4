/* Sign-ins, refreshes, exports and imports through PgBouncer in transaction mode. See README.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial, until } from './machine.mjs';
import { Api, Client } from './traffic.mjs';

const SECONDS = Number(process.env.SECONDS ?? 20);
const CLIENTS = 4;
const INI = new URL('../pgbouncer/pgbouncer.ini', import.meta.url);

await trial(async (machine) => {
  const [serverPort, poolerPort, port] = [machine.port(), machine.port(), machine.port()];
  const server = await machine.startPostgres('server', serverPort);
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  // The file as it is, but for ports, files and the way to authenticate on a machine of one's own.
  const ini = readFileSync(INI, 'utf8')
    .replace('host=127.0.0.1 port=5432', `host=127.0.0.1 port=${serverPort}`)
    .replace('listen_port = 6432', `listen_port = ${poolerPort}`)
    .replace('auth_type = scram-sha-256', 'auth_type = trust')
    .replace(/auth_file = .*/, `auth_file = ${join(machine.folder, 'users')}`)
    // Few connections, so that each one of the server serves many.
    .replace('default_pool_size = 20', 'default_pool_size = 4');
  writeFileSync(join(machine.folder, 'users'), '"gatehouse" ""\n');
  writeFileSync(join(machine.folder, 'pgbouncer.ini'), ini);
  const pooler = machine.start('pgbouncer', [join(machine.folder, 'pgbouncer.ini')]);
  await until(
    () => pooler.text.includes('process up'),
    () => `PgBouncer to start:\n${pooler.text}`,
  );
  const urls = {
    DATABASE_URL: `postgresql://gatehouse@127.0.0.1:${poolerPort}/gatehouse`,
    DATABASE_DIRECT_URL: server.url,
  };

  const alone = await machine.startService(port, { DATABASE_URL: urls.DATABASE_URL }).catch((error) => error);
  promise(
    alone instanceof Error && alone.message.includes('Set DATABASE_DIRECT_URL'),
    'without DATABASE_DIRECT_URL the service does not start, and says what to set',
  );
  await inDatabase(server.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');

  const service = await machine.startService(port, urls);
  const api = new Api(service);
  const clientId = await api.addApplication();
  const people = await api.addPeople(8);
  const done = { signIns: 0, refreshes: 0, exports: 0, imports: 0 };
  const failures = [];
  const end = Date.now() + SECONDS * 1_000;
  const repeat = async (work) => {
    while (Date.now() < end) await work().catch((error) => failures.push(error.message));
  };
  const clients = Array.from({ length: CLIENTS }, (_, n) => new Client(service.origin, clientId, `192.0.2.${n}`));
  await Promise.all([
    ...clients.map((client, n) =>
      repeat(async () => {
        let tokens = await client.signIn(people[n]);
        done.signIns += 1;
        for (let i = 0; i < 5; i += 1) {
          tokens = await client.refresh(tokens);
          done.refreshes += 1;
        }
        if (!(await client.isAlive(tokens))) throw new Error('a fresh token is not alive');
      }),
    ),
    repeat(async () => {
      const { orgs } = await api.call('POST', '/admin/v1/export', { withPasswords: true });
      done.exports += 1;
      await api.call('POST', '/admin/v1/import', { data_orgs: { orgs: [copyOf(orgs[0], done.imports)] } });
      done.imports += 1;
      await sleep(200);
    }),
  ]);
  for (const client of clients) client.close();
  console.log(`In ${SECONDS} s, over at most 4 connections of the pooler to the server: ${JSON.stringify(done)}`);
  promise(failures.length === 0, `no request failed${failures.length ? `: ${failures.slice(0, 3).join('; ')}` : ''}`);
  promise(
    Object.values(done).every((count) => count > 0),
    'everything was tried',
  );
  const doctor = machine.start(
    process.execPath,
    [new URL('../../dist/cli/main.js', import.meta.url).pathname, 'doctor'],
    {
      asOurselves: true,
      env: { ...urls, MASTER_KEY: 'the master key of a trial', PUBLIC_URL: service.origin },
    },
  );
  await until(
    () => doctor.child.exitCode !== null,
    () => 'the doctor',
  );
  promise(/ok +connections/.test(doctor.text), 'the doctor finds that announced changes arrive');
});

/** An organization that is new: of the exported one, only the people, under other ids and names. */
function copyOf({ humanUsers = [] }, n) {
  return {
    orgId: `copy-${n}`,
    org: { name: `Copy ${n}` },
    humanUsers: humanUsers.slice(0, 50).map(({ user, hashedPassword }, place) => ({
      userId: `copy-${n}-${place}`,
      state: 'USER_STATE_ACTIVE',
      user: {
        ...user,
        userName: `copy-${n}-${place}`,
        ...(hashedPassword ? { hashedPassword } : {}),
      },
    })),
  };
}
