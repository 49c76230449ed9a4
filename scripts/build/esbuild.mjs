import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/* What the bundle of the service and that of the package have in common. */

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
  keepNames: true, // messages and injection go by the names of classes
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

/**
 * The compiled sources. A module finds what lies beside it, and itself as a thread, where it would without the bundle; and the functions
 * that swc writes into each file with a decorator are there once, instead of 600 times.
 */
export function ownFiles(dist, target) {
  return {
    name: 'own files',
    setup({ onLoad, onResolve }) {
      const helpers = helpersOf(dist);
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        if (!path.startsWith(dist + sep)) return undefined;
        const place = relative(target, path).replaceAll(sep, '/');
        const text = readFileSync(path, 'utf8');
        const used = [...helpers].filter(([, helper]) => text.includes(helper));
        const names = used.map(([name]) => name);
        // The lines stay, since the map of the file counts them.
        const without = used.reduce((rest, [, helper]) => rest.replace(helper, helper.replace(/[^\n]/g, '')), text);
        return {
          contents:
            (names.length > 0 ? `import { ${names.join(', ')} } from '${HELPERS}';` : '') +
            without.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`),
        };
      });
      onResolve({ filter: new RegExp(`^${HELPERS}$`) }, () => ({ path: HELPERS, namespace: HELPERS }));
      onLoad({ filter: /./, namespace: HELPERS }, () => ({
        contents: [...helpers.values()].map((helper) => `export ${helper}`).join('\n'),
      }));
    },
  };
}

const HELPERS = 'decorator-helpers';

/** The helpers as swc writes them, by name: of a file that has all of them. @throws Error if there is none */
function helpersOf(dist) {
  const names = ['_ts_decorate', '_ts_metadata', '_ts_param'];
  const text = readFileSync(join(dist, 'login', 'hub', 'login.controller.js'), 'utf8');
  return new Map(
    names.map((name) => {
      const [helper] = new RegExp(`^function ${name}\\([^]*?\\n\\}\\n`, 'm').exec(text) ?? [];
      if (helper === undefined) throw new Error(`${name} is not in login.controller.js: look at what swc writes now.`);
      return [name, helper];
    }),
  );
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
      onLoad({ filter: /./, namespace: 'named' }, async ({ path, pluginData }) => {
        const names = Object.keys(await import(path)).filter((name) => /^[\w$]+$/.test(name));
        return { contents: `export { ${names.join(', ')} } from '${path}';`, resolveDir: pluginData.resolveDir };
      });
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

/** A letter beyond Latin-1 in a regular expression, the only place where one is left, makes V8 keep two bytes of each letter of the file. */
export async function finish(folder) {
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.js'))) {
    const text = await readFile(join(folder, file), 'utf8');
    const escaped = text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
    await writeFile(join(folder, file), escaped);
  }
}
