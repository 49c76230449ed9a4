import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { paths as pagePaths } from '../../src/org/instance/paths.js';
import { LockoutService } from '../../src/session/proof/lockout.service.js';
import { SessionService } from '../../src/session/session.service.js';
import { AccountHolder } from '../account/account-turns.js';
import { setLockout } from '../login/factor-turns.js';
import { pageOf } from '../login/turns.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import { PASSWORD, type TestPerson } from '../support/builders.js';
import { Device } from '../support/device.js';
import { LogoutReceiver } from '../support/logout-receiver.js';
import { paths, publishedKeys, RelyingParty, tokensOf } from '../support/relying-party.js';
import { ACCESS_TOKEN_TYPE, exchangeOf, ID_TOKEN_TYPE, JWT_TYPE } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';
import { LogoutStage, type ToldApplication } from './logout-stage.js';

let world: World;
let receiver: LogoutReceiver;
let stage: LogoutStage;
let owner: AdminApi;

beforeAll(async () => {
  receiver = await LogoutReceiver.open();
  world = await startWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  stage = new LogoutStage(world, receiver);
  owner = (await callerWith(world, await world.cast.orgA, ['IAM_OWNER'])).api.about((await world.cast.orgA).id);
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});
beforeEach(() => {
  world.clock.advance('1m');
});

const sidOf = (idToken: string): string => decodeJwt(idToken)['sid'] as string;

/** The `sid` of each call. */
async function sidsAt(application: ToldApplication): Promise<unknown[]> {
  return (await stage.callsOf(application)).map(({ token }) => decodeJwt(token)['sid']);
}

