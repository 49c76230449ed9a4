import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as library from 'openid-client';
import type { Idp } from '../../src/extension/test-idp/idp.js';
import { LogoutReceiver } from '../support/logout-receiver.js';
import { Application, CALLBACK, complaintOf, SEED, startStage } from './stage.js';

let idp: Idp;
let receiver: LogoutReceiver;

beforeAll(async () => {
  [idp, receiver] = await Promise.all([startStage(), LogoutReceiver.open()]);
});
beforeEach(() => idp.reset());
afterAll(async () => {
  await receiver.close();
  await idp.stop();
});

type Claims = Readonly<Record<string, unknown>>;

function claimsOf(token: string | undefined): Claims {
  return JSON.parse(Buffer.from(token!.split('.')[1]!, 'base64url').toString()) as Claims;
}

async function userinfo(token: string): Promise<Claims> {
  const answer = await fetch(`${idp.issuer}/oidc/v1/userinfo`, { headers: { Authorization: `Bearer ${token}` } });
  return { status: answer.status, ...((await answer.json()) as Claims) };
}

function authorizationUrl(application: string, over: Record<string, string> = {}): string {
  const parameters = {
    client_id: application,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    state: 'S1',
    code_challenge: '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
    code_challenge_method: 'S256',
    ...over,
  };
  return `${idp.issuer}/oauth/v2/authorize?${new URLSearchParams(parameters)}`;
}

describe('A sign-in without a browser', () => {
  it('returns tokens of the real flow, with roles, metadata and groups of the fixture', async () => {
    const scopes = ['openid', 'profile', 'email', 'groups', 'urn:service:iam:user:metadata'];
    const { idToken, accessToken, refreshToken, callbackUrl, scope } = await idp.signIn('alice', { scopes });
    expect(claimsOf(idToken)).toMatchObject({ iss: idp.issuer, sub: 'alice', aud: 'web', amr: ['pwd'] });
    expect(refreshToken).toBeUndefined(); // without offline_access
    expect(callbackUrl).toMatch(/^http:\/\/localhost:9999\/callback\?code=/);
    expect(scope.split(' ')).toEqual(scopes);
    expect(await userinfo(accessToken)).toMatchObject({
      sub: 'alice',
      email: 'alice@acme.test',
      email_verified: true,
      locale: 'de',
      groups: ['staff'],
      'urn:service:iam:org:project:roles': { buyer: { acme: 'acme.test' } },
      'urn:service:iam:user:metadata': { plan: Buffer.from('gold').toString('base64url') },
    });
  });

  it('goes to any of the applications, with parameters of its own', async () => {
    const parameters = { nonce: 'N7', acr_values: '1', prompt: 'login' };
    const { idToken, refreshToken } = await idp.signIn('bob', { application: 'loose', parameters });
    expect(claimsOf(idToken)).toMatchObject({ aud: 'loose', nonce: 'N7' });
    expect(refreshToken).toMatch(/^gtr_/);
  });

  it('types the code of an authenticator app, three times in half a minute', async () => {
    for (const browser of ['one', 'two', 'three'])
      expect(claimsOf((await idp.signIn('carol', { browser })).idToken)['amr']).toEqual(['pwd', 'otp', 'mfa']);
    expect(await complaintOf(idp.signIn('carol', { browser: 'four' }))).toContain('let the clock jump by 30s');
    await idp.clock.jump('30s');
    expect((await idp.signIn('carol', { browser: 'four' })).accessToken).not.toBe('');
    expect(idp.users['carol']).toMatchObject({ totp: SEED });
  });

  it('reads codes from mails: of a second factor, and of an address that is to be verified', async () => {
    expect(claimsOf((await idp.signIn('dave')).idToken)['amr']).toContain('mfa');
    const { accessToken } = await idp.signIn('erin');
    expect(await userinfo(accessToken)).toMatchObject({ email_verified: true });
    const mails = await idp.mails.list('erin@acme.test');
    expect(mails).toEqual([
      expect.objectContaining({ subject: 'Confirm your e-mail address', code: expect.stringMatching(/^\w{6}$/) }),
    ]);
  });

  it('says where it stopped, in the words of the page', async () => {
    expect(await complaintOf(idp.signIn('fred'))).toContain('Your account is locked');
    expect(await complaintOf(idp.signIn('nobody'))).toContain('no user "nobody". Users: alice, bob');
    expect(await complaintOf(idp.signIn('alice', { application: 'none' }))).toContain('no application "none"');
    expect(await complaintOf(idp.signIn('alice', { application: 'api' }))).toContain('signs nobody in');
  });

  it('of a service user is its client credentials', async () => {
    const { accessToken, idToken } = await idp.clientCredentials('worker');
    expect(idToken).toBeUndefined();
    expect(await userinfo(accessToken)).toMatchObject({ status: 200, sub: 'worker' });
  });
});

