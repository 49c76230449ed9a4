import { describe, expect, it } from '@jest/globals';
import { cpuMsOf } from '../../../test/support/effort.js';
import { isRegistered, redirectUriProblem } from './redirect-uri.js';

const web = { clientType: 'web', devMode: false } as const;
const native = { clientType: 'native', devMode: false } as const;

describe('Registering a redirect URI', () => {
  it.each([
    'https://rp1.test/cb',
    'https://rp1.test',
    'https://rp1.test/',
    'https://rp1.test:8443/cb',
    'https://rp1.test/cb?x=1',
    'https://rp1.test?x=1',
    'https://rp1.test/a/b;c=d/%20',
    'https://[2001:db8::1]/cb',
    'https://xn--bcher-kva.test/cb',
    'http://localhost:5173/callback',
    'http://127.0.0.1:3001/',
    'http://[::1]:8080/cb',
  ])('accepts %s for a web application', (uri) => {
    expect(redirectUriProblem(uri, web)).toBeUndefined();
  });

  it.each([
    'com.example.app:/cb',
    'com.example.app://cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:5000/cb',
    'http://[::1]/cb',
    'http://localhost/cb',
    'http://127.0.0.1',
    'https://rp1.test/cb',
  ])('accepts %s for a native application', (uri) => {
    expect(redirectUriProblem(uri, native)).toBeUndefined();
  });

  it.each([
    // RFC 6749 §3.1.2
    'https://rp1.test/cb#f',
    'https://rp1.test/cb#',
    'com.example.app:/cb#f',
    'javascript:x()',
    'JaVaScRiPt:x()',
    'data:text/html,x',
    'vbscript:x',
    'file:///x',
    'blob:x',
    'http:evil',
    'https://',
    'about:blank',
    'view-source:https://rp1.test',
    'filesystem:https://rp1.test',
    'ws://rp1.test',
    'mailto:a@rp1.test',
    'intent://x',
    'ftp://rp1.test/',
    'java\nscript:x()',
    '\u0001javascript:x()',
    ' javascript:x()',
    'javascript&colon;x()',
    '',
    '/cb',
    'cb',
    '//rp1.test/cb',
    'https:rp1.test/cb',
    'https:/rp1.test/cb',
    'https:\\\\rp1.test\\cb',
    'https:///cb',
    'https://?x',
    'HTTPS://rp1.test/cb',
    'Https://rp1.test/cb',
    ' https://rp1.test/cb',
    'https://rp1.test/cb ',
    'https://rp1.test/cb\t',
    'https://rp1.test/cb\n',
    'https://rp1.test/c b',
    'https://rp1.test/\u0000',
    'https://rp1.test/\u007f',
    'https://rp1.test\\@evil.test/cb',
    'https://rp1.test@evil.test/cb',
    'https://rp1.test:443@evil.test/cb',
    'https://user:pw@rp1.test/cb',
    'https://@rp1.test/cb',
    'https://rp1.test:/cb',
    'https://rp1.test:0/cb',
    'https://rp1.test:99999/cb',
    'https://rp1.test:80:80/cb',
    'https://*.rp1.test/cb',
    'https://rp1.te%73t/cb',
    'https://rp1.test\u200b/cb',
    'https://bücher.test/cb',
    `https://rp1.test/${'a'.repeat(2000)}`,
  ])('refuses %j for every application', (uri) => {
    for (const client of [web, native, { clientType: 'user_agent', devMode: true } as const]) {
      expect(redirectUriProblem(uri, client)).toEqual(expect.any(String));
    }
  });

  it('accepts http to another machine in development mode only, and the refusal names the field', () => {
    expect(redirectUriProblem('http://rp1.test/cb', web)).toMatch(/https.*devMode/);
    expect(redirectUriProblem('http://rp1.test/cb', { ...web, devMode: true })).toBeUndefined();
    expect(redirectUriProblem('com.example.app:/cb', { ...web, devMode: true })).toEqual(expect.any(String));
  });

  it.each([
    'http://127.0.0.1.evil.test/cb',
    'http://rp1.test/cb',
    'http://127.1/cb',
    'http://0x7f000001/cb',
    'http://127.0.0.2/cb',
    'http://localhost.evil.test/cb',
  ])('accepts http without development mode on loopback only: %s', (uri) => {
    for (const client of [native, web, { ...web, clientType: 'user_agent' } as const])
      expect(redirectUriProblem(uri, client)).toEqual(expect.any(String));
  });
});

