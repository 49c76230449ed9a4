import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordHash } from '../../src/foundation/crypto/password-hash.js';
import { Secret } from '../../src/foundation/crypto/secret.js';
import { Database } from '../../src/foundation/database/database.js';
import type { CodeKind } from '../../src/user/user-code.entity.js';
import { UserCodes } from '../../src/user/user-codes.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { PASSWORD, type TestOrg, uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const USERS = '/management/v1/users';

let world: World;
let orgA: TestOrg;
let orgB: TestOrg;
let manager: AdminApi;
let viewer: AdminApi;
let managerOfB: AdminApi;

beforeAll(async () => {
  world = await startWorld();
  [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
  manager = (await callerWith(world, orgA, ['ORG_USER_MANAGER'])).api;
  viewer = (await callerWith(world, orgA, ['ORG_OWNER_VIEWER'])).api;
  managerOfB = (await callerWith(world, orgB, ['ORG_OWNER'])).api;
});
afterAll(() => world.close());

const person = (more: Json = {}): Json => {
  const userName = uniqueName('newcomer');
  return {
    userName,
    profile: { firstName: 'Ilse', lastName: 'Brandt' },
    email: { email: `${userName}@mail.test`, isEmailVerified: true },
    ...more,
  };
};

const add = async (more: Json = {}): Promise<string> =>
  (await manager.call('POST', `${USERS}/human`, person(more)))['userId'] as string;
const get = async (id: string): Promise<Json> => (await manager.call('GET', `${USERS}/${id}`))['user'] as Json;
const codesOf = async (id: string): Promise<string[]> =>
  (await world.rows<{ kind: string }>('SELECT kind FROM user_code WHERE user_id = $1 ORDER BY kind', [id])).map(
    ({ kind }) => kind,
  );
const eventsOf = async (id: string): Promise<string[]> =>
  (
    await world.rows<{ type: string }>(
      "SELECT type FROM event WHERE aggregate_type = 'user' AND aggregate_id = $1 ORDER BY sequence",
      [id],
    )
  ).map(({ type }) => type);
const signIn = async (userName: string, password: string): Promise<number> => {
  const rp = new RelyingParty(world, await world.cast.web1);
  const tokens = await rp
    .tokens({ id: '', orgId: orgA.id, userName, loginName: userName, email: '', password })
    .catch(() => undefined);
  return tokens ? 200 : 401;
};

describe('AddHumanUser', () => {
  it('makes a person who can sign in at once, with every claim of OIDC Core §5.1', async () => {
    const userName = uniqueName('Ilse.Brandt');
    const address = {
      formatted: 'Hauptstr. 1\n10115 Berlin',
      streetAddress: 'Hauptstr. 1',
      locality: 'Berlin',
      region: 'BE',
      postalCode: '10115',
      country: 'Germany',
    };
    const profile = {
      firstName: 'Ilse',
      lastName: 'Brandt',
      nickName: 'Il',
      displayName: '',
      preferredLanguage: 'de',
      gender: 'GENDER_FEMALE',
      middleName: 'Maria',
      profileUrl: 'https://people.test/ilse',
      pictureUrl: 'https://people.test/ilse.png',
      website: 'https://ilse.test',
      birthdate: '1990-02-28',
      zoneinfo: 'Europe/Berlin',
      address,
    };
    const body = {
      userName,
      profile,
      email: { email: 'Ilse@Mail.test', isEmailVerified: true },
      phone: { phone: '+49 (30) 123-4567', isPhoneVerified: true },
      initialPassword: PASSWORD,
    };
    const { userId, details } = await manager.call<{ userId: string; details: Json }>('POST', `${USERS}/human`, body);
    expect(details).toEqual({
      sequence: '1',
      creationDate: expect.any(String),
      changeDate: expect.any(String),
      resourceOwner: orgA.id,
    });
    expect(await get(userId)).toEqual({
      id: userId,
      details,
      state: 'USER_STATE_ACTIVE',
      userName,
      loginNames: [`${userName}@orga.test`, userName],
      preferredLoginName: `${userName}@orga.test`,
      human: {
        profile: { ...profile, displayName: 'Ilse Brandt', avatarUrl: profile.pictureUrl },
        email: { email: 'Ilse@mail.test', isEmailVerified: true },
        phone: { phone: '+49301234567', isPhoneVerified: true },
        passwordChanged: expect.any(String),
      },
    });
    expect(await eventsOf(userId)).toEqual(['user.human.added']);
    expect(await codesOf(userId)).toEqual([]);
    expect(await signIn(userName, PASSWORD)).toBe(200);
  });

  it.each<[string, Json, string, string[]]>([
    ['a verified address and no password', {}, 'USER_STATE_INITIAL', ['init']],
    [
      'a password and an unverified address',
      { email: { email: 'a@mail.test' }, initialPassword: PASSWORD },
      'USER_STATE_INITIAL',
      ['init'],
    ],
    ['neither', { email: { email: 'a@mail.test' } }, 'USER_STATE_INITIAL', ['init']],
    ['both', { initialPassword: PASSWORD }, 'USER_STATE_ACTIVE', []],
  ])('leaves to be set up an account with %s', async (_, more, state, codes) => {
    const id = await add(more);
    expect((await get(id))['state']).toBe(state);
    expect(await codesOf(id)).toEqual(codes);
  });

  it('does not return the code, which is in no row, journal entry or log line', async () => {
    const id = await world.get(Database).transaction(async (tx) => {
      const userId = (await world.add.person({ orgId: orgA.id })).id;
      const code = await world.get(UserCodes).issue(tx, userId, 'init');
      world.plant(`"${code.reveal()}"`);
      expect(await world.rows('SELECT t FROM user_code t')).not.toContain(code.reveal());
      return userId;
    });
    expect(JSON.stringify(await manager.call('GET', `${USERS}/${id}`))).not.toMatch(/code/i);
  });

  it.each<[string, Json, string]>([
    ['nothing', { userName: '', profile: undefined, email: undefined }, '400 userName, profile, email'],
    ['no names', { profile: { firstName: '', lastName: '' } }, '400 profile.firstName, profile.lastName'],
    [
      'names of 201 characters',
      { userName: '😀'.repeat(201), profile: { firstName: 'x'.repeat(201), lastName: 'x' } },
      '400 userName, profile.firstName',
    ],
    [
      'control characters in names',
      { userName: 'a\u200bb', profile: { firstName: 'a\u0007', lastName: 'x' } },
      '400 userName, profile.firstName',
    ],
    ['a NUL byte [ADM-013]', { userName: 'a\u0000b' }, '400 userName'],
    ['white space in the user name', { userName: 'a b' }, '400 userName'],
    ['no e-mail address', { email: { email: 'not an address' } }, '400 email.email'],
    ['a phone number without its country', { phone: { phone: '0301234567' } }, '400 phone.phone'],
    ['something else than a phone number', { phone: { phone: '+call me' } }, '400 phone.phone'],
    [
      'a weak password',
      { initialPassword: 'short' },
      '400 initialPassword, initialPassword, initialPassword, initialPassword',
    ],
    [
      'a picture that is a script',
      { profile: { firstName: 'x', lastName: 'x', pictureUrl: 'javascript:x' } },
      '400 profile.pictureUrl',
    ],
    ['an unknown gender', { profile: { firstName: 'x', lastName: 'x', gender: 'GENDER_X' } }, '400 profile.gender'],
  ])('refuses %s, and creates no user', async (_, more, verdict) => {
    const before = await world.contents();
    expect(await manager.verdict('POST', `${USERS}/human`, person(more))).toBe(verdict);
    expect(await world.contents()).toBe(before);
  });

  it('ignores a state, id, owner or hash in the request [ADM-017]', async () => {
    const id = await add({
      id: 'mine',
      userId: 'mine',
      state: 'USER_STATE_ACTIVE',
      orgId: orgB.id,
      resourceOwner: orgB.id,
      passwordHash: 'x',
      hashedPassword: { value: 'x' },
      details: { sequence: '99' },
      email: { email: 'a@mail.test' },
    });
    expect(id).not.toBe('mine');
    expect(await get(id)).toMatchObject({
      state: 'USER_STATE_INITIAL',
      details: { sequence: '1', resourceOwner: orgA.id },
    });
  });

  it('refuses a name that is taken, in any case and at a domain, and two at once make one', async () => {
    const userName = uniqueName('twice');
    const verdicts = await Promise.all(
      [1, 2, 3].map(() => manager.verdict('POST', `${USERS}/human`, person({ userName }))),
    );
    expect(verdicts.sort()).toEqual(['200', '409 user.name_taken', '409 user.name_taken']);
    for (const other of [userName.toUpperCase(), `${userName}@orga.test`]) {
      expect(await manager.verdict('POST', `${USERS}/human`, person({ userName: other }))).toBe('409 user.name_taken');
    }
    expect(await managerOfB.verdict('POST', `${USERS}/human`, person({ userName }))).toBe('409 user.name_taken');
  });

  it('refuses a name at a domain that another organization has proven', async () => {
    expect(await manager.verdict('POST', `${USERS}/human`, person({ userName: `${uniqueName('x')}@orgb.test` }))).toBe(
      '400 user.domain_elsewhere',
    );
    expect(
      await managerOfB.verdict('POST', `${USERS}/human`, person({ userName: `${uniqueName('x')}@orgb.test` })),
    ).toBe('200');
  });

  it('is for managers of users, in their own organization', async () => {
    expect(await viewer.verdict('POST', `${USERS}/human`, person())).toBe('403 permission.missing');
    expect(await manager.about(orgB.id).verdict('POST', `${USERS}/human`, person())).toBe('403 permission.missing');
  });
});

describe('ImportHumanUser', () => {
  it('takes over the hash of a password, the seed of one-time codes and recovery codes, and keeps none of them as it came', async () => {
    const userName = uniqueName('imported');
    const hash = await new PasswordHash().hash(new Secret(PASSWORD));
    const seed = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    world.plant(seed);
    world.plant('recovery-code-1');
    const { userId } = await manager.call<{ userId: string }>(
      'POST',
      `${USERS}/human/_import`,
      person({
        userName,
        hashedPassword: { value: hash },
        otpCode: seed.toLowerCase(),
        recoveryCodes: [{ raw: 'recovery-code-1' }, { hash }],
        passwordChangeRequired: false,
      }),
    );
    const [row] = await world.rows<Record<string, string>>(
      `SELECT u.password_hash, f.secret, array_to_string(r.recovery_hashes, '|') AS codes FROM user_account u
         JOIN auth_factor f ON f.user_id = u.id AND f.kind = 'otp' JOIN auth_factor r ON r.user_id = u.id AND r.kind = 'recovery_codes' WHERE u.id = $1`,
      [userId],
    );
    expect(row!['password_hash']).toBe(hash);
    expect(row!['secret']).toMatch(/^v1\./);
    expect(row!['codes']).toMatch(/^\$argon2id\$.*\|\$argon2id\$/);
    expect(JSON.stringify(row)).not.toMatch(/JBSWY|recovery-code/i);
    expect(await signIn(userName, PASSWORD)).toBe(401); // the seed came along: the password alone does not do
    expect((await get(userId))['state']).toBe('USER_STATE_ACTIVE');
    const withoutSeed = uniqueName('imported');
    await manager.call(
      'POST',
      `${USERS}/human/_import`,
      person({ userName: withoutSeed, hashedPassword: { value: hash } }),
    );
    expect(await signIn(withoutSeed, PASSWORD)).toBe(200);
  });

  it('links accounts at providers: then nothing is left to set up', async () => {
    const { api: owner } = await callerWith(world, orgA, ['ORG_OWNER']);
    const { idpId } = await owner.call('POST', '/management/v1/idps/oidc', {
      name: uniqueName('idp'),
      clientId: 'c',
      clientSecret: 's',
      issuer: 'https://idp.test',
    });
    const link = { configId: idpId, externalUserId: 'ext-1', displayName: 'ilse' };
    const { userId } = await manager.call<{ userId: string }>(
      'POST',
      `${USERS}/human/_import`,
      person({ email: { email: 'a@mail.test' }, idps: [link] }),
    );
    expect((await get(userId))['state']).toBe('USER_STATE_ACTIVE');
    expect(await codesOf(userId)).toEqual(['email']);
    expect(await world.rows('SELECT external_user_id FROM idp_link WHERE user_id = $1', [userId])).toEqual([
      { external_user_id: 'ext-1' },
    ]);
    expect(await manager.verdict('POST', `${USERS}/human/_import`, person({ idps: [link] }))).toBe(
      '409 idp.link_taken',
    );
    expect(
      await managerOfB.verdict(
        'POST',
        `${USERS}/human/_import`,
        person({ idps: [{ ...link, externalUserId: 'ext-2' }] }),
      ),
    ).toBe('404 idp.not_found');
  });

  it.each<[string, Json, string]>([
    ['a hash of an unknown form', { hashedPassword: { value: '$unknown$x' } }, '400 hashedPassword.value'],
    ['a password instead of a hash', { hashedPassword: { value: 'Correct-Horse-7' } }, '400 hashedPassword.value'],
    [
      'a hash of absurd cost',
      { hashedPassword: { value: `$argon2id$v=19$m=9999999,t=99,p=1$c29tZXNhbHQ$${'A'.repeat(43)}` } },
      '400 hashedPassword.value',
    ],
    [
      'a password and a hash',
      { password: PASSWORD, hashedPassword: { value: `$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$${'A'.repeat(43)}` } },
      '400 hashedPassword',
    ],
    ['a weak password', { password: 'short' }, '400 password, password, password, password'],
    ['no seed', { otpCode: 'not base32!' }, '400 otpCode'],
    [
      'a recovery code of an unknown form',
      { recoveryCodes: [{ raw: 'x' }, { hash: 'x' }] },
      '400 recoveryCodes[1].hash',
    ],
    ['no recovery code', { recoveryCodes: [{}] }, '400 recoveryCodes[0]'],
    ['33 recovery codes', { recoveryCodes: Array.from({ length: 33 }, () => ({ raw: 'x' })) }, '400 recoveryCodes'],
    [
      'a registration without a password',
      { requestPasswordlessRegistration: true },
      '400 user.passwordless_unavailable',
    ],
    ['an unknown provider', { idps: [{ configId: '1', externalUserId: 'x' }] }, '404 idp.not_found'],
  ])('refuses %s, and creates no user', async (_, more, verdict) => {
    const before = await world.contents();
    expect(await manager.verdict('POST', `${USERS}/human/_import`, person(more))).toBe(verdict);
    expect(await world.contents()).toBe(before);
  });

  it('names the forms of hashes that are accepted', async () => {
    const reply = await manager.ask('POST', `${USERS}/human/_import`, person({ hashedPassword: { value: 'x' } }));
    expect(reply.text).toContain('argon2id');
  });
});

describe('The profile of a person', () => {
  it('is replaced; what other services do not know is left alone where it is not sent', async () => {
    const id = await add({
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
    const id = await add();
    const change = (): Promise<Json> =>
      manager.call('PUT', `${USERS}/${id}/profile`, { firstName: 'Same', lastName: 'Same' });
    const first = await change();
    expect(await change()).toEqual(first);
    expect(await eventsOf(id)).toEqual(['user.human.added', 'user.human.profile.changed']);
  });

  it('loses nothing when two change it at once', async () => {
    const id = await add();
    await Promise.all(
      ['X', 'Y'].map((firstName) => manager.call('PUT', `${USERS}/${id}/profile`, { firstName, lastName: 'Z' })),
    );
    expect(((await get(id))['details'] as Json)['sequence']).toBe('3');
  });

  it.each<[string, Json, string]>([
    ['no names', {}, '400 firstName, lastName'],
    ['a malformed language', { firstName: 'x', lastName: 'x', preferredLanguage: 'de_DE' }, '400 preferredLanguage'],
    ['an impossible birthdate', { firstName: 'x', lastName: 'x', birthdate: '2001-02-30' }, '400 birthdate'],
  ])('is refused with %s', async (_, body, verdict) => {
    expect(await manager.verdict('PUT', `${USERS}/${await add()}/profile`, body)).toBe(verdict);
  });
});

describe('The e-mail address of a person', () => {
  it('is verified by a manager, changed to another, and back to unverified with a code for the new address alone', async () => {
    const id = await add({ email: { email: 'old@mail.test' }, initialPassword: PASSWORD });
    await manager.call('PUT', `${USERS}/${id}/email`, { email: 'old@mail.test', isEmailVerified: true });
    expect(await get(id)).toMatchObject({
      state: 'USER_STATE_ACTIVE',
      human: { email: { email: 'old@mail.test', isEmailVerified: true } },
    });
    expect(await codesOf(id)).toEqual([]);
    await manager.call('PUT', `${USERS}/${id}/email`, { email: 'new@mail.test' });
    expect((await manager.call('GET', `${USERS}/${id}/email`))['email']).toEqual({
      email: 'new@mail.test',
      isEmailVerified: false,
    });
    expect([(await get(id))['state'], await codesOf(id)]).toEqual(['USER_STATE_ACTIVE', ['email']]);
    expect(await eventsOf(id)).toEqual(['user.human.added', 'user.human.email.verified', 'user.human.email.changed']);
  });

  it('that is verified stays so when it is sent once more', async () => {
    const id = await add();
    const before = await get(id);
    await manager.call('PUT', `${USERS}/${id}/email`, { email: ((before['human'] as Json)['email'] as Json)['email'] });
    expect(await get(id)).toEqual(before);
  });

  it('takes codes along that went to the old one', async () => {
    const id = await add({ initialPassword: PASSWORD });
    await manager.call('POST', `${USERS}/${id}/password/_reset`, {});
    expect(await codesOf(id)).toEqual(['password_reset']);
    await manager.call('PUT', `${USERS}/${id}/email`, { email: 'other@mail.test', isEmailVerified: true });
    expect(await codesOf(id)).toEqual([]);
  });

  it('gets a new code when it is not verified, and none when it is, or when the account is not set up', async () => {
    const path = (id: string) => `${USERS}/${id}/email/_resend_verification`;
    const unverified = await add({ initialPassword: PASSWORD });
    await manager.call('PUT', `${USERS}/${unverified}/email`, { email: 'new@mail.test' });
    const [before] = await world.rows('SELECT code_hash FROM user_code WHERE user_id = $1', [unverified]);
    expect(await manager.verdict('POST', path(unverified))).toBe('200');
    expect(await world.rows('SELECT code_hash FROM user_code WHERE user_id = $1', [unverified])).not.toEqual([before]);
    expect(await manager.verdict('POST', path(await add({ initialPassword: PASSWORD })))).toBe(
      '400 user.email_verified',
    );
    expect(await manager.verdict('POST', path(await add()))).toBe('400 user.initial');
  });
});

describe('The phone number of a person', () => {
  it('is set, verified and removed, once', async () => {
    const id = await add();
    const path = `${USERS}/${id}/phone`;
    expect(await manager.verdict('GET', path)).toBe('404 user.phone_missing');
    await manager.call('PUT', path, { phone: '+49 30 1234567' });
    await manager.call('PUT', path, { phone: '+49301234567', isPhoneVerified: true });
    expect((await manager.call('GET', path))['phone']).toEqual({ phone: '+49301234567', isPhoneVerified: true });
    expect(await manager.verdict('PUT', path, { phone: '0301234567' })).toBe('400 phone');
    expect(await manager.verdict('DELETE', path)).toBe('200');
    expect(await manager.verdict('DELETE', path)).toBe('404 user.phone_missing');
    expect((await get(id))['human']).not.toHaveProperty('phone');
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
    expect(await signIn(someone.userName, 'Another-Horse-8')).toBe(200);
    await manager.call('POST', `${USERS}/${someone.id}/password`, { password: 'Another-Horse-8' });
    expect(
      await world.rows('SELECT password_change_required AS required FROM user_account WHERE id = $1', [someone.id]),
    ).toEqual([{ required: true }]);
  });

  it('sets up an account whose address is verified, and no other', async () => {
    const [verified, unverified] = [await add(), await add({ email: { email: 'a@mail.test' } })];
    for (const id of [verified, unverified])
      expect(await manager.verdict('POST', `${USERS}/${id}/password/_initialize`, { password: PASSWORD })).toBe('200');
    expect([(await get(verified))['state'], await codesOf(verified)]).toEqual(['USER_STATE_ACTIVE', []]);
    expect([(await get(unverified))['state'], await codesOf(unverified)]).toEqual(['USER_STATE_INITIAL', ['init']]);
  });

  it('keeps the rules of the organization', async () => {
    expect(await manager.verdict('POST', `${USERS}/${await add()}/password`, { password: 'short' })).toMatch(
      /^400 password/,
    );
    expect(await manager.verdict('POST', `${USERS}/${await add()}/password`, { password: '' })).toBe('400 password');
  });

  it('is chosen anew with a code, which is sent to a verified address alone', async () => {
    const path = (id: string) => `${USERS}/${id}/password/_reset`;
    const id = await add({ initialPassword: PASSWORD });
    expect(await manager.verdict('POST', path(id), { type: 'TYPE_EMAIL' })).toBe('200');
    expect(await codesOf(id)).toEqual(['password_reset']);
    expect(await manager.verdict('POST', path(id), { type: 'TYPE_SMS' })).toBe('400 user.sms_unavailable');
    await manager.call('PUT', `${USERS}/${id}/email`, { email: 'new@mail.test' });
    expect(await manager.verdict('POST', path(id), {})).toBe('400 user.email_not_verified');
    expect(await manager.verdict('POST', path(await add()), {})).toBe('400 user.initial');
  });
});

describe('ResendHumanInitialization', () => {
  it('makes a new code, to another address if one is given, as long as the account is not set up', async () => {
    const id = await add({ email: { email: 'first@mail.test' } });
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
      await manager.verdict('POST', `${USERS}/${await add({ initialPassword: PASSWORD })}/_resend_initialization`, {}),
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

  it.each(operations)("%s %s is not a service user's", async (method, path, body) => {
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
