import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IdpLinks } from '../../../src/idp/idp-links.js';
import { InstanceService } from '../../../src/org/instance/instance.service.js';
import { PolicyService } from '../../../src/org/policy/policy.service.js';
import { addJwt } from '../../idp/external.js';
import { AdminApi, callerWith } from '../../support/admin-api.js';
import { EDITOR, type TestPerson, uniqueName } from '../../support/builders.js';
import { codeIn, lastMailTo, mailsTo } from '../../support/mails.js';
import { RelyingParty } from '../../support/relying-party.js';
import { type Stage, setStage } from '../project-support.js';

const PATH = '/v2/users';
const DETAILS = { details: expect.objectContaining({ changeDate: expect.any(String) }) as unknown };
const SYSTEM = 'openid urn:service:iam:org:project:id:service:aud';
const NEW = 'Kornblume-2026!';

let stage: Stage;
let a: AdminApi;
let orgId: string;
let person: TestPerson;

beforeAll(async () => {
  stage = await setStage({ loginLimits: 'on' });
  a = stage.ownerOfA;
  orgId = stage.orgA.id;
  stage.world.plant(NEW);
});
afterAll(() => stage.world.close());

beforeEach(async () => {
  stage.world.clock.advance('1h');
  person = await stage.world.add.person({ orgId });
});

async function apiOf(of: TestPerson): Promise<AdminApi> {
  const client = new RelyingParty(stage.world, await stage.world.cast.console);
  return new AdminApi(stage.world.origin, (await client.tokens(of, { scope: SYSTEM })).access_token);
}

const codeTo = async (address: string): Promise<string> => codeIn(stage.world, await lastMailTo(stage.world, address));

const sent = (more: object = {}, password = NEW): Record<string, unknown> => ({ newPassword: { password }, ...more });
const set = (api: AdminApi, more: object = {}, id = person.id): Promise<string> =>
  api.verdict('POST', `${PATH}/${id}/password`, sent(more));
const reset = (api: AdminApi, body: object = {}, id = person.id): Promise<string> =>
  api.verdict('POST', `${PATH}/${id}/password_reset`, { ...body });

const required = async (): Promise<unknown> =>
  (await a.call('GET', `${PATH}/${person.id}`))['user'].human.passwordChangeRequired;

