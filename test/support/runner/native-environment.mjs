import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';
import { collectGarbage } from './garbage.mjs';
import { NATIVE_REQUIRE } from './native-modules.mjs';

const require = createRequire(import.meta.url);

/**
 * What earlier files have left is collected once it is as much. V8 itself would wait until the heap is so large that jest replaces the worker,
 * and a new one takes some 4 s of processor time to load everything.
 */
const COLLECT_AT_BYTES = 300_000_000;

/** On the heap after the last collection. */
let keptBytes = 0;

function collectIfWorthwhile() {
  if (process.memoryUsage().heapUsed - keptBytes < COLLECT_AT_BYTES) return;
  collectGarbage();
  keptBytes = process.memoryUsage().heapUsed;
}

/** Node, with a way to the modules that Node itself has loaded: they are loaded once per worker, not once per test file. */
export default class NativeEnvironment extends TestEnvironment {
  async setup() {
    collectIfWorthwhile();
    await super.setup();
    this.global[Symbol.for(NATIVE_REQUIRE)] = require;
    // The decorators of the service have left their metadata there.
    this.global.Reflect = Reflect;
  }
}
