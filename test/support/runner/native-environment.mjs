import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';
import { NATIVE_REQUIRE } from './native-modules.mjs';

const require = createRequire(import.meta.url);

/** Node, with a way to the modules that Node itself has loaded: they are loaded once per worker, not once per test file. */
export default class NativeEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global[Symbol.for(NATIVE_REQUIRE)] = require;
    // The decorators of the service have left their metadata there.
    this.global.Reflect = Reflect;
  }
}
