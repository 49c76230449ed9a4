import { describe, expect, it } from '@jest/globals';
import { allowedOrigins, originProblem } from './origin.js';

describe('An origin of an application', () => {
  it.each([
    'https://app.example.com',
    'http://localhost:4200',
    'https://[::1]:8443',
    'capacitor://localhost',
    'https://a.b-c.test:65535',
  ])('%s is fine', (origin) => {
    expect(originProblem(origin)).toBeUndefined();
  });

  it.each([
    '',
    '*',
    'null',
    'app.example.com',
    '//app.example.com',
    'https://',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://app.example.com?x',
    'https://app.example.com#x',
    'https://user@app.example.com',
    'HTTPS://app.example.com',
    'https://App.example.com',
    'https://a b',
    'https://a:99999',
    'javascript://x',
    'file://x',
    `https://${'a'.repeat(500)}`,
  ])('%j is none', (origin) => {
    expect(originProblem(origin)).toMatch(/^must /);
  });

  it('is also where its redirect URIs are', () => {
    expect(
      allowedOrigins(
        ['https://a.test/cb', 'https://a.test/cb2', 'app:/cb', 'http://[::1]:3000/'],
        ['https://b.test', 'https://a.test'],
      ),
    ).toEqual(['https://a.test', 'http://[::1]:3000', 'https://b.test']);
  });
});