describe('The end of a session', () => {
  it('is told to every application of it, also to the one that has asked for it [BCL-001]', async () => {
    const [shop, forum] = [await stage.application(), await stage.application()];
    const silent = await stage.application({ backChannelLogoutUri: '' });
    const alice = await stage.person();
    const browser = new Browser(world);
    const { rp, tokens } = await stage.use(shop, alice, browser);
    await stage.use(forum, alice, browser);
    await stage.use(silent, alice, browser);
    const back = 'https://told.test/out';
    const arrival = await rp.endSession({ id_token_hint: tokens.id_token, post_logout_redirect_uri: back });
    expect(arrival.redirect).toBe(back);
    for (const application of [shop, forum]) {
      const calls = await stage.callsOf(application);
      expect(calls).toHaveLength(1);
      const [call] = calls;
      expect(call).toMatchObject({ method: 'POST', contentType: 'application/x-www-form-urlencoded' });
      expect([...call!.parameters.keys()]).toEqual(['logout_token']);
      const { keys } = await publishedKeys(world);
      expect(decodeProtectedHeader(call!.token)).toEqual({ typ: 'logout+jwt', alg: 'RS256', kid: keys[0]!.kid });
      expect(await new RelyingParty(world, application.client).verify(call!.token)).toEqual({
        iss: world.issuer,
        sub: alice.id,
        aud: application.client.clientId,
        iat: world.now(),
        exp: world.now() + 120,
        jti: expect.stringMatching(/^[\w-]{22}$/),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        sid: sidOf(tokens.id_token),
      });
      expect(await stage.noticesOf(application)).toEqual([{ state: 'delivered', tries: 1, reason: '' }]);
    }
    expect(await stage.noticesOf(silent)).toEqual([]);
  });

  it('is not told to the applications of the same user in another browser [BCL-002]', async () => {
    const application = await stage.application();
    const alice = await stage.person();
    const here = await stage.use(application, alice);
    const there = await stage.use(application, alice);
    await here.rp.endSession({ id_token_hint: here.tokens.id_token });
    expect(await sidsAt(application)).toEqual([sidOf(here.tokens.id_token)]);
    await there.rp.endSession({ id_token_hint: there.tokens.id_token });
    expect(await sidsAt(application)).toEqual([sidOf(here.tokens.id_token), sidOf(there.tokens.id_token)]);
  });

  const user = (person: TestPerson): string => `/management/v1/users/${person.id}`;

  it.each<readonly [string, (person: TestPerson, sessionId: string) => Promise<unknown>]>([
    ['a manager ends it', async (person, sid) => owner.call('DELETE', `${user(person)}/sessions/${sid}`)],
    ['a manager ends all sessions of the user', async (person) => owner.call('DELETE', `${user(person)}/sessions`)],
    [
      'a manager sets another password',
      async (person) => owner.call('POST', `${user(person)}/password`, { password: 'Other-Horse-8' }),
    ],
    ['a manager deactivates the user', async (person) => owner.call('POST', `${user(person)}/_deactivate`, {})],
    ['a manager locks the user', async (person) => owner.call('POST', `${user(person)}/_lock`, {})],
    ['a manager removes the user', async (person) => owner.call('DELETE', user(person))],
    [
      'wrong passwords lock the user',
      async (person) => {
        await setLockout(world, person.orgId, { maxPasswordAttempts: 1 });
        await world.get(LockoutService).recordFailedPassword({ userId: person.id, orgId: person.orgId });
        await setLockout(world, person.orgId, { maxPasswordAttempts: 0 });
      },
    ],
    [
      'the user signs out everywhere, from another browser',
      async (person) => {
        const holder = new AccountHolder(world, person);
        const page = await holder.open(pagePaths.accountDevices);
        const question = pageOf(await holder.browser.submit(page, { decision: 'everywhere' }));
        await holder.browser.submit(question, { confirmed: 'true' });
      },
    ],
    [
      'the user changes the password in another browser',
      async (person) => {
        const holder = new AccountHolder(world, person);
        const page = await holder.open(pagePaths.accountPassword);
        const newPassword = 'Another-Horse-Battery-8';
        const typed = { oldPassword: PASSWORD, newPassword, newPasswordRepeat: newPassword };
        await holder.browser.submit(page, typed);
      },
    ],
  ])('is told when %s [BCL-003]', async (_, end) => {
    const application = await stage.application();
    const alice = await stage.person();
    const { tokens } = await stage.use(application, alice);
    const sid = sidOf(tokens.id_token);
    await end(alice, sid);
    expect(await sidsAt(application)).toEqual([sid]);
  });

  it('is told when the organization of the user is removed, to applications of others [BCL-003]', async () => {
    const org = await world.add.org();
    const own = await stage.application({ projectId: await world.add.project({ orgId: org.id }) });
    const application = await stage.application();
    const alice = await world.add.person({ orgId: org.id });
    const browser = new Browser(world);
    const { tokens } = await stage.use(application, alice, browser);
    await stage.use(own, alice, browser);
    await owner.call('DELETE', `/admin/v1/orgs/${org.id}`);
    expect(await sidsAt(application)).toEqual([sidOf(tokens.id_token)]);
    expect(await sidsAt(own)).toEqual([]);
    expect(await stage.noticesOf(own)).toMatchObject([{ state: 'withdrawn' }]);
  });

  it('is told to applications with an implicit answer, and to devices', async () => {
    const implicit = await stage.application({
      authMethod: 'none',
      clientType: 'user_agent',
      responseTypes: ['id_token'],
      grantTypes: ['implicit'],
    });
    const television = await stage.application({ authMethod: 'none', grantTypes: ['device_code'], redirectUris: [] });
    const alice = await stage.person();
    const browser = new Browser(world);
    const { id_token: idToken } = await new RelyingParty(world, implicit.client, browser).signIn(alice);
    const device = new Device(world, television.client, browser);
    const codes = await device.start();
    await device.approve(codes, alice);
    tokensOf(await device.pollLater(codes));
    await world.transaction((tx) => world.get(SessionService).end(tx, [sidOf(idToken!)]));
    expect(await sidsAt(implicit)).toEqual([sidOf(idToken!)]);
    expect(await sidsAt(television)).toEqual([sidOf(idToken!)]);
  });

  it('is told to nobody when it is rolled back, or when the session had ended before [BCL-004]', async () => {
    const application = await stage.application();
    const { tokens } = await stage.use(application, await stage.person());
    const sid = sidOf(tokens.id_token);
    const end = async (isKept: boolean): Promise<void> => {
      await world
        .transaction(async (tx) => {
          await world.get(SessionService).end(tx, [sid]);
          if (!isKept) throw new Error('rolled back');
        })
        .catch(() => undefined);
    };
    await end(false);
    expect(await sidsAt(application)).toEqual([]);
    await end(true);
    await end(true);
    expect(await sidsAt(application)).toEqual([sid]);
  });

  it('is told to no application that has not redeemed its code', async () => {
    const application = await stage.application();
    const alice = await stage.person();
    const rp = new RelyingParty(world, application.client);
    await rp.code(alice);
    await owner.call('DELETE', `${user(alice)}/sessions`);
    expect(await sidsAt(application)).toEqual([]);
  });

  it('is either told to an application, or leaves it without tokens, when both happen at once', async () => {
    const application = await stage.application();
    const outcomes = new Set<string>();
    for (let round = 0; round < 15; round += 1) {
      const alice = await stage.person();
      const rp = new RelyingParty(world, application.client);
      const code = await rp.code(alice);
      const [session] = await world.rows<{ id: string }>('SELECT id FROM session WHERE user_id = $1', [alice.id]);
      const end = async (): Promise<unknown> =>
        world.transaction((tx) => world.get(SessionService).end(tx, [session!.id]));
      const [reply] = await Promise.all([rp.redeem(code), end()]);
      const notices = await world.rows('SELECT 1 FROM logout_notice WHERE session_id = $1', [session!.id]);
      outcomes.add(`${reply.status} ${notices.length}`);
    }
    expect([...outcomes].filter((outcome) => outcome !== '200 1' && outcome !== '400 0')).toEqual([]);
  });
});

