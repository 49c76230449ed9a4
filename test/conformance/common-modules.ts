import { expect, it } from '@jest/globals';
import type { Parameters } from '../support/http.js';
import type { RelyingParty } from '../support/relying-party.js';
import { expectClaimsOf, expectErrorPage, type Suite } from './suite.js';

const ALL_SCOPES = ['profile', 'email', 'address', 'phone'] as const;
const LONG_STATE = `${'abcdefghijklmnopqrstuvwxyz-._~'.repeat(4)}12345678`;

/** An unsigned request object, which alone contains state and nonce. */
const unsignedObject = (claims: object): string => {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode(claims)}.`;
};

/** The modules that the basic and the implicit plan have in common. */
export function commonModules(suite: () => Suite, newClient: () => Promise<RelyingParty>): void {
  /** Where the claims of the scopes come: in the id_token when there is no access token to fetch them with. */
  async function claimsOf(rp: RelyingParty, over: Parameters): Promise<Readonly<Record<string, unknown>>> {
    const { idToken, userinfo } = await suite().pass(rp, over);
    return rp.client.responseType === 'id_token' ? idToken : userinfo;
  }

  it.each([
    ['oidcc-scope-profile', 'profile'],
    ['oidcc-scope-email', 'email'],
    ['oidcc-scope-address', 'address'],
    ['oidcc-scope-phone', 'phone'],
  ] as const)('%s', async (_, scope) => {
    expectClaimsOf([scope], await claimsOf(await newClient(), { scope: `openid ${scope}` }));
  });

  it('oidcc-scope-all', async () => {
    expectClaimsOf(ALL_SCOPES, await claimsOf(await newClient(), { scope: `openid ${ALL_SCOPES.join(' ')}` }));
  });

  it('oidcc-alternate-happy-flow', async () => {
    const rp = await newClient();
    const request = suite().request({ scope: 'email openid' });
    const reversed = Object.fromEntries(Object.entries(rp.parameters(request)).reverse());
    const arrival = await rp.enter(
      await rp.browser.get(`/oauth/v2/authorize?${new URLSearchParams(reversed as Record<string, string>).toString()}`),
      suite().person,
    );
    const { idToken, userinfo } = await suite().finish(rp, suite().receive(rp, arrival, request), request);
    expectClaimsOf(['email'], rp.client.responseType === 'id_token' ? idToken : userinfo);
  });

  it.each([
    ['oidcc-display-page', 'page'],
    ['oidcc-display-popup', 'popup'],
  ])('%s', async (_, display) => {
    await suite().pass(await newClient(), { display });
  });

  it('oidcc-prompt-login', async () => {
    const rp = await newClient();
    const first = await suite().pass(rp);
    suite().world.clock.advance('2s');
    const { answer, request } = await suite().authorizeWithPage(rp, { prompt: 'login' });
    const second = await suite().finish(rp, answer, request);
    expect(second.idToken['auth_time']).toBeGreaterThan(first.idToken['auth_time'] as number);
  });

  it('oidcc-prompt-none-not-logged-in', async () => {
    const rp = await newClient();
    const { answer } = await suite().authorize(rp, { prompt: 'none', state: LONG_STATE });
    expect([answer['error'], answer['code']]).toEqual(['login_required', undefined]);
  });

  it('oidcc-prompt-none-logged-in', async () => {
    const rp = await newClient();
    const first = await suite().pass(rp);
    suite().world.clock.advance('2s');
    const second = await suite().pass(rp, { prompt: 'none' });
    expect([second.idToken.sub, second.idToken['auth_time']]).toEqual([first.idToken.sub, first.idToken['auth_time']]);
  });

  it('oidcc-max-age-1', async () => {
    const rp = await newClient();
    const first = await suite().pass(rp);
    suite().world.clock.advance('2s');
    const { answer, request } = await suite().authorizeWithPage(rp, { max_age: '1' });
    const second = await suite().finish(rp, answer, request);
    expect(second.idToken['auth_time']).toBeGreaterThan(first.idToken['auth_time'] as number);
    expect(suite().world.now() - (second.idToken['auth_time'] as number)).toBeLessThan(60);
  });

  it('oidcc-max-age-10000', async () => {
    const rp = await newClient();
    const first = await suite().pass(rp, { max_age: '15000' });
    suite().world.clock.advance('1m');
    const request = suite().request({ max_age: '10000' });
    const second = await suite().finish(rp, suite().receive(rp, await rp.authorize(request), request), request);
    expect(second.idToken['auth_time']).toEqual(expect.any(Number));
    expect(second.idToken['auth_time']).toBe(first.idToken['auth_time']);
  });

  it('oidcc-ensure-request-with-unknown-parameter-succeeds', async () => {
    await suite().pass(await newClient(), { extra: 'foobar' });
  });

  it('oidcc-id-token-hint', async () => {
    const rp = await newClient();
    const first = await suite().pass(rp);
    const second = await suite().pass(rp, { prompt: 'none', id_token_hint: first.tokens.id_token });
    expect(second.idToken.sub).toBe(first.idToken.sub);
  });

  it.each(['buffy@op.test', 'alice@orga.test'])('oidcc-login-hint (%s)', async (hint) => {
    const rp = await newClient();
    const request = suite().request({ login_hint: hint });
    const shown = await rp.authorize(request);
    expect(shown.page?.status).toBe(200);
    // A person who is not the hinted one goes back and says so.
    const arrival = hint.startsWith('buffy') ? await rp.browser.press(shown.page!, /\/loginname/) : shown;
    suite().receive(rp, await rp.enter(arrival, suite().person), request);
  });

  it.each([
    ['oidcc-ui-locales', 'ui_locales'],
    ['oidcc-claims-locales', 'claims_locales'],
  ])('%s', async (_, name) => {
    await suite().pass(await newClient(), { [name]: 'se' });
  });

  it('oidcc-ensure-request-with-acr-values-succeeds', async () => {
    const rp = await newClient();
    const discovery = (await suite().world.discovery()) as { acr_values_supported?: string[] };
    const values = discovery.acr_values_supported ?? ['1', '2'];
    const { idToken } = await suite().pass(rp, { acr_values: values.join(' ') });
    expect(values).toContain(idToken['acr']);
  });

  it('oidcc-ensure-registered-redirect-uri', async () => {
    const rp = await newClient();
    expectErrorPage(await rp.authorize(suite().request({ redirect_uri: `${rp.client.redirectUri}/random` })));
  });

  it('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', async () => {
    const rp = await newClient();
    const request = suite().request();
    const object = unsignedObject({ ...rp.parameters(request) });
    // As the suite sends it: of the parameters only those stand in the query that OAuth 2.0 demands there.
    const arrival = await rp.authorize({ request: object, state: undefined, nonce: undefined });
    expect(suite().receive(rp, arrival, request)['error']).toBe('request_not_supported');
  });

  it('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported', async () => {
    const rp = await newClient();
    const request = suite().request();
    const arrival = await rp.authorize({ ...request, request_uri: 'https://suite.test/request.jwt' });
    expect(suite().receive(rp, arrival, request)['error']).toBe('request_uri_not_supported');
  });

  it('oidcc-claims-essential', async () => {
    const rp = await newClient();
    const alone = rp.client.responseType === 'id_token';
    const claims = JSON.stringify({ [alone ? 'id_token' : 'userinfo']: { name: { essential: true } } });
    const { idToken, userinfo } = await suite().pass(rp, { claims });
    expect(alone ? idToken['name'] : userinfo['name']).toBe('Alice Liddell');
    if (!alone) expect(idToken).not.toHaveProperty('name');
  });

  it('oidcc-ensure-request-object-with-redirect-uri', async () => {
    const rp = await newClient();
    const object = unsignedObject({ redirect_uri: rp.client.redirectUri });
    expectErrorPage(
      await rp.authorize(suite().request({ request: object, redirect_uri: 'https://suite.test/not-registered' })),
    );
  });
}
