import { pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Secret } from '../config/secret.js';
import { cryptLike } from './crypt-hash.js';
import { decoyOf, importedHashProblem, isImportedHash, PASSWORD_FORMS, SETTING, settingOf } from './password-form.js';
import { PasswordHash } from './password-hash.js';

const passwords = new PasswordHash();
const verifyEncoded = (encoded: string, password: string): Promise<boolean> =>
  passwords.verifyUnpadded(encoded, new Secret(password));

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

  it.each([
    'm=262145,t=3,p=4',
    'm=65536,t=11,p=4',
    'm=65536,t=3,p=17',
    'm=999999999,t=1,p=1',
    'm=65536,t=0,p=1',
    'm=15,t=1,p=2',
  ])('cannot cost %s', (cost) => {
    expect(importedHashProblem(`$argon2id$v=19$${cost}$${SALT}$${HASH}`)).toMatch(/must/);
  });

  it.each([
    '',
    'secret',
    '$9$abc',
    '$argon2id$v=19$m=65536,t=3,p=4$$',
    `$argon2id$v=19$m=1e3,t=3,p=4$${SALT}$${HASH}`,
    `$argon2id$v=19$m=65536,t=3,p=4$${SALT}$${'A'.repeat(500)}`,
  ])('is refused when it is %j', (encoded) => {
    expect(importedHashProblem(encoded)).toMatch(/must be|must have/);
  });

  it.each([['argon2i', '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$']])(
    'of %s without a hash is refused',
    (_, encoded) => {
      expect(importedHashProblem(encoded)).toMatch(/must be/);
    },
  );

  // Examples of Passlib's documentation, of one password.
  it.each([
    ['bcrypt', '$2a$12$NT0I31Sa7ihGEWpka9ASYeEFkhuTNeBQ2xfZskIiiJeyFXhRgS.Sy'],
    ['scrypt', '$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E'],
  ])('of the form %s verifies, is outdated, and fits no other password', async (_, encoded) => {
    expect(importedHashProblem(encoded)).toBeUndefined();
    expect(await passwords.verify(encoded, new Secret('password'))).toBe(true);
    expect(await passwords.verify(encoded, new Secret('Password'))).toBe(false);
    expect(passwords.isOutdated(encoded)).toBe(true);
  });

  it.each(['2b', '2y'])('of bcrypt, written as %s, verifies', async (word) => {
    const encoded = `$${word}$12$NT0I31Sa7ihGEWpka9ASYeEFkhuTNeBQ2xfZskIiiJeyFXhRgS.Sy`;
    expect(importedHashProblem(encoded)).toBeUndefined();
    expect(await passwords.verify(encoded, new Secret('password'))).toBe(true);
  });

  // RFC 8018 §5.2, in the alphabet that other services use.
  it.each(['sha1', 'sha224', 'sha256', 'sha384', 'sha512'])('of pbkdf2 with %s verifies', async (digest) => {
    const salt = Buffer.from('salt of bytes');
    const hash = pbkdf2Sync('password', salt, 1_000, 32, digest);
    const inAlphabet = (bytes: Buffer): string => bytes.toString('base64').replaceAll('+', '.').replaceAll('=', '');
    const encoded = `$pbkdf2${digest === 'sha1' ? '' : `-${digest}`}$1000$${inAlphabet(salt)}$${inAlphabet(hash)}`;
    expect(importedHashProblem(encoded)).toBeUndefined();
    expect(await passwords.verify(encoded, new Secret('password'))).toBe(true);
    expect(await passwords.verify(encoded.replace('$1000$', '$i=1000$'), new Secret('password'))).toBe(true);
    expect(await passwords.verify(encoded, new Secret('other'))).toBe(false);
  });

  it.each([
    ['SHA-crypt of a million rounds and one', `$6$rounds=1000001$salt$${'a'.repeat(86)}`],
    ['SHA-crypt of 999999999 rounds', `$5$rounds=999999999$salt$${'a'.repeat(43)}`],
    ['SHA-256 as SHA-512', `$6$salt$${'a'.repeat(43)}`],
    ['SHA-crypt of too few rounds', `$6$rounds=999$salt$${'a'.repeat(86)}`],
    ['md5-crypt with a long salt', `$1$123456789$${'a'.repeat(22)}`],
    ['phpass of 2^30 rounds', `$P$S${'a'.repeat(30)}`],
    ['phpass of no known sign', `$P$!${'a'.repeat(30)}`],
    ['a bcrypt cost of half an hour', `$2b$25$${'a'.repeat(53)}`],
    ['a truncated bcrypt hash', '$2b$12$NT0I31Sa7ihGEWpka9ASYeEFkhuTNeBQ'],
    ['scrypt of a gigabyte', `$scrypt$ln=20,r=8,p=1$c2FsdA$${'a'.repeat(43)}`],
    ['scrypt of no lanes', `$scrypt$ln=10,r=8,p=0$c2FsdA$${'a'.repeat(43)}`],
    ['a hundred million iterations', `$pbkdf2-sha256$100000000$c2FsdA$${'a'.repeat(43)}`],
    ['MD5 without its last digit', '5f4dcc3b5aa765d61d8327deb882cf9'],
    ['salted MD5 without a salt', '$md5salted-prefix$$mQk6mXjJT6Yr0nE5houW0A=='],
    ['salted MD5 whose salt is in no known place', '$md5salted-middle$kJ4QkJaQ$mQk6mXjJT6Yr0nE5houW0A=='],
    ['a hash of Drupal with 2^30 rounds', `$S$S${'a'.repeat(51)}`],
    ['a truncated hash of Drupal', `$S$C${'a'.repeat(50)}`],
    ['PBKDF2 with a digest of no standard', `$pbkdf2-sha999$1000$c2FsdA$${'a'.repeat(43)}`],
    ['scrypt of crypt(3) with a gigabyte', `$7$IU..../....salt$${'a'.repeat(43)}`],
    ['scrypt of crypt(3) without lanes', `$7$CU..........salt$${'a'.repeat(43)}`],
  ])('is refused: %s', (_, encoded) => {
    expect(importedHashProblem(encoded)).toMatch(/must/);
  });

  // Published by the author of each format; for md5-crypt and Apache's from Passlib's documentation. For PBKDF2, scrypt
  // and MD5 computed with Python's hashlib (3.11: pbkdf2_hmac, scrypt, md5); the second one for scrypt in crypt(3) is
  // from libxcrypt 4.4. Drupal: Python's hashlib following _password_crypt of Drupal 7, and hashcat's example of its
  // mode 7900.
  it.each([
    ['SHA-256 crypt', '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5', 'Hello world!'],
    [
      'SHA-256 crypt with rounds',
      '$5$rounds=10000$saltstringsaltst$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA',
      'Hello world!',
    ],
    [
      'SHA-256 crypt of a long password',
      '$5$rounds=1400$anotherlongsalts$Rx.j8H.h8HjEDGomFU8bDkXm3XIUnzyxf12oP84Bnq1',
      'a very much longer text to encrypt.  This one even stretches over morethan one line.',
    ],
    [
      'SHA-512 crypt',
      '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
      'Hello world!',
    ],
    [
      'SHA-512 crypt with rounds',
      '$6$rounds=10000$saltstringsaltst$OW1/O6BYHV6BcXZu8QVeXbDWra3Oeqh0sbHbbMCVNSnCM/UrjmM0Dp8vOuZeHBy/YTBmSK6H9qs/y3RnOaw5v.',
      'Hello world!',
    ],
    [
      'SHA-512 crypt with a truncated salt',
      '$6$rounds=5000$toolongsaltstrin$lQ8jolhgVRVhY4b5pZKaysCLi0QBxGoNeKQzQ3glMhwllF7oGDZxUhx1yxdYcz/e1JSbq3y6JMxxl8audkUEm0',
      'This is just a test',
    ],
    ['md5-crypt', '$1$5pZSV9va$azfrPr6af3Fc7dLblQXVa0', 'password'],
    ["Apache's md5-crypt", '$apr1$mu9kQYxm$J1T3bNte8UCOYaqPCj73G0', 'password'],
    ['phpass', '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0', 'test12345'],
    ['phpass, as phpBB writes it', '$H$9aaaaaSXBjgypwqm.JsMssPLiS8YQ00', 'test1'],
    ['phpass with other rounds', '$P$612345678si5M0DDyPpmRCmcltU/YW/', 'JohnRipper'],
    ['Drupal 7', '$S$CkJ4QkJaQy1pN7U4tfopUozV8Ob/f3AvRipS73.7WyuIZVvo48eh', 'password'],
    ['Drupal 7 with other rounds', '$S$DGLd5eYjnPIm6LaVLXEbQQ2q9wwpvy8QkG2i4vrA3rSUmsrvZaNg', 'password'],
    ['Drupal 7, as hashcat has it', '$S$C33783772bRXEx1aCsvY.dqgaaSu76XmVlKrW9Qu8IQlvxHlmzLf', 'hashcat'],
    ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99', 'password'],
    ['MD5 in capitals', '5F4DCC3B5AA765D61D8327DEB882CF99', 'password'],
    ['MD5 behind its salt', '$md5salted-prefix$kJ4QkJaQ$mQk6mXjJT6Yr0nE5houW0A==', 'password'],
    ['MD5 before its salt', '$md5salted-suffix$kJ4QkJaQ$QL+cAgBX6ldHR7FAnnMUSA==', 'password'],
    ['MD5 before its salt, without padding', '$md5salted-suffix$kJ4QkJaQ$QL+cAgBX6ldHR7FAnnMUSA', 'password'],
  ])('of %s fits its password, and no other', (_, encoded, password) => {
    expect(importedHashProblem(encoded)).toBeUndefined();
    expect(cryptLike(encoded, password)).toBe(encoded);
    expect(cryptLike(encoded, `${password} `)).not.toBe(encoded);
  });

  it.each([
    ['$1$5pZSV9va$azfrPr6af3Fc7dLblQXVa0', 'password'],
    ['$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0', 'test12345'],
    ['5F4DCC3B5AA765D61D8327DEB882CF99', 'password'],
    ['$md5salted-suffix$kJ4QkJaQ$QL+cAgBX6ldHR7FAnnMUSA', 'password'],
  ])('like %s verifies in a thread of its own', async (encoded, password) => {
    expect(await verifyEncoded(encoded, password)).toBe(true);
    expect(await verifyEncoded(encoded, `${password} `)).toBe(false);
    expect(await verifyEncoded(encoded, '')).toBe(false);
  });

  it.each([
    [
      'PBKDF2 with SHA-224',
      '$pbkdf2-sha224$1000$c2FsdCBvZiBieXRlcw$tJ0D0dpO0FQdOc.uKP5z5mWRHI.SX23p40wNSg',
      'password',
    ],
    [
      'PBKDF2 with SHA-384',
      '$pbkdf2-sha384$1000$c2FsdCBvZiBieXRlcw$5v8hqBAyiNSeGKxrpDT/2N52YMbdo8zvLv2a3l.rY3x8Ho9xYMI19hMp5THhpd4S',
      'password',
    ],
    [
      'scrypt that calls itself 7',
      '$7$ln=14,r=8,p=1$c2FsdCBvZiBieXRlcw$TsJ5giylEBKyFvQHfU1Rl02XvNJEFTOpnU7xi9spVYA',
      'password',
    ],
    ['scrypt of crypt(3)', '$7$C6..../....SodiumChloride$kBGj9fHznVYFQMEn/qDCfrDevf9YDtcDdKvEqHJLV8D', 'pleaseletmein'],
    ['scrypt of libxcrypt', '$7$C6..../....SodiumChloride$6OIeehEnzbyu949sLkdyNyp6EorTTZ52ToM3ucR5RK7', 'password'],
  ])('of %s verifies, and fits no other password', async (_, encoded, password) => {
    expect(importedHashProblem(encoded)).toBeUndefined();
    expect(await verifyEncoded(encoded, password)).toBe(true);
    expect(await verifyEncoded(encoded, `${password} `)).toBe(false);
  });

  it('of pbkdf2 that is longer than its digest is decided by its first block', async () => {
    const encoded = `$pbkdf2-sha256$1000$c2FsdHNhbHQ$${pbkdf2Sync('password', 'saltsalt', 1_000, 64, 'sha256').toString('base64').replaceAll('=', '')}`;
    expect(await verifyEncoded(encoded, 'password')).toBe(true);
    expect(await verifyEncoded(encoded, 'other')).toBe(false);
  });

  it('does not hold the event loop while it is checked', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await verifyEncoded(`$6$rounds=200000$salt$${'a'.repeat(86)}`, 'password');
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('of an unknown form is refused by the names of those that are known', () => {
    expect(importedHashProblem('$unknown$x')).toContain('argon2id');
  });

  it.each([
    ['$argon2id$v=19$m=512,t=3,p=4', `$${SALT}$${HASH}`],
    ['$argon2i$v=19$m=512,t=2,p=2', `$${SALT}$${HASH}`],
    ['$2b$05', `$${'a'.repeat(53)}`],
    ['$scrypt$ln=10,r=8,p=1', `$${SALT}$${HASH}`],
    ['$pbkdf2$1000', `$${SALT}$${HASH}`],
    ['$pbkdf2-sha512$i=3000', `,l=64$${SALT}$${HASH}`],
    ['$5$', `salt$${'a'.repeat(43)}`],
    ['$6$rounds=1000', `$salt$${'a'.repeat(86)}`],
    ['$1', `$salt$${'a'.repeat(22)}`],
    ['$apr1', `$salt$${'a'.repeat(22)}`],
    ['$P$8', 'a'.repeat(30)],
    ['$H$7', 'a'.repeat(30)],
    ['$pbkdf2-sha224$1000', `$${SALT}$${HASH}`],
    ['$pbkdf2-sha384$1000', `$${SALT}$${HASH}`],
    ['$7$ln=10,r=8,p=1', `$${SALT}$${HASH}`],
    ['$7$C6..../....', `salt$${HASH}`],
    ['$S$7', 'a'.repeat(51)],
    ['$md5salted-prefix', `$salt$${'a'.repeat(22)}`],
    ['$md5salted-suffix', `$salt$${'a'.repeat(22)}`],
  ])('has the setting %s, of which there is a decoy that no password has', async (setting, rest) => {
    expect(importedHashProblem(setting + rest)).toBeUndefined();
    expect(settingOf(setting + rest)).toBe(setting);
    const decoy = decoyOf(setting)!;
    expect(settingOf(decoy)).toBe(setting);
    expect(isImportedHash(decoy)).toBe(true);
    expect(await verifyEncoded(decoy, 'password')).toBe(false);
  });

  it('has a setting in every form', () => {
    const forms = PASSWORD_FORMS.filter(({ prefix }) =>
      [
        '$argon2id$v=19$m=8,t=1,p=1',
        '$argon2i$v=19$m=8,t=1,p=1',
        '$2a$04',
        '$scrypt$ln=1,r=1,p=1',
        '$pbkdf2$1',
        '$5$',
        '$1',
        '$P$7',
        '$S$7',
        '$md5salted-prefix',
        'md5plain',
      ].some((setting) => prefix.test(decoyOf(setting) ?? '')),
    );
    expect(forms).toHaveLength(PASSWORD_FORMS.length);
    expect([settingOf(''), settingOf('$9$x'), decoyOf(''), decoyOf('$9')]).toEqual(['', '', undefined, undefined]);
    expect(SETTING).not.toMatch(/\(\?[=!<]/); // PostgreSQL reads it as well, and has no lookbehind.
  });
});
