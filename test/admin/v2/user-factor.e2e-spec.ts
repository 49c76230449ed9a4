import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasskeyService } from '../../../src/user/factor/passkey.service.js';
import { addOidc, changeIdp, linksOf, OUTBOUND, visit } from '../../idp/external.js';
import { withApp } from '../../login/factor-turns.js';
import { ORIGIN, withKey } from '../../login/passkey-turns.js';
import { type AdminApi, callerWith, type Json } from '../../support/admin-api.js';
import { type TestPerson, uniqueName } from '../../support/builders.js';
import { codeIn, lastMailTo, mailsTo } from '../../support/mails.js';
import { RelyingParty } from '../../support/relying-party.js';
import { startUpstream, type Upstream } from '../../support/upstream.js';
import { addGrant, addProject, managerOf, type Stage, setStage } from '../project-support.js';

const PATH = '/v2/users';
const DETAILS = { details: expect.objectContaining({ changeDate: expect.any(String) as unknown }) as unknown };
const READY = { state: 'AUTH_FACTOR_STATE_READY' };

let stage: Stage;
let a: AdminApi;
let manager: AdminApi;
let sharedId: string;
let ownId: string;
let othersId: string;
let upstream: Upstream;

beforeAll(async () => {
  stage = await setStage({ publicUrl: ORIGIN, env: OUTBOUND });
  upstream = await startUpstream(stage.world);
  a = stage.ownerOfA;
  manager = (await callerWith(stage.world, stage.orgA, ['ORG_USER_MANAGER'])).api;
  sharedId = await addOidc(stage.world, 'https://accounts.example.com');
  ownId = await addOidc(stage.world, 'https://accounts.example.com', {}, stage.orgA.id);
  othersId = await addOidc(stage.world, 'https://accounts.example.com', {}, stage.orgB.id);
});
afterAll(async () => {
  await upstream.close();
  await stage.world.close();
});

const person = (): Promise<TestPerson> => stage.world.add.person({ orgId: stage.orgA.id });
const sub = (): string => uniqueName('sub');
const link = (idpId: string, userId = sub()): Json => ({
  idpLink: { idpId, userId, userName: 'hannah@example.com' },
});
const keyIdsOf = async ({ id }: TestPerson): Promise<string[]> =>
  (await stage.world.get(PasskeyService).list(id)).map((key) => key.id);
const stateOf = async (userId: string): Promise<unknown> =>
  ((await a.call('GET', `${PATH}/${userId}`))['user'] as { state: string }).state;

/** Somebody who has not set the account up yet. */
async function invited(isVerified: boolean): Promise<{ id: string; email: string }> {
  const email = `${uniqueName('new')}@birkenhof.example`.toLowerCase();
  const human = { profile: { givenName: 'Hannah', familyName: 'Vogt' }, email: { email, isVerified } };
  const { id } = await a.call<{ id: string }>('POST', `${PATH}/new`, { organizationId: stage.orgA.id, human });
  return { id, email };
}

