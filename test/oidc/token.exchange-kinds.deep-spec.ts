import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { paths as pages } from '../../src/org/instance/paths.js';
import type { AccessTokenFacts } from '../../src/token/access-token.js';
import { AccessTokens } from '../../src/token/access-tokens.js';
import { Urn } from '../../src/token/claims/urn.js';
import { KeyService } from '../../src/token/key/key.service.js';
import { LOGOUT_TOKEN_TYPE, logoutClaims } from '../../src/token/logout/logout-token.js';
import { AccountHolder } from '../account/account-turns.js';
import { GrpcClient, type Method, methodsOf } from '../grpc/grpc-clients.js';
import { verdictOf } from '../support/admin-api.js';
import { Page } from '../support/browser.js';
import { EDITOR, makeKey, type TestKey, type TestPerson } from '../support/builders.js';
import { type Parameters, type Reply, send } from '../support/http.js';
import { bearer, paths, publishedKeys, RelyingParty, tokensOf } from '../support/relying-party.js';
import { signRequest } from '../support/request-object.js';
import {
  ACCESS_TOKEN_TYPE,
  actedBy,
  exchangeOf,
  ID_TOKEN_TYPE,
  JWT_TYPE,
  USER_ID_TYPE,
} from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';

const ME = '/auth/v1/users/me';
const MY_ORG = '/management/v1/orgs/me';

let world: World;
let alice: TestPerson;
/** Acts for alice, and manages the organization. */
let support: TestPerson;
/** Signs users in, exchanges what it is sent, and signs request objects. */
let back: RelyingParty;
let key: TestKey;
let grpc: GrpcClient;
let methods: readonly Method[];

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  support = await world.add.person({ orgId: alice.orgId });
  await world.add.member(support.id, ['ORG_END_USER_IMPERSONATOR', 'ORG_OWNER'], {
    level: 'org',
    objectId: alice.orgId,
    orgId: alice.orgId,
  });
  await world.get(InstanceService).setImpersonation(true, EDITOR);
  await world.changesToArrive();
  key = { ...(await makeKey('RS256')), kid: 'own' };
  back = new RelyingParty(
    world,
    await world.add.client({
      projectId: await world.cast.projectP,
      grantTypes: ['authorization_code', 'refresh_token', 'token_exchange'],
      jwks: { keys: [{ ...key.publicJwk, kid: key.kid }] },
    }),
  );
  grpc = new GrpcClient(world.origin);
  methods = [
    methodsOf('service.auth.v1.AuthService')['GetMyUser']!,
    methodsOf('service.management.v1.ManagementService')['GetMyOrg']!,
  ];
});
afterAll(async () => {
  grpc.close();
  await world.close();
});
beforeEach(() => {
  world.clock.advance('1m');
});

function outcomeOf(reply: Reply): string {
  return reply.status === 200 ? 'ok' : reply.json<{ error: string }>().error;
}

/** What the administrative API says to a token, over JSON and over gRPC. */
async function verdictsOn(token: string): Promise<string[]> {
  const replies = await Promise.all([ME, MY_ORG].map((path) => send(world.origin, { path, headers: bearer(token) })));
  const metadata = { authorization: `Bearer ${token}` };
  const outcomes = await Promise.all(methods.map((method) => grpc.call(method, {}, metadata)));
  return [...replies.map(verdictOf), ...outcomes.map(({ code, id }) => (code === 0 ? '0' : `${code} ${id}`))];
}

const OPEN = ['200', '200', '0', '0'];
const CLOSED = ['401 token.dead', '401 token.dead', '16 token.dead', '16 token.dead'];

/** As the service would have signed it. */
async function signed(type: string, claims: Readonly<Record<string, unknown>>): Promise<string> {
  return (await world.get(KeyService).signer()).sign(type, claims);
}

