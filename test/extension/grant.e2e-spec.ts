import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { ClientService } from '../../src/client/client.service.js';
import type { NewClient } from '../../src/client/client-settings.js';
import {
  GRANT,
  type GrantDecision,
  type GrantQuestion,
  grantMistakes,
  type OwnGrant,
  PRODUCT_GRANT_URIS,
} from '../../src/client/own-grant.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { Tallies } from '../../src/foundation/metrics/tallies.js';
import { paths as pagePaths } from '../../src/foundation/page/paths.js';
import { InstanceService } from '../../src/instance/instance.service.js';
import { GRANTS, type Grant } from '../../src/oidc/token/grant/grant.js';
import { ProjectService } from '../../src/project/project.service.js';
import { startBlock } from '../../src/setup/start-block.js';
import { UserService } from '../../src/user/user.service.js';
import { AccountHolder } from '../account/account-turns.js';
import { pageOf, setState } from '../login/turns.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { type Headers, type Parameters, type Reply, sendUnchecked } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const BADGE = 'urn:example:badge';
const KIOSK = 'urn:example:kiosk';
const PIN = '4711';

/** Badges whose number is the id of a user; `does` breaks it. */
@Injectable()
class BadgeGrant implements OwnGrant {
  static does: ((question: GrantQuestion) => unknown) | undefined;
  static asked: GrantQuestion[] = [];
  readonly name: string = BADGE;
  readonly parameters = [{ name: 'badge', maxLength: 50 }, { name: 'pin' }, { name: 'door', optional: true }];
  readonly guessedFor: string = 'badge';
  readonly refreshTokens: boolean = true;
  readonly timeoutMs = 400;

  async decide(question: GrantQuestion): Promise<GrantDecision> {
    BadgeGrant.asked.push(question);
    if (BadgeGrant.does) return BadgeGrant.does(question) as GrantDecision;
    const { badge, pin } = question.parameters;
    if (pin !== PIN) return { error: 'invalid_grant', description: 'The PIN is wrong.' };
    return { userId: badge!, amr: ['hwk', 'pin'] };
  }
}

/** For applications that do not authenticate, and without refresh tokens. */
@Injectable()
class KioskGrant extends BadgeGrant implements OwnGrant {
  override readonly name = KIOSK;
  override readonly refreshTokens = false;
  override readonly guessedFor = 'pin';
  readonly publicClients = true;
}

@Module({ providers: [BadgeGrant, KioskGrant] })
class BadgeModule {}

const badge = defineExtension({
  id: 'badge',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: BadgeModule,
  provides: [provide(GRANT, BadgeGrant), provide(GRANT, KioskGrant)],
});

let world: World;
let alice: TestPerson;
let api: AdminApi;
let projectId: string;
let party: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ extensions: [badge], loginLimits: 'on', env: { METRICS: 'on' } });
  alice = await world.cast.alice;
  const org = await world.add.org('badge.test');
  api = (await callerWith(world, org, ['IAM_OWNER'])).api;
  projectId = await world.add.project({ orgId: org.id });
  party = await partyWith();
});
beforeEach(() => world.clock.advance('16m'));
afterEach(() => {
  BadgeGrant.does = undefined;
  BadgeGrant.asked = [];
});
afterAll(() => world.close());

async function partyWith(over: Partial<NewClient> = {}): Promise<RelyingParty> {
  return new RelyingParty(
    world,
    await world.add.client({ projectId, extensionGrants: [BADGE, KIOSK], accessTokenType: 'jwt', ...over }),
  );
}

const form = (over: Parameters = {}): Parameters => ({
  grant_type: BADGE,
  badge: alice.id,
  pin: PIN,
  scope: 'openid',
  ...over,
});

async function ask(over: Parameters = {}, by = party, more: Headers = {}): Promise<Reply> {
  return by.token(form(over), world, more);
}

/** With an answer that no caller should get. */
async function failing(): Promise<Reply> {
  const { headers, parameters } = await party.credentials();
  return sendUnchecked(world.origin, {
    method: 'POST',
    path: paths.token,
    headers,
    body: { ...parameters, ...form() },
  });
}

async function granted(over: Parameters = {}, by = party): Promise<Tokens> {
  return tokensOf(await ask(over, by));
}

function outcomeOf(reply: Reply): string {
  return reply.status === 200 ? 'ok' : `${reply.status} ${reply.json<{ error: string }>().error}`;
}