describe('Accounts at providers, in the second generation', () => {
  it('are linked, listed and removed, and are those of the first', async () => {
    const { id, email } = await person();
    const theirs = sub();
    expect(await manager.call('POST', `${PATH}/${id}/links`, link(sharedId, theirs))).toMatchObject(DETAILS);
    const { result, details } = await manager.call('POST', `${PATH}/${id}/links/_search`);
    expect(result).toEqual([{ idpId: sharedId, userId: theirs, userName: 'hannah@example.com' }]);
    expect(details).toMatchObject({ totalResult: '1' });
    expect((await a.call('POST', `/management/v1/users/${id}/idps/_search`))['result']).toMatchObject([
      { idpId: sharedId, providedUserId: theirs },
    ]);
    expect((await mailsTo(stage.world, email)).map(({ text }) => text)).toEqual([expect.stringContaining('Provider')]);
    expect(await manager.call('DELETE', `${PATH}/${id}/links/${sharedId}/${theirs}`)).toMatchObject(DETAILS);
    expect(await manager.verdict('DELETE', `${PATH}/${id}/links/${sharedId}/${theirs}`)).toBe('404 idp.link_not_found');
  });

  it('belong to one user only, also if two calls come at once', async () => {
    const [one, two] = [await person(), await person()];
    const theirs = sub();
    const verdicts = await Promise.all(
      [one, two, one].map(({ id }) => manager.verdict('POST', `${PATH}/${id}/links`, link(sharedId, theirs))),
    );
    expect(verdicts.sort()).toEqual(['200', '409 idp.link_taken', '409 idp.link_taken']);
    expect(
      (await linksOf(stage.world, sharedId)).filter(({ externalUserId }) => externalUserId === theirs),
    ).toHaveLength(1);
  });

  it('are at providers of the user’s organization or the instance, which are active and allow links [IDP-046]', async () => {
    const { id } = await person();
    expect(await manager.verdict('POST', `${PATH}/${id}/links`, link(ownId))).toBe('200');
    for (const idpId of [othersId, '1'])
      expect(await manager.verdict('POST', `${PATH}/${id}/links`, link(idpId))).toBe('404 idp.not_found');
    const inactive = await addOidc(stage.world, 'https://accounts.example.com', {}, stage.orgA.id);
    await changeIdp(stage.world, inactive, 'deactivate', stage.orgA.id);
    expect(await manager.verdict('POST', `${PATH}/${id}/links`, link(inactive))).toBe('404 idp.not_found');
    const closed = await addOidc(
      stage.world,
      'https://accounts.example.com',
      {
        options: { isLinkingAllowed: false, isCreationAllowed: true, isAutoUpdate: false, autoLinking: 'unspecified' },
      },
      stage.orgA.id,
    );
    expect(await manager.verdict('POST', `${PATH}/${id}/links`, link(closed))).toBe('400 idp.linking_not_allowed');
  });

  it('set an account up that waited for it, as those of a newcomer do', async () => {
    for (const isVerified of [true, false]) {
      const { id, email } = await invited(isVerified);
      expect(await stateOf(id)).toBe('USER_STATE_INITIAL');
      await manager.call('POST', `${PATH}/${id}/links`, link(sharedId));
      expect(await stateOf(id)).toBe('USER_STATE_ACTIVE');
      const kinds = await stage.world.rows<{ kind: string }>('SELECT kind FROM user_code WHERE user_id = $1', [id]);
      // The code to set the account up opens nothing any more; that of an address is still to be typed.
      expect([email, kinds.map(({ kind }) => kind)]).toEqual([email, isVerified ? [] : ['email']]);
    }
  });

  it('sign the user in', async () => {
    const { id } = await invited(true);
    const theirs = sub();
    const idpId = await addOidc(stage.world, upstream.issuer, { name: uniqueName('Upstream') });
    await manager.call('POST', `${PATH}/${id}/links`, link(idpId, theirs));
    const web1 = new RelyingParty(stage.world, await stage.world.cast.web1);
    expect(web1.toAnswer(await visit(web1, upstream, idpId, { sub: theirs })).code).toBeDefined();
  });

  it('are refused for service users', async () => {
    const { id } = await stage.world.add.service({ orgId: stage.orgA.id });
    expect(await manager.verdict('POST', `${PATH}/${id}/links`, link(sharedId))).toBe('400 user.not_person');
    expect(await manager.verdict('POST', `${PATH}/${id}/links/_search`)).toBe('400 user.not_person');
  });
});

