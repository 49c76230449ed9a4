import { createRequire } from 'node:module';
import { NATIVE_REQUIRE } from './runner/native-modules.mjs';

/**
 * A module as it ships, by its path below `src` without an ending: what starts processes of its own finds its program
 * there. `built<typeof import('../../src/process/embedded/index.js')>('process/embedded/index')`
 */
export function built<Module>(path: string): Module {
  const known = (globalThis as Record<symbol, unknown>)[Symbol.for(NATIVE_REQUIRE)] as NodeJS.Require | undefined;
  const load = known ?? createRequire(import.meta.url); // the global setup has no environment
  const { modules } = load(new URL('../../lib/internals.js', import.meta.url).pathname) as {
    modules: Record<string, Module>;
  };
  return modules[`${path}.js`]!;
}
