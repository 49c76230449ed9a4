import { describe, expect, it } from '@jest/globals';
import { parseDomain, parseMailDomain, toDefaultDomain, toDomainKey } from './domain-name.js';

describe('The domain of an organization', () => {
  it.each([
    ['acme.test', 'acme.test'],
    ['ACME.Test.', 'acme.test'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['a-b.c1.test', 'a-b.c1.test'],
  ])('takes %s as %s', (text, domain) => expect(parseDomain(text)).toBe(domain));

  it.each([
    '',
    'localhost',
    'acme',
    '-a.test',
    'a-.test',
    'a..test',
    '127.0.0.1',
    '[::1]',
    'a b.test',
    'a_b.test',
    `${'a'.repeat(64)}.test`,
    `${'a.'.repeat(127)}test`,
    'a/b.test',
    '*.test',
    'a@b.test',
    'acme.test/x',
    'acme.test?x',
    'acme.test#x',
    '%61cme.test',
    'acme\\.test',
    'xn--a.test',
    'acme.1',
    '0x7f.1',
  ])('refuses "%s"', (text) => expect(parseDomain(text)).toBeUndefined());

  it.each([
    ['Acme', 'https://id.example.com', 'acme.id.example.com'],
    ['Acme Inc.', 'http://localhost:3000', 'acme-inc.localhost'],
    ['Bücher & Söhne', 'http://127.0.0.1:3000', 'bucher-sohne.localhost'],
    ['株式会社', 'http://[::1]:3000', 'org.localhost'],
    ['x'.repeat(200), 'https://id.test', `${'x'.repeat(63)}.id.test`],
  ])('is made of the name %s at %s: %s', (name, publicUrl, domain) =>
    expect(toDefaultDomain(name, publicUrl)).toBe(domain),
  );
});

describe('A domain that is looked for', () => {
  it.each([
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--BCHER-kva.example', 'xn--bcher-kva.example'],
    ['Acme.test', 'acme.test'],
    ['a b.Test', 'a b.test'],
  ])('is looked for as domains are stored: %s as %s', (text, key) => expect(toDomainKey(text)).toBe(key));
});

describe('The domain of an e-mail address', () => {
  it.each([
    ['localhost', 'localhost'],
    ['a_b.test', 'a_b.test'],
    ['Bücher.test', 'xn--bcher-kva.test'],
  ])('may be %s', (text, domain) => expect(parseMailDomain(text)).toBe(domain));
});
