import { describe, expect, it } from '@jest/globals';
import { endpointsOf, primaryOf } from './github-api.js';

describe("GitHub's API", () => {
  it.each([
    ['https://github.com', 'https://api.github.com'],
    ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
    ['https://github.acme.example', 'https://github.acme.example/api/v3'],
    ['https://github.com.acme.example', 'https://github.com.acme.example/api/v3'],
  ])('of %s is at %s', (base, api) => {
    const none = { authorizationEndpoint: '', tokenEndpoint: '', userEndpoint: '' };
    expect(endpointsOf({ base, ...none })).toEqual({
      authorization: `${base}/login/oauth/authorize`,
      token: `${base}/login/oauth/access_token`,
      user: `${api}/user`,
    });
  });

  it('is where the settings say, and elsewhere at github.com', () => {
    const place = { base: '', authorizationEndpoint: '', tokenEndpoint: 'https://git.acme.example/token' };
    expect(endpointsOf({ ...place, userEndpoint: 'https://git.acme.example/me' })).toEqual({
      authorization: 'https://github.com/login/oauth/authorize',
      token: 'https://git.acme.example/token',
      user: 'https://git.acme.example/me',
    });
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
