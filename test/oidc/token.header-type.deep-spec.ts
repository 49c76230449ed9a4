import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { IdTokens } from '../../src/token/id-token.js';
import { KeyService } from '../../src/token/key/key.service.js';
import { exchangeAssertion, JWT_BEARER, signAssertion } from '../support/assertion.js';
import type { TestPerson, TestService } from '../support/builders.js';
import { type Reply, send } from '../support/http.js';
import { answerOf, basicAuth, bearer, paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { expectDead, expectInactive, expectToken400, expectToken401 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const SYSTEM_AUDIENCE = 'urn:service:iam:org:project:id:service:aud';

let world: World;
let alice: TestPerson;
/** Its access tokens say `JWT`. */
let plain: RelyingParty;
let service: TestService;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  const projectId = await world.cast.projectP;
  const client = await world.add.client({ projectId, accessTokenType: 'jwt', accessTokenHeaderType: 'JWT' });
  plain = new RelyingParty(world, client);
  service = await world.add.service({ orgId: alice.orgId, accessTokenType: 'jwt', accessTokenHeaderType: 'JWT' });
});
afterAll(() => world.close());

const typOf = (token: string): unknown => decodeProtectedHeader(token).typ;

const admin = (token: string): Promise<Reply> =>
  send(world.origin, { path: '/management/v1/orgs/me', headers: bearer(token) });

async function expectAlive(rp: RelyingParty, token: string): Promise<void> {
  expect((await rp.userinfo(token)).status).toBe(200);
  expect((await rp.introspect(token)).json()).toMatchObject({ active: true });
}

async function expectNoAccessToken(rp: RelyingParty, token: string): Promise<void> {
  expectInactive(await rp.introspect(token));
  expectDead(await rp.userinfo(token));
  expect((await admin(token)).status).toBe(401);
}

describe('The typ of JWT access tokens', () => {
  it('is JWT if the application chose that, from every grant that gives it tokens', async () => {
    const tokens = await plain.tokens(alice, { scope: 'openid offline_access' });
    const refreshed = tokensOf(await plain.refresh(tokens.refresh_token));
    const implicit = new RelyingParty(
      world,
      await world.add.client({
        projectId: await world.cast.projectP,
        authMethod: 'none',
        clientType: 'user_agent',
        responseTypes: ['id_token token'],
        grantTypes: ['implicit'],
        accessTokenType: 'jwt',
        accessTokenHeaderType: 'JWT',
      }),
    );
    const answer = await implicit.signIn(alice);
    expect([tokens, refreshed, answer].map((given) => typOf(given['access_token']!))).toEqual(['JWT', 'JWT', 'JWT']);
  });

  it('is JWT if the service user is set up so, with its secret and with its key', async () => {
    const headers = basicAuth(service.userName, service.secret);
    const bySecret = await send(world.origin, {
      method: 'POST',
      path: paths.token,
      headers,
      body: { grant_type: 'client_credentials', scope: 'openid' },
    });
    const byKey = await exchangeAssertion(world, await signAssertion(world, service.key, service.id));
    for (const reply of [bySecret, byKey]) expect(typOf(tokensOf(reply).access_token)).toBe('JWT');
  });

  it('is at+jwt otherwise (RFC 9068 §2.1)', async () => {
    const web4 = new RelyingParty(world, await world.cast.web4);
    expect(typOf((await web4.tokens(alice)).access_token)).toBe('at+jwt');
  });

  it.each([
    ['service', 'at+jwt'],
    ['acme', 'JWT'],
  ])('with the word %s is %s by default', async (word, expected) => {
    const other = await startWorld({ env: { URN_WORD: word } });
    try {
      const client = await other.add.client({ projectId: await other.cast.projectP, accessTokenType: 'jwt' });
      const tokens = await new RelyingParty(other, client).tokens(await other.cast.alice);
      expect(typOf(tokens.access_token)).toBe(expected);
      const program = await other.add.service({ orgId: (await other.cast.orgA).id, accessTokenType: 'jwt' });
      const reply = await exchangeAssertion(other, await signAssertion(other, program.key, program.id));
      expect(typOf(tokensOf(reply).access_token)).toBe(expected);
    } finally {
      await other.close();
    }
  });
});

