import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/* How esbuild is asked, whatever it makes. */

/** Marks a question of a plugin here, which the others leave alone: they would ask each other without end. */
const asked = Symbol('asked');

/** @type {import('esbuild').BuildOptions & { metafile: true }} */
export const OPTIONS = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['main'],
  minifyWhitespace: true,
  minifySyntax: true,
  keepNames: false, // naming each closure anew took a sixth of the CPU of a request; what goes by a name is given it
  lineLimit: 160,
  charset: 'ascii', // a single letter beyond Latin-1 doubles what V8 keeps of the text
  metafile: true,
  logLevel: 'warning',
  logLimit: 3,
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);",
  },
};

/** Packages in which a file does nothing but declare what it exports: what is not used is left out. */
const DECLARATIONS = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  '@nestjs/typeorm',
];

/** @param paths by name, below node_modules */
export function aliasesOf(root, paths) {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, join(root, 'node_modules', path)]));
}

/** A module that exports by name what Node finds in a package in CommonJS, which `export *` would not. */
export async function namingModuleOf(path) {
  const names = Object.keys(await import(path)).filter((name) => /^[\w$]+$/.test(name));
  return `export { ${names.join(', ')} } from '${path}';`;
}

/** The compiled sources: a module finds what lies beside it, and itself as a thread, where it would without the bundle. */
export function ownFiles(dist) {
  return {
    name: 'own files',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        if (!path.startsWith(dist + sep)) return undefined;
        const place = relative(dist, path).replaceAll(sep, '/');
        const url = `new URL(${JSON.stringify(place)}, import.meta.url).href`;
        return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url) };
      });
    },
  };
}

/**
 * What `import()` gives of a CommonJS package is its `default` alone in a file of a bundle, and all names in Node, which reads them from
 * the text. So each such package gets a module that names them.
 */
export function namedExports() {
  return {
    name: 'named exports',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^@?[a-z]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === asked || importer.includes('node_modules')) return undefined;
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: asked });
        if (found.external || found.errors.length > 0 || !found.path.includes('node_modules')) return found;
        return { path, namespace: 'named', pluginData: { resolveDir } };
      });
      onLoad({ filter: /./, namespace: 'named' }, async ({ path, pluginData }) => ({
        contents: await namingModuleOf(path),
        resolveDir: pluginData.resolveDir,
      }));
    },
  };
}

/** `import … from 'node:http'` reads all that it exports, and so loads the WebSocket client of Node, which takes 50 ms. */
export function plainHttp() {
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

export function declarations() {
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