describe('An authorization URL of the application under test', () => {
  it('ends at its callback, which it handles itself', async () => {
    const web = await Application.of(idp, 'web');
    const tokens = await web.signIn('alice');
    expect(await web.userinfo(tokens.access_token)).toMatchObject({ name: 'Alice Example' });
  });

  it('needs no password twice in one browser, and signs out at the logout URL', async () => {
    const web = await Application.of(idp, 'web');
    await web.signIn('alice');
    const again = authorizationUrl('jwt', { prompt: 'none' });
    expect(await idp.authorize(again, 'alice')).toContain('code=');
    expect(await idp.authorize(again, 'alice', { browser: 'other' })).toContain('error=login_required');
    const tokens = await web.signIn('alice');
    const bye = { post_logout_redirect_uri: 'http://localhost:9999/bye', id_token_hint: tokens.id_token! };
    expect(await idp.authorize(library.buildEndSessionUrl(web.config, bye), 'alice')).toMatch(
      /^http:\/\/localhost:9999\/bye/,
    );
    expect(await idp.authorize(again, 'alice')).toContain('error=login_required');
  });

  it('is signed out of without a hint on a page, whose text is told', async () => {
    await idp.signIn('alice');
    const landing = await idp.browse(`${idp.issuer}/oidc/v1/end_session`, 'alice');
    expect(landing).toMatchObject({ method: 'GET', page: expect.stringContaining('signed out') });
  });

  it('answers with a form where the application wants one', async () => {
    const url = authorizationUrl('web', { response_mode: 'form_post' });
    expect(await complaintOf(idp.authorize(url, 'alice'))).toContain('use browse()');
    const landing = await idp.browse(url, 'alice');
    expect(landing).toMatchObject({ url: CALLBACK, method: 'POST', fields: { state: 'S1', code: expect.any(String) } });
  });

  it('asks for consent, which can be refused', async () => {
    const url = authorizationUrl('asking');
    expect(await idp.authorize(url, 'alice', { consent: false })).toContain('error=access_denied');
    expect(await idp.authorize(url, 'alice')).toContain('code=');
  });

  it('may name any address of this machine, if the fixture names none', async () => {
    const other = { redirect_uri: 'http://127.0.0.1:4711/any/where' };
    expect(await idp.authorize(authorizationUrl('loose', other), 'alice')).toMatch(
      /^http:\/\/127\.0\.0\.1:4711\/any\/where\?code=/,
    );
    const foreign = { redirect_uri: 'https://elsewhere.example/callback' };
    expect(await complaintOf(idp.authorize(authorizationUrl('loose', foreign), 'alice'))).toContain(
      'stopped at the page',
    );
    expect(await complaintOf(idp.authorize(authorizationUrl('web', other), 'alice'))).toContain('stopped at the page');
  });

  it('of another service is refused', async () => {
    expect(await complaintOf(idp.authorize('https://elsewhere.example/authorize', 'alice'))).toContain(
      'not an address of',
    );
  });
});

describe('The end of sessions', () => {
  it('reaches applications by back-channel logout, before the call returns', async () => {
    await idp.add({
      applications: {
        told: {
          secret: 'told-secret',
          redirectUris: [CALLBACK],
          settings: { backChannelLogoutUri: receiver.uri('told') },
        },
      },
    });
    const { accessToken, idToken } = await idp.signIn('alice', { application: 'told' });
    await idp.endSessions('alice');
    const [call] = receiver.calls('told');
    expect(claimsOf(call?.token)).toMatchObject({ iss: idp.issuer, sub: 'alice', sid: claimsOf(idToken)['sid'] });
    expect(await userinfo(accessToken)).toMatchObject({ status: 401 });
  });
});

describe('The clock', () => {
  it('jumps, and tokens expire; it goes on from there', async () => {
    const { accessToken } = await idp.signIn('alice');
    const { now, offsetSeconds } = await idp.clock.jump('13h');
    expect(offsetSeconds).toBe(13 * 3600);
    expect(Date.parse(now)).toBeGreaterThan(Date.now() + 12.9 * 3_600_000);
    expect(await userinfo(accessToken)).toMatchObject({ status: 401 });
    await idp.clock.set(new Date('2031-01-01T00:00:00Z'));
    expect((await idp.clock.now()).toISOString()).toMatch(/^2031-01-01T00:00/);
    await idp.clock.reset();
    expect(await userinfo(accessToken)).toMatchObject({ status: 200 });
    expect(await complaintOf(idp.clock.jump('soon'))).toContain('"soon" is no span of time');
  });
});

describe('The administrative API', () => {
  it('answers the owner of the instance', async () => {
    const { url, token } = idp.admin;
    const answer = await fetch(`${url}/admin/v1/orgs/default`, { headers: { Authorization: `Bearer ${token}` } });
    expect(await answer.json()).toMatchObject({ org: { id: 'acme', name: 'Acme' } });
  });
});
