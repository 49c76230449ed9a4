import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { apply, peopleWith } from '../../login/registration-turns.js';
import { AdminApi, callerWith } from '../../support/admin-api.js';
import { type TestPerson, uniqueName } from '../../support/builders.js';
import { codeIn, lastMailTo, mailsTo } from '../../support/mails.js';
import { RelyingParty } from '../../support/relying-party.js';
import { type Stage, setStage } from '../project-support.js';

const PATH = '/v2/users';
const DETAILS = { details: expect.objectContaining({ changeDate: expect.any(String) }) as unknown };
const SYSTEM = 'openid urn:service:iam:org:project:id:service:aud';
const PASSWORD = 'Kornblume-2026!';

let stage: Stage;
let a: AdminApi;
let orgId: string;
let userId: string;
let email: string;

beforeAll(async () => {
  stage = await setStage();
  a = stage.ownerOfA;
  orgId = stage.orgA.id;
});
afterAll(() => stage.world.close());

beforeEach(async () => {
  stage.world.clock.advance('1h');
  ({ id: userId, email } = await stage.world.add.person({ orgId, emailVerified: false }));
});

const human = async (id = userId): Promise<Record<string, unknown>> =>
  (await a.call('GET', `${PATH}/${id}`))['user'].human as Record<string, unknown>;

const newAddress = (): string => `${uniqueName('new')}@birkenhof.example`.toLowerCase();
const codeTo = async (address: string): Promise<string> => codeIn(stage.world, await lastMailTo(stage.world, address));

async function apiOf(person: TestPerson): Promise<AdminApi> {
  const client = new RelyingParty(stage.world, await stage.world.cast.console);
  return new AdminApi(stage.world.origin, (await client.tokens(person, { scope: SYSTEM })).access_token);
}

const verify = (verificationCode: string, api = a, id = userId): Promise<string> =>
  api.verdict('POST', `${PATH}/${id}/email/verify`, { verificationCode });

describe('An e-mail address in the second generation', () => {
  it('is set, and verified by the code that was sent to it, once', async () => {
    const address = newAddress();
    expect(await a.call('POST', `${PATH}/${userId}/email`, { email: address })).toEqual(DETAILS);
    expect((await human())['email']).toEqual({ email: address, isVerified: false });
    const code = await codeTo(address);
    expect(await verify('AAAAAA')).toBe('400 verificationCode');
    expect([await verify(code), await verify(code)]).toEqual(['200', '400 verificationCode']);
    expect((await human())['email']).toEqual({ email: address, isVerified: true });
    expect(await a.call('GET', `/management/v1/users/${userId}/email`)).toMatchObject({
      email: { email: address, isEmailVerified: true },
    });
    expect(await stage.world.rows('SELECT email_proof AS proof FROM user_account WHERE id = $1', [userId])).toEqual([
      { proof: 'owner' },
    ]);
  });

  it('is verified by a manager, without a mail', async () => {
    const address = newAddress();
    await a.call('POST', `${PATH}/${userId}/email`, { email: address, isVerified: true });
    expect((await human())['email']).toEqual({ email: address, isVerified: true });
    expect(await mailsTo(stage.world, address)).toEqual([]);
  });

  it.each(['send', 'resend'])('gets another code, after which the one before is dead: %s', async (word) => {
    await a.call('POST', `${PATH}/${userId}/email/send`, {});
    const first = await codeTo(email);
    expect(await a.call('POST', `${PATH}/${userId}/email/${word}`, { sendCode: {} })).toEqual(DETAILS);
    const second = await codeTo(email);
    expect([await verify(first), await verify(second)]).toEqual(['400 verificationCode', '200']);
    expect(await a.verdict('POST', `${PATH}/${userId}/email/${word}`, {})).toBe('400 user.email_verified');
  });

  it('sets the account up that was created with a password', async () => {
    const address = newAddress();
    const add = async (more: object): Promise<string> =>
      (
        await a.call('POST', `${PATH}/human`, {
          profile: { givenName: 'Hannah', familyName: 'Vogt' },
          email: { email: address },
          ...more,
        })
      )['userId'] as string;
    const id = await add({ password: { password: PASSWORD } });
    await a.call('POST', `${PATH}/${id}/email/resend`, {});
    expect(await verify(await codeTo(address), a, id)).toBe('200');
    expect((await a.call('GET', `${PATH}/${id}`))['user']).toMatchObject({ state: 'USER_STATE_ACTIVE' });
    const bare = await add({ username: uniqueName('bare') });
    expect(await verify(await codeTo(address), a, bare)).toBe('400 user.initial');
  });

  it('is verified once by a code that is brought twice at the same time', async () => {
    await a.call('POST', `${PATH}/${userId}/email/send`, {});
    const code = await codeTo(email);
    expect((await Promise.all([verify(code), verify(code)])).sort()).toEqual(['200', '400 verificationCode']);
  });

  it('has codes that no guessing finds: each is dead after ten wrong ones [LOG-037]', async () => {
    await a.call('POST', `${PATH}/${userId}/email/send`, {});
    const code = await codeTo(email);
    const guesses = await Promise.all(Array.from({ length: 10 }, () => verify('AAAAAA')));
    expect(new Set(guesses)).toEqual(new Set(['400 verificationCode']));
    expect(await verify(code)).toBe('400 verificationCode');
    expect((await human())['email']).toMatchObject({ isVerified: false });
  });

  it('is not verified for whoever has registered with it, by those who read the mailbox', async () => {
    const applied = await apply(new RelyingParty(stage.world, await stage.world.cast.web1));
    const [registered] = await peopleWith(stage.world, applied.email);
    const code = await codeTo(applied.email);
    expect(await verify(code, stage.iamOwner, registered!.id)).toBe('400 user.registration_unproven');
    expect((await peopleWith(stage.world, applied.email))[0]).toMatchObject({ email_verified: false });
  });

  it('refuses by name what we do not do', async () => {
    const url = { urlTemplate: 'https://x.example/{{.Code}}' };
    for (const [path, body] of [
      ['email', { email: newAddress() }],
      ['email/send', {}],
      ['email/resend', {}],
    ] as const) {
      const ask = (more: object): Promise<string> =>
        a.verdict('POST', `${PATH}/${userId}/${path}`, { ...body, ...more });
      expect(await ask({ returnCode: {} })).toBe('400 returnCode');
      expect(await ask({ sendCode: url })).toBe('400 sendCode.urlTemplate');
    }
    expect((await human())['email']).toMatchObject({ email });
  });

  it('is no matter of service users', async () => {
    const { service } = await callerWith(stage.world, stage.orgA, []);
    const ask = (path: string, body: object): Promise<string> =>
      a.verdict('POST', `${PATH}/${service.id}/${path}`, { ...body });
    expect([
      await ask('email', { email: newAddress() }),
      await ask('email/send', {}),
      await ask('email/verify', { verificationCode: 'AAAAAA' }),
      await ask('phone', { phone: '+49 30 1' }),
    ]).toEqual(Array.from({ length: 4 }, () => '400 user.not_person'));
  });
});

