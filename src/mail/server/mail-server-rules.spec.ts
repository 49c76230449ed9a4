import { describe, expect, it } from '@jest/globals';
import { isMailHost, isSameAccess, mailHostOf } from './mail-server-rules.js';

describe('The host of a mail server', () => {
  it.each<[string, string, number, boolean]>([
    ['smtp.example.com', 'smtp.example.com', 587, false],
    ['SMTP.Example.com:25', 'smtp.example.com', 25, false],
    ['smtp.example.com:465', 'smtp.example.com', 465, true],
    ['192.0.2.7:2525', '192.0.2.7', 2525, false],
    ['[2001:db8::1]:465', '[2001:db8::1]', 465, true],
  ])('%s is %s, port %d, encrypted from its beginning: %s', (text, hostname, port, isImplicitTls) => {
    expect(isMailHost(text)).toBe(true);
    expect(mailHostOf(text)).toEqual({ hostname, port, isImplicitTls });
  });

  it.each([
    '',
    'smtp://smtp.example.com',
    'user@smtp.example.com',
    'smtp.example.com/path',
    'smtp.example.com?ignoreTLS=true',
    'smtp.example.com:0',
    'smtp.example.com:65536',
    'smtp.example.com:port',
    'smtp example.com',
    '[::1',
    'a\r\nb',
  ])('is not "%s"', (text) => expect(isMailHost(text)).toBe(false));
});

describe('A stored password is for settings', () => {
  const stored = { host: 'smtp.example.com:587', tls: true, userName: 'gate' };
  it.each([{}, { host: 'SMTP.example.com' }, { tls: false }])('of the same server and user: %j', (over) =>
    expect(isSameAccess(stored, { ...stored, ...over })).toBe(true),
  );
  it.each([{ host: 'smtp.example.com:25' }, { host: 'smtp.example.org:587' }, { userName: 'other' }])(
    'and not of others: %j [ADM-046]',
    (over) => expect(isSameAccess(stored, { ...stored, ...over })).toBe(false),
  );
});
