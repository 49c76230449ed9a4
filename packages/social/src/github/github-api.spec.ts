import { describe, expect, it } from '@jest/globals';
import { apiOf, primaryOf } from './github-api.js';

describe("GitHub's API", () => {
  it.each([
    ['https://github.com', 'https://api.github.com'],
    ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
    ['https://github.acme.example', 'https://github.acme.example/api/v3'],
    ['https://github.com.acme.example', 'https://github.com.acme.example/api/v3'],
  ])('of %s is at %s', (base, api) => {
    expect(apiOf(base)).toBe(api);
  });

  it('has one primary address, verified or not', () => {
    const other = { email: 'b@b.example', primary: false, verified: true };
    const of = (...list: unknown[]) => primaryOf(list);
    expect(of(other, { email: 'a@a.example', primary: true, verified: true })).toEqual({
      email: 'a@a.example',
      emailVerified: true,
    });
    expect(of(other, { email: 'a@a.example', primary: true, verified: 'true' })?.emailVerified).toBe(false);
    expect(of(other)).toBeUndefined();
    expect(of(null, 'a', { primary: true })).toBeUndefined();
  });
});
