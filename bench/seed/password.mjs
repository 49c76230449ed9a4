import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * A password hash that costs nothing, so that a sign-in can be measured without its work factor. It wears the
 * beginning of an argon2id hash of today's parameters: our service re-hashes what does not.
 */
export const WITHOUT_WORK_FACTOR = '$argon2id$v=19$m=19456,t=2,p=1$bench$';

export function hashWithoutWorkFactor(password) {
  return WITHOUT_WORK_FACTOR + createHash('sha256').update(password).digest('base64url');
}

export function matchesWithoutWorkFactor(encoded, password) {
  const expected = Buffer.from(hashWithoutWorkFactor(password));
  const given = Buffer.from(encoded);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** How many users of a kind there are; virtual clients beyond that share them. */
export const PEOPLE = 64;