async function isActive(token: string): Promise<boolean> {
  return (await party.introspect(token)).json<{ active: boolean }>().active;
}

describe('A grant of an extension', () => {
  it('gives tokens of the user whom it names, with its proofs, as any sign-in does', async () => {
    const tokens = await granted();
    const idToken = await party.verify(tokens.id_token);
    expect(idToken).toMatchObject({ sub: alice.id, amr: ['hwk', 'pin'], auth_time: world.now() });
    expect(idToken).not.toHaveProperty('sid');
    expect(tokens.refresh_token).toBeUndefined();
    expect((await party.userinfo(tokens.access_token)).json()).toMatchObject({ sub: alice.id });
    expect((await party.introspect(tokens.access_token)).json()).toMatchObject({
      active: true,
      sub: alice.id,
      client_id: party.client.clientId,
    });
  });

  it('gives no ID token without openid', async () => {
    expect(await granted({ scope: 'profile' })).not.toHaveProperty('id_token');
  });

  it('sees its declared parameters, the application, scopes and resources, and no credential', async () => {
    await ask({ door: 'north', other: 'x', nonce: 'y', scope: 'openid unknown-scope' });
    expect(BadgeGrant.asked).toEqual([
      {
        parameters: { badge: alice.id, pin: PIN, door: 'north' },
        client: { id: party.client.clientId, projectId, orgId: expect.any(String) },
        scopes: ['openid'],
        resources: [],
        now: world.clock.now(),
      },
    ]);
    expect(JSON.stringify(BadgeGrant.asked)).not.toContain(party.client.secret);
  });

  it.each<[string, Parameters, string]>([
    ['lacks a parameter', { pin: undefined }, '400 invalid_request'],
    ['repeats a parameter', { badge: ['a', 'b'] }, '400 invalid_request'],
    ['repeats an optional parameter', { door: ['a', 'b'] }, '400 invalid_request'],
    ['has one that is too long', { badge: 'x'.repeat(51) }, '400 invalid_request'],
    ['names an unknown resource', { resource: 'urn:example:nowhere' }, '400 invalid_target'],
    ['has no known scope', { scope: 'nothing' }, '400 invalid_scope'],
    ['requires an unknown organization', { scope: 'openid urn:service:iam:org:id:nobody' }, '400 invalid_scope'],
    [
      'asks for the administrative API alone',
      { scope: 'urn:service:iam:org:project:id:service:aud' },
      '400 invalid_scope',
    ],
  ])('is not asked by a request that %s', async (_, over, outcome) => {
    expect(outcomeOf(await ask(over))).toBe(outcome);
    expect(BadgeGrant.asked).toEqual([]);
  });

  it('refuses with an error of RFC 6749 §5.2 and its own description', async () => {
    const reply = await ask({ pin: '0000' });
    expect([reply.status, reply.json()]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'The PIN is wrong.' },
    ]);
    for (const error of ['invalid_request', 'invalid_scope', 'unauthorized_client']) {
      BadgeGrant.does = () => ({ error });
      expect((await ask()).json()).toEqual({ error, error_description: 'The grant is not valid.' });
    }
  });

  it('is in discovery, in the metrics, in the journal, and in the activity of the user', async () => {
    const user = await world.add.person({ orgId: alice.orgId });
    await granted({ badge: user.id });
    const { grant_types_supported: grants } = (await world.discovery()) as Record<string, string[]>;
    expect(grants).toEqual(expect.arrayContaining([BADGE, KIOSK]));
    expect(world.get(Tallies).of('tokens').get(BADGE)).toBeGreaterThan(0);
    const events = await world.rows(
      `SELECT payload, editor_id FROM event WHERE type = 'user.signed_in' AND aggregate_id = $1`,
      [user.id],
    );
    expect(events).toEqual([
      { payload: { clientId: party.client.clientId, grantType: BADGE, amr: ['hwk', 'pin'] }, editor_id: user.id },
    ]);
    const page = await new AccountHolder(world, user).open(pagePaths.accountActivity);
    const deeds = page.all('.account-items li').map(({ text }) => text);
    expect(deeds).toContainEqual(expect.stringMatching(/^Signed in.*client-\d+/));
  });
});

