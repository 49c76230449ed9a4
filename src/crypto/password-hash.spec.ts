import { describe, expect, it } from '@jest/globals';
import { PasswordHash } from './password-hash.js';
import { Secret } from './secret.js';

const passwords = new PasswordHash();

describe('Password hashes', () => {
  it('are argon2id with 19 MiB and two passes, salted', async () => {
    const [one, two] = await Promise.all([passwords.hash(new Secret('same')), passwords.hash(new Secret('same'))]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
  });

  it('fit their password alone, exactly as it was typed', async () => {
    const hash = await passwords.hash(new Secret(' Pässword\u00a0'));
    expect(await passwords.verify(hash, new Secret(' Pässword\u00a0'))).toBe(true);
    for (const other of ['Pässword', ' pässword\u00a0', ' Passwort\u00a0', '', ' Pa\u0308ssword\u00a0']) {
      expect(await passwords.verify(hash, new Secret(other))).toBe(false);
    }
  });

  it('are computed for names that nobody has, in vain, from the first time on at the cost of a real one', async () => {
    const fresh = new PasswordHash();
    const hash = await fresh.hash(new Secret('somebody'));
    const timed = async (check: () => Promise<boolean>): Promise<number> => {
      const before = performance.now();
      expect(await check()).toBe(false);
      return performance.now() - before;
    };
    const nobody: number[] = [];
    const somebody: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      nobody.push(await timed(() => fresh.verifyNobody(new Secret('wrong'))));
      somebody.push(await timed(() => fresh.verify(hash, new Secret('wrong'))));
    }
    // The quickest of each: whatever else the machine does only adds to them.
    const ratio = Math.min(...nobody) / Math.min(...somebody);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});