describe('A password in the second generation', () => {
  it('is set by a manager, which ends every token, and whether it must be changed', async () => {
    const own = await apiOf(person);
    const newPassword = { password: NEW, changeRequired: true };
    expect(await a.call('POST', `${PATH}/${person.id}/password`, { newPassword })).toEqual(DETAILS);
    expect(await required()).toBe(true);
    expect(await own.verdict('GET', '/auth/v1/users/me')).toBe('401 token.dead');
    expect(await set(a)).toBe('200');
    expect(await required()).toBe(false);
    expect(await (await apiOf({ ...person, password: NEW })).verdict('GET', '/auth/v1/users/me')).toBe('200');
  });

  it('keeps the rules of the organization, and is none of a service user', async () => {
    const body = sent({}, 'x');
    expect(await a.verdict('POST', `${PATH}/${person.id}/password`, body)).toMatch(/^400 newPassword\.password/);
    expect(await a.verdict('POST', `${PATH}/${person.id}/password`, {})).toBe('400 newPassword');
    const { service } = await callerWith(stage.world, stage.orgA, []);
    expect([await set(a, {}, service.id), await reset(a, {}, service.id)]).toEqual([
      '400 user.not_person',
      '400 user.not_person',
    ]);
  });

  it('is set again by the code of a reset, once, whoever of those who may bring it does', async () => {
    for (const through of [async () => a, () => apiOf(person)]) {
      const api = await through();
      expect(await a.call('POST', `${PATH}/${person.id}/password_reset`, { sendLink: {} })).toEqual(DETAILS);
      const code = { verificationCode: await codeTo(person.email) };
      expect(await set(api, { verificationCode: 'AAAAAA' })).toBe('400 verificationCode');
      expect(await set(api, code)).toBe('200');
      expect(await set(a, code)).toBe('400 verificationCode');
      person = { ...person, password: NEW };
      expect(await (await apiOf(person)).verdict('GET', '/auth/v1/users/me')).toBe('200');
    }
  });

  it('is set once by a code that is brought twice at the same time', async () => {
    await reset(a);
    const code = { verificationCode: await codeTo(person.email) };
    const verdicts = await Promise.all([set(a, code), set(a, code), set(stage.iamOwner, code)]);
    expect(verdicts.sort()).toEqual(['200', '400 verificationCode', '400 verificationCode']);
  });

  it('sets an account up with its first code', async () => {
    const email = `${uniqueName('first')}@birkenhof.example`.toLowerCase();
    const { userId } = await a.call<{ userId: string }>('POST', `${PATH}/human`, {
      profile: { givenName: 'Hannah', familyName: 'Vogt' },
      email: { email },
    });
    expect(await reset(a, {}, userId)).toBe('400 user.initial');
    expect(await set(a, { verificationCode: await codeTo(email) }, userId)).toBe('200');
    expect((await a.call('GET', `${PATH}/${userId}`))['user']).toMatchObject({
      state: 'USER_STATE_ACTIVE',
      human: { email: { email, isVerified: true } },
    });
  });

  it('has codes that no guessing finds, and that open no account that is locked [LOG-037]', async () => {
    await reset(a);
    const code = await codeTo(person.email);
    for (let guess = 0; guess < 10; guess += 1)
      expect(await set(a, { verificationCode: 'AAAAAA' })).toBe('400 verificationCode');
    expect(await set(a, { verificationCode: code })).toBe('400 verificationCode');
    await reset(a);
    const another = { verificationCode: await codeTo(person.email) };
    await a.call('POST', `${PATH}/${person.id}/lock`);
    expect(await set(a, another)).toBe('400 verificationCode');
  });

  it('that is reset has its other ways of signing in told to the owner [PKY-028]', async () => {
    const idpId = await addJwt(stage.world, 'http://127.0.0.1:1');
    const link = { idpId, externalUserId: 'elsewhere', displayName: 'Hannah elsewhere', userId: person.id, orgId };
    await stage.world.transaction((tx) => stage.world.get(IdpLinks).add(tx, link, EDITOR));
    await reset(a);
    await set(a, { verificationCode: await codeTo(person.email) });
    const texts = (await mailsTo(stage.world, person.email)).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('(Hannah elsewhere)'))).toHaveLength(1);
  });

  it('refuses by name what we do not do', async () => {
    expect(await reset(a, { returnCode: {} })).toBe('400 returnCode');
    expect(await reset(a, { sendLink: { urlTemplate: 'https://x.example/{{.Code}}' } })).toBe(
      '400 sendLink.urlTemplate',
    );
    expect(await reset(a, { sendLink: { notificationType: 'NOTIFICATION_TYPE_SMS' } })).toBe(
      '400 user.sms_unavailable',
    );
    expect(await reset(a, { sendLink: { notificationType: 'NOTIFICATION_TYPE_Email' } })).toBe('200');
    expect(await set(a, { currentPassword: person.password })).toBe('400 currentPassword');
    const newPassword = { password: NEW, changeRequired: true };
    expect(await set(a, { newPassword, verificationCode: 'AAAAAA' })).toBe('400 newPassword.changeRequired');
  });
});