describe('A logout token', () => {
  it('is nothing but a logout token [BCL-008]', async () => {
    const application = await stage.application({
      grantTypes: ['authorization_code', 'refresh_token', 'token_exchange'],
    });
    const alice = await stage.person();
    const browser = new Browser(world);
    const { rp, tokens } = await stage.use(application, alice, browser);
    await owner.call('DELETE', `/management/v1/users/${alice.id}/sessions/${sidOf(tokens.id_token)}`);
    const [call] = await stage.callsOf(application);
    const { token } = call!;
    expect((await rp.userinfo(token)).status).toBe(401);
    expect((await rp.introspect(token)).json()).toEqual({ active: false });
    expect((await rp.endSession({ id_token_hint: token })).page?.status).toBe(400);
    expect(await new AdminApi(world.origin, token).verdict('GET', '/management/v1/orgs/me')).toBe('401 token.dead');
    const forms = [
      { grant_type: 'refresh_token', refresh_token: token },
      { grant_type: 'authorization_code', code: token, redirect_uri: application.client.redirectUri },
      { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: token },
    ];
    for (const form of forms) expect((await rp.token(form)).json()).toMatchObject({ error: 'invalid_grant' });
    for (const type of [ACCESS_TOKEN_TYPE, JWT_TYPE, ID_TOKEN_TYPE]) {
      const reply = await rp.token(exchangeOf(token, { subject_token_type: type }));
      expect(reply.json()).toMatchObject({ error: 'invalid_request' });
    }
    const asAssertion = {
      grant_type: 'refresh_token',
      refresh_token: 'gtr_none',
      client_assertion: token,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    };
    const keyed = await stage.application({ authMethod: 'private_key_jwt' });
    const stranger = new RelyingParty(world, { ...keyed.client, authMethod: 'none' });
    expect((await stranger.post(paths.token, asAssertion)).json()).toMatchObject({ error: 'invalid_client' });
  });
});
