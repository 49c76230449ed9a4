/* From an empty folder to a claim of one's own in userinfo, with the npm package and examples/hr, timed. See README.md. */
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { Machine, promise, trial, until } from './machine.mjs';
import { Api, Client } from './traffic.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const LIMIT_SECONDS = 120;
const LIMIT_MB = 120;
const CLAIM = 'https://acme.example/cost_centre';
/** pnpm comes by npm; it lets a package load only what its manifest names. */
const PNPM = 'pnpm@10';
const COMMANDS = { npm: ['npm'], pnpm: ['npx', '--yes', PNPM] };
const MANAGER = process.env.MANAGER ?? 'npm';

await trial(async (machine) => {
  const ours = (command, args, cwd) =>
    machine.run(command, args, { cwd, uid: process.getuid?.(), gid: process.getgid?.(), encoding: 'utf8' });
  const [program, ...words] = COMMANDS[MANAGER];
  const made = ours('npm', ['pack', '--silent', '--pack-destination', machine.folder], ROOT);
  const tarball = join(machine.folder, made.trim().split('\n').at(-1));
  const server = await machine.startPostgres('server', machine.port());
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  console.log(ours(Machine.postgres('postgres'), ['--version'], machine.folder).trim());

  const folder = join(machine.folder, 'team');
  mkdirSync(folder);
  const began = performance.now();
  const say = (what) => console.log(`${((performance.now() - began) / 1000).toFixed(1)} s  ${what}`);
  writeFileSync(join(folder, 'package.json'), '{ "name": "team", "version": "1.0.0", "type": "module" }');
  ours(program, [...words, 'add', tarball], folder);
  ours(program, [...words, 'add', '-D', 'typescript@6', '@types/node@24'], folder);
  // What the extension imports itself: without hoisting, only what the manifest names can be imported.
  if (MANAGER === 'pnpm') ours(program, [...words, 'add', '@nestjs/common'], folder);
  say(`installed by ${MANAGER}`);
  cpSync(join(ROOT, 'examples/hr/src'), join(folder, 'src'), { recursive: true });
  cpSync(join(ROOT, 'examples/hr/tsconfig.json'), join(folder, 'tsconfig.json'));
  ours(process.execPath, ['node_modules/typescript/bin/tsc'], folder);
  say('compiled, with skipLibCheck false');
  const service = await machine.startService(
    machine.port(),
    { DATABASE_URL: server.url, DEMO_PORT: 'off' },
    join(folder, 'dist/main.js'),
  );
  say('started');
  const api = new Api(service);
  const clientId = await api.addApplication();
  const [person] = await api.addPeople(1);
  await until(
    async () => (await inDatabase(server.url, 'SELECT 1 FROM ext_hr.employee')).length > 0,
    () => 'the listener',
  );
  const client = new Client(service.origin, clientId, '192.0.2.1');
  const tokens = await client.signIn(person, 'openid hr');
  const answer = await fetch(`${service.origin}/oidc/v1/userinfo`, {
    headers: { Authorization: `Bearer ${tokens.access_token}` },
  });
  const claim = (await answer.json())[CLAIM];
  say(`${CLAIM} is ${claim}`);
  const seconds = (performance.now() - began) / 1000;
  client.close();
  promise(claim === `ACME-${person}`, 'the claim of the extension is in userinfo');
  promise(seconds < LIMIT_SECONDS, `${seconds.toFixed(0)} s of ${LIMIT_SECONDS}`);
  const size = sizeOf(folder) / 2 ** 20;
  promise(size <= LIMIT_MB, `${size.toFixed(0)} MB of ${LIMIT_MB}`);
  service.child.kill('SIGTERM');
  await sleep(100);
});

/** On the disk; links count nothing. */
function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return 4096 + sizeOf(path);
      return entry.isFile() ? Math.ceil(statSync(path).size / 4096) * 4096 : 0;
    })
    .reduce((sum, size) => sum + size, 0);
}
