import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CodeKind } from '../../src/user/user-code.entity.js';
import { UserCodes } from '../../src/user/user-codes.js';
import { type AdminApi, type Json } from '../support/admin-api.js';
import { PASSWORD, type TestOrg } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { PeopleStage, USERS } from './people-stage.js';

let stage: PeopleStage;
let world: World;
let orgA: TestOrg;
let manager: AdminApi;
let viewer: AdminApi;
let managerOfB: AdminApi;

beforeAll(async () => {
  stage = await PeopleStage.set();
  ({ world, orgA, manager, viewer, managerOfB } = stage);
});
afterAll(() => world.close());

describe('The profile of a person', () => {
  it('is replaced; what other services do not know is left alone where it is not sent', async () => {
    const id = await stage.add({
      profile: {
        firstName: 'A',
        lastName: 'B',
        nickName: 'N',
        middleName: 'M',
        birthdate: '1999',
        address: { locality: 'Berlin' },
      },
    });
    await manager.call('PUT', `${USERS}/${id}/profile`, {
      firstName: 'C',
      lastName: 'D',
      preferredLanguage: 'fr',
      gender: 2,
    });
    const { profile, details } = await manager.call('GET', `${USERS}/${id}/profile`);
    expect(profile).toMatchObject({
      firstName: 'C',
      lastName: 'D',
      nickName: '',
      displayName: 'C D',
      preferredLanguage: 'fr',
      gender: 'GENDER_MALE',
      middleName: 'M',
      birthdate: '1999',
      address: { locality: 'Berlin' },
    });
    expect(details['sequence']).toBe('2');
    await manager.call('PUT', `${USERS}/${id}/profile`, { firstName: 'C', lastName: 'D', middleName: '', address: {} });
    expect((await manager.call('GET', `${USERS}/${id}/profile`))['profile']).toEqual(
      expect.not.objectContaining({ address: expect.anything() }),
    );
  });

  it('that is so already is left alone: twice in a row writes once', async () => {
    const id = await stage.add();
    const change = (): Promise<Json> =>
      manager.call('PUT', `${USERS}/${id}/profile`, { firstName: 'Same', lastName: 'Same' });
    const first = await change();
    expect(await change()).toEqual(first);
    expect(await stage.eventsOf(id)).toEqual(['user.human.added', 'user.human.profile.changed']);
  });

  it('loses nothing when two change it at once', async () => {
    const id = await stage.add();
    await Promise.all(
      ['X', 'Y'].map((firstName) => manager.call('PUT', `${USERS}/${id}/profile`, { firstName, lastName: 'Z' })),
    );
    expect(((await stage.get(id))['details'] as Json)['sequence']).toBe('3');
  });

  it.each<[string, Json, string]>([
    ['no names', {}, '400 firstName, lastName'],
    ['a malformed language', { firstName: 'x', lastName: 'x', preferredLanguage: 'de_DE' }, '400 preferredLanguage'],
    ['an impossible birthdate', { firstName: 'x', lastName: 'x', birthdate: '2001-02-30' }, '400 birthdate'],
  ])('is refused with %s', async (_, body, verdict) => {
    expect(await manager.verdict('PUT', `${USERS}/${await stage.add()}/profile`, body)).toBe(verdict);
  });
});

describe('The e-mail address of a person', () => {
  it('is verified by a manager, changed to another, and back to unverified with a code for the new address alone', async () => {
    const id = await stage.add({ email: { email: 'old@mail.test' }, initialPassword: PASSWORD });
    await manager.call('PUT', `${USERS}/${id}/email`, { email: 'old@mail.test', isEmailVerified: true });
    expect(await stage.get(id)).toMatchObject({
      state: 'USER_STATE_ACTIVE',
      human: { email: { email: 'old@mail.test', isEmailVerified: true } },
    });
    expect(await stage.codesOf(id)).toEqual([]);
    await manager.call('PUT', `${USERS}/${id}/email`, { email: 'new@mail.test' });
    expect((await manager.call('GET', `${USERS}/${id}/email`))['email']).toEqual({
      email: 'new@mail.test',
      isEmailVerified: false,
    });
    expect([(await stage.get(id))['state'], await stage.codesOf(id)]).toEqual(['USER_STATE_ACTIVE', ['email']]);
    expect(await stage.eventsOf(id)).toEqual([
      'user.human.added',
      'user.human.email.verified',
      'user.human.email.changed',
    ]);
  });

  it('that is verified stays so when it is sent once more', async () => {
    const id = await stage.add();
    const before = await stage.get(id);
    await manager.call('PUT', `${USERS}/${id}/email`, { email: ((before['human'] as Json)['email'] as Json)['email'] });
    expect(await stage.get(id)).toEqual(before);
  });

  it('takes codes along that went to the old one', async () => {
    const id = await stage.add({ initialPassword: PASSWORD });
    await manager.call('POST', `${USERS}/${id}/password/_reset`, {});
    expect(await stage.codesOf(id)).toEqual(['password_reset']);
    await manager.call('PUT', `${USERS}/${id}/email`, { email: 'other@mail.test', isEmailVerified: true });
    expect(await stage.codesOf(id)).toEqual([]);
  });

  it('gets a new code when it is not verified, and none when it is, or when the account is not set up', async () => {
    const path = (id: string) => `${USERS}/${id}/email/_resend_verification`;
    const unverified = await stage.add({ initialPassword: PASSWORD });
    await manager.call('PUT', `${USERS}/${unverified}/email`, { email: 'new@mail.test' });
    const [before] = await world.rows('SELECT code_hash FROM user_code WHERE user_id = $1', [unverified]);
    expect(await manager.verdict('POST', path(unverified))).toBe('200');
    expect(await world.rows('SELECT code_hash FROM user_code WHERE user_id = $1', [unverified])).not.toEqual([before]);
    expect(await manager.verdict('POST', path(await stage.add({ initialPassword: PASSWORD })))).toBe(
      '400 user.email_verified',
    );
    expect(await manager.verdict('POST', path(await stage.add()))).toBe('400 user.initial');
  });
});

