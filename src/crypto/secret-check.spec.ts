import { describe, expect, it, jest } from '@jest/globals';
import { sha256 } from './digest.js';
import { PasswordHash } from './password-hash.js';
import { SecretCheck } from './secret-check.js';
import { Secret } from './secret.js';

const SHORT = 'petstore';
const passwords = new PasswordHash();

/** The secret under a slow hash, and how often that is computed. */
async function slowlyStored(): Promise<{ stored: Buffer; check: SecretCheck; computed: () => number }> {
  const computations = jest.spyOn(passwords, 'verify');
  computations.mockClear();
  return { stored: Buffer.from(await passwords.hash(new Secret(SHORT))), check: new SecretCheck(passwords), computed: () => computations.mock.calls.length };
}

describe('The secret of a client', () => {
  it('is compared with its SHA-256 where it was stored so, without a slow hash', async () => {
    const { check, computed } = await slowlyStored();
    expect(await check.isRight(sha256('long and random'), new Secret('long and random'))).toBe(true);
    expect(await check.isRight(sha256('long and random'), new Secret('another'))).toBe(false);
    expect(await check.isRight(null, new Secret('another'))).toBe(false);
    expect(computed()).toBe(0);
  });

  it('is right under a slow hash, and only the first request pays for it', async () => {
    const { stored, check, computed } = await slowlyStored();
    for (let request = 0; request < 20; request += 1) expect(await check.isRight(stored, new Secret(SHORT))).toBe(true);
    expect(computed()).toBe(1);
  });

  it('costs one computation for requests that come at once', async () => {
    const { stored, check, computed } = await slowlyStored();
    expect(await Promise.all(Array.from({ length: 20 }, () => check.isRight(stored, new Secret(SHORT))))).toEqual(Array.from({ length: 20 }, () => true));
    expect(computed()).toBe(1);
  });

  it('costs one computation for each guess, before and after the right one', async () => {
    const { stored, check, computed } = await slowlyStored();
    expect(await check.isRight(stored, new Secret('Petstore'))).toBe(false);
    expect(await check.isRight(stored, new Secret(SHORT))).toBe(true);
    for (const guess of ['Petstore', 'Petstore', '']) expect(await check.isRight(stored, new Secret(guess))).toBe(false);
    expect(computed()).toBe(5);
    expect(await check.isRight(stored, new Secret(SHORT))).toBe(true);
    expect(computed()).toBe(5);
  });

  it('is wrong at once when another one has replaced it', async () => {
    const { stored, check } = await slowlyStored();
    expect(await check.isRight(stored, new Secret(SHORT))).toBe(true);
    expect(await check.isRight(Buffer.from(await passwords.hash(new Secret('another'))), new Secret(SHORT))).toBe(false);
    expect(await check.isRight(sha256('another'), new Secret(SHORT))).toBe(false);
  });

  it('of more characters than a password is wrong under a slow hash, at no cost', async () => {
    const { stored, check, computed } = await slowlyStored();
    expect(await check.isRight(stored, new Secret('x'.repeat(201)))).toBe(false);
    expect(computed()).toBe(0);
  });

  it('is not remembered in any form that tells it', async () => {
    const { stored, check } = await slowlyStored();
    await check.isRight(stored, new Secret(SHORT));
    const remembered = JSON.stringify([...(check as unknown as { right: Map<string, Buffer> }).right]);
    expect(remembered).not.toContain(SHORT);
    expect(remembered).not.toContain(JSON.stringify(sha256(SHORT)));
  });

  it('under a hash of any form of passwords is right', async () => {
    const { check } = await slowlyStored();
    const stored = Buffer.from('$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy');
    expect(await check.isRight(stored, new Secret('anything'))).toBe(false);
    expect(await check.isRight(Buffer.from('$1$5pZSV9va$azfrPr6af3Fc7dLblQXVa0'), new Secret('password'))).toBe(true);
  });
});