describe('An application', () => {
  it.each<[string, Partial<NewClient>, Parameters, string]>([
    ['without the grant', { extensionGrants: [KIOSK] }, {}, '400 unauthorized_client'],
    ['without authentication', { authMethod: 'none' }, {}, '400 unauthorized_client'],
    ['whose users agree on a page', { consentPage: true }, {}, '400 unauthorized_client'],
    ['that has registered itself', { origin: 'registered', about: { name: 'x' } }, {}, '400 unauthorized_client'],
    ['without authentication, by a grant that allows it', { authMethod: 'none' }, { grant_type: KIOSK }, 'ok'],
    ['with a grant that nobody has', {}, { grant_type: 'urn:example:nobody' }, '400 unsupported_grant_type'],
  ])('%s is answered accordingly', async (_, settings, over, outcome) => {
    expect(outcomeOf(await ask(over, await partyWith(settings)))).toBe(outcome);
  });

  it('with wrong credentials does not reach the grant', async () => {
    const stranger = new RelyingParty(world, { ...party.client, secret: 'wrong' });
    expect(outcomeOf(await ask({}, stranger))).toBe('401 invalid_client');
    expect(BadgeGrant.asked).toEqual([]);
  });

  it('that must bind its tokens proves a key, or gets none', async () => {
    const prover = await Prover.make(world);
    for (const over of [
      { dpopBoundAccessTokens: true },
      { securityProfile: 'fapi_2_0', authMethod: 'private_key_jwt', keyAlgorithm: 'ES256' },
    ] as const) {
      const bound = await partyWith(over);
      expect(outcomeOf(await ask({}, bound))).toBe('400 invalid_dpop_proof');
      expect(BadgeGrant.asked).toEqual([]);
      const reply = await ask({}, bound, await prover.forTokens());
      expect(reply.json()).toMatchObject({ token_type: 'DPoP' });
      expect(decodeJwt(tokensOf(reply).access_token)).toMatchObject({ cnf: { jkt: prover.thumbprint } });
      BadgeGrant.asked = [];
    }
  });

  it('gets the roles of its project', async () => {
    const own = await world.add.project({ orgId: alice.orgId, projectRoleAssertion: true }, ['viewer']);
    await world.add.grant(alice.id, own, alice.orgId, ['viewer']);
    const rp = await partyWith({ projectId: own, accessTokenRoleAssertion: true });
    const claims = decodeJwt(tokensOf(await ask({}, rp)).access_token);
    expect(JSON.stringify(claims)).toContain('viewer');
  });

  it('gets a token for the resource that it names, and nothing else', async () => {
    const resource = 'urn:example:door';
    await world.transaction((tx) => world.get(ProjectService).setResources(tx, projectId, [resource], EDITOR));
    const { access_token: token } = await granted({ resource });
    expect(decodeJwt(token).aud).toEqual([resource]);
  });
});

