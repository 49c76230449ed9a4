import { hashWithoutWorkFactor, matchesWithoutWorkFactor } from '../seed/password.mjs';

/** The parts of `@node-rs/argon2` that the service uses, at no cost. */
export const Algorithm = { Argon2d: 0, Argon2i: 1, Argon2id: 2 };

export async function hash(password) {
  return hashWithoutWorkFactor(password);
}

export async function verify(encoded, password) {
  return matchesWithoutWorkFactor(encoded, password);
}
