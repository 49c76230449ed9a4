import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { AccessTokenType } from '../../src/client/client.entity.js';
import { withApp } from '../login/factor-turns.js';
import { pageOf } from '../login/turns.js';
import { assertAs } from '../support/assertion.js';
import type { TestPerson } from '../support/builders.js';
import { send } from '../support/http.js';
import { answerOf, basicAuth, paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

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

  it('and is neither a hint nor an assertion [ATP-005]', async () => {
    const rp = await clientWith(type);
    const { access_token: token } = await rp.tokens(person);
    expect((await rp.endSession({ id_token_hint: token })).page?.status).toBe(400);
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: token };
    expect((await rp.token(form)).json()).toMatchObject({ error: 'invalid_grant' });
    const asAssertion = {
      grant_type: 'refresh_token',
      refresh_token: 'gtr_none',
      client_assertion: token,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    };
    const anonymous = new RelyingParty(world, { ...rp.client, authMethod: 'none' });
    expect((await anonymous.token(asAssertion)).json()).toMatchObject({ error: 'invalid_client' });
  });
});

describe('A sign-in that cannot reach what an API demands', () => {
  it('is refused with unmet_authentication_requirements, if the demand is essential (RFC 9470 §5)', async () => {
    const rp = await clientWith('jwt');
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['urn:example:hardware'] } } });
    const { redirect } = await rp.authorize({ claims });
    expect(answerOf(redirect!)).toMatchObject({ error: 'unmet_authentication_requirements' });
  });
});