describe('Factors of users, in the second generation', () => {
  it('are listed by type, by kind and by state, without anything that could be used to sign in', async () => {
    const somebody = await person();
    const { id } = somebody;
    await withApp(stage.world, somebody, ['recovery-1', 'recovery-2']);
    await withKey(stage.world, somebody, 'u2f');
    await manager.call('POST', `${PATH}/${id}/links`, link(sharedId));
    const [keyId] = await keyIdsOf(somebody);
    const types = async (query = ''): Promise<unknown> =>
      (await manager.call('GET', `${PATH}/${id}/authentication_methods${query}`))['authMethodTypes'];
    const all = ['PASSWORD', 'IDP', 'TOTP', 'U2F', 'RECOVERY_CODE'].map((word) => `AUTHENTICATION_METHOD_TYPE_${word}`);
    expect(await types()).toEqual(all);
    expect(await types('?domainQuery.domain=id.test')).toEqual(all);
    expect(await types('?domainQuery.domain=elsewhere.test')).toEqual(all.filter((type) => !type.endsWith('U2F')));

    const factors = async (body: Json = {}): Promise<unknown> =>
      (await manager.call('POST', `${PATH}/${id}/authentication_factors/_search`, body))['result'];
    const key = { ...READY, u2f: { id: keyId, name: expect.any(String) as unknown } };
    expect(await factors()).toEqual([{ ...READY, otp: {} }, { ...READY, recoveryCodes: { left: 2 } }, key]);
    expect(await factors({ authFactors: ['U2F', 'OTP_EMAIL'] })).toEqual([key]);
    expect(await factors({ states: ['AUTH_FACTOR_STATE_NOT_READY'] })).toEqual([]);
    const { text } = await manager.ask('POST', `${PATH}/${id}/authentication_factors/_search`);
    expect(text).not.toMatch(/secret|seed|hash|argon2|step/i);
    expect(await factors({ authFactors: ['OTP'] })).toEqual([{ ...READY, otp: {} }]);
  });

  it('are removed one by one, and the recovery codes with the last of them', async () => {
    const somebody = await person();
    const at = `${PATH}/${somebody.id}`;
    await withApp(stage.world, somebody, ['recovery-3']);
    await withKey(stage.world, somebody, 'u2f');
    const [keyId] = await keyIdsOf(somebody);
    expect(await manager.call('DELETE', `${at}/u2f/${keyId}`)).toMatchObject(DETAILS);
    expect(await manager.verdict('DELETE', `${at}/u2f/${keyId}`)).toBe('404 passkey.not_found');
    expect(await manager.call('DELETE', `${at}/totp`)).toMatchObject(DETAILS);
    for (const kind of ['totp', 'otp_email', 'recovery_codes'])
      expect(await manager.verdict('DELETE', `${at}/${kind}`)).toBe('404 factor.not_found');
    expect((await manager.call('POST', `${at}/authentication_factors/_search`))['result']).toEqual([]);
  });

  it('keep the others where recovery codes are removed', async () => {
    const somebody = await person();
    await withApp(stage.world, somebody, ['recovery-4']);
    expect(await manager.verdict('DELETE', `${PATH}/${somebody.id}/recovery_codes`)).toBe('200');
    expect((await manager.call('POST', `${PATH}/${somebody.id}/authentication_factors/_search`))['result']).toEqual([
      { ...READY, otp: {} },
    ]);
  });

  it('have passkeys in a list of their own, of which each is removed by its id', async () => {
    const somebody = await person();
    const at = `${PATH}/${somebody.id}/passkeys`;
    await withKey(stage.world, somebody);
    const [id] = await keyIdsOf(somebody);
    const { result, details } = await manager.call('POST', `${at}/_search`);
    expect(result).toEqual([{ ...READY, id, name: expect.any(String) as unknown }]);
    expect(details).toMatchObject({ totalResult: '1' });
    expect(await manager.verdict('DELETE', `${PATH}/${somebody.id}/u2f/${id}`)).toBe('404 passkey.not_found');
    expect(await manager.call('DELETE', `${at}/${id}`)).toMatchObject(DETAILS);
    expect((await manager.call('POST', `${at}/_search`))['result']).toEqual([]);
  });
});

describe('Mails that managers cause, in the second generation', () => {
  it('have the link for a passkey, which no answer has', async () => {
    const { id, email } = await person();
    const path = `${PATH}/${id}/passkeys/registration_link`;
    expect(await manager.call('POST', path, { sendLink: {} })).toEqual(DETAILS);
    expect((await mailsTo(stage.world, email)).map(({ text }) => text)).toEqual([
      expect.stringContaining('/passwordless/init'),
    ]);
    expect(await manager.verdict('POST', path, { returnCode: {} })).toBe('400 returnCode');
    expect(await manager.verdict('POST', path, { sendLink: { urlTemplate: 'https://x.example/{{.Code}}' } })).toBe(
      '400 sendLink.urlTemplate',
    );
  });

  it('invite users to set their account up, in the name of an application', async () => {
    const { id, email } = await invited(true);
    const path = `${PATH}/${id}/invite_code`;
    expect(await manager.call('POST', path, { sendCode: { applicationName: 'Orchard' } })).toEqual(DETAILS);
    expect((await mailsTo(stage.world, email)).some(({ text }) => text.includes('Orchard'))).toBe(true);
    expect(await manager.call('POST', `${path}/resend`)).toEqual(DETAILS);
    expect(await manager.verdict('POST', path, { returnCode: {} })).toBe('400 returnCode');
    expect(await manager.verdict('POST', path, { sendCode: { urlTemplate: 'https://x.example/' } })).toBe(
      '400 sendCode.urlTemplate',
    );
    const { id: there } = await person();
    for (const end of ['', '/resend'])
      expect(await manager.verdict('POST', `${PATH}/${there}/invite_code${end}`)).toBe('400 user.not_initial');
  });
});

