import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { AccessTokenType } from '../../src/project/client/client.entity.js';
import { withApp } from '../login/factor-turns.js';
import { pageOf } from '../login/turns.js';
import { assertAs, JWT_BEARER, signAssertion } from '../support/assertion.js';
import type { TestPerson } from '../support/builders.js';
import { PAR } from '../support/fapi.js';
import { type Parameters, send } from '../support/http.js';
import {
  type Answer,
  answerOf,
  basicAuth,
  paths,
  publishedKeys,
  RelyingParty,
  type Tokens,
  tokensOf,
} from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let world: World;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance('1h');
  person = await world.add.person({ orgId: (await world.cast.orgA).id });
});

async function clientWith(accessTokenType: AccessTokenType): Promise<RelyingParty> {
  const projectId = await world.cast.projectP;
  return new RelyingParty(world, await world.add.client({ projectId, accessTokenType }));
}

/** What an API learns of the sign-in: by introspection, and from a token that it can read. */
async function signInOf(rp: RelyingParty, { access_token: token }: Tokens): Promise<Record<string, unknown>> {
  const { acr, auth_time, ...others } = (await rp.introspect(token)).json<Record<string, unknown>>();
  expect(others['active']).toBe(true);
  if (token.includes('.')) {
    const claims = decodeJwt(token);
    expect([claims['acr'], claims['auth_time']]).toEqual([acr, auth_time]);
  }
  return { acr, auth_time };
}

describe.each(['jwt', 'opaque'] as const)('An access token (%s) says how its user has signed in', (type) => {
  it('and says more after a second factor that the API has asked for (RFC 9470 §4) [ATP-001]', async () => {
    const rp = await clientWith(type);
    const first = await rp.tokens(person);
    const before = world.now();
    expect(await signInOf(rp, first)).toEqual({ acr: '1', auth_time: before });
    const app = await withApp(world, person);
    world.clock.advance('10m');
    const page = pageOf(await rp.authorize({ acr_values: '2' }));
    const { redirect } = await rp.browser.submit(page, { code: app.code() });
    const second = tokensOf(await rp.redeem(answerOf(redirect!)['code']!));
    expect(await signInOf(rp, second)).toEqual({ acr: '2', auth_time: before + 600 });
    if (type === 'jwt') expect(decodeJwt(second.access_token)['amr']).toEqual(['pwd', 'otp', 'mfa']);
  });

  it('at the time of the sign-in, which a refresh does not renew (RFC 9068 §2.2.1) [ATP-002]', async () => {
    const rp = await clientWith(type);
    const tokens = await rp.tokens(person, { scope: 'openid offline_access' });
    const signedIn = await signInOf(rp, tokens);
    world.clock.advance('1h');
    expect(await signInOf(rp, tokensOf(await rp.refresh(tokens.refresh_token)))).toEqual(signedIn);
  });

  it('anew with max_age=0 (RFC 9470 §4) [ATP-003]', async () => {
    const rp = await clientWith(type);
    const { auth_time: before } = await signInOf(rp, await rp.tokens(person));
    world.clock.advance('10m');
    const { auth_time: after } = await signInOf(rp, await rp.tokens(person, { max_age: '0' }));
    expect(after).toBe((before as number) + 600);
  });

  it('but says nothing of a service user, who has signed in nowhere [ATP-004]', async () => {
    const service = await world.add.service({ orgId: (await world.cast.orgA).id, accessTokenType: type });
    const reply = await send(world.origin, {
      method: 'POST',
      path: paths.token,
      headers: basicAuth(service.userName, service.secret),
      body: { grant_type: 'client_credentials', scope: 'openid urn:service:iam:org:project:id:service:aud' },
    });
    const tokens = [tokensOf(reply), tokensOf(await assertAs(world, service))];
    const projectId = await world.cast.projectP;
    const api = new RelyingParty(world, await world.cast.api1);
    const audience = `urn:service:iam:org:project:id:${projectId}:aud`;
    const meant = await send(world.origin, {
      method: 'POST',
      path: paths.token,
      headers: basicAuth(service.userName, service.secret),
      body: { grant_type: 'client_credentials', scope: `openid ${audience}` },
    });
    const shown = (await api.introspect(tokensOf(meant).access_token)).json<Record<string, unknown>>();
    expect(shown['active']).toBe(true);
    const said = [shown, ...(type === 'jwt' ? tokens.map(({ access_token: token }) => decodeJwt(token)) : [])];
    for (const { access_token: token } of tokens) world.plant(token);
    for (const claims of said) for (const name of ['acr', 'auth_time', 'amr']) expect(claims).not.toHaveProperty(name);
  });
});