describe('An e-mail address of the caller', () => {
  it('is verified without any permission, by the code', async () => {
    const person = await stage.world.add.person({ orgId });
    const own = await apiOf(person);
    const address = newAddress();
    await a.call('POST', `${PATH}/${person.id}/email`, { email: address });
    expect(await verify('AAAAAA', own, person.id)).toBe('400 verificationCode');
    expect(await verify(await codeTo(address), own, person.id)).toBe('200');
    expect((await human(person.id))['email']).toEqual({ email: address, isVerified: true });
    expect(await verify('AAAAAA', own, userId)).toBe('404 user.not_found');
  });

  it('takes the place of the present one with a token of a recent sign-in [ACC-011]', async () => {
    const person = await stage.world.add.person({ orgId });
    const own = await apiOf(person);
    const address = newAddress();
    await own.call('PUT', '/auth/v1/users/me/email', { email: address });
    const code = await codeTo(address);
    expect(await verify(code, a, person.id)).toBe('400 verificationCode');
    stage.world.clock.advance('11m');
    expect(await verify(code, own, person.id)).toBe('401 token.sign_in_too_old');
    const later = await apiOf(person);
    expect(await verify('AAAAAA', later, person.id)).toBe('400 verificationCode');
    expect(await verify(code, later, person.id)).toBe('200');
    expect((await human(person.id))['email']).toEqual({ email: address, isVerified: true });
  });
});

describe('A phone number in the second generation', () => {
  it('is set, verified and removed', async () => {
    expect(await a.call('POST', `${PATH}/${userId}/phone`, { phone: '+49 30 765' })).toEqual(DETAILS);
    expect((await human())['phone']).toEqual({ phone: '+4930765', isVerified: false });
    await a.call('POST', `${PATH}/${userId}/phone`, { phone: '+49 30 765', isVerified: true });
    expect((await human())['phone']).toEqual({ phone: '+4930765', isVerified: true });
    expect(await a.call('DELETE', `${PATH}/${userId}/phone`)).toEqual(DETAILS);
    expect(await human()).not.toHaveProperty('phone');
    expect(await a.verdict('DELETE', `${PATH}/${userId}/phone`)).toBe('404 user.phone_missing');
  });

  it('refuses codes, since no SMS are sent', async () => {
    const ask = (more: object): Promise<string> =>
      a.verdict('POST', `${PATH}/${userId}/phone`, { phone: '+49 30 765', ...more });
    expect(await ask({ sendCode: {} })).toBe('400 user.sms_unavailable');
    expect(await ask({ returnCode: {} })).toBe('400 returnCode');
    expect(await ask({ phone: '030 765' })).toBe('400 phone');
    expect(await human()).not.toHaveProperty('phone');
  });
});

