import { describe, expect, it } from '@jest/globals';
import { type HashSpeeds, USUAL_SPEEDS } from './hash-cost.js';
import { HashLimits } from './hash-limits.js';

const SALT_AND_HASH = `$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const bcrypt = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${'a'.repeat(53)}`;
const usual = new HashLimits(USUAL_SPEEDS, 300);

describe('What a hash from elsewhere may cost', () => {
  it.each([
    ['bcrypt 12', bcrypt(12)],
    ['argon2id of 64 MiB and three passes', `$argon2id$v=19$m=65536,t=3,p=4${SALT_AND_HASH}`],
    ['scrypt of 64 MiB', `$scrypt$ln=16,r=8,p=1${SALT_AND_HASH}`],
    ['PBKDF2 of 210,000 iterations with SHA-512', `$pbkdf2-sha512$210000${SALT_AND_HASH}`],
    ['PBKDF2 of 1,000,000 iterations with SHA-256', `$pbkdf2-sha256$1000000${SALT_AND_HASH}`],
    ['SHA-512 crypt', `$6$salt$${'a'.repeat(86)}`],
  ])('is what %s costs', (_, encoded) => {
    expect(usual.problemOf(encoded)).toBeUndefined();
  });

  it.each([
    ['bcrypt 13', bcrypt(13)],
    ['argon2id of 256 MiB and ten passes', `$argon2id$v=19$m=262144,t=10,p=16${SALT_AND_HASH}`],
    ['scrypt that runs sixteen times', `$scrypt$ln=18,r=8,p=16${SALT_AND_HASH}`],
    ['scrypt of 256 MiB', `$scrypt$ln=18,r=8,p=1${SALT_AND_HASH}`],
    ['PBKDF2 of 2,000,000 iterations', `$pbkdf2-sha512$2000000${SALT_AND_HASH}`],
    ['SHA-512 crypt of 656,000 rounds', `$6$rounds=656000$salt$${'a'.repeat(86)}`],
    ['phpass of 2^19 rounds', `$P$H${'a'.repeat(30)}`],
  ])('is not what %s costs, and the refusal says how much that is, and who can allow it', (_, encoded) => {
    expect(usual.problemOf(encoded)).toMatch(
      /^must not take longer than 300 ms to check, and would take about \d+ ms here; .*IMPORTED_HASH_MS/,
    );
  });

  it('is less on a slower machine', () => {
    const slow = Object.fromEntries(
      Object.entries(USUAL_SPEEDS).map(([primitive, speed]) => [primitive, 2 * speed]),
    ) as HashSpeeds;
    expect(new HashLimits(slow, 300).problemOf(bcrypt(12))).toContain('about 410 ms');
    expect(new HashLimits(slow, 300).problemOf(bcrypt(11))).toBeUndefined();
  });

  it('is more where the owner of the instance allows it', () => {
    expect(new HashLimits(USUAL_SPEEDS, 1_000).problemOf(bcrypt(13))).toBeUndefined();
  });

  it('is less for a recovery code than for a password', () => {
    expect(usual.codeProblemOf(bcrypt(10))).toBeUndefined();
    expect(usual.codeProblemOf(bcrypt(12))).toMatch(/100 ms.*many codes/);
    expect(new HashLimits(USUAL_SPEEDS, 50).codeProblemOf(bcrypt(11))).toMatch(/50 ms/);
  });

  it('does not matter where the form is wrong already', () => {
    expect(usual.problemOf('$9$x')).toMatch(/must be a hash/);
    expect(usual.codeProblemOf('$2b$12$short')).toMatch(/must be \$2b/);
  });

  it.each([
    ['bcrypt 17', bcrypt(17), /^must have a cost of at most 16$/],
    ['argon2id of 17 lanes', `$argon2id$v=19$m=65536,t=1,p=17${SALT_AND_HASH}`, /^must not cost more than m=262144/],
    ['scrypt of a gigabyte', `$scrypt$ln=20,r=8,p=1${SALT_AND_HASH}`, /^must not need more than 262144 KiB/],
    [
      'PBKDF2 of a hundred million iterations',
      `$pbkdf2-sha256$100000000${SALT_AND_HASH}`,
      /must have at most 10000000 iterations/,
    ],
    ['phpass of 2^20 rounds', `$P$I${'a'.repeat(30)}`, /rounds$/],
  ])('is never what %s costs, whatever the owner of the instance allows', (_, encoded, reason) => {
    expect(new HashLimits(USUAL_SPEEDS, 1e9).excessOf(encoded)).toMatch(reason);
    expect(new HashLimits(USUAL_SPEEDS, 1e9).problemOf(encoded)).toMatch(reason);
  });
});