describe.each(['at+jwt', 'JWT'] as const)('A JWT access token with typ %s', (accessTokenHeaderType) => {
  let rp: RelyingParty;
  let tokens: Tokens;
  beforeAll(async () => {
    const settings = {
      projectId: await world.cast.projectP,
      authMethod: 'private_key_jwt',
      accessTokenHeaderType,
    } as const;
    // With the keys that have signed the token, so that its signature alone is no reason to refuse it.
    const jwks = { keys: (await publishedKeys(world)).keys };
    rp = new RelyingParty(world, await world.add.client({ ...settings, accessTokenType: 'jwt', jwks }));
  });
  beforeEach(async () => {
    tokens = await rp.tokens(await world.cast.alice);
    expect(decodeProtectedHeader(tokens.access_token).typ).toBe(accessTokenHeaderType);
  });

  it.each([
    [paths.token, { grant_type: 'refresh_token', refresh_token: 'gtr_' }, 400],
    [paths.introspect, { token: 'gta_' }, 200],
    [paths.revoke, { token: 'gta_' }, 200],
    [paths.deviceAuthorization, {}, 400],
    [PAR, {}, 400],
  ])('authenticates nobody at %s [ATP-005]', async (path, form, statusOfClient) => {
    const statusWith = async (assertion: string, more: Parameters): Promise<number> => {
      const credentials = { client_assertion: assertion, client_assertion_type: ASSERTION_TYPE };
      return (await send(world.origin, { method: 'POST', path, body: { ...form, ...credentials, ...more } })).status;
    };
    for (const more of [{}, { client_id: rp.client.clientId }])
      expect(await statusWith(tokens.access_token, more)).toBe(401);
    const own = await signAssertion(world, rp.client.key!, rp.client.clientId, { header: { typ: 'JWT' } });
    expect(await statusWith(own, {})).toBe(statusOfClient);
    // Nor does what is an assertion but for the type of such a token (RFC 8725 §3.11).
    const typed = await signAssertion(world, rp.client.key!, rp.client.clientId, { header: { typ: 'at+jwt' } });
    expect(await statusWith(typed, {})).toBe(401);
  });

  it('is not the assertion of a grant [ATP-005]', async () => {
    const form = { grant_type: JWT_BEARER, assertion: tokens.access_token };
    expect((await rp.token(form)).json()).toMatchObject({ error: 'invalid_grant' });
    const service = await world.cast.svc1;
    const byService = await assertAs(world, service, { header: { typ: 'at+jwt' } });
    expect(byService.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await assertAs(world, service)).status).toBe(200);
  });

  it('signs nobody out as a hint, and demands nobody at a sign-in [ATP-005]', async () => {
    const { access_token: token, id_token: idToken } = tokens;
    for (const method of ['GET', 'POST'] as const) {
      const hint = { id_token_hint: token, client_id: rp.client.clientId };
      const target = method === 'GET' ? `${paths.endSession}?${new URLSearchParams(hint)}` : paths.endSession;
      const reply = await rp.browser.request(method, target, method === 'POST' ? hint : undefined);
      expect([reply.status, reply.location]).toEqual([400, undefined]);
    }
    expect(answerOf((await rp.authorize({ prompt: 'none' })).redirect!)['code']).toBeDefined();
    const other = rp.elsewhere();
    await other.signIn(await world.cast.bob);
    const silently = async (hint: string): Promise<Answer> =>
      answerOf((await other.authorize({ prompt: 'none', id_token_hint: hint })).redirect!);
    expect((await silently(token))['code']).toBeDefined();
    expect((await silently(idToken))['error']).toBe('login_required');
    await rp.endSession({ id_token_hint: idToken });
    expect(answerOf((await rp.authorize({ prompt: 'none' })).redirect!)['error']).toBe('login_required');
  });
});

it('An opaque access token is neither a hint nor an assertion [ATP-005]', async () => {
  const rp = await clientWith('opaque');
  const { access_token: token } = await rp.tokens(person);
  expect((await rp.endSession({ id_token_hint: token })).page?.status).toBe(400);
  const form = { grant_type: JWT_BEARER, assertion: token };
  expect((await rp.token(form)).json()).toMatchObject({ error: 'invalid_grant' });
});

describe('A sign-in that cannot reach what an API demands', () => {
  it('is refused with unmet_authentication_requirements, if the demand is essential (RFC 9470 §5)', async () => {
    const rp = await clientWith('jwt');
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['urn:example:hardware'] } } });
    const { redirect } = await rp.authorize({ claims });
    expect(answerOf(redirect!)).toMatchObject({ error: 'unmet_authentication_requirements' });
  });
});