describe('An access token with typ JWT', () => {
  it('is accepted wherever access tokens are, and ends like any other', async () => {
    const rp = plain.elsewhere();
    const { access_token: token } = await rp.tokens(alice, { scope: `openid ${SYSTEM_AUDIENCE}` });
    await expectAlive(rp, token);
    expect((await admin(token)).status).toBe(403); // known, without a role
    expect((await rp.revoke(token)).status).toBe(200);
    await expectNoAccessToken(rp, token);
  });

  it('is not a hint about who is signed in, and ends no session', async () => {
    const rp = plain.elsewhere();
    const { access_token: token, id_token: idToken } = await rp.tokens(alice);
    const refused = await rp.endSession({ id_token_hint: token });
    expect(refused.page?.status).toBe(400);
    const other = plain.elsewhere();
    await other.signIn(await world.cast.bob);
    // As a hint it would demand Alice.
    expect(answerOf((await other.authorize({ prompt: 'none', id_token_hint: token })).redirect!)['code']).toBeDefined();
    expect(answerOf((await other.authorize({ prompt: 'none', id_token_hint: idToken })).redirect!)['error']).toBe(
      'login_required',
    );
  });

  it('is refused as an assertion', async () => {
    const { access_token: token } = await plain.tokens(alice);
    expectToken400(
      await send(world.origin, {
        method: 'POST',
        path: paths.token,
        body: { grant_type: JWT_BEARER, assertion: token },
      }),
      'invalid_grant',
    );
    expectToken401(
      await send(world.origin, {
        method: 'POST',
        path: paths.token,
        body: {
          grant_type: 'refresh_token',
          refresh_token: 'x',
          client_assertion: token,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        },
      }),
      false,
    );
  });
});

describe('An ID token never passes as an access token, although both may have typ JWT', () => {
  let tokens: Tokens;
  beforeAll(async () => {
    tokens = await plain.tokens(alice);
  });

  it('as it is issued', async () => {
    expect(typOf(tokens.id_token)).toBe(typOf(tokens.access_token));
    await expectNoAccessToken(plain, tokens.id_token);
    await plain.revoke(tokens.id_token);
    await expectAlive(plain, tokens.access_token);
  });

  it('with claims about the user that have the names of those of access tokens: they are left out', async () => {
    const now = world.now();
    const { client_id, scope, jti } = decodeJwt(tokens.access_token);
    const claims = { client_id, scope, jti, nickname: 'Ally' };
    const idToken = await world.get(IdTokens).issue(
      {
        userId: alice.id,
        purpose: 'general',
        clientId: plain.client.clientId,
        issuedAt: now,
        expiresAt: now + 60,
        authTime: now,
        amr: ['pwd'],
        sessionId: undefined,
        nonce: 'n',
        accessToken: undefined,
        acr: undefined,
      },
      {},
      { own: claims, repeated: [], contributed: {} },
    );
    expect(decodeJwt(idToken)).toMatchObject({ nickname: 'Ally', azp: plain.client.clientId });
    for (const name of ['client_id', 'scope', 'jti']) expect(decodeJwt(idToken)).not.toHaveProperty(name);
    await expectNoAccessToken(plain, idToken);
  });

  it('by a claim that every ID token has and no access token, regardless of its other content', async () => {
    const signer = await world.get(KeyService).signer();
    const both = { ...decodeJwt(tokens.id_token), ...decodeJwt(tokens.access_token) };
    await expectNoAccessToken(plain, await signer.sign('JWT', both));
    const { azp: _, ...accessToken } = both;
    await expectAlive(plain, await signer.sign('JWT', accessToken)); // the claim alone makes the difference
    for (const name of ['client_id', 'scope', 'jti']) {
      await expectNoAccessToken(plain, await signer.sign('JWT', { ...accessToken, [name]: undefined }));
    }
    for (const typ of ['jwt', 'at+JWT', 'application/at+jwt', 'logout+jwt', '']) {
      await expectNoAccessToken(plain, await signer.sign(typ, accessToken));
    }
  });

  it('nor does an assertion, whose key is not ours', async () => {
    const { key, clientId } = await world.cast.jwt1;
    const claims = { ...decodeJwt(tokens.access_token), iss: world.issuer };
    await expectNoAccessToken(plain, await signAssertion(world, key!, clientId, { claims }));
    await expectNoAccessToken(
      plain,
      await signAssertion(world, key!, clientId, {
        claims,
        header: { kid: decodeProtectedHeader(tokens.id_token).kid },
      }),
    );
  });
});
