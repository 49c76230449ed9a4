import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import type { Transaction } from '../../src/foundation/database/database.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import { IdpLinks } from '../../src/idp/idp-links.js';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import type { SelfServicePolicy } from '../../src/org/policy/self-service-policy.entity.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { UserSessions } from '../../src/session/user-sessions.js';
import { FactorService } from '../../src/user/factor/factor.service.js';
import { UserService } from '../../src/user/user.service.js';
import { addJwt } from '../idp/external.js';
import { setPolicy, withApp } from '../login/factor-turns.js';
import { pageOf, untilSomebodyWaits } from '../login/turns.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { Device } from '../support/device.js';
import { codeIn, lastMailTo, mailsTo } from '../support/mails.js';
import { answerOf, RelyingParty, tokensOf } from '../support/relying-party.js';
import { exchangeOf } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';

const ME = '/auth/v1/users/me';
const SYSTEM = 'openid offline_access urn:service:iam:org:project:id:service:aud';

let world: World;
let person: TestPerson;
let api: AdminApi;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1h');
  const { id: orgId } = await world.add.org();
  person = await world.add.person({ orgId });
  api = await apiOf(person);
});

const rp = async (): Promise<RelyingParty> => new RelyingParty(world, await world.cast.console);
const apiOf = async (of: TestPerson, scope = SYSTEM): Promise<AdminApi> =>
  new AdminApi(world.origin, (await (await rp()).tokens(of, { scope })).access_token);
async function allow(policy: Partial<SelfServicePolicy>): Promise<void> {
  await world.transaction((tx) => world.get(PolicyService).set(tx, 'selfService', person.orgId, policy, EDITOR));
  await world.changesToArrive();
}

