// Preloaded into our service to measure a sign-in without the work factor of its password hash: the hash's package is
// replaced, nothing of ours is touched.
import { registerHooks } from 'node:module';

const STAND_IN = new URL('./password-stand-in.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@node-rs/argon2'
      ? { url: STAND_IN, format: 'module', shortCircuit: true }
      : next(specifier, context),
});