describe('A user whom a grant names', () => {
  it.each<[string, (user: TestPerson) => Promise<unknown>]>([
    ['is inactive', (user) => setState(world, user, 'inactive')],
    ['is locked', (user) => setState(world, user, 'locked')],
    [
      'belongs to an inactive organization',
      (user) => world.rows(`UPDATE org SET state = 'inactive' WHERE id = $1`, [user.orgId]),
    ],
  ])('gets no tokens who %s', async (_, change) => {
    const org = await world.add.org();
    const user = await world.add.person({ orgId: org.id });
    await change(user);
    const reply = await ask({ badge: user.id });
    expect([reply.status, reply.json()]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'The grant is not valid.' },
    ]);
  });

  it('gets none who does not exist, or is a service user', async () => {
    const service = await world.add.service({ orgId: alice.orgId });
    for (const id of ['nobody', service.id]) expect(outcomeOf(await ask({ badge: id }))).toBe('400 invalid_grant');
  });

  it('gets none of a project that admits neither their organization nor their roles', async () => {
    const closed = await world.add.project({ orgId: (await world.add.org()).id, hasProjectCheck: true });
    expect(outcomeOf(await ask({}, await partyWith({ projectId: closed })))).toBe('400 invalid_grant');
    const roled = await world.add.project({ orgId: alice.orgId, projectRoleCheck: true }, ['viewer']);
    const rp = await partyWith({ projectId: roled });
    expect(outcomeOf(await ask({}, rp))).toBe('400 invalid_grant');
    await world.add.grant(alice.id, roled, alice.orgId, ['viewer']);
    expect(outcomeOf(await ask({}, rp))).toBe('ok');
  });

  it('gets none of another organization than the request requires', async () => {
    const other = await world.add.org();
    const scope = (id: string): string => `openid urn:service:iam:org:id:${id}`;
    expect(outcomeOf(await ask({ scope: scope(other.id) }))).toBe('400 invalid_grant');
    expect(outcomeOf(await ask({ scope: scope(alice.orgId) }))).toBe('ok');
  });

  it('gets none without the second factor that the login policy demands', async () => {
    const org = await world.add.org();
    const user = await world.add.person({ orgId: org.id });
    const { api: manager } = await callerWith(world, org, ['ORG_OWNER']);
    await manager.call('POST', '/management/v1/policies/login', { allowUsernamePassword: true, forceMfa: true });
    expect(outcomeOf(await ask({ badge: user.id }))).toBe('400 invalid_grant');
    BadgeGrant.does = () => ({ userId: user.id, amr: ['hwk', 'pin', 'mfa'] });
    expect(outcomeOf(await ask({ badge: user.id }))).toBe('ok');
  });

  it('gets none with a second factor that is older than the login policy accepts', async () => {
    const org = await world.add.org();
    const user = await world.add.person({ orgId: org.id });
    const { api: manager } = await callerWith(world, org, ['ORG_OWNER']);
    const policy = { allowUsernamePassword: true, forceMfa: true, secondFactorCheckLifetime: '3600s' };
    await manager.call('POST', '/management/v1/policies/login', policy);
    const shownBefore = (ms: number) => () => ({
      userId: user.id,
      amr: ['hwk', 'pin', 'mfa'],
      authTime: new Date(world.clock.now().getTime() - ms),
    });
    BadgeGrant.does = shownBefore(3_599_000);
    expect(outcomeOf(await ask({ badge: user.id }))).toBe('ok');
    BadgeGrant.does = shownBefore(3_600_000);
    expect(outcomeOf(await ask({ badge: user.id }))).toBe('400 invalid_grant');
  });

  it('gets none for the administrative API', async () => {
    const scope = 'openid urn:service:iam:org:project:id:service:aud';
    const tokens = await granted({ scope });
    expect(tokens.scope).toBe('openid');
    expect(
      await new (api.constructor as typeof AdminApi)(world.origin, tokens.access_token).verdict(
        'GET',
        '/auth/v1/users/me',
      ),
    ).toMatch(/^401/);
  });

  it('gets none through an application of the system project, whose tokens are for the administrative API', async () => {
    const { systemProjectId } = await world.get(InstanceService).get();
    const rp = await partyWith({ projectId: systemProjectId });
    for (const scope of ['openid', undefined])
      expect(outcomeOf(await ask({ scope }, rp))).toBe('400 unauthorized_client');
    expect(BadgeGrant.asked).toEqual([]);
  });
});

describe('Tokens of a grant of an extension', () => {
  it('end with the user, the application, and their revocation', async () => {
    const ends: Array<(user: TestPerson, rp: RelyingParty, token: string) => Promise<unknown>> = [
      (user) => setState(world, user, 'inactive'),
      (user) => world.transaction((tx) => world.get(UserService).endTokens(tx, user.id, EDITOR)),
      (_, rp) => world.transaction((tx) => world.get(ClientService).changeState(tx, rp.client.id, 'inactive', EDITOR)),
      (_, rp, token) => rp.revoke(token),
    ];
    for (const end of ends) {
      const user = await world.add.person({ orgId: alice.orgId });
      const rp = await partyWith();
      const { access_token: token } = tokensOf(await ask({ badge: user.id }, rp));
      expect(await isActive(token)).toBe(true);
      await end(user, rp, token);
      expect(await isActive(token)).toBe(false);
    }
  });

  it('include a refresh token where offline_access was requested, the application may have one, and the grant says so', async () => {
    const scope = 'openid offline_access';
    const tokens = await granted({ scope });
    world.clock.advance('1h');
    const refreshed = tokensOf(await party.refresh(tokens.refresh_token));
    expect(decodeJwt(refreshed.id_token)).toMatchObject({
      sub: alice.id,
      auth_time: world.now() - 3_600,
      amr: ['hwk', 'pin'],
    });
    expect((await granted({ scope, grant_type: KIOSK })).refresh_token).toBeUndefined();
    const without = await partyWith({ grantTypes: ['authorization_code'] });
    expect((await granted({ scope }, without)).refresh_token).toBeUndefined();
  });

  it('are among the applications of the account, where the user removes the access', async () => {
    const user = await world.add.person({ orgId: alice.orgId });
    const rp = await partyWith();
    const tokens = tokensOf(await ask({ badge: user.id, scope: 'openid offline_access' }, rp));
    const holder = new AccountHolder(world, user);
    const page = await holder.open(pagePaths.accountApplications);
    expect(page.text).toContain(
      (await world.rows<{ name: string }>('SELECT name FROM client WHERE id = $1', [rp.client.id]))[0]!.name,
    );
    const question = pageOf(await holder.browser.submit(page, { application: rp.client.clientId }));
    expect(await isActive(tokens.access_token)).toBe(true);
    await holder.browser.submit(question, { confirmed: 'true' });
    expect(await isActive(tokens.access_token)).toBe(false);
    expect(outcomeOf(await rp.refresh(tokens.refresh_token))).toBe('400 invalid_grant');
  });
});