describe('The own account over the API', () => {
  it('is read and changed with the names and members of the original', async () => {
    expect(await api.call('GET', `${ME}/profile`)).toMatchObject({ profile: { firstName: expect.any(String) } });
    const profile = { firstName: 'Ilse', lastName: 'Brandt', preferredLanguage: 'de', gender: 'GENDER_FEMALE' };
    await api.call('PUT', `${ME}/profile`, profile);
    expect(await api.call('GET', `${ME}/profile`)).toMatchObject({
      profile: { ...profile, displayName: 'Ilse Brandt' },
    });
    expect(await api.call('GET', `${ME}/email`)).toMatchObject({
      email: { email: person.email, isEmailVerified: true },
    });
    expect(await api.verdict('GET', `${ME}/phone`)).toBe('404 user.phone_missing');
    await api.call('PUT', `${ME}/phone`, { phone: '+49 30 1234567' });
    expect(await api.call('GET', `${ME}/phone`)).toMatchObject({ phone: { phone: '+49301234567' } });
    await api.call('DELETE', `${ME}/phone`);
    expect(await api.verdict('GET', `${ME}/phone`)).toBe('404 user.phone_missing');
    await api.call('PUT', `${ME}/username`, { userName: 'ilse.brandt' });
    expect(await api.call('GET', ME)).toMatchObject({ user: { userName: 'ilse.brandt' } });
    expect((await api.call('GET', '/auth/v1/policies/passwords/complexity'))['policy']).toMatchObject({
      minLength: expect.any(String),
    });
  });

  it('changes the e-mail address by the code of the new one; the old one is told', async () => {
    const email = `new-${person.id}@example.test`;
    await api.call('PUT', `${ME}/email`, { email });
    expect(await api.call('GET', `${ME}/email`)).toMatchObject({ email: { email: person.email } });
    expect(await api.verdict('POST', `${ME}/email/_verify`, { code: 'AAAAAA' })).toBe('400 code');
    const code = codeIn(world, await lastMailTo(world, email));
    await api.call('POST', `${ME}/email/_verify`, { code });
    expect(await api.call('GET', `${ME}/email`)).toMatchObject({ email: { email, isEmailVerified: true } });
    expect(await mailsTo(world, person.email)).toHaveLength(2);
    expect(await api.verdict('POST', `${ME}/email/_verify`, { code })).toBe('400 code');
  });

  it('changes the password with the old one, which ends every token', async () => {
    const newPassword = 'Sundial-Harbour-31';
    const wrong = { oldPassword: 'wrong', newPassword };
    expect(await api.verdict('PUT', `${ME}/password`, wrong)).toBe('400 oldPassword');
    expect(await api.verdict('PUT', `${ME}/password`, { ...wrong, newPassword: 'x' })).toBe('400 newPassword');
    await api.call('PUT', `${ME}/password`, { oldPassword: person.password, newPassword });
    expect(await api.verdict('GET', ME)).toBe('401 token.dead');
    world.plant(newPassword);
    expect(await (await apiOf({ ...person, password: newPassword })).verdict('GET', ME)).toBe('200');
  });

  it('lists sessions, refresh tokens and what happened, without what belongs to others', async () => {
    const other = await apiOf(await world.add.person({ orgId: person.orgId }));
    const sessions = await api.call('POST', `${ME}/sessions/_search`);
    expect(sessions['result']).toEqual([
      expect.objectContaining({ userId: person.id, authState: 'SESSION_STATE_ACTIVE', loginName: person.loginName }),
    ]);
    const { result: tokens } = await api.call('POST', `${ME}/tokens/refresh/_search`);
    expect(tokens).toEqual([expect.objectContaining({ scopes: expect.arrayContaining(['offline_access']) })]);
    const path = `${ME}/tokens/refresh/${tokens[0].id}`;
    expect(await other.verdict('DELETE', path)).toBe('404 token.refresh_not_found');
    const { result: changes } = await api.call('POST', `${ME}/changes/_search`, { query: { asc: true, limit: 1 } });
    expect(changes).toEqual([
      expect.objectContaining({
        sequence: '1',
        editorId: '',
        eventType: expect.objectContaining({ key: 'user.human.added' }),
      }),
    ]);
    await api.call('DELETE', path);
    expect(await api.verdict('GET', ME)).toBe('401 token.dead');
  });

  it('revokes every refresh token, with the access tokens that came from them', async () => {
    await api.call('POST', `${ME}/tokens/refresh/_revoke_all`, {});
    expect(await api.verdict('GET', ME)).toBe('401 token.dead');
    expect(await other().then((own) => own.verdict('GET', ME))).toBe('200');
  });

  const other = async (): Promise<AdminApi> => apiOf(await world.add.person({ orgId: person.orgId }));

  it('lists metadata, factors, passkeys and linked accounts', async () => {
    await world.add.metadata(person.id, 'note', Buffer.from('x'));
    expect((await api.call('POST', `${ME}/metadata/_search`))['result']).toHaveLength(1);
    expect(await api.call('GET', `${ME}/metadata/note`)).toMatchObject({ metadata: { value: 'eA==' } });
    expect(await api.verdict('GET', `${ME}/metadata/none`)).toBe('404 user.metadata_not_found');
    for (const list of ['auth_factors', 'passwordless', 'idps'])
      expect((await api.call('POST', `${ME}/${list}/_search`))['result']).toEqual([]);
  });

  it('says since when an account at a provider is linked', async () => {
    const idpId = await addJwt(world, 'http://127.0.0.1:1');
    const link = { idpId, externalUserId: 'me', displayName: 'Me', userId: person.id, orgId: person.orgId };
    const { at } = await world.transaction((tx) => world.get(IdpLinks).add(tx, link, EDITOR));
    world.clock.advance('5m');
    expect((await api.call('POST', `${ME}/idps/_search`))['result']).toEqual([
      expect.objectContaining({ providedUserId: 'me', linkedAt: at.toISOString() }),
    ]);
  });

  it('is deleted where the organization allows it', async () => {
    expect(await api.verdict('DELETE', ME)).toBe('403 user.self_service_closed');
    await allow({ deleteAccount: true });
    expect(await api.call('DELETE', ME)).toMatchObject({ removalDate: expect.any(String) });
    expect(await api.verdict('GET', ME)).toBe('401 token.dead');
    expect((await lastMailTo(world, person.email)).text).toContain('was closed');
  });

  it.each<[keyof SelfServicePolicy, string, string, Record<string, unknown>]>([
    ['editProfile', 'PUT', `${ME}/profile`, { firstName: 'A', lastName: 'B' }],
    ['changeEmail', 'PUT', `${ME}/email`, { email: 'a@b.test' }],
    ['changePhone', 'PUT', `${ME}/phone`, { phone: '+49 30 1234567' }],
    ['changePassword', 'PUT', `${ME}/password`, { newPassword: 'Sundial-Harbour-31' }],
  ])('leaves to administrators what the policy closes: %s', async (setting, method, path, body) => {
    await allow({ [setting]: false });
    expect(await api.verdict(method, path, body)).toBe('403 user.self_service_closed');
  });
});