describe('Metadata of users in the second generation', () => {
  it('is that of the first, set, searched and removed as a whole', async () => {
    const at = `${PATH}/${userId}/metadata`;
    const metadata = [
      { key: 'site', value: 'YmVybGlu' },
      { key: 'department', value: 'bG9naXN0aWNz' },
    ];
    expect(await a.call('POST', at, { metadata })).toEqual({ setDate: expect.any(String) });
    expect((await a.call('GET', `/management/v1/users/${userId}/metadata/site`))['metadata']).toMatchObject({
      value: 'YmVybGlu',
    });
    const keys = async (body: object): Promise<string[]> =>
      ((await a.call('POST', `${at}/search`, { ...body }))['metadata'] as Array<{ key: string }>).map(({ key }) => key);
    expect(await keys({ pagination: { asc: true } })).toEqual(['department', 'site']);
    expect(await keys({ filters: [{ keyFilter: { key: 'dep', method: 'TEXT_FILTER_METHOD_STARTS_WITH' } }] })).toEqual([
      'department',
    ]);
    expect(await a.verdict('POST', `${at}/search`, { filters: [{ valueFilter: {} }] })).toBe('400 filters[0]');
    expect(await a.verdict('DELETE', at, { keys: ['site', 'none'] })).toBe('404 user.metadata_not_found');
    expect(await a.call('DELETE', at, { keys: ['site'] })).toEqual({ deletionDate: expect.any(String) });
    expect(await keys({})).toEqual(['department']);
    await a.call('POST', at, { metadata });
    // As gateways of the described system spell a list, whose DELETE has no body.
    await a.call('DELETE', `${at}?keys=site&keys=department`);
    expect(await keys({})).toEqual([]);
    expect(await a.verdict('DELETE', `${at}?keys=%FF`)).toBe('400 keys');
    expect(await a.verdict('DELETE', `${at}?${'keys=x&'.repeat(201)}`)).toBe('400 keys');
  });
});

/** Every operation that changes something, and those of reading. */
const CHANGES: ReadonlyArray<[method: string, path: string, body?: Record<string, unknown>]> = [
  ['POST', 'email', { email: 'mallory@evil.test', isVerified: true }],
  ['POST', 'email/send', {}],
  ['POST', 'email/resend', {}],
  ['POST', 'phone', { phone: '+49 30 1' }],
  ['DELETE', 'phone'],
  ['POST', 'metadata', { metadata: [{ key: 'site', value: 'YmVybGlu' }] }],
  ['DELETE', 'metadata', { keys: ['site'] }],
];
const VERIFY: (typeof CHANGES)[number] = ['POST', 'email/verify', { verificationCode: 'AAAAAA' }];
const SEARCH: (typeof CHANGES)[number] = ['POST', 'metadata/search', {}];

async function verdictsOf(api: AdminApi, id: string, requests: typeof CHANGES): Promise<string[]> {
  const verdicts = new Set<string>();
  for (const [method, path, body] of requests) verdicts.add(await api.verdict(method, `${PATH}/${id}/${path}`, body));
  return [...verdicts];
}

describe('The contact of a user that a request names [ADM-101]', () => {
  it('is out of reach for managers of other organizations, and answered as if there were none', async () => {
    for (const id of [userId, '1'])
      expect(await verdictsOf(stage.ownerOfB, id, [...CHANGES, VERIFY, SEARCH])).toEqual(['404 user.not_found']);
    const elsewhere = stage.ownerOfB.about(orgId);
    expect(await verdictsOf(elsewhere, userId, [...CHANGES, VERIFY, SEARCH])).toEqual(['404 user.not_found']);
  });

  it('is not changed by those who may only read it, or manage nothing but the grant of a project', async () => {
    expect(await verdictsOf(stage.viewerOfA, userId, CHANGES)).toEqual(['403 permission.missing']);
    expect(await verdictsOf(stage.viewerOfA, userId, [VERIFY])).toEqual(['404 user.not_found']);
    expect(await verdictsOf(stage.viewerOfA, userId, [SEARCH])).toEqual(['200']);
    const { service, api } = await callerWith(stage.world, stage.orgA, []);
    const level = { level: 'project_grant', objectId: '1', orgId } as const;
    await stage.world.add.member(service.id, ['PROJECT_GRANT_OWNER'], level);
    expect(await verdictsOf(api, userId, [...CHANGES, SEARCH])).toEqual(['403 permission.missing']);
    expect(await verdictsOf(api, userId, [VERIFY])).toEqual(['404 user.not_found']);
  });

  it('of a more powerful person is changed by no weaker manager, who could take the account over [ADM-007]', async () => {
    await stage.world.add.member(userId, ['ORG_OWNER'], { level: 'org', objectId: orgId, orgId });
    const { api } = await callerWith(stage.world, stage.orgA, ['ORG_USER_MANAGER']);
    expect(await verdictsOf(api, userId, [...CHANGES, VERIFY])).toEqual(['403 permission.user_too_strong']);
    await a.call('POST', `${PATH}/${userId}/email/send`, {});
    expect(await verify(await codeTo(email), api)).toBe('403 permission.user_too_strong');
    expect((await human())['email']).toEqual({ email, isVerified: false });
  });
});
