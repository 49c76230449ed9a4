import { createRequire } from 'node:module';
import CollectingEnvironment from './collecting-environment.mjs';
import { NATIVE_REQUIRE } from './native-modules.mjs';

const require = createRequire(import.meta.url);

/** With a way to the modules that Node itself has loaded: they are loaded once per worker, not once per test file. */
export default class NativeEnvironment extends CollectingEnvironment {
  async setup() {
    await super.setup();
    this.global[Symbol.for(NATIVE_REQUIRE)] = require;
    // The decorators of the service have left their metadata there.
    this.global.Reflect = Reflect;
  }
}