describe('Guessing by a grant of an extension', () => {
  it('is limited for each value that it is about, whichever application asks, and forgotten after a success', async () => {
    const other = await partyWith();
    const user = await world.add.person({ orgId: alice.orgId });
    for (let attempt = 0; attempt < 9; attempt += 1)
      expect(outcomeOf(await ask({ badge: user.id, pin: 'x' }, attempt % 2 ? party : other))).toBe('400 invalid_grant');
    expect(outcomeOf(await ask({ badge: user.id }))).toBe('ok');
    for (let attempt = 0; attempt < 10; attempt += 1) await ask({ badge: user.id, pin: 'x' }, other);
    BadgeGrant.asked = [];
    const reply = await ask({ badge: user.id });
    expect([outcomeOf(reply), Number(reply.header('retry-after')) > 0]).toEqual(['429 temporarily_unavailable', true]);
    expect(BadgeGrant.asked).toEqual([]);
    world.clock.advance('16m');
    expect(outcomeOf(await ask({ badge: user.id }))).toBe('ok');
  });

  it('is limited for a value however it is written', async () => {
    const user = await world.add.person({ orgId: alice.orgId });
    const ways = [user.id, user.id.toUpperCase(), ` ${user.id}`, `${user.id} `];
    for (let attempt = 0; attempt < 10; attempt += 1) await ask({ badge: ways[attempt % ways.length], pin: 'x' });
    expect(outcomeOf(await ask({ badge: user.id }))).toBe('429 temporarily_unavailable');
  });

  it('is limited for each application and address', async () => {
    const rp = await partyWith();
    for (let attempt = 0; attempt < 100; attempt += 1) await ask({ badge: `b${attempt}`, pin: 'x' }, rp);
    expect(outcomeOf(await ask({}, rp))).toBe('429 temporarily_unavailable');
    expect(outcomeOf(await ask())).toBe('ok');
  });
});

describe('A grant that', () => {
  it.each<[string, (question: GrantQuestion) => unknown]>([
    ['throws', () => Promise.reject(new Error('no reader'))],
    ['hangs', () => new Promise(() => undefined)],
    ['answers nothing', () => undefined],
    ['answers a text', () => 'alice'],
    ['answers a user and a refusal', () => ({ userId: 'x', error: 'invalid_grant' })],
    ['answers an error of its own', () => ({ error: 'server_error' })],
    ['describes it with quotes', () => ({ error: 'invalid_grant', description: 'a "badge"' })],
    ['answers a number for a user', () => ({ userId: 7 })],
    ['makes proofs up', () => ({ userId: alice.id, amr: ['magic'] })],
    ['has a proof of tomorrow', () => ({ userId: alice.id, authTime: new Date(world.clock.now().getTime() + 1) })],
    ['has a proof from before there were clocks', () => ({ userId: alice.id, authTime: new Date(-8.64e15) })],
    ['has a list of proofs with gaps', () => ({ userId: alice.id, amr: new Array(2) })],
    ['has a proof of no time', () => ({ userId: alice.id, authTime: new Date(Number.NaN) })],
  ])('%s gives no tokens; the log names it, and nobody is locked out', async (_, does) => {
    const lines = world.logText().length;
    BadgeGrant.does = does;
    for (let attempt = 0; attempt < (_ === 'hangs' ? 1 : 11); attempt += 1) {
      const reply = await failing();
      expect([outcomeOf(reply), reply.header('retry-after')]).toEqual(['503 temporarily_unavailable', '5']);
    }
    const line = world
      .logText()
      .slice(lines)
      .split('\n')
      .find((text) => text.includes('an extension failed'));
    expect(JSON.parse(line!)).toMatchObject({ extension: 'badge', seam: 'GRANT', part: 'BadgeGrant' });
    BadgeGrant.does = undefined;
    expect(outcomeOf(await ask())).toBe('ok');
  });

  it.each<[string, (question: GrantQuestion) => unknown]>([
    ['scopes', ({ scopes }) => (scopes as string[]).push('offline_access')],
    ['resources', ({ resources }) => (resources as string[]).push('urn:example:safe')],
  ])('changes the %s that it is asked for changes nothing', async (_, change) => {
    await world.transaction((tx) =>
      world.get(ProjectService).setResources(tx, projectId, ['urn:example:safe'], EDITOR),
    );
    BadgeGrant.does = (question) => {
      change(question);
      return { userId: alice.id };
    };
    expect(outcomeOf(await failing())).toBe('503 temporarily_unavailable');
  });
});

