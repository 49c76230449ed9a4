import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { Secret } from '../config/secret.js';
import { type BegunCheck, PasswordHash } from './password-hash.js';

const passwords = new PasswordHash();
const OWN = { lane: 'own', setting: '$argon2id$v=19$m=19456,t=2,p=1' };

describe('Password hashes', () => {
  it('are argon2id with 19 MiB and two passes, salted', async () => {
    const [one, two] = await Promise.all([passwords.hash(new Secret('same')), passwords.hash(new Secret('same'))]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
  });

  it('are of the composed form, and fit the password in whichever form a keyboard sends it (RFC 8265 §4.2.1)', async () => {
    const hash = await passwords.hash(new Secret('Zoe\u0308-Straße7!'));
    for (const spelling of ['Zo\u00eb-Straße7!', 'Zoe\u0308-Straße7!'])
      expect(await passwords.check(hash, new Secret(spelling))).toBe('right');
  });

  it.each<[string, string]>([
    ['another service from what was typed', 'Zoe\u0308-Straße7! A\u030a\u00e9'],
    ['another service, decomposed', 'Zoe\u0308-Straße7! A\u030ae\u0301'],
  ])('that were made by %s still fit, and are to be made anew', async (_, typed) => {
    const exact = await passwords.hashExactly(new Secret(typed), Buffer.alloc(16));
    expect(await passwords.check(exact, new Secret(typed))).toBe('outdated');
    expect(await passwords.check(exact, new Secret('Zoe-Straße7!'))).toBe('wrong');
  });

  it('cost the same for each spelling, whichever is right, and so do their decoys [LOG-095]', async () => {
    const begun: BegunCheck[] = [];
    const fresh = new PasswordHash();
    const hash = await fresh.hash(new Secret('Zoë'));
    fresh.onCheck((check) => begun.push(check));
    const checks = async (work: Promise<unknown>): Promise<BegunCheck[]> => {
      await work;
      return begun.splice(0);
    };
    for (const typed of ['Zo\u00eb', 'Zoe\u0308', 'Zö\u00eb'])
      expect(await checks(fresh.check(hash, new Secret(typed)))).toEqual([OWN, OWN]);
    expect(await checks(fresh.verifyDecoy('', new Secret('Zo\u00eb')))).toEqual([OWN, OWN]);
    expect(await checks(fresh.check(hash, new Secret('plain')))).toEqual([OWN]);
    expect(await checks(fresh.verifyDecoy('', new Secret('plain')))).toEqual([OWN]);
  });

  it('fit their password alone', async () => {
    const hash = await passwords.hash(new Secret(' Pässword\u00a0'));
    expect(await passwords.verify(hash, new Secret(' Pässword\u00a0'))).toBe(true);
    for (const other of ['Pässword', ' pässword\u00a0', ' Passwort\u00a0', '', ' Passwo\u0308rd\u00a0']) {
      expect(await passwords.verify(hash, new Secret(other))).toBe(false);
    }
  });

  it('are computed for decoys, from the first time on, with the parameters of a real one', async () => {
    const fresh = new PasswordHash();
    const begun: BegunCheck[] = [];
    fresh.onCheck((check) => begun.push(check));
    expect(await fresh.verifyDecoy('', new Secret('wrong'))).toBe('wrong');
    expect(await fresh.verify(await fresh.hash(new Secret('somebody')), new Secret('wrong'))).toBe(false);
    expect(begun).toEqual([OWN, OWN]);
  });

  it('that were made elsewhere are computed in a lane of their own, and so are their decoys', async () => {
    const begun: BegunCheck[] = [];
    const fresh = new PasswordHash();
    fresh.onCheck((check) => begun.push(check));
    await fresh.verify(`$2b$10$${'a'.repeat(53)}`, new Secret('wrong'));
    await fresh.verifyDecoy('$2b$10', new Secret('wrong'));
    const foreign = { lane: 'foreign', setting: '$2b$10' };
    expect(begun).toEqual([foreign, foreign]);
  });

  it('leave no thread behind when the service ends', async () => {
    const threads: Worker[] = [];
    const remember = (message: unknown): void => void threads.push((message as { worker: Worker }).worker);
    subscribe('worker_threads', remember);
    const fresh = new PasswordHash();
    await fresh.verify(`$2b$04$${'a'.repeat(53)}`, new Secret('wrong'));
    unsubscribe('worker_threads', remember);
    const ended = Promise.all(threads.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));
    await fresh.onApplicationShutdown();
    await ended;
    expect(threads).toHaveLength(1);
  });

  it('that are cheaper than ours take as long as one of ours besides, and so do their decoys', async () => {
    const begun: BegunCheck[] = [];
    const fresh = new PasswordHash();
    fresh.onCheck((check) => begun.push(check));
    expect(await fresh.verify('$1$5pZSV9va$azfrPr6af3Fc7dLblQXVa0', new Secret('password'))).toBe(true);
    await fresh.verifyDecoy('$1', new Secret('wrong'));
    const md5 = { lane: 'foreign', setting: '$1' };
    expect(begun).toEqual([md5, OWN, md5, OWN]);
  });

  it('of unknown form match nothing, and malformed ones are a defect of ours, not a mistake of the user', async () => {
    for (const unknown of ['', '$9$x', 'x']) expect(await passwords.verify(unknown, new Secret('x'))).toBe(false);
    for (const broken of ['$2b$10$short', '$argon2id$v=19$m=65536'])
      await expect(passwords.verify(broken, new Secret('x'))).rejects.toThrow('cannot be read');
  });
});
