import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const require = createRequire(import.meta.url);
require('reflect-metadata'); // before the first decorator, whichever module is loaded first

/** The name under which native-environment.mjs hands Node's own `require` to the modules of a test file. */
export const NATIVE_REQUIRE = 'gatehouse.nativeRequire';

/**
 * A jest transformer for the modules that a test file need not load anew: the service as it ships, and packages. Instead of their code a test file gets a module that re-exports what Node itself has loaded, once per worker.
 */
export default {
  canInstrument: false,

  getCacheKey(_source, file, { supportsStaticESM }) {
    const hash = createHash('sha256').update(buildId()).update(file).update(String(supportsStaticESM));
    return hash.digest('hex').slice(0, 32);
  },

  process(source, file, { supportsStaticESM }) {
    const [load, loaded] = loadingOf(file);
    const native = `globalThis[Symbol.for(${JSON.stringify(NATIVE_REQUIRE)})]`;
    if (!supportsStaticESM) {
      // The global setup loads packages as well, outside of any environment.
      return {
        code: `if (${native}) module.exports = ${native}${load};\nelse (function () {${source}\n}).call(this);`,
      };
    }
    const exports = Object.keys(loaded).map((name, index) =>
      name === 'default'
        ? 'export default loaded.default;'
        : `const e${index} = loaded[${JSON.stringify(name)}];\nexport { e${index} as ${JSON.stringify(name)} };`,
    );
    return { code: [`const loaded = ${native}${load};`, ...exports].join('\n') };
  },
};

/** The service as it ships, with a way to each of its modules (scripts/build/bundle.mjs). */
const INTERNALS = join(root, 'lib/internals.js');

/** How a module is asked of `require`, and the module: a source by its place in what ships, any other file by itself. */
function loadingOf(file) {
  const path = relative(join(root, 'src'), file);
  if (path.startsWith('..')) return [`(${JSON.stringify(file)})`, require(file)];
  const place = path.replace(/\.tsx?$/, '.js').replaceAll(sep, '/');
  const { modules } = require(INTERNALS);
  // What browsers and threads load is a file of its own.
  const alone = join(root, 'lib', place);
  if (!Object.hasOwn(modules, place)) return [`(${JSON.stringify(alone)})`, require(alone)];
  return [`(${JSON.stringify(INTERNALS)}).modules[${JSON.stringify(place)}]`, modules[place]];
}

const outputs = join(root, 'dist/.outputs');
let id;
/** Changes with any package, with any source, and with this file. The global setup, which builds, is read before there is a build. */
function buildId() {
  if (id === undefined && !existsSync(outputs)) return 'not built';
  if (id === undefined) {
    const hash = createHash('sha256');
    for (const file of [join(root, 'package-lock.json'), outputs]) hash.update(readFileSync(file));
    id = hash.update(readFileSync(import.meta.filename)).digest('hex');
  }
  return id;
}
