import { describe, expect, it } from '@jest/globals';
import { parseDomain, toDefaultDomain } from './domain-name.js';

describe('The domain of an organization', () => {
  it.each([
    ['acme.test', 'acme.test'],
    ['ACME.Test.', 'acme.test'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['a-b.c1.test', 'a-b.c1.test'],
  ])('takes %s as %s', (text, domain) => expect(parseDomain(text)).toBe(domain));

  it.each(['', 'localhost', 'acme', '-a.test', 'a-.test', 'a..test', '127.0.0.1', '[::1]', 'a b.test', 'a_b.test', `${'a'.repeat(64)}.test`, `${'a.'.repeat(127)}test`, 'a/b.test', '*.test', 'a@b.test'])(
    'refuses "%s"', (text) => expect(parseDomain(text)).toBeUndefined(),
  );

  it.each([
    ['Acme', 'https://id.example.com', 'acme.id.example.com'],
    ['Acme Inc.', 'http://localhost:3000', 'acme-inc.localhost'],
    ['Bücher & Söhne', 'http://127.0.0.1:3000', 'bucher-sohne.localhost'],
    ['株式会社', 'http://[::1]:3000', 'org.localhost'],
    ['x'.repeat(200), 'https://id.test', `${'x'.repeat(63)}.id.test`],
  ])('is made of the name %s at %s: %s', (name, publicUrl, domain) => expect(toDefaultDomain(name, publicUrl)).toBe(domain));
});
