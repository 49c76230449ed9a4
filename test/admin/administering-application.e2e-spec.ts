import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { TokenEnds } from '../../src/token/token-ends.js';
import { addOidc } from '../idp/external.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import type { TestClient, TestOrg, TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { SYSTEM_AUDIENCE } from './callers.js';
import { EMPTY_LISTS } from './project-support.js';

const SCOPE = `openid ${SYSTEM_AUDIENCE}`;
const WHOLE_INSTANCE = 'POST /admin/v1/orgs/_search';
const OWN_EMAIL = 'PUT /auth/v1/users/me/email';

let world: World;
let orgA: TestOrg;
let orgB: TestOrg;
let instanceOwner: AdminApi;
/** An instance owner of A, an owner of B who belongs to A, and somebody of B without any role. */
let chief: TestPerson;
let ownerOfB: TestPerson;
let memberOfB: TestPerson;

type Kind = 'system' | 'allowed' | 'own';
let applications: Record<Kind, TestClient>;

beforeAll(async () => {
  world = await startWorld();
  [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
  instanceOwner = (await callerWith(world, orgA, ['IAM_OWNER'])).api;
  const { id: instanceId } = await world.get(InstanceService).get();
  chief = await world.add.person({ orgId: orgA.id });
  ownerOfB = await world.add.person({ orgId: orgA.id });
  memberOfB = await world.add.person({ orgId: orgB.id });
  await world.add.member(chief.id, ['IAM_OWNER'], { level: 'instance', objectId: instanceId, orgId: instanceId });
  await world.add.member(ownerOfB.id, ['ORG_OWNER'], { level: 'org', objectId: orgB.id, orgId: orgB.id });
  const projectId = await world.cast.projectQ;
  const of = (name: string): Promise<TestClient> =>
    world.add.client({
      projectId,
      name,
      redirectUris: [`https://${name}.test/cb`],
      responseTypes: ['code', 'id_token token'],
      grantTypes: ['authorization_code', 'implicit', 'refresh_token'],
    });
  applications = { system: await world.cast.console, allowed: await of('allowed'), own: await of('own') };
  await allow(applications.allowed);
});
afterAll(() => world.close());
beforeEach(() => world.clock.advance('1m'));

async function allow({ id }: TestClient, administration = 'APP_ADMINISTRATION_ALLOWED'): Promise<void> {
  await instanceOwner.call('PUT', `/admin/v1/apps/${id}/administration`, { administration });
  await world.changesToArrive();
}

const partyOf = (application: TestClient): RelyingParty => new RelyingParty(world, application);
const apiOf = (token: string): AdminApi => new AdminApi(world.origin, token);

async function apiThrough(application: TestClient, person: TestPerson): Promise<AdminApi> {
  return apiOf((await partyOf(application).tokens(person, { scope: SCOPE, max_age: 600 })).access_token);
}

/** What a person may do through an application, in the organization that owns it and elsewhere. */
const MATRIX: ReadonlyArray<readonly [Kind, 'chief' | 'ownerOfB' | 'memberOfB', Readonly<Record<string, string>>]> = [
  ['system', 'chief', { [WHOLE_INSTANCE]: '200', org: '200', other: '200', [OWN_EMAIL]: '200' }],
  ['system', 'memberOfB', { [WHOLE_INSTANCE]: '403', org: '403', other: '403', [OWN_EMAIL]: '200' }],
  [
    'allowed',
    'chief',
    { [WHOLE_INSTANCE]: '200', org: '200', other: '200', [OWN_EMAIL]: '403 application.not_trusted' },
  ],
  ['allowed', 'memberOfB', { [WHOLE_INSTANCE]: '403', org: '403', other: '403', [OWN_EMAIL]: '200' }],
  [
    'own',
    'chief',
    { [WHOLE_INSTANCE]: '403', org: '403', other: '403', [OWN_EMAIL]: '403 application.account_out_of_reach' },
  ],
  [
    'own',
    'ownerOfB',
    { [WHOLE_INSTANCE]: '403', org: '200', other: '403', [OWN_EMAIL]: '403 application.account_out_of_reach' },
  ],
  [
    'own',
    'memberOfB',
    { [WHOLE_INSTANCE]: '403', org: '403', other: '403', [OWN_EMAIL]: '403 application.not_trusted' },
  ],
];

describe('The rights of a person through an application', () => {
  it.each(MATRIX)('that is %s, for %s [ADM-038]', async (kind, who, expected) => {
    const person = { chief, ownerOfB, memberOfB }[who];
    const api = await apiThrough(applications[kind], person);
    const verdicts: Readonly<Record<string, string>> = {
      [WHOLE_INSTANCE]: await api.verdict('POST', '/admin/v1/orgs/_search', {}),
      org: await api.about(orgB.id).verdict('POST', '/management/v1/projects/_search', {}),
      other: await api.about(orgA.id).verdict('POST', '/management/v1/projects/_search', {}),
      [OWN_EMAIL]: await api.verdict('PUT', '/auth/v1/users/me/email', { email: `${who}-${kind}@mail.test` }),
    };
    for (const [operation, verdict] of Object.entries(expected))
      expect([operation, verdicts[operation]]).toEqual([operation, expect.stringMatching(new RegExp(`^${verdict}`))]);
  });

  it('are not those of the instance, however the token was got [ADM-038]', async () => {
    const { own } = applications;
    const refreshed = await partyOf(own).tokens(chief, { scope: `${SCOPE} offline_access` });
    const { access_token: second } = (await partyOf(own).refresh(refreshed.refresh_token)).json<{
      access_token: string;
    }>();
    const implicit = await partyOf(own).signIn(chief, { scope: SCOPE, response_type: 'id_token token', nonce: 'n' });
    for (const token of [refreshed.access_token, second, implicit['access_token']!])
      expect(
        await apiOf(token).verdict('POST', '/admin/v1/members', { userId: memberOfB.id, roles: ['IAM_OWNER'] }),
      ).toBe('403 permission.missing');
  });

  it('end with the permission that an owner of the instance takes back [ADM-038]', async () => {
    const api = await apiThrough(applications.allowed, chief);
    expect(await api.verdict('POST', '/admin/v1/orgs/_search', {})).toBe('200');
    await allow(applications.allowed, 'APP_ADMINISTRATION_OWN_ORG');
    expect(await api.verdict('POST', '/admin/v1/orgs/_search', {})).toBe('403 permission.missing');
    await allow(applications.allowed);
  });

  it('are all those of a service user, which acts for itself', async () => {
    expect(await instanceOwner.verdict('POST', '/admin/v1/orgs/_search', {})).toBe('200');
  });
});

describe('The own user of an application', () => {
  it('keeps their ways of signing in, by whatever roles they have or get [ADM-060]', async () => {
    const person = await world.add.person({ orgId: orgB.id });
    const api = await apiThrough(applications.own, person);
    const level = { level: 'org', objectId: orgB.id, orgId: orgB.id } as const;
    await world.add.member(person.id, ['ORG_USER_MANAGER'], level);
    const users = '/management/v1/users';
    const changes: ReadonlyArray<readonly [method: string, path: string, body?: Readonly<Record<string, unknown>>]> = [
      ['POST', 'password', { password: 'Another-Horse-8', noChangeRequired: true }],
      ['PUT', 'email', { email: 'thief@mail.test', isEmailVerified: true }],
      ['PUT', 'phone', { phone: '+49309999999', isPhoneVerified: true }],
      ['PUT', 'username', { userName: 'thief' }],
      ['POST', '_deactivate'],
      ['DELETE', 'auth_factors/otp'],
      ['POST', '_lock'],
      ['DELETE', ''],
    ];
    for (const [method, path, body] of changes)
      expect([path, await api.verdict(method, `${users}/${person.id}/${path}`.replace(/\/$/, ''), body)]).toEqual([
        path,
        '403 application.not_trusted',
      ]);
    const newPassword = { password: 'Another-Horse-8' };
    for (const [path, body] of [
      ['password', { newPassword }],
      ['password', { newPassword, currentPassword: person.password }],
      ['password', { newPassword, verificationCode: 'AAAAAA' }],
      ['password_reset', {}],
      ['email', { email: 'thief@mail.test', isVerified: true }],
      ['email/verify', { verificationCode: 'AAAAAA' }],
      ['phone', { phone: '+49309999999' }],
    ] as const)
      expect([path, await api.verdict('POST', `/v2/users/${person.id}/${path}`, body)]).toEqual([
        path,
        '403 application.not_trusted',
      ]);
    const idpId = await addOidc(world, 'https://accounts.example.com');
    const ofSecond: typeof changes = [
      ['POST', 'links', { idpLink: { idpId, userId: 'thief', userName: 'thief' } }],
      ['DELETE', 'totp'],
      ['POST', 'totp'],
      ['POST', 'otp_email'],
      ['POST', 'passkeys'],
      ['POST', 'recovery_codes'],
      ['POST', 'mfa_init_skipped'],
    ];
    for (const [method, path, body] of ofSecond)
      expect([path, await api.verdict(method, `/v2/users/${person.id}/${path}`, body)]).toEqual([
        path,
        '403 application.not_trusted',
      ]);
    expect(await api.verdict('POST', '/auth/v1/users/me/tokens/refresh/_revoke_all')).toBe(
      '403 application.not_trusted',
    );
    const other = await world.add.person({ orgId: orgB.id });
    expect(await api.verdict('PUT', `${users}/${other.id}/username`, { userName: `${other.userName}-2` })).toBe('200');
  });
});

describe('An application that is allowed to administer', () => {
  it('is allowed by owners of the instance alone, and changed by them alone [ADM-039]', async () => {
    const { api: ofB } = await callerWith(world, orgB, ['ORG_OWNER']);
    const { id } = applications.allowed;
    const app = `/management/v1/projects/${await world.cast.projectQ}/apps/${id}`;
    const path = `/admin/v1/apps/${id}/administration`;
    expect(await ofB.verdict('PUT', path, { administration: 'APP_ADMINISTRATION_ALLOWED' })).toBe(
      '403 permission.missing',
    );
    expect(await ofB.call('GET', app)).toMatchObject({ app: { administration: 'APP_ADMINISTRATION_ALLOWED' } });
    expect(await ofB.verdict('PUT', app, { name: 'Renamed' })).toBe('403 permission.missing');
    expect(await ofB.verdict('POST', `${app}/oidc_config/_generate_client_secret`)).toBe('403 permission.missing');
    expect(await instanceOwner.about(orgB.id).verdict('PUT', app, { name: 'allowed' })).toBe('200');
  });
});

describe('A person who is asked', () => {
  it('reads what the application could do with the roles that the person has, once [ADM-040]', async () => {
    const asker = await world.add.client({ projectId: await world.cast.projectQ });
    const party = partyOf(asker);
    const { page } = await party.enter(await party.authorize({ scope: SCOPE }), ownerOfB);
    expect(page!.text).toContain(`Administer ${orgB.domain} (ORG_OWNER)`);
    expect(page!.text).not.toContain('Administer everything');
    expect(party.toAnswer(await party.browser.submit(page!, { decision: 'continue' })).code).toBeDefined();
    expect(party.toAnswer(await party.authorize({ scope: SCOPE, prompt: 'none' })).code).toBeDefined();
    expect(party.toAnswer(await party.authorize({ scope: `${SCOPE} email`, prompt: 'none' })).error).toBe(
      'consent_required',
    );
  });

  it('reads of the instance where an application that is allowed asks', async () => {
    const party = partyOf(await world.add.client({ projectId: await world.cast.projectQ }));
    await allow(party.client);
    const { page } = await party.enter(await party.authorize({ scope: SCOPE }), chief);
    expect(page!.text).toContain('Administer everything in this service (IAM_OWNER)');
  });

  it('is asked by nothing silently, and may say no [ADM-040]', async () => {
    const party = partyOf(await world.add.client({ projectId: await world.cast.projectQ }));
    await party.signIn(chief);
    expect(party.toAnswer(await party.authorize({ scope: SCOPE, prompt: 'none' })).error).toBe('consent_required');
    const { page } = await party.authorize({ scope: SCOPE });
    expect(party.toAnswer(await party.browser.submit(page!, { decision: 'cancel' })).error).toBe('access_denied');
  });

  it('is asked again once the application sends its answers elsewhere [ADM-041]', async () => {
    const party = partyOf(await world.add.client({ projectId: await world.cast.projectQ }));
    const { access_token: token } = await party.tokens(ownerOfB, { scope: SCOPE });
    const { api: ofProject } = await callerWith(world, orgB, ['ORG_OWNER']);
    const app = `/management/v1/projects/${await world.cast.projectQ}/apps/${party.client.id}`;
    const redirectUris = [party.client.redirectUri, 'https://elsewhere.test/cb'];
    await ofProject.call('PUT', `${app}/oidc_config`, {
      ...EMPTY_LISTS,
      redirectUris,
      responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
      grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
    });
    await world.changesToArrive();
    expect(party.toAnswer(await party.authorize({ scope: SCOPE, prompt: 'none' })).error).toBe('consent_required');
    expect(await apiOf(token).verdict('POST', '/management/v1/projects/_search', {})).toBe(
      '403 application.not_allowed',
    );
  });

  it('is asked again once the application may do more than the page has said [ADM-041]', async () => {
    const party = partyOf(await world.add.client({ projectId: await world.cast.projectQ }));
    const { access_token: token } = await party.tokens(chief, { scope: SCOPE });
    const { page } = await party.authorize({ scope: SCOPE, prompt: 'consent' });
    await allow(party.client);
    expect(await apiOf(token).verdict('POST', '/admin/v1/orgs/_search', {})).toBe('403 application.not_allowed');
    expect(party.toAnswer(await party.authorize({ scope: SCOPE, prompt: 'none' })).error).toBe('consent_required');
    const { page: again } = await party.browser.submit(page!, { decision: 'continue' });
    expect(again!.text).toContain('Administer everything in this service (IAM_OWNER)');
  });

  it('takes the consent back with the access of the application [ADM-040]', async () => {
    const party = partyOf(await world.add.client({ projectId: await world.cast.projectQ }));
    const { access_token: token } = await party.tokens(memberOfB, { scope: SCOPE });
    expect(await apiOf(token).verdict('GET', '/auth/v1/users/me')).toBe('200');
    const user = { userId: memberOfB.id, orgId: orgB.id };
    await world.transaction((tx) => world.get(TokenEnds).endAccessOf(tx, user, party.client.clientId));
    world.clock.advance('2s');
    expect(party.toAnswer(await party.authorize({ scope: SCOPE, prompt: 'none' })).error).toBe('consent_required');
  });
});

describe('Projects of another organization', () => {
  it('are asked for on the page of consent, unless they are granted [TEX-018]', async () => {
    const stranger = await world.add.project({ orgId: orgA.id });
    const scope = `openid urn:service:iam:org:project:id:${stranger}:aud`;
    const party = partyOf(await world.add.client({ projectId: await world.cast.projectQ }));
    await party.signIn(memberOfB);
    expect(party.toAnswer(await party.authorize({ scope, prompt: 'none' })).error).toBe('consent_required');
    await instanceOwner.about(orgA.id).call('POST', `/management/v1/projects/${stranger}/grants`, {
      grantedOrgId: orgB.id,
      roleKeys: [],
    });
    expect(party.toAnswer(await party.authorize({ scope, prompt: 'none' })).code).toBeDefined();
  });
});