describe('The phone number of a person', () => {
  it('is set, verified and removed, once', async () => {
    const id = await stage.add();
    const path = `${USERS}/${id}/phone`;
    expect(await manager.verdict('GET', path)).toBe('404 user.phone_missing');
    await manager.call('PUT', path, { phone: '+49 30 1234567' });
    await manager.call('PUT', path, { phone: '+49301234567', isPhoneVerified: true });
    expect((await manager.call('GET', path))['phone']).toEqual({ phone: '+49301234567', isPhoneVerified: true });
    expect(await manager.verdict('PUT', path, { phone: '0301234567' })).toBe('400 phone');
    expect(await manager.verdict('DELETE', path)).toBe('200');
    expect(await manager.verdict('DELETE', path)).toBe('404 user.phone_missing');
    expect((await stage.get(id))['human']).not.toHaveProperty('phone');
  });
});

describe('The password of a person', () => {
  it('is set by a manager; sessions and tokens of before are dead, and another one is asked for unless it may stay', async () => {
    const someone = await world.add.person({ orgId: orgA.id });
    const rp = new RelyingParty(world, await world.cast.web1);
    const { access_token: token } = await rp.tokens(someone);
    world.plant('Another-Horse-8');
    await manager.call('POST', `${USERS}/${someone.id}/password`, {
      password: 'Another-Horse-8',
      noChangeRequired: true,
    });
    expect((await rp.userinfo(token)).status).toBe(401);
    expect(await world.rows('SELECT id FROM session WHERE user_id = $1 AND ended_at IS NULL', [someone.id])).toEqual(
      [],
    );
    expect(await stage.signIn(someone.userName, 'Another-Horse-8')).toBe(200);
    await manager.call('POST', `${USERS}/${someone.id}/password`, { password: 'Another-Horse-8' });
    expect(
      await world.rows('SELECT password_change_required AS required FROM user_account WHERE id = $1', [someone.id]),
    ).toEqual([{ required: true }]);
  });

  it('sets up an account whose address is verified, and no other', async () => {
    const [verified, unverified] = [await stage.add(), await stage.add({ email: { email: 'a@mail.test' } })];
    for (const id of [verified, unverified])
      expect(await manager.verdict('POST', `${USERS}/${id}/password/_initialize`, { password: PASSWORD })).toBe('200');
    expect([(await stage.get(verified))['state'], await stage.codesOf(verified)]).toEqual(['USER_STATE_ACTIVE', []]);
    expect([(await stage.get(unverified))['state'], await stage.codesOf(unverified)]).toEqual([
      'USER_STATE_INITIAL',
      ['init'],
    ]);
  });

  it('keeps the rules of the organization', async () => {
    expect(await manager.verdict('POST', `${USERS}/${await stage.add()}/password`, { password: 'short' })).toMatch(
      /^400 password/,
    );
    expect(await manager.verdict('POST', `${USERS}/${await stage.add()}/password`, { password: '' })).toBe(
      '400 password',
    );
  });

  it('is chosen anew with a code, which is sent to a verified address alone', async () => {
    const path = (id: string) => `${USERS}/${id}/password/_reset`;
    const id = await stage.add({ initialPassword: PASSWORD });
    expect(await manager.verdict('POST', path(id), { type: 'TYPE_EMAIL' })).toBe('200');
    expect(await stage.codesOf(id)).toEqual(['password_reset']);
    expect(await manager.verdict('POST', path(id), { type: 'TYPE_SMS' })).toBe('400 user.sms_unavailable');
    await manager.call('PUT', `${USERS}/${id}/email`, { email: 'new@mail.test' });
    expect(await manager.verdict('POST', path(id), {})).toBe('400 user.email_not_verified');
    expect(await manager.verdict('POST', path(await stage.add()), {})).toBe('400 user.initial');
  });
});

