import { describe, expect, it } from '@jest/globals';
import { isAllowedHost, readDocumentUrl, validSecondsOf } from './document-url.js';

describe('A client ID that is the address of a document', () => {
  it.each([
    ['https://app.example/client.json', 'app.example'],
    ['https://app.example/a/b-c_d~e/client%20metadata', 'app.example'],
    ['https://app.example:8443/client.json', 'app.example:8443'],
    ['https://xn--bcher-kva.example/client', 'xn--bcher-kva.example'],
  ])('is %s', (url, host) => {
    expect(readDocumentUrl(url)).toEqual({ url, host });
  });

  it.each([
    ['another scheme', 'http://app.example/client.json'],
    ['a scheme in upper case', 'HTTPS://app.example/client.json'],
    ['no path', 'https://app.example'],
    ['no more than a slash', 'https://app.example/'],
    ['a dot segment', 'https://app.example/a/./client.json'],
    ['two dots', 'https://app.example/a/../client.json'],
    ['encoded dots', 'https://app.example/a/%2e%2E/client.json'],
    ['half-encoded dots at the end', 'https://app.example/a/.%2e'],
    ['a user', 'https://user@app.example/client.json'],
    ['a user and a password', 'https://user:secret@app.example/client.json'],
    ['a fragment', 'https://app.example/client.json#x'],
    ['a query', 'https://app.example/client.json?x=1'],
    ['an empty query', 'https://app.example/client.json?'],
    ['an IPv4 address', 'https://192.0.2.1/client.json'],
    ['an IPv4 address in one number', 'https://3221225985/client.json'],
    ['an IPv4 address in hexadecimal', 'https://0xc0.0x0.0x2.0x1/client.json'],
    ['an IPv6 address', 'https://[2001:db8::1]/client.json'],
    ['letters that look like others', 'https://аpp.example/client.json'],
    ['a host in upper case', 'https://App.example/client.json'],
    ['a dot after the host', 'https://app.example./client.json'],
    ['the usual port', 'https://app.example:443/client.json'],
    ['a port that no host has', 'https://app.example:99999/client.json'],
    ['a backslash', 'https://app.example\\client.json'],
    ['a space', 'https://app.example/client json'],
    ['a line break', 'https://app.example/client.json\n'],
    ['201 characters', `https://app.example/${'a'.repeat(181)}`],
    ['2,000 characters', `https://app.example/${'a'.repeat(1_980)}`],
  ])('does not have %s [CMD-002]', (_, url) => {
    expect(readDocumentUrl(url)).toBeUndefined();
  });

  it('is of a host that the operator names, with its port', () => {
    expect(isAllowedHost('app.example', [])).toBe(false);
    expect(isAllowedHost('app.example', ['app.example'])).toBe(true);
    expect(isAllowedHost('www.app.example', ['app.example'])).toBe(false);
    expect(isAllowedHost('app.example:8443', ['app.example'])).toBe(false);
    expect(isAllowedHost('app.example:8443', ['app.example:8443'])).toBe(true);
  });

  it('is of any host of the internet if the operator names all', () => {
    expect(isAllowedHost('app.example', ['*'])).toBe(true);
    expect(isAllowedHost('app.example:8443', ['*'])).toBe(false);
    expect(isAllowedHost('localhost', ['*'])).toBe(false);
  });
});

describe('How long a document is kept', () => {
  it.each([
    [undefined, 300],
    ['', 300],
    ['public', 300],
    ['max-age=600', 600],
    ['public, Max-Age=600, must-revalidate', 600],
    ['max-age="600"', 600],
    ['max-age=5', 60],
    ['no-store', 60],
    ['no-cache, max-age=600', 60],
    ['max-age=86400', 3_600],
    ['max-age=99999999999999', 300],
    ['max-age=-1', 300],
  ])('is decided by Cache-Control %p, between a minute and an hour: %d s', (header, seconds) => {
    expect(validSecondsOf(header)).toBe(seconds);
  });
});
