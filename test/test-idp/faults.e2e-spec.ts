import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FAULT_KINDS } from '../../src/extension/test-idp/fault.js';
import type { Idp } from '../../src/extension/test-idp/idp.js';
import { Application, complaintOf, startStage } from './stage.js';

let idp: Idp;
let web: Application;

beforeAll(async () => {
  idp = await startStage();
  web = await Application.of(idp, 'web');
});
beforeEach(() => idp.reset());
afterAll(() => idp.stop());

describe('A fault of tokens is refused by openid-client', () => {
  it.each([
    ['wrong-audience', {}, /unexpected JWT "aud"/],
    ['wrong-issuer', {}, /unexpected JWT "iss"/],
    ['wrong-nonce', {}, /unexpected ID Token "nonce"/],
    ['wrong-signature', {}, /signature verification failed/],
    ['expired-id-token', {}, /unexpected JWT "exp"/],
    ['clock-skew', { seconds: -50_000 }, /unexpected JWT "exp"/],
  ] as const)('%s', async (kind, options, complaint) => {
    await idp.faults.arm(kind, options);
    expect(await complaintOf(web.signIn('alice'))).toMatch(complaint);
    expect(await idp.faults.list()).toEqual([expect.objectContaining({ kind, happened: 1, left: 0 })]);
    expect((await web.signIn('alice')).claims()?.sub).toBe('alice');
  });

  it('reaches the signed access token, too, and the hash of it in the ID token', async () => {
    const jwt = await Application.of(idp, 'jwt');
    await idp.faults.arm('clock-skew', { seconds: 600 });
    const tokens = await jwt.signIn('alice'); // the hash is checked with the signature
    const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1]!, 'base64url').toString()) as {
      iat: number;
    };
    expect(claims.iat).toBeGreaterThan(Date.now() / 1000 + 500);
    expect(tokens.claims()?.iat).toBe(claims.iat);
  });
});

describe('A fault of an endpoint', () => {
  it('loses the answer to a refresh: the rotated token is gone, and the application is signed out in the end', async () => {
    const { refresh_token: first } = await web.signIn('alice');
    await idp.faults.arm('refresh-lost');
    expect(await complaintOf(web.refresh(first))).toMatch(/fetch failed|socket/i);
    await idp.clock.jump('1m'); // beyond the seconds in which the same answer is given once more
    expect(await complaintOf(web.refresh(first))).toContain('invalid_grant');
  });

  it('does not reach the other requests to the token endpoint, where it is one of refreshing', async () => {
    await idp.faults.arm('refresh-unavailable');
    const { refresh_token: token } = await web.signIn('alice');
    expect(await complaintOf(web.refresh(token))).toContain('unexpected HTTP response status code');
  });

  it.each([
    ['token-unavailable', () => web.signIn('alice'), /unexpected HTTP response status code/],
    ['token-unreachable', () => web.signIn('alice'), /fetch failed|socket/i],
    ['userinfo-unavailable', async () => web.userinfo((await idp.signIn('alice')).accessToken), /unexpected HTTP/],
    ['jwks-unreachable', async () => (await Application.of(idp, 'web')).signIn('alice'), /fetch failed|socket/i],
    ['discovery-unavailable', () => Application.of(idp, 'web'), /unexpected HTTP/],
  ] as const)('%s happens once', async (kind, call, complaint) => {
    await idp.faults.arm(kind);
    expect(await complaintOf(call())).toMatch(complaint);
    expect(await complaintOf(call())).toBe('nothing');
  });

  it.each(['discovery-slow', 'jwks-slow'] as const)('%s takes as long as was asked for', async (kind) => {
    await idp.faults.arm(kind, { delayMs: 300 });
    const began = performance.now();
    await (await Application.of(idp, 'web')).signIn('alice');
    expect(performance.now() - began).toBeGreaterThan(290);
  });

  it('that is lost was done: the code is spent', async () => {
    await idp.faults.arm('token-lost');
    expect(await complaintOf(web.signIn('alice'))).toMatch(/fetch failed|socket/i);
    expect(await idp.faults.list()).toEqual([expect.objectContaining({ happened: 1 })]);
  });

  it('can be limited to an application, whose client id, assertion or access token tells', async () => {
    const jwt = await Application.of(idp, 'jwt');
    await idp.faults.arm('token-unavailable', { application: 'jwt' });
    await idp.faults.arm('userinfo-unavailable', { application: 'jwt' });
    const { access_token: token } = await web.signIn('alice');
    expect((await web.userinfo(token)).sub).toBe('alice');
    expect(await complaintOf(jwt.signIn('alice'))).toContain('unexpected HTTP');
    expect(await complaintOf(jwt.userinfo((await jwt.signIn('alice')).access_token))).toContain('unexpected HTTP');
  });

  it('happens as often as was asked for, or until it is cleared, or until the next reset', async () => {
    const call = async (): Promise<string> => complaintOf(Application.of(idp, 'web'));
    await idp.faults.arm('discovery-unavailable', { times: 2 });
    expect([await call(), await call(), await call()].map((said) => said === 'nothing')).toEqual([false, false, true]);
    await idp.faults.arm('discovery-unavailable', { times: 'until-reset' });
    expect(await call()).not.toBe('nothing');
    await idp.faults.clear();
    expect(await call()).toBe('nothing');
    await idp.faults.arm('discovery-unavailable', { times: 'until-reset' });
    await idp.reset();
    expect(await call()).toBe('nothing');
  });

  it('that cannot be is refused in words', async () => {
    expect(await complaintOf(idp.faults.arm('jwks-slow', { application: 'web' }))).toContain('cannot be limited');
    expect(await complaintOf(idp.faults.arm('token-slow', { application: 'none' }))).toContain('no application "none"');
    expect(await complaintOf(idp.faults.arm('token-slow', { times: 0 }))).toContain('positive');
    expect(await complaintOf(idp.faults.arm('coffee-slow' as 'token-slow'))).toContain(FAULT_KINDS.join(', '));
  });
});

describe('An act of administration', () => {
  it('rotates the key: new tokens are signed by a new one, and the old ones verify', async () => {
    const before = await web.signIn('alice');
    const keyId = await idp.rotateKey();
    expect(await complaintOf(web.signIn('alice'))).toContain('no applicable keys'); // the library keeps them for a minute
    const after = await (await Application.of(idp, 'web')).signIn('alice');
    const headerOf = (token: string): unknown => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString());
    expect(headerOf(after.id_token!)).toMatchObject({ kid: keyId });
    expect(headerOf(before.id_token!)).not.toMatchObject({ kid: keyId });
    const { keys } = (await (await fetch(web.config.serverMetadata().jwks_uri!)).json()) as { keys: { kid: string }[] };
    expect(keys.map(({ kid }) => kid)).toEqual(
      expect.arrayContaining([keyId, (headerOf(before.id_token!) as { kid: string }).kid]),
    );
  });

  it('locks a user, whose tokens end, and unlocks', async () => {
    const { accessToken } = await idp.signIn('alice');
    await idp.lock('alice');
    expect(await complaintOf(web.userinfo(accessToken))).toContain('invalid_token');
    expect(await complaintOf(idp.signIn('alice', { browser: 'other' }))).toContain('Your account is locked');
    await idp.unlock('alice');
    expect((await idp.signIn('alice', { browser: 'other' })).accessToken).not.toBe('');
  });
});
