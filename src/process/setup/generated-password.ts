import { randomAlphanumeric } from '../../foundation/crypto/random.js';
import { Secret } from '../../foundation/crypto/secret.js';

const CHARACTERS = 16;

/** Random, and keeping every rule of the default password policy. */
export function generatedPassword(): Secret {
  return new Secret(`${randomAlphanumeric(CHARACTERS)}-aA1`);
}