describe('What is no access token and no ID token', () => {
  it('is neither exchanged nor believed: logout tokens and request objects [TEX-011, BCL-008]', async () => {
    const own = back.elsewhere();
    const { id_token: idToken } = await own.tokens(alice, { scope: 'openid email' });
    const actor = (await back.elsewhere().tokens(support)).access_token;
    const claims = decodeJwt(idToken);
    const ended = {
      issuer: world.issuer,
      clientId: back.client.clientId,
      userId: alice.id,
      sessionId: claims['sid'] as string,
    };
    const { keys } = await publishedKeys(world);
    const request = (sub: string | undefined, header = {}): Promise<string> =>
      signRequest(world, key, back.client.clientId, back.parameters(), {
        claims: { sub, azp: ended.clientId },
        header,
      });
    const strange = {
      // Of a session that has not ended, so that nothing but the kind of the token speaks against it.
      logout: await signed(LOGOUT_TOKEN_TYPE, logoutClaims(ended, world.now())),
      logoutWithClaimsOfIdToken: await signed(LOGOUT_TOKEN_TYPE, {
        ...claims,
        ...logoutClaims(ended, world.now()),
        jti: undefined,
      }),
      request: await request(undefined),
      requestAboutUser: await request(alice.id),
      requestWithOurKeyId: await request(alice.id, { kid: keys[0]!.kid, typ: 'JWT' }),
    };
    expect(decodeProtectedHeader(strange.logout).typ).toBe('logout+jwt');
    const same = exchangeOf(await signed('JWT', claims), { subject_token_type: ID_TOKEN_TYPE });
    expect(outcomeOf(await back.token(same))).toBe('ok');
    for (const [kind, token] of Object.entries(strange)) {
      const forms: Parameters[] = [ACCESS_TOKEN_TYPE, JWT_TYPE, ID_TOKEN_TYPE].flatMap((type) => [
        exchangeOf(token, { subject_token_type: type }),
        exchangeOf(alice.id, { subject_token_type: USER_ID_TYPE, actor_token: token, actor_token_type: type }),
        exchangeOf(token, { subject_token_type: type, ...actedBy(actor) }),
      ]);
      for (const form of forms)
        expect([kind, form, outcomeOf(await back.token(form))]).toEqual([kind, form, 'invalid_request']);
      expect([kind, await verdictsOn(token)]).toEqual([kind, CLOSED]);
      const userinfo = await send(world.origin, { path: paths.userinfo, headers: bearer(token) });
      expect([kind, userinfo.status, (await back.introspect(token)).json()]).toEqual([kind, 401, { active: false }]);
      const asCredentials = await send(world.origin, {
        method: 'POST',
        path: paths.introspect,
        headers: bearer(token),
        body: { token: actor },
      });
      expect([kind, asCredentials.status]).toEqual([kind, 401]);
    }
  });
});

describe('A token that was exchanged', () => {
  /** The same token, as if it had kept the audience of the administrative API. */
  async function forSystem(token: string): Promise<string> {
    const tokens = world.get(AccessTokens);
    const facts = (await tokens.read(token)) as AccessTokenFacts;
    const { systemProjectId } = await world.get(InstanceService).get();
    return tokens.issueOpaque({ ...facts, audience: [...facts.audience, systemProjectId] });
  }

  it('opens the administrative API neither over JSON nor over gRPC, even if it were meant for it [TEX-013]', async () => {
    const system = world.get(Urn).systemAudience;
    const actor = (await back.elsewhere().tokens(support, { scope: `openid ${system}` })).access_token;
    expect(await verdictsOn(actor)).toEqual(OPEN);
    const acting = tokensOf(
      await back.token(exchangeOf(alice.id, { subject_token_type: USER_ID_TYPE, ...actedBy(actor) })),
    );
    const own = tokensOf(await back.token(exchangeOf(actor)));
    expect([acting.scope, own.scope]).toEqual(['openid', 'openid']);
    for (const { access_token: token } of [acting, own])
      for (const one of [token, await forSystem(token)]) {
        expect((await back.introspect(one)).json()['active']).toBe(true);
        expect(await verdictsOn(one)).toEqual(CLOSED);
      }
    const asked = exchangeOf(alice.id, { subject_token_type: USER_ID_TYPE, ...actedBy(actor), scope: system });
    expect(outcomeOf(await back.token(asked))).toBe('invalid_scope');
  });

  it('opens no page of the account: whoever has it sees the sign-in [TEX-013]', async () => {
    const holder = new AccountHolder(world, alice);
    const account = await holder.open(pages.account);
    expect([account.all('.account-group a').length > 0, account.text.includes(alice.loginName)]).toEqual([true, true]);
    const actor = (await back.elsewhere().tokens(support)).access_token;
    const acting = tokensOf(
      await back.token(exchangeOf(alice.id, { subject_token_type: USER_ID_TYPE, ...actedBy(actor) })),
    );
    for (const path of [pages.account, pages.accountProfile, pages.accountData, pages.accountActivity]) {
      const page = new Page(await send(world.origin, { path, headers: bearer(acting.access_token) }), path);
      expect([path, page.status, page.find('input[name="loginName"]') !== null]).toEqual([path, 200, true]);
      expect([path, page.all('.account-group a'), page.text.includes(alice.loginName)]).toEqual([path, [], false]);
    }
  });
});
