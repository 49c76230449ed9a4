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
    /** What the processor had to do, in microseconds: unlike time, it does not grow when others keep the machine busy. */
    const costOf = async (check: () => Promise<boolean>): Promise<number> => {
      const before = process.cpuUsage();
      expect(await check()).toBe(false);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const nobody: number[] = [];
    const somebody: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      nobody.push(await costOf(() => fresh.verifyNobody(new Secret('wrong'))));
      somebody.push(await costOf(() => fresh.verify(hash, new Secret('wrong'))));
    }
    // The cheapest of each: whatever else the process does only adds to them.
    const ratio = Math.min(...nobody) / Math.min(...somebody);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});
