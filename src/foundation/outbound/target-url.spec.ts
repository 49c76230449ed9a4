import { describe, expect, it } from '@jest/globals';
import { targetUrlProblem } from './target-url.js';

const development = { production: false };

describe('A URL to call [ADM-019]', () => {
  it.each([
    'https://accounts.example.com',
    'https://a',
    'https://login.example.com:8443/tenant/v2.0',
    'https://example.com/keys?v=1',
    'https://[2606:4700::1111]/keys',
    'https://10.9.0.9/keys',
    'HTTPS://example.com',
    'http://localhost:8080/realms/a',
    'http://127.0.0.1:9999',
    'http://[::1]:9999/x',
    `https://example.com/${'a'.repeat(180)}`,
  ])('may be %s', (url) => expect(targetUrlProblem(url, development)).toBeUndefined());

  it.each([
    '',
    'javascript:x',
    'file:///etc/passwd',
    'http:evil',
    'https:evil',
    'https:/evil',
    'https://',
    'https:///evil',
    '//evil.test',
    'not a url',
    ' https://a',
    'https://a ',
    'https://a b',
    'https://a/b c',
    'https://user:pw@evil.test',
    'https://user@evil.test',
    'https://a\\b',
    'https://a/\\b',
    'https://a#b',
    'https://a/#',
    'https://é.test',
    'https://a/é',
    'https://a\n',
    'https://a/\u0000',
    'https://a\t.test',
    'gopher://a',
    'ftp://a',
    'unix:/run/x',
    'data:text/html,x',
    'https://999.1.1.1',
    'https://a:0',
    'https://a:99999',
    'https://a:',
    'https://-a',
    'https://a_b',
    'https://[::1',
    'https://[zz]',
    'https://a%00b',
    'https://.',
    'https://a..b.',
  ])('is never %j', (url) => expect(targetUrlProblem(url, development)).toBeDefined());

  it.each([
    'http://example.com',
    'http://10.9.0.9:9999',
    'http://169.254.169.254/',
    'http://0.0.0.0:9999',
    'http://[::ffff:127.0.0.1]:9999',
    'http://localhost.:9999',
    'http://[fd00::9]',
    'http://localhost.evil.test',
    'http://127.0.0.1.evil.test',
    'http://evil.test/localhost',
  ])('is not %s, which is not encrypted [IDP-018]', (url) =>
    expect(targetUrlProblem(url, development)).toMatch(/must use https|form https/),
  );

  it.each(['http://localhost:8080', 'http://127.0.0.1:9999', 'http://[::1]:9999'])('is not %s in production', (url) =>
    expect(targetUrlProblem(url, { production: true })).toBe('must use https'),
  );
});