/** What adds something that signs its user in. */
const ADDITIONS: ReadonlyArray<[method: string, path: string, body?: Record<string, unknown>]> = [
  ['POST', `${ME}/auth_factors/otp`],
  ['POST', `${ME}/auth_factors/otp/_verify`, { code: '123456' }],
  ['POST', `${ME}/auth_factors/otp_email`],
  ...[`${ME}/auth_factors/u2f`, `${ME}/passwordless`].flatMap(
    (path): Array<[string, string, Record<string, unknown>?]> => [
      ['POST', path],
      ['POST', `${path}/_verify`, { verification: { publicKeyCredential: 'e30=', tokenName: 'Mine' } }],
    ],
  ),
  ['POST', `${ME}/passwordless/_link`],
  ['POST', `${ME}/passwordless/_send_link`],
];

/** What each of these requests is answered. */
async function answersTo(requests: typeof ADDITIONS, caller: AdminApi): Promise<Set<string>> {
  const verdicts = new Set<string>();
  for (const [method, path, body] of requests) verdicts.add(await caller.verdict(method, path, body));
  return verdicts;
}

describe('A token for the own account', () => {
  const CREDENTIALS: ReadonlyArray<[string, string, Record<string, unknown>?]> = [
    ['PUT', `${ME}/username`, { userName: 'x' }],
    ['PUT', `${ME}/password`, { oldPassword: 'x', newPassword: 'Sundial-Harbour-31' }],
    ['PUT', `${ME}/email`, { email: 'mallory@evil.test' }],
    ['POST', `${ME}/email/_verify`, { code: 'AAAAAA' }],
    ['PUT', `${ME}/phone`, { phone: '+49 30 1234567' }],
    ['DELETE', `${ME}/phone`],
    ['DELETE', `${ME}/idps/1/2`],
    ['DELETE', `${ME}/auth_factors/otp`],
    ['DELETE', `${ME}/auth_factors/otp_email`],
    ['DELETE', `${ME}/auth_factors/u2f/1`],
    ['DELETE', `${ME}/passwordless/1`],
    ...ADDITIONS,
    ['DELETE', ME],
  ];

  it('of an old sign-in changes no credential, and the answer says how to sign in [ACC-011]', async () => {
    await allow({ deleteAccount: true });
    world.clock.advance('11m');
    for (const [method, path, body] of CREDENTIALS) {
      const reply = await api.ask(method, path, body);
      expect([path, reply.status, reply.header('www-authenticate')]).toEqual([
        path,
        401,
        expect.stringMatching(/^Bearer .*error="insufficient_user_authentication".*, max_age="600"$/),
      ]);
    }
    expect(await api.verdict('GET', ME)).toBe('200');
  });

  it('that ends while its request waits for another change changes nothing [ACC-011]', async () => {
    let waiting: Promise<string> | undefined;
    await world.transaction(async (tx) => {
      await world.get(UserService).endTokens(tx, person.id, EDITOR);
      waiting = api.verdict('PUT', `${ME}/email`, { email: 'mallory@evil.test' });
      await untilSomebodyWaits(world, '%user_account%');
    });
    expect(await waiting).toBe('401 token.dead');
    expect(await world.rows('SELECT 1 FROM pending_email WHERE user_id = $1', [person.id])).toEqual([]);
  });

  describe('whose request waits while something ends it [ACC-015]', () => {
    /** Of the session, with which it ends. */
    const OF_SESSION = SYSTEM.replace('offline_access ', '');
    const users = (): UserService => world.get(UserService);
    const endings: Readonly<Record<string, (tx: Transaction) => Promise<unknown>>> = {
      'its session is ended': async (tx) => {
        await users().getOf(tx, person.orgId, person.id);
        return world.get(UserSessions).endAll(tx, person.id, EDITOR);
      },
      'its user signs out everywhere': (tx) => users().endTokens(tx, person.id, EDITOR),
      'the password is reset': async (tx) => {
        const hash = await world.get(PasswordHash).hash(new Secret('Reset-Horse-9'));
        return users().setPassword(tx, person.id, hash, { changeRequired: false }, EDITOR);
      },
    };
    const stateOf = async (): Promise<{ hash: string; state: string }> => {
      const rows = await world.rows<{ hash: string; state: string }>(
        'SELECT password_hash AS hash, state FROM user_account WHERE id = $1',
        [person.id],
      );
      return rows[0]!;
    };

    it.each([
      [OF_SESSION, 'its session is ended'],
      [OF_SESSION, 'its user signs out everywhere'],
      [OF_SESSION, 'the password is reset'],
      [SYSTEM, 'its user signs out everywhere'],
      [SYSTEM, 'the password is reset'],
    ])('changes no password and deletes no account: with %s, %s', async (scope, ending) => {
      await allow({ deleteAccount: true });
      for (const method of ['PUT', 'DELETE'] as const) {
        person = await world.add.person({ orgId: person.orgId });
        const theirs = await apiOf(person, scope);
        const body = { oldPassword: person.password, newPassword: 'Sundial-Harbour-31' };
        const before = await stateOf();
        let waiting: Promise<string> | undefined;
        await world.transaction(async (tx) => {
          await endings[ending]!(tx);
          waiting = method === 'PUT' ? theirs.verdict(method, `${ME}/password`, body) : theirs.verdict(method, ME);
          await untilSomebodyWaits(world, '%user_account%');
        });
        expect([method, await waiting]).toEqual([method, '401 token.dead']);
        const { hash, state } = await stateOf();
        expect([state, hash === before.hash]).toEqual(['active', ending !== 'the password is reset']);
        const isOfRequest = await world.get(PasswordHash).verify(hash, new Secret(body.newPassword));
        expect(isOfRequest).toBe(false);
      }
    });
  });

  it('that was refreshed changes no credential, however new its sign-in is [ACC-011]', async () => {
    const client = await rp();
    const { refresh_token: refresh } = await client.tokens(person, { scope: SYSTEM });
    const { access_token: token } = (await client.refresh(refresh)).json<{ access_token: string }>();
    const theirs = new AdminApi(world.origin, token);
    expect(await theirs.verdict('DELETE', `${ME}/phone`)).toBe('401 token.sign_in_too_old');
    expect(await answersTo(ADDITIONS, theirs)).toEqual(new Set(['401 token.sign_in_too_old']));
    expect(await theirs.verdict('GET', ME)).toBe('200');
  });

  it('does not become newer by a new proof elsewhere [ACC-011]', async () => {
    const client = await rp();
    const { access_token: token } = await client.tokens(person, { scope: SYSTEM });
    world.clock.advance('11m');
    await client.tokens(person, { scope: 'openid', prompt: 'login' });
    expect(await new AdminApi(world.origin, token).verdict('DELETE', `${ME}/phone`)).toBe('401 token.sign_in_too_old');
  });

  it('that its user has approved for a device elsewhere changes no credential [ACC-011]', async () => {
    const device = new Device(
      world,
      await world.add.client({
        projectId: (await world.get(InstanceService).get()).systemProjectId,
        grantTypes: ['device_code'],
        redirectUris: [],
        authMethod: 'none',
        clientType: 'native',
      }),
    );
    const codes = await device.start({ scope: SYSTEM.replace('offline_access ', '') });
    await device.approve(codes, person);
    const { access_token: token } = (await device.pollLater(codes)).json<{ access_token: string }>();
    const theirs = new AdminApi(world.origin, token);
    expect(await theirs.verdict('PUT', `${ME}/email`, { email: 'mallory@evil.test' })).toBe(
      '401 token.sign_in_too_old',
    );
    expect(await answersTo(ADDITIONS, theirs)).toEqual(new Set(['401 token.sign_in_too_old']));
  });

  it.each(['opaque', 'jwt'] as const)(
    'that was exchanged for another one is refused, in the form %s [ACC-011]',
    async (accessTokenType) => {
      const projectId = (await world.get(InstanceService).get()).systemProjectId;
      const grantTypes: ClientSettings['grantTypes'] = ['authorization_code', 'token_exchange'];
      const client = new RelyingParty(world, await world.add.client({ projectId, grantTypes, accessTokenType }));
      const { access_token: direct } = await client.tokens(person, { scope: SYSTEM.replace('offline_access ', '') });
      const theirs = new AdminApi(world.origin, tokensOf(await client.token(exchangeOf(direct))).access_token);
      expect([await theirs.verdict('GET', ME), await theirs.verdict('DELETE', `${ME}/phone`)]).toEqual([
        '401 token.dead',
        '401 token.dead',
      ]);
      expect(await answersTo(ADDITIONS, theirs)).toEqual(new Set(['401 token.dead']));
      expect(await new AdminApi(world.origin, direct).verdict('GET', ME)).toBe('200');
    },
  );

  it('of one factor changes nothing for a user who holds two [ACC-011]', async () => {
    await setPolicy(world, person.orgId, { secondFactors: ['otp'] });
    await withApp(world, person, []);
    expect(await api.verdict('DELETE', ME)).toBe('403 user.self_service_closed');
    expect(await api.verdict('DELETE', `${ME}/phone`)).toBe('401 token.second_factor_missing');
    expect(await answersTo(ADDITIONS, api)).toEqual(new Set(['401 token.second_factor_missing']));
    const reply = await api.ask('DELETE', `${ME}/auth_factors/otp`);
    expect([reply.status, reply.header('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/max_age="600", acr_values="2"$/),
    ]);
    expect((await world.get(FactorService).list(person.id)).map(({ kind }) => kind)).toContain('otp');
  });

  it('of two factors removes one, but not the last that the policy requires [ACC-006]', async () => {
    await setPolicy(world, person.orgId, { secondFactors: ['otp', 'otp_email'], forceMfa: true });
    const app = await withApp(world, person, []);
    const client = await rp();
    const asked = pageOf(await client.enter(await client.authorize({ scope: SYSTEM }), person));
    const { redirect = '' } = await client.browser.submit(asked, { code: app.code() });
    const tokens = (await client.redeem(answerOf(redirect).code ?? '')).json<{ access_token: string }>();
    const twice = new AdminApi(world.origin, tokens.access_token);
    expect(await twice.verdict('DELETE', `${ME}/auth_factors/otp`)).toBe('400 factor.required');
    await setPolicy(world, person.orgId, { forceMfa: false });
    await world.changesToArrive();
    await twice.call('DELETE', `${ME}/auth_factors/otp`);
    expect((await world.get(FactorService).list(person.id)).map(({ kind }) => kind)).not.toContain('otp');
  });

  it('removes neither the only way to sign in nor the last owner', async () => {
    const idpId = await addJwt(world, 'http://127.0.0.1:1');
    const link = { idpId, externalUserId: 'me', displayName: 'me', userId: person.id, orgId: person.orgId };
    await world.transaction((tx) => world.get(IdpLinks).add(tx, link, EDITOR));
    await world.rows('UPDATE user_account SET password_hash = NULL WHERE id = $1', [person.id]);
    expect(await api.verdict('DELETE', `${ME}/idps/${idpId}/me`)).toBe('400 idp.last_way_in');
    await allow({ deleteAccount: true });
    await world.add.member(person.id, ['ORG_OWNER'], { level: 'org', objectId: person.orgId, orgId: person.orgId });
    expect(await api.verdict('DELETE', ME)).toBe('400 member.last_org_owner');
  });

  it('of a service user is refused: it has no such account [ACC-011]', async () => {
    const { service } = await callerWith(world, await world.cast.orgA, ['ORG_OWNER']);
    const theirs = new AdminApi(world.origin, service.pat);
    expect(await theirs.verdict('GET', `${ME}/profile`)).toBe('403 account.of_people');
    expect(await theirs.verdict('DELETE', ME)).toBe('403 account.of_people');
    expect(await answersTo(ADDITIONS, theirs)).toEqual(new Set(['403 account.of_people']));
  });

  it('that is not meant for this API is refused [ACC-011]', async () => {
    const elsewhere = new RelyingParty(world, await world.cast.web1);
    const { access_token: token } = await elsewhere.tokens(person, { scope: 'openid' });
    expect(await new AdminApi(world.origin, token).verdict('GET', `${ME}/profile`)).toBe('401 token.audience_missing');
  });
});
