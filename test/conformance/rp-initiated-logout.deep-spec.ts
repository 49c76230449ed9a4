import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import type { Arrival } from '../support/browser.js';
import type { Parameters } from '../support/http.js';
import type { RelyingParty } from '../support/relying-party.js';
import { Suite } from './suite.js';

const BACK = 'https://suite.test/logged-out';
/** Printable ASCII without space, plus and semicolon. */
const STATE = '!"#$%&\'()*,-./09:<=>?@AZ[\\]^_`az{|}~#&%"<>{}x1y2z3';

let suite: Suite;
beforeAll(async () => {
  suite = await Suite.start();
});
afterAll(() => suite.world.close());

async function signedIn(): Promise<{ rp: RelyingParty; idToken: string }> {
  const rp = await suite.client();
  return { rp, idToken: (await suite.pass(rp)).tokens.id_token };
}

/**
 * The person follows the client's redirect to the endpoint. Browsers say that it comes from another site; the one
 * inside the suite, HtmlUnit, says `same-origin` with every request.
 */
async function open(
  rp: RelyingParty,
  parameters: Parameters,
  site: 'cross-site' | 'same-origin' = 'cross-site',
): Promise<Arrival> {
  rp.browser.headers = { 'Sec-Fetch-Site': site };
  const arrival = await rp.endSession(parameters);
  rp.browser.headers = {};
  return arrival;
}

async function expectSignedOut(rp: RelyingParty): Promise<void> {
  const state = 'abcdefghijklmnopqrstuvwxyz-._~'.repeat(4) + '12345678';
  const { answer } = await suite.authorize(rp, { prompt: 'none', state });
  expect(answer['error']).toBe('login_required');
}

function expectNoRedirect({ redirect, page }: Arrival): void {
  expect(redirect).toBeUndefined();
  expect(page!.text.length).toBeGreaterThan(20);
}

/** Where we ask, the person says yes. */
async function confirm(rp: RelyingParty, arrival: Arrival): Promise<Arrival> {
  const asks = arrival.page?.find('button[name="decision"]');
  return asks ? rp.browser.submit(arrival.page!, { decision: 'sign-out' }) : arrival;
}

describe('oidcc-rp-initiated-logout-certification-test-plan', () => {
  it('oidcc-rp-initiated-logout-discovery-endpoint-verification', async () => {
    const document = await suite.world.discovery();
    expect(document['end_session_endpoint']).toBe('https://op.test/oidc/v1/end_session');
  });

  it('oidcc-rp-initiated-logout', async () => {
    const { rp, idToken } = await signedIn();
    const { redirect } = await open(rp, { id_token_hint: idToken, post_logout_redirect_uri: BACK, state: STATE });
    const url = new URL(redirect!);
    expect(url.origin + url.pathname).toBe(BACK);
    expect([...url.searchParams]).toEqual([['state', STATE]]);
    await expectSignedOut(rp);
  });

  it('oidcc-rp-initiated-logout-no-state', async () => {
    const { rp, idToken } = await signedIn();
    expect((await open(rp, { id_token_hint: idToken, post_logout_redirect_uri: BACK })).redirect).toBe(BACK);
    await expectSignedOut(rp);
  });

  it.each([
    ['oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', 'https://suite.test/other'],
    ['oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri', `${BACK}?foo=bar`],
  ])('%s', async (_, uri) => {
    const { rp, idToken } = await signedIn();
    expectNoRedirect(await open(rp, { id_token_hint: idToken, post_logout_redirect_uri: uri, state: STATE }));
  });

  it.each(['cross-site', 'same-origin'] as const)(
    'oidcc-rp-initiated-logout-no-id-token-hint, from a browser that says %s',
    async (site) => {
      const { rp } = await signedIn();
      const arrival = await open(rp, { post_logout_redirect_uri: BACK, state: STATE }, site);
      expectNoRedirect(arrival);
      expect(arrival.page!.find('button[name="decision"]')).toBeTruthy();
      expectNoRedirect(await confirm(rp, arrival));
    },
  );

  it('oidcc-rp-initiated-logout-modified-id-token-hint', async () => {
    const { rp, idToken } = await signedIn();
    const modified = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${idToken.split('.')[1]!}.`;
    expectNoRedirect(await open(rp, { id_token_hint: modified, post_logout_redirect_uri: BACK, state: STATE }));
  });

  it('oidcc-rp-initiated-logout-bad-id-token-hint', async () => {
    const { rp, idToken } = await signedIn();
    const bad = await new SignJWT({ ...decodeJwt(idToken), iss: rp.client.clientId, aud: suite.world.issuer })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(rp.client.secret!));
    expectNoRedirect(await open(rp, { id_token_hint: bad, post_logout_redirect_uri: BACK, state: STATE }));
  });

  it('oidcc-rp-initiated-logout-no-params', async () => {
    const { rp } = await signedIn();
    const arrival = await confirm(rp, await open(rp, {}));
    expectNoRedirect(arrival);
    await expectSignedOut(rp);
  });

  it('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async () => {
    const { rp, idToken } = await signedIn();
    expectNoRedirect(await open(rp, { id_token_hint: idToken, state: STATE }));
    await expectSignedOut(rp);
  });

  it('oidcc-rp-initiated-logout-only-state', async () => {
    const { rp } = await signedIn();
    expectNoRedirect(await confirm(rp, await open(rp, { state: STATE })));
    await expectSignedOut(rp);
  });
});