describe('ResendHumanInitialization', () => {
  it('makes a new code, to another address if one is given, as long as the account is not set up', async () => {
    const id = await stage.add({ email: { email: 'first@mail.test' } });
    const [before] = await world.rows('SELECT code_hash FROM user_code WHERE user_id = $1', [id]);
    await manager.call('POST', `${USERS}/${id}/_resend_initialization`, { email: 'second@mail.test' });
    expect((await manager.call('GET', `${USERS}/${id}/email`))['email']).toEqual({
      email: 'second@mail.test',
      isEmailVerified: false,
    });
    expect(await world.rows('SELECT code_hash FROM user_code WHERE user_id = $1', [id])).not.toEqual([before]);
    expect(await manager.verdict('POST', `${USERS}/${id}/_resend_initialization`, { email: 'no address' })).toBe(
      '400 email',
    );
    expect(
      await manager.verdict(
        'POST',
        `${USERS}/${await stage.add({ initialPassword: PASSWORD })}/_resend_initialization`,
        {},
      ),
    ).toBe('400 user.not_initial');
  });
});

describe('A mailed code', () => {
  const issue = async (kind: CodeKind): Promise<{ id: string; code: string }> => {
    const { id } = await world.add.person({ orgId: orgA.id });
    return { id, code: (await world.transaction((tx) => world.get(UserCodes).issue(tx, id, kind))).reveal() };
  };
  const spend = async (id: string, kind: CodeKind, code: string): Promise<boolean> => {
    const checked = await world.get(UserCodes).check(id, kind, code);
    return checked !== undefined && world.transaction((tx) => world.get(UserCodes).spend(tx, checked));
  };

  it('has six upper-case letters and digits, and is good once, however it is typed, at one of two at once', async () => {
    const { id, code } = await issue('email');
    expect(code).toMatch(/^[A-Z0-9]{6}$/);
    expect(await spend(id, 'email', code === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA')).toBe(false);
    expect(await spend(id, 'init', code)).toBe(false);
    const verdicts = await Promise.all([1, 2, 3].map(() => spend(id, 'email', ` ${code.toLowerCase()} `)));
    expect(verdicts.filter(Boolean)).toHaveLength(1);
  });

  it.each<[CodeKind, number]>([
    ['init', 72],
    ['email', 1],
    ['password_reset', 1],
  ])('of the kind %s is good for %d hours', async (kind, hours) => {
    const [late, timely] = [await issue(kind), await issue(kind)];
    world.clock.advance(`${hours * 3600 - 1}s`);
    expect(await spend(timely.id, kind, timely.code)).toBe(true);
    world.clock.advance('1s');
    expect(await spend(late.id, kind, late.code)).toBe(false);
  });

  it('is worth nothing once another one is made', async () => {
    const { id, code } = await issue('init');
    await world.transaction((tx) => world.get(UserCodes).issue(tx, id, 'init'));
    expect(await spend(id, 'init', code)).toBe(false);
  });
});

describe("What is a person's", () => {
  const operations: ReadonlyArray<readonly [string, string, Json | undefined]> = [
    ['GET', 'profile', undefined],
    ['PUT', 'profile', { firstName: 'x', lastName: 'x' }],
    ['GET', 'email', undefined],
    ['PUT', 'email', { email: 'x@mail.test' }],
    ['POST', 'email/_resend_verification', undefined],
    ['GET', 'phone', undefined],
    ['PUT', 'phone', { phone: '+49301234567' }],
    ['DELETE', 'phone', undefined],
    ['POST', 'password', { password: PASSWORD }],
    ['POST', 'password/_initialize', { password: PASSWORD }],
    ['POST', 'password/_reset', {}],
    ['POST', '_resend_initialization', {}],
  ];

  it.each(operations)('%s %s is refused for a service user', async (method, path, body) => {
    const { id } = await world.add.service({ orgId: orgA.id });
    expect(await manager.verdict(method, `${USERS}/${id}/${path}`, body)).toBe('400 user.not_person');
  });

  it.each(operations)(
    '%s %s is not found by another organization, nor allowed for read-only managers',
    async (method, path, body) => {
      const { id } = await world.add.person({ orgId: orgA.id });
      const before = await world.contents();
      expect(await managerOfB.verdict(method, `${USERS}/${id}/${path}`, body)).toBe('404 user.not_found');
      expect(await managerOfB.verdict(method, `${USERS}/no-such-user/${path}`, body)).toBe('404 user.not_found');
      expect(await managerOfB.about(orgA.id).verdict(method, `${USERS}/${id}/${path}`, body)).toBe(
        '403 permission.missing',
      );
      if (method !== 'GET')
        expect(await viewer.verdict(method, `${USERS}/${id}/${path}`, body)).toBe('403 permission.missing');
      expect(await world.contents()).toBe(before);
    },
  );

  it.each(operations.filter(([method]) => method !== 'GET'))(
    '%s %s of a user with more rights is refused [ADM-007]',
    async (method, path, body) => {
      const { id } = await world.add.person({ orgId: orgA.id });
      await world.add.member(id, ['ORG_OWNER'], { level: 'org', objectId: orgA.id, orgId: orgA.id });
      const before = await world.contents();
      expect(await manager.verdict(method, `${USERS}/${id}/${path}`, body)).toBe('403 permission.user_too_strong');
      expect(await world.contents()).toBe(before);
    },
  );
});