describe('A requested redirect URI', () => {
  const registered = ['https://rp1.test/cb', 'https://rp1.test/cb?x=1'];

  it.each(registered)('is accepted if it is registered: %s', (uri) => {
    expect(isRegistered(uri, registered, 'web')).toBe(true);
  });

  it.each<[string, string[]]>([
    ['path [AUT-003]', ['https://rp1.test/cb/', 'https://rp1.test/cb/x', 'https://rp1.test/c', 'https://rp1.test']],
    [
      'case or default port [AUT-004]',
      ['HTTPS://rp1.test/cb', 'https://RP1.test/cb', 'https://rp1.test/CB', 'https://rp1.test:443/cb'],
    ],
    [
      'user information [AUT-005]',
      ['https://rp1.test@evil.test/cb', 'https://rp1.test:443@evil.test/cb', 'https://user:pw@rp1.test/cb'],
    ],
    ['fragment [AUT-006]', ['https://rp1.test/cb#f', 'https://rp1.test/cb%23f']],
    [
      'dots [AUT-007]',
      [
        'https://rp1.test/cb/../evil',
        'https://rp1.test/cb/..;/evil',
        'https://rp1.test/cb/%2e%2e/evil',
        'https://rp1.test/cb%2f..%2fevil',
        'https://rp1.test/cb/./',
        'https://rp1.test/./cb',
      ],
    ],
    [
      'query [AUT-008]',
      ['https://rp1.test/cb?foo=bar', 'https://rp1.test/cb?x=1&y=2', 'https://rp1.test/cb?X=1', 'https://rp1.test/cb?'],
    ],
    [
      'what parsers repair [AUT-010]',
      [
        'https://rp1.test\\@evil.test/cb',
        'https:\\\\rp1.test\\cb',
        '//rp1.test/cb',
        'https:rp1.test/cb',
        ' https://rp1.test/cb',
        'https://rp1.test/cb\t',
        'https://rp1.test/cb\n',
      ],
    ],
    ['percent encoding', ['https://rp1.test/%63b', 'https://rp1%2etest/cb']],
    [
      'host',
      [
        'https://rp1.test.evil.test/cb',
        'https://rp1.testevil.test/cb',
        'https://rpxtest/cb',
        'http://rp1.test/cb',
        'https://sub.rp1.test/cb',
      ],
    ],
  ])('that differs in its %s is another one', (_, uris) => {
    for (const uri of uris) expect(isRegistered(uri, registered, 'web')).toBe(false);
  });

  it('is compared whole: no prefix, no pattern', () => {
    for (const uri of [
      'https://rp.example.evil.test',
      'https://rp.exampleevil.test',
      'https://rpxexample/',
      'https://rp.example/',
    ]) {
      expect(isRegistered(uri, ['https://rp.example'], 'web')).toBe(false);
    }
  });
});

describe('A loopback redirect URI (RFC 8252 §7.3)', () => {
  const registered = ['http://127.0.0.1/cb', 'http://[::1]/cb', 'com.example.app:/cb'];

  it.each([
    'http://127.0.0.1:51004/cb',
    'http://[::1]:51004/cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:1/cb',
    'http://127.0.0.1:65535/cb',
    'com.example.app:/cb',
  ])('has a free port in a native application: %s', (uri) => {
    expect(isRegistered(uri, registered, 'native')).toBe(true);
  });

  it.each([
    'http://127.0.0.1.evil.test/cb',
    'http://127.1/cb',
    'http://0x7f000001/cb',
    'http://127.000.000.001:80/cb',
    'HTTP://127.0.0.1:9/cb',
    'https://127.0.0.1:9/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:65536/cb',
    'http://127.0.0.1:9/x/../cb',
    'http://127.0.0.1::9/cb',
    'http://127.0.0.1:09/cb',
    'http://127.0.0.1:0/cb',
    'http://127.0.0.1:/cb',
    'http://127.0.0.1:9/cb/',
    'http://127.0.0.1:9/cb?x=1',
    'http://127.0.0.1:9',
    'http://localhost:9/cb',
    'http://127.0.0.1:9@evil.test/cb',
    'http://user@127.0.0.1:9/cb',
    'http://[::1%25lo]:9/cb',
    'http://[0:0:0:0:0:0:0:1]:9/cb',
    'com.example.app:/cb2',
    'COM.example.app:/cb',
    'http://127.0.0.1:9/cb\n',
    'http://127.0.0.1:9/cb#',
  ])('does not match any other address: %j', (uri) => {
    expect(isRegistered(uri, registered, 'native')).toBe(false);
  });

  it('has its registered port in any other application', () => {
    expect(isRegistered('http://localhost:3001/cb', ['http://localhost:3000/cb'], 'web')).toBe(false);
    expect(isRegistered('http://127.0.0.1:3001/cb', ['http://127.0.0.1:3000/cb'], 'user_agent')).toBe(false);
  });
});

it('compares and checks texts of any length with little work', async () => {
  const long = [
    `https://rp1.test/${'a'.repeat(10_000)}`,
    `https://rp1.test/${'%25'.repeat(5000)}`,
    `https://rp1.test${'/..'.repeat(2000)}/`,
    `http://127.0.0.1:9${'/'.repeat(10_000)}\n`,
  ];
  const cpuMs = await cpuMsOf(() => {
    for (const uri of long) {
      isRegistered(uri, ['https://rp1.test/cb', 'http://127.0.0.1/cb'], 'native');
      redirectUriProblem(uri, native);
    }
  });
  expect(cpuMs).toBeLessThan(100);
});
