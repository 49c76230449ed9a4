import { Secret } from '../../foundation/config/secret.js';
import { randomAlphanumeric } from '../../foundation/crypto/random.js';

const CHARACTERS = 16;

/** Random, and keeping every rule of the default password policy. */
export function generatedPassword(): Secret {
  return new Secret(`${randomAlphanumeric(CHARACTERS)}-aA1`);
}
