import { describe, expect, it } from '@jest/globals';
import { Secret } from '../config/secret.js';
import { sha256 } from '../crypto/digest.js';
import { PasswordHash } from './password-hash.js';
import { SecretCheck } from './secret-check.js';

const SHORT = 'petstore';
const passwords = new PasswordHash();
const TURN = { from: 'here', name: 'client' };
let begun = 0;
passwords.onCheck(() => {
  begun += 1;
});

/** The secret under a slow hash, and how often that is computed. */
async function slowlyStored(): Promise<{
  stored: Buffer;
  isRight: (stored: Buffer | null, secret: string) => Promise<boolean>;
  check: SecretCheck;
  computed: () => number;
}> {
  const stored = Buffer.from(await passwords.hash(new Secret(SHORT)));
  const check = new SecretCheck(passwords);
  const before = begun;
  return {
    stored,
    check,
    isRight: (hash, secret) => check.isRight(hash, new Secret(secret), TURN),
    computed: () => begun - before,
  };
}

describe('The secret of a client', () => {
  it('is compared with its SHA-256 where it was stored so, without a slow hash', async () => {
    const { isRight, computed } = await slowlyStored();
    expect(await isRight(sha256('long and random'), 'long and random')).toBe(true);
    expect(await isRight(sha256('long and random'), 'another')).toBe(false);
    expect(await isRight(null, 'another')).toBe(false);
    expect(computed()).toBe(0);
  });

  it('is right under a slow hash, and only the first request pays for it', async () => {
    const { stored, isRight, computed } = await slowlyStored();
    for (let request = 0; request < 20; request += 1) expect(await isRight(stored, SHORT)).toBe(true);
    expect(computed()).toBe(1);
  });

  it('costs one computation for requests that come at once', async () => {
    const { stored, isRight, computed } = await slowlyStored();
    expect(await Promise.all(Array.from({ length: 20 }, () => isRight(stored, SHORT)))).toEqual(
      Array.from({ length: 20 }, () => true),
    );
    expect(computed()).toBe(1);
  });

  it('costs one computation for each guess, before and after the right one', async () => {
    const { stored, isRight, computed } = await slowlyStored();
    expect(await isRight(stored, 'Petstore')).toBe(false);
    expect(await isRight(stored, SHORT)).toBe(true);
    for (const guess of ['Petstore', 'Petstore', '']) expect(await isRight(stored, guess)).toBe(false);
    expect(computed()).toBe(5);
    expect(await isRight(stored, SHORT)).toBe(true);
    expect(computed()).toBe(5);
  });

  it('is wrong at once when another one has replaced it', async () => {
    const { stored, isRight } = await slowlyStored();
    expect(await isRight(stored, SHORT)).toBe(true);
    expect(await isRight(Buffer.from(await passwords.hash(new Secret('another'))), SHORT)).toBe(false);
    expect(await isRight(sha256('another'), SHORT)).toBe(false);
  });

  it('of more characters than a password is wrong under a slow hash, at no cost', async () => {
    const { stored, isRight, computed } = await slowlyStored();
    expect(await isRight(stored, 'x'.repeat(201))).toBe(false);
    expect(computed()).toBe(0);
  });

  it('is not kept in any form that reveals it', async () => {
    const { stored, isRight, check } = await slowlyStored();
    await isRight(stored, SHORT);
    const remembered = JSON.stringify([...(check as unknown as { right: Map<string, Buffer> }).right]);
    expect(remembered).not.toContain(SHORT);
    expect(remembered).not.toContain(JSON.stringify(sha256(SHORT)));
  });

  it('under a hash of any form of passwords is right', async () => {
    const { isRight } = await slowlyStored();
    const stored = Buffer.from('$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy');
    expect(await isRight(stored, 'anything')).toBe(false);
    expect(await isRight(Buffer.from('$1$5pZSV9va$azfrPr6af3Fc7dLblQXVa0'), 'password')).toBe(true);
  });
});