describe('The grants of an application', () => {
  const settings = (names: readonly string[] | undefined): Json => ({
    redirectUris: ['https://kiosk.test/cb'],
    appType: 'OIDC_APP_TYPE_WEB',
    ...(names && { extensionGrants: { names } }),
  });
  const grantsOf = async (id: string) =>
    (await api.call('GET', `/management/v1/projects/${projectId}/apps/${id}`))['app'].oidcConfig;

  it('are set by the administrative API, and left alone by an update that does not name them', async () => {
    const base = `/management/v1/projects/${projectId}/apps`;
    const { appId } = await api.call('POST', `${base}/oidc`, { name: 'Kiosk', ...settings([BADGE]) });
    expect((await grantsOf(appId)).extensionGrants).toEqual({ names: [BADGE] });
    await api.call('PUT', `${base}/${appId}/oidc_config`, settings(undefined));
    expect((await grantsOf(appId)).extensionGrants).toEqual({ names: [BADGE] });
    await api.call('PUT', `${base}/${appId}/oidc_config`, settings([]));
    expect((await grantsOf(appId)).extensionGrants.names ?? []).toEqual([]);
  });

  it.each([
    ['no loaded extension has', ['urn:example:nobody']],
    ['is no absolute URI', ['badge']],
    ["is the product's", [PRODUCT_GRANT_URIS[0]!]],
  ])('cannot contain one that %s', async (_, names) => {
    const body = { name: 'Other', ...settings(names) };
    expect(await api.verdict('POST', `/management/v1/projects/${projectId}/apps/oidc`, body)).toBe(
      '400 extensionGrants.names[0]',
    );
  });

  it('keep one whose extension is gone, which is refused; the problems of the application name it', async () => {
    const { client } = await partyWith();
    await world.rows(`UPDATE client SET extension_grants = '{urn:example:gone}' WHERE id = $1`, [client.id]);
    await world.get(ClientService).findActiveAnew(client.clientId);
    const config = await grantsOf(client.id);
    expect(config.extensionGrants).toEqual({ names: ['urn:example:gone'] });
    expect(config.complianceProblems).toContainEqual({
      key: 'Application.OIDC.V1.GrantType.Extension.NotLoaded',
      localizedMessage: expect.stringContaining('urn:example:gone'),
    });
    const path = `/management/v1/projects/${projectId}/apps/${client.id}/oidc_config`;
    await api.call('PUT', path, settings(['urn:example:gone', BADGE]));
    expect(await api.verdict('PUT', path, settings(['urn:example:other']))).toBe('400 extensionGrants.names[0]');
    const gone = new RelyingParty(world, client);
    expect(outcomeOf(await ask({ grant_type: 'urn:example:gone' }, gone))).toBe('400 unsupported_grant_type');
    const { orgs } = await api.call('POST', '/admin/v1/export', { orgIds: [(await ownerOf(projectId))!] });
    const app = orgs[0].oidcApps.find((one: { appId: string }) => one.appId === client.id);
    expect(app.app.extensionGrants).toEqual(['urn:example:gone', BADGE]);
  });

  it('come with a document, which says what is refused here', async () => {
    const app = {
      projectId: 'of-kiosk',
      name: 'Kiosk',
      redirectUris: ['https://kiosk.test/cb'],
      responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
      grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
      extensionGrants: [BADGE, 'urn:example:gone'],
    };
    const orgs = [
      {
        orgId: 'org-of-kiosk',
        org: { name: 'Kiosks' },
        projects: [{ projectId: 'of-kiosk', project: { name: 'Doors' } }],
        oidcApps: [{ appId: 'app-of-kiosk', clientId: 'kiosk', app }],
      },
    ];
    const report = await api.call('POST', '/admin/v1/import', { data_orgs: { orgs } });
    expect(report['errors'].map(({ message }: { message: string }) => message)).toEqual([
      'app.extensionGrants[1]: "urn:example:gone" is kept, but refused: no extension that is loaded has this grant',
    ]);
    const [row] = await world.rows(`SELECT extension_grants AS names FROM client WHERE id = 'app-of-kiosk'`);
    expect(row).toEqual({ names: [BADGE, 'urn:example:gone'] });
  });

  async function ownerOf(id: string): Promise<string | undefined> {
    return (await world.rows<{ orgId: string }>('SELECT org_id AS "orgId" FROM project WHERE id = $1', [id]))[0]?.orgId;
  }
});