describe('The password of the caller', () => {
  it('is changed without any permission, with the present one', async () => {
    const own = await apiOf(person);
    expect(await set(own)).toBe('400 currentPassword');
    expect(await set(own, { currentPassword: 'wrong' })).toBe('400 currentPassword');
    expect(await own.verdict('POST', `${PATH}/${person.id}/password`, sent({ currentPassword: 'x' }, 'x'))).toMatch(
      /^400 newPassword\.password/,
    );
    expect(await set(own, { currentPassword: person.password })).toBe('200');
    expect(await own.verdict('GET', '/auth/v1/users/me')).toBe('401 token.dead');
    expect(await (await apiOf({ ...person, password: NEW })).verdict('GET', '/auth/v1/users/me')).toBe('200');
  });

  it('is changed with a token of a recent sign-in, and where the policy lets users [ACC-011]', async () => {
    const own = await apiOf(person);
    stage.world.clock.advance('11m');
    const change = { currentPassword: person.password };
    expect(await set(own, change)).toBe('401 token.sign_in_too_old');
    const { id } = await stage.world.add.org();
    const other = await stage.world.add.person({ orgId: id });
    await stage.world.transaction((tx) =>
      stage.world.get(PolicyService).set(tx, 'selfService', id, { changePassword: false }, EDITOR),
    );
    await stage.world.changesToArrive();
    expect(await set(await apiOf(other), { currentPassword: other.password }, other.id)).toBe(
      '403 user.self_service_closed',
    );
  });

  it('is not found by guessing: wrong ones count as on the pages, until the owner proves to be it [LOG-034]', async () => {
    const own = await apiOf(person);
    const verdicts = new Set<string>();
    for (let guess = 0; guess < 12; guess += 1) verdicts.add(await set(own, { currentPassword: 'wrong' }));
    expect(verdicts).toEqual(new Set(['400 currentPassword', '429 attempt.too_many']));
    expect(await set(own, { currentPassword: person.password })).toBe('429 attempt.too_many');
    await reset(a);
    expect(await set(own, { verificationCode: await codeTo(person.email) })).toBe('200');
    const again = { currentPassword: NEW, newPassword: { password: person.password } };
    expect(await set(await apiOf({ ...person, password: NEW }), again)).toBe('200');
  });

  it('is a matter of nobody else', async () => {
    const own = await apiOf(person);
    const other = await stage.world.add.person({ orgId });
    for (const more of [{}, { currentPassword: other.password }, { verificationCode: 'AAAAAA' }])
      expect(await set(own, more, other.id)).toBe('404 user.not_found');
    expect(await reset(own, {}, other.id)).toBe('403 permission.missing');
  });
});

describe('The password of a user that a request names [ADM-101]', () => {
  const proofs = [{}, { currentPassword: 'x' }, { verificationCode: 'AAAAAA' }];
  const verdictsOf = async (api: AdminApi, id = person.id): Promise<string[]> => {
    const verdicts = new Set<string>();
    for (const proof of proofs) verdicts.add(await set(api, proof, id));
    return [...verdicts];
  };

  it('is out of reach for managers of other organizations, and answered as if there were none', async () => {
    for (const id of [person.id, '1']) {
      expect(await verdictsOf(stage.ownerOfB, id)).toEqual(['404 user.not_found']);
      expect(await reset(stage.ownerOfB, {}, id)).toBe('404 user.not_found');
    }
    expect(await verdictsOf(stage.ownerOfB.about(orgId))).toEqual(['404 user.not_found']);
  });

  it('is neither set nor reset by those who may only read the user', async () => {
    expect(await verdictsOf(stage.viewerOfA)).toEqual(['404 user.not_found']);
    expect(await reset(stage.viewerOfA)).toBe('403 permission.missing');
  });

  it.each(['ORG_OWNER', 'IAM_OWNER'] as const)(
    'of an %s is neither set nor reset by a manager of users, with the code neither [ADM-007]',
    async (role) => {
      const { id: instanceId } = await stage.world.get(InstanceService).get();
      const level =
        role === 'ORG_OWNER'
          ? ({ level: 'org', objectId: orgId, orgId } as const)
          : ({ level: 'instance', objectId: instanceId, orgId: instanceId } as const);
      await stage.world.add.member(person.id, [role], level);
      const { api } = await callerWith(stage.world, stage.orgA, ['ORG_USER_MANAGER']);
      await reset(stage.iamOwner);
      const code = await codeTo(person.email);
      expect([await set(api), await set(api, { verificationCode: code }), await reset(api)]).toEqual(
        Array.from({ length: 3 }, () => '403 permission.user_too_strong'),
      );
      expect(await (await apiOf(person)).verdict('GET', '/auth/v1/users/me')).toBe('200');
    },
  );
});
