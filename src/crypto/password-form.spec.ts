import { describe, expect, it } from '@jest/globals';
import { pbkdf2Sync } from 'node:crypto';
import { importedHashProblem } from './password-form.js';
import { PasswordHash } from './password-hash.js';
import { Secret } from './secret.js';

const SALT = 'c29tZXNhbHQ';
const HASH = 'A'.repeat(43);

describe('A password hash from elsewhere', () => {
  it('may be one that we could have made, and then verifies', async () => {
    const hash = await new PasswordHash().hash(new Secret('right'));
    expect(importedHashProblem(hash)).toBeUndefined();
  });

  it.each(['m=65536,t=3,p=4', 'm=8,t=1,p=1', 'm=262144,t=10,p=16'])('may cost %s', (cost) => {
    expect(importedHashProblem(`$argon2id$v=19$${cost}$${SALT}$${HASH}`)).toBeUndefined();
  });

  it.each(['m=262145,t=3,p=4', 'm=65536,t=11,p=4', 'm=65536,t=3,p=17', 'm=999999999,t=1,p=1', 'm=65536,t=0,p=1', 'm=15,t=1,p=2'])('cannot cost %s', (cost) => {
    expect(importedHashProblem(`$argon2id$v=19$${cost}$${SALT}$${HASH}`)).toMatch(/must/);
  });

  it.each(['', 'secret', '$9$abc', '$argon2id$v=19$m=65536,t=3,p=4$$', `$argon2id$v=19$m=1e3,t=3,p=4$${SALT}$${HASH}`, `$argon2id$v=19$m=65536,t=3,p=4$${SALT}$${'A'.repeat(500)}`])(
    'is refused when it is %j', (encoded) => {
      expect(importedHashProblem(encoded)).toMatch(/must be|must have/);
    },
  );

  it.each([
    ['argon2i', '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$'],
  ])('of %s without a hash is refused', (_, encoded) => {
    expect(importedHashProblem(encoded)).toMatch(/must be/);
  });

  // The examples of Passlib's documentation, all of one password.
  it.each([
    ['bcrypt', '$2a$12$NT0I31Sa7ihGEWpka9ASYeEFkhuTNeBQ2xfZskIiiJeyFXhRgS.Sy'],
    ['bcrypt, as 2b', '$2b$12$NT0I31Sa7ihGEWpka9ASYeEFkhuTNeBQ2xfZskIiiJeyFXhRgS.Sy'],
    ['bcrypt, as PHP writes it', '$2y$12$NT0I31Sa7ihGEWpka9ASYeEFkhuTNeBQ2xfZskIiiJeyFXhRgS.Sy'],
    ['scrypt', '$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E'],
  ])('of the form %s verifies, is outdated, and fits no other password', async (_, encoded) => {
    const passwords = new PasswordHash();
    expect(importedHashProblem(encoded)).toBeUndefined();
    expect(await passwords.verify(encoded, new Secret('password'))).toBe(true);
    expect(await passwords.verify(encoded, new Secret('Password'))).toBe(false);
    expect(passwords.isOutdated(encoded)).toBe(true);
  });

  // RFC 8018 §5.2, in the alphabet that other services write it in.
  it.each(['sha1', 'sha256', 'sha512'])('of pbkdf2 with %s verifies', async (digest) => {
    const salt = Buffer.from('salt of bytes');
    const hash = pbkdf2Sync('password', salt, 1_000, 32, digest);
    const inAlphabet = (bytes: Buffer): string => bytes.toString('base64').replaceAll('+', '.').replaceAll('=', '');
    const encoded = `$pbkdf2${digest === 'sha1' ? '' : `-${digest}`}$1000$${inAlphabet(salt)}$${inAlphabet(hash)}`;
    expect(importedHashProblem(encoded)).toBeUndefined();
    expect(await new PasswordHash().verify(encoded, new Secret('password'))).toBe(true);
    expect(await new PasswordHash().verify(encoded.replace('$1000$', '$i=1000$'), new Secret('password'))).toBe(true);
    expect(await new PasswordHash().verify(encoded, new Secret('other'))).toBe(false);
  });

  it.each([
    ['a bcrypt cost of half an hour', `$2b$25$${'a'.repeat(53)}`], ['a truncated bcrypt hash', '$2b$12$NT0I31Sa7ihGEWpka9ASYeEFkhuTNeBQ'], ['scrypt of a gigabyte', `$scrypt$ln=20,r=8,p=1$c2FsdA$${'a'.repeat(43)}`],
    ['scrypt of no lanes', `$scrypt$ln=10,r=8,p=0$c2FsdA$${'a'.repeat(43)}`], ['a hundred million iterations', `$pbkdf2-sha256$100000000$c2FsdA$${'a'.repeat(43)}`], ['unsalted MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
  ])('is refused: %s', (_, encoded) => {
    expect(importedHashProblem(encoded)).toMatch(/must/);
  });

  it('of an unknown form is refused by the names of those that are known', () => {
    expect(importedHashProblem('$unknown$x')).toContain('argon2id');
  });
});