describe('The code of an invitation', () => {
  it('sets up an account that has a password, once, and none without', async () => {
    const email = `${uniqueName('new')}@birkenhof.example`.toLowerCase();
    const human = {
      profile: { givenName: 'Hannah', familyName: 'Vogt' },
      email: { email, isVerified: false },
      password: { password: 'Correct-Horse-7' },
    };
    const { id } = await a.call<{ id: string }>('POST', `${PATH}/new`, { organizationId: stage.orgA.id, human });
    const verify = (of: string, verificationCode: string): Promise<string> =>
      manager.verdict('POST', `${PATH}/${of}/invite_code/verify`, { verificationCode });
    await manager.call('POST', `${PATH}/${id}/invite_code`, {});
    const code = codeIn(stage.world, await lastMailTo(stage.world, email));
    expect(await verify(id, 'AAAAAA')).toBe('400 verificationCode');
    expect([await verify(id, code), await verify(id, code)]).toEqual(['200', '400 verificationCode']);
    expect(await stateOf(id)).toBe('USER_STATE_ACTIVE');
    expect(await verify((await invited(true)).id, 'AAAAAA')).toBe('400 user.initial');
  });
});

/** Every operation of managers on the credentials of a user. */
const changesOf = (id: string): ReadonlyArray<readonly [method: string, path: string, body?: Json]> => [
  ['POST', `${PATH}/${id}/links`, link(sharedId)],
  ['DELETE', `${PATH}/${id}/links/${sharedId}/u-1`],
  ['DELETE', `${PATH}/${id}/totp`],
  ['DELETE', `${PATH}/${id}/otp_email`],
  ['DELETE', `${PATH}/${id}/recovery_codes`],
  ['DELETE', `${PATH}/${id}/u2f/1`],
  ['DELETE', `${PATH}/${id}/passkeys/1`],
  ['POST', `${PATH}/${id}/passkeys/registration_link`, {}],
  ['POST', `${PATH}/${id}/invite_code`, {}],
  ['POST', `${PATH}/${id}/invite_code/resend`, {}],
  ['POST', `${PATH}/${id}/invite_code/verify`, { verificationCode: 'AAAAAA' }],
];
const readsOf = (id: string): ReadonlyArray<readonly [method: string, path: string, body?: Json]> => [
  ['POST', `${PATH}/${id}/links/_search`],
  ['GET', `${PATH}/${id}/authentication_methods`],
  ['POST', `${PATH}/${id}/authentication_factors/_search`],
  ['POST', `${PATH}/${id}/passkeys/_search`],
];
const verdictsOf = (api: AdminApi, calls: ReturnType<typeof changesOf>): Promise<string[]> =>
  Promise.all(calls.map(([method, path, body]) => api.verdict(method, path, body)));

describe('The credentials of a user that a request names [ADM-101]', () => {
  it('are out of reach for managers of other organizations, and answered as if there were none', async () => {
    const { id } = await person();
    for (const named of [id, '1']) {
      const calls = [...changesOf(named), ...readsOf(named)];
      expect(await verdictsOf(stage.ownerOfB, calls)).toEqual(calls.map(() => '404 user.not_found'));
    }
  });

  it('are read, and neither set nor removed, by those who may only read users', async () => {
    const { id } = await person();
    expect(await verdictsOf(stage.viewerOfA, readsOf(id))).toEqual(readsOf(id).map(() => '200'));
    expect(await verdictsOf(stage.viewerOfA, changesOf(id))).toEqual(changesOf(id).map(() => '403 permission.missing'));
  });

  it('of a user who may do more are changed by nobody who may do less: no account, no link and no removal [ADM-104]', async () => {
    const strong = await person();
    const weak = (await callerWith(stage.world, stage.orgA, ['ORG_USER_MANAGER'])).api;
    for (const [role, level, objectId] of [
      ['ORG_OWNER', 'org', stage.orgA.id],
      ['PROJECT_OWNER', 'project', await addProject(a)],
    ] as const) {
      await stage.world.add.member(strong.id, [role], { level, objectId, orgId: stage.orgA.id });
      expect([role, await verdictsOf(weak, changesOf(strong.id))]).toEqual([
        role,
        changesOf(strong.id).map(() => '403 permission.user_too_strong'),
      ]);
    }
    expect((await linksOf(stage.world, sharedId)).some(({ userId }) => userId === strong.id)).toBe(false);
  });

  it('are nothing that managers of a project or of a granted project reach', async () => {
    const { id } = await person();
    const projectId = await addProject(a);
    const granted = await addProject(stage.ownerOfB);
    const grantId = await addGrant(stage.ownerOfB, granted, stage.orgA, []);
    for (const api of [
      await managerOf(stage, stage.orgA, 'PROJECT_OWNER', projectId),
      await managerOf(stage, stage.orgA, 'PROJECT_GRANT_OWNER', grantId),
      stage.nobodyOfA,
    ])
      for (const verdict of await verdictsOf(api, [...changesOf(id), ...readsOf(id)]))
        expect(['403 permission.missing', '404 user.not_found']).toContain(verdict);
  });
});