describe('An extension with a grant', () => {
  const filled = (over: Partial<OwnGrant>) => ({
    extension: 'badge',
    name: 'BadgeGrant',
    part: Object.assign(new BadgeGrant(), over),
  });

  it('is shown with that seam, once, by the start and by gatehouse extension list', async () => {
    const facts = {
      version: '1',
      databaseLabel: '',
      extensions: [badge],
      firstStart: undefined,
      seconds: 1,
      terminal: true,
    };
    expect(startBlock(world.config, facts)).toContain('  Extensions        badge 1.0.0 (GRANT)\n');
    const cli = new URL('../../dist/cli/main.js', import.meta.url).pathname;
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: world.database.url,
      DEMO_PORT: 'off',
      MASTER_KEY: world.config.secrets.masterKey!.reveal(),
      PUBLIC_URL: world.issuer,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'extension', 'list'], { env });
    expect(stdout).toMatch(/^badge 1\.0\.0 \(GRANT\): no tables; last loaded /m);
  });

  it('knows every grant of the product that is a URI', () => {
    const own = world.application.get<readonly Grant[]>(GRANTS, { strict: false }).map(({ type }) => type);
    expect(own.filter((type) => type.startsWith('urn:ietf:'))).toEqual(expect.arrayContaining([...PRODUCT_GRANT_URIS]));
    expect(own.filter((type) => type.includes(':'))).toHaveLength(PRODUCT_GRANT_URIS.length + 2);
  });

  it.each<[string, Partial<OwnGrant>, string]>([
    ['its name is a word', { name: 'badge' }, 'must be an absolute URI of at most 200 characters'],
    ['its name has a fragment', { name: 'urn:example:a#b' }, 'must be an absolute URI'],
    ['its name is too long', { name: `urn:${'a'.repeat(200)}` }, 'must be an absolute URI'],
    ["its name is the product's", { name: PRODUCT_GRANT_URIS[1]! }, "it is the product's"],
    ['it has no parameter', { parameters: [] }, 'must list its parameters: 1 to 10.'],
    ['a parameter is misnamed', { parameters: [{ name: 'Badge No' }] }, '"Badge No" cannot be a parameter'],
    ['the endpoint reads a parameter', { parameters: [{ name: 'client_secret' }] }, 'the token endpoint reads it'],
    [
      'a parameter is repeated',
      { parameters: [{ name: 'a' }, { name: 'a' }] },
      'declares the parameter a several times',
    ],
    [
      'a parameter may be endless',
      { parameters: [{ name: 'badge', maxLength: 1e6 }] },
      'maxLength that is not from 1 to 4000',
    ],
    [
      'it counts for what it does not read',
      { guessedFor: 'pan' },
      'has guessedFor "pan", which is not among its parameters',
    ],
    ['it may take minutes', { timeoutMs: 60_000 }, 'timeoutMs that is not from 50 to 10000'],
  ])('is refused at start if %s', (_, over, message) => {
    expect(grantMistakes([filled(over)])).toContainEqual(expect.stringContaining(message));
  });

  it('is refused at start if two grants have one name', () => {
    expect(grantMistakes([filled({}), filled({})])).toEqual([
      'Several classes are the grant urn:example:badge. Give each its own name.',
    ]);
  });

  it('is told all of it at once', () => {
    expect(grantMistakes([filled({ name: 'x', timeoutMs: 1, parameters: [{ name: 'scope' }] })])).toHaveLength(4);
  });
});
