/* The release is made twice, verified by OpenSSL, and its image started from its layers, as an orchestrator would. See README.md. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial, until } from './machine.mjs';
import { Api, Client } from './traffic.mjs';

const ROOT = new URL('../..', import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Of Docker: what the kernel gives a container, in namespaces of its own, with a file system that nobody writes to. */
const CONTAINER = `set -e
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"
mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/tmp" && mount --rbind /dev "$1/dev"
root=$1; shift
cd "$root" && exec chroot --userspec=1000:1000 "$root" /usr/bin/env --chdir=/app "$@"`;

await trial(async (machine) => {
  const has = (program) => spawnSync(program, ['--version']).error === undefined;
  const shell = (command, cwd = machine.folder) => spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8' });
  const seconds = (began) => `${((performance.now() - began) / 1000).toFixed(0)} s`;

  let base = process.env.BASE;
  if (base === undefined) {
    base = join(machine.folder, 'base');
    const began = performance.now();
    execFileSync(process.execPath, ['scripts/release/base.mjs', base], { cwd: ROOT, stdio: 'inherit' });
    console.log(`the base of Debian's packages: ${seconds(began)}`);
    const again = join(machine.folder, 'base-again');
    execFileSync(process.execPath, ['scripts/release/base.mjs', again], { cwd: ROOT, stdio: 'ignore' });
    const same = readFileSync(join(base, 'index.json')).equals(readFileSync(join(again, 'index.json')));
    promise(same, 'the base is the same when it is made again');
  }

  shell('openssl genpkey -algorithm ed25519 -out key.pem && openssl pkey -in key.pem -pubout -out key.pub');
  const folders = ['one', 'other'].map((name) => join(machine.folder, name));
  for (const folder of folders) {
    const began = performance.now();
    const said = execFileSync(
      process.execPath,
      ['scripts/release.mjs', '--dry-run', '--base', base, '--key', join(machine.folder, 'key.pem'), '--out', folder],
      { cwd: ROOT, encoding: 'utf8' },
    );
    console.log(`${folder === folders[0] ? said : ''}made in ${seconds(began)}`);
  }
  const [one, other] = folders.map((folder) => readFileSync(join(folder, 'SHA256SUMS'), 'utf8'));
  promise(one === other, `two builds give the same ${one.trim().split('\n').length} files`);
  verify(folders[0]);

  const image = imageOf(folders[0], 'amd64');
  const arm = imageOf(folders[0], 'arm64');
  promise(arm.config.architecture === 'arm64', 'there is an image for arm64, which cannot be started here');
  const root = join(machine.folder, 'root');
  mkdirSync(root);
  for (const layer of image.layers)
    execFileSync('tar', ['--extract', '--gzip', '--same-owner', '--file', layer, '--directory', root]);
  const armNode = join(machine.folder, 'arm');
  mkdirSync(armNode);
  for (const layer of arm.layers) execFileSync('tar', ['--extract', '--gzip', '--file', layer, '--directory', armNode]);
  const foreign = shell(`find "${armNode}" -name '*.node' -o -name node -type f | xargs file | grep -vc 'ARM aarch64'`);
  promise(foreign.stdout.trim() === '0', 'all native files of arm64 are for that processor');

  const [databasePort, port] = [machine.port(), machine.port()];
  const database = await machine.startPostgres('database', databasePort);
  await inDatabase(maintenanceUrl(database.url), 'CREATE DATABASE gatehouse');
  const origin = `http://127.0.0.1:${port}`;
  const { Env, Entrypoint, Cmd, Healthcheck } = image.config.config;
  const env = [
    ...Env,
    ...Object.entries({
      HOST: '127.0.0.1',
      PORT: port,
      PUBLIC_URL: origin,
      DATABASE_URL: database.url,
      MASTER_KEY: 'the master key of a trial',
      FIRST_TOKEN_PATH: '/tmp/first-token',
      TRUSTED_PROXIES: '127.0.0.1',
    }).map((pair) => pair.join('=')),
  ];
  const contained = (...command) => [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child=SIGTERM',
    'bash',
    '-c',
    CONTAINER,
    'bash',
    root,
    '-i',
    ...env,
    ...command,
  ];
  const began = performance.now();
  const service = machine.start('unshare', contained(...Entrypoint, ...Cmd), { asOurselves: true });
  const isReady = async () => (await fetch(`${origin}/health/ready`).catch(() => undefined))?.status === 200;
  await until(
    async () => (await isReady()) || service.child.exitCode !== null,
    () => `the image to be ready:\n${service.text}`,
  );
  if (service.child.exitCode !== null) throw new Error(service.text);
  promise(
    true,
    `the image starts as the user 1000 on a read-only file system, ready in ${((performance.now() - began) / 1000).toFixed(1)} s with the schema of a new database`,
  );
  const discovery = await (await fetch(`${origin}/.well-known/openid-configuration`)).json();
  promise(discovery.issuer === origin, `its discovery document names ${discovery.token_endpoint}`);

  // The program behind the init; its /tmp is in a namespace that only it can name.
  const inside = shell(`pgrep --full "dist/main.js" --parent $(pgrep --parent ${service.child.pid})`)
    .stdout.trim()
    .split('\n')[0];
  const token = readFileSync(`/proc/${inside}/root/tmp/first-token`, 'utf8').trim();
  const api = new Api({ origin, token });
  const clientId = await api.addApplication();
  const [person] = await api.addPeople(1);
  const tokens = await new Client(origin, clientId, '192.0.2.1').signIn(person);
  promise(typeof tokens.id_token === 'string', 'somebody signs in, with a password hashed by the native package');
  const health = spawnSync('unshare', contained(...Healthcheck.Test.slice(1)), { encoding: 'utf8' });
  promise(health.status === 0, `the health check of the image passes ${health.stderr}`);
  process.kill(Number(shell(`pgrep --parent ${service.child.pid}`).stdout), 'SIGTERM');
  await until(
    () => service.child.exitCode !== null,
    () => 'the image to stop',
  );
  promise(service.child.exitCode === 0, 'it ends in order on SIGTERM to its first process');

  if (has('buildah')) {
    const args = [
      '--storage-driver',
      'vfs',
      '--root',
      join(machine.folder, 'storage'),
      '--runroot',
      join(machine.folder, 'run'),
    ];
    const pulled = shell(
      `buildah ${args.join(' ')} from --name trial oci:${folders[0]}/image:${version} && buildah ${args.join(' ')} run --isolation chroot trial -- node -p process.version`,
    );
    promise(
      pulled.status === 0,
      `buildah reads the layout, and its Node says ${pulled.stdout.trim().split('\n').at(-1)} ${pulled.status ? pulled.stderr : ''}`,
    );
  } else console.log('skipped: there is no buildah to read the layout');

  function verify(folder) {
    const wrong = (command) => `${command.stdout}${command.stderr}`.slice(0, 400);
    const sums = shell('sha256sum --check --quiet SHA256SUMS', folder);
    promise(sums.status === 0, `sha256sum finds every file whole ${wrong(sums)}`);
    const page = readFileSync(join(ROOT, 'docs/releasing.md'), 'utf8');
    const [, commands] = /^## Verify$[^]*?^```sh\n([^]*?)^```/m.exec(page);
    const documented = shell(`set -e; key=${join(machine.folder, 'key.pub')}\n${commands}`, folder);
    promise(
      documented.status === 0,
      `the commands of docs/releasing.md verify checksums and provenance ${wrong(documented)}`,
    );
    const program = `${process.execPath} ${join(ROOT, 'scripts/release/verify.mjs')} ${join(machine.folder, 'key.pub')} ${folder}`;
    const own = shell(program);
    promise(own.status === 0, `verify.mjs: ${wrong(own).trim()}`);
    appendFileSync(join(folder, 'licences.tsv'), 'changed\n');
    const changed = shell(program);
    promise(
      changed.status === 1 && changed.stderr.includes('licences.tsv was changed'),
      `a changed file is named: ${wrong(changed).trim()}`,
    );
  }
});

/** @returns the configuration, and the files of the layers from the lowest */
function imageOf(folder, architecture) {
  const blob = ({ digest }) => join(folder, 'image/blobs', digest.replace(':', '/'));
  const json = (descriptor) => JSON.parse(readFileSync(blob(descriptor), 'utf8'));
  const [entry] = JSON.parse(readFileSync(join(folder, 'image/index.json'), 'utf8')).manifests;
  const manifest = json(json(entry).manifests.find(({ platform }) => platform.architecture === architecture));
  return { config: json(manifest.config), layers: manifest.layers.map(blob) };
}
