import { describe, expect, it } from '@jest/globals';
import { isColor } from '../../foundation/color/contrast.js';
import {
  isLink,
  isSupportEmail,
  isWebAddress,
  labelViolations,
  loginViolations,
  passwordComplexityViolations,
  toWebAddress,
} from './policy-rules.js';

describe('An address to send a browser to', () => {
  it.each(['https://a.test', 'http://localhost:3000/x?y=z#f', 'HTTPS://Ä.test/ü', 'https://a.test/%20'])(
    'is %s',
    (text) => {
      expect(isWebAddress(text)).toBe(true);
    },
  );

  it.each([
    'javascript:x',
    'file:///etc/passwd',
    'http:evil',
    'https://',
    '//evil.test',
    'not a url',
    ' https://a',
    'https://a b',
    'https://user:pw@evil.test',
    'https://user@evil.test',
    'https:\\\\evil.test',
    'https://a.test\\@evil.test',
    'data:text/html,x',
    'https://a\n.test',
  ])('is not %j [ADM-019]', (text) => {
    expect(isWebAddress(text)).toBe(false);
  });

  it.each([
    ['https://a.test/x', 'https://a.test/x'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:3000/a?b', 'http://127.0.0.1:3000/a?b'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['app.example.com', 'https://app.example.com'],
    ['app.example.com/start', 'https://app.example.com/start'],
    ['localhost.evil.test', 'https://localhost.evil.test'],
    ['javascript:1', 'https://javascript:1'],
  ])('may lack its scheme: %s is %s', (text, address) => {
    expect(toWebAddress(text)).toBe(address);
  });

  it.each([
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp://open',
    'mailto:a@b.test',
    '//evil.test',
    '/path',
    'https:evil.test',
    'user@evil.test',
    'a.test:pw@evil.test',
    'a b.test',
    'a.test\\@evil.test',
    'a.test:99999999',
    'a.test:70000',
    '.test',
    'a.test\n',
    '?x',
    '#x',
  ])('is not %j, with a scheme or without [ADM-019]', (text) => {
    expect(toWebAddress(text)).toBeUndefined();
  });

  it('may name the language of the reader where a link may', () => {
    expect([
      isLink('https://a.test/{{.Lang}}/terms'),
      isLink('https://{{.Lang}}.a.test'),
      isLink('{{.Lang}}://a.test'),
    ]).toEqual([true, true, false]);
  });
});

describe('The rules of policies', () => {
  it('know colours', () => {
    expect(['#fff', '#1D4a94'].map(isColor)).toEqual([true, true]);
    expect(['fff', '#ffff', '#gggggg', '#1d4a94 ', 'red', 'url(x)'].map(isColor)).toEqual(Array(6).fill(false));
    expect(labelViolations({ primaryColor: '', fontColor: 'red' }).map(({ field }) => field)).toEqual(['fontColor']);
  });

  it('accept support addresses of the same form as the e-mail addresses of users, but longer ones', () => {
    const longest = `${'a'.repeat(64)}@${`${'b'.repeat(49)}.`.repeat(5)}cc`;
    expect(['help@a.test', 'help@localhost', 'hilfe@bücher.test', longest].map((text) => isSupportEmail(text))).toEqual(
      Array(4).fill(true),
    );
    const refused = [`${'a'.repeat(65)}@b.test`, `a@${'b'.repeat(64)}.test`, 'a@b@c', 'a b@c', 'help@a..test'];
    expect(refused.map((text) => isSupportEmail(text))).toEqual(Array(5).fill(false));
  });

  it('do not report absent settings', () => {
    expect([loginViolations({}), passwordComplexityViolations({}), labelViolations({})]).toEqual([[], [], []]);
  });

  it('find every broken field at once', () => {
    const broken = loginViolations({
      defaultRedirectUri: 'x y',
      passwordCheckLifetimeSeconds: -1,
      mfaInitSkipLifetimeSeconds: 0.5,
      secondFactors: ['otp', 'otp'],
    });
    expect(broken.map(({ field }) => field)).toEqual([
      'defaultRedirectUri',
      'passwordCheckLifetime',
      'mfaInitSkipLifetime',
      'secondFactors',
    ]);
  });
});
