import { describe, expect, it } from '@jest/globals';
import { emailProblem, isEmail, parseEmail } from './email-address.js';

describe('An e-mail address', () => {
  it.each([
    ['alice@mail.test', 'alice@mail.test'],
    ["O'Hara+news@mail.test", "O'Hara+news@mail.test"],
    ['a@localhost', 'a@localhost'],
    ['a@under_score.test', 'a@under_score.test'],
    ['Alice@Mail.TEST', 'Alice@mail.test'],
    ['ü@BÜCHER.test', 'ü@xn--bcher-kva.test'],
    ['a@bu\u0308cher.test', 'a@xn--bcher-kva.test'],
    ['a@XN--BCHER-KVA.test', 'a@xn--bcher-kva.test'],
    ['a@ｅvil.test', 'a@evil.test'],
    ['a@evil。test', 'a@evil.test'],
    ['a@faß.test', 'a@xn--fa-hia.test'],
    ['a@fass.test', 'a@fass.test'],
    ['a@ΣΑΣ.test', 'a@xn--mxa9ab.test'],
  ])('is stored with its domain in ASCII and lower case (UTS 46): %s as %s', (text, email) => {
    expect(parseEmail(text)).toBe(email);
    expect(parseEmail(email)).toBe(email);
  });

  it.each([
    '',
    'alice',
    '@mail.test',
    'alice@',
    'a b@mail.test',
    'a@b@c',
    'a@mail.test\r\nRCPT TO:<x@evil.test>',
    '<a@mail.test>',
    'a@mail.test,b@mail.test',
    'a\u200b@mail.test',
    `${'a'.repeat(65)}@mail.test`,
    `a@${'b'.repeat(200)}`,
  ])('is not %j', (text) => {
    expect(isEmail(text)).toBe(false);
    expect(emailProblem(text)).toBe('must be an e-mail address');
  });

  it.each([
    'mail..test',
    '.mail.test',
    'mail.test.',
    '-a.test',
    'a-.test',
    `${'a'.repeat(64)}.test`,
    'xn--a.test',
    'xn--.test',
    'ev%69l.test',
    'evil.test/x',
    'evil.test?x',
    "o'hara.test",
    '127.0.0.1',
    '0x7f.1',
    '1.2',
    'a.1',
    '１.2',
    'א1a.test',
    'evil.test／x',
    'a⒈b.test',
  ])('must have a valid domain, and the refusal says so: %s', (domain) => {
    expect(parseEmail(`a@${domain}`)).toBeUndefined();
    expect(emailProblem(`a@${domain}`)).toBe(
      `must be an e-mail address: "${domain}" is no domain, which has labels of 1 to 63 letters, digits and hyphens, separated by dots`,
    );
  });

  it('has at most 200 characters also with its domain in ASCII', () => {
    const labels = Array.from({ length: 6 }, () => `ä${'b'.repeat(28)}`).join('.');
    expect(parseEmail(`a@${labels}`)).toBeUndefined();
    expect(emailProblem(`a@${labels}`)).toMatch(
      /^must be an e-mail address of at most 200 characters; its domain is "xn--/,
    );
  });
});
