import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { Database } from '../../src/foundation/database/database.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import { UserCodes } from '../../src/user/user-codes.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { PASSWORD, type TestOrg, uniqueName } from '../support/builders.js';
import { statementsDuring } from '../support/statement-counter.js';
import type { World } from '../support/world.js';
import { PeopleStage, person, USERS } from './people-stage.js';

let stage: PeopleStage;
let world: World;
let orgA: TestOrg;
let orgB: TestOrg;
let manager: AdminApi;
let viewer: AdminApi;
let managerOfB: AdminApi;

beforeAll(async () => {
  stage = await PeopleStage.set();
  ({ world, orgA, orgB, manager, viewer, managerOfB } = stage);
});
afterAll(() => world.close());

/** The names of the statements of adding a user. What follows the commit sends the mail. */
async function statementsOfAdding(body: Json): Promise<string[]> {
  await manager.call('POST', `${USERS}/human/_import`, person({ password: PASSWORD })); // whatever is read once for all
  await world.changesToArrive();
  const texts = await statementsDuring(() => manager.call('POST', `${USERS}/human/_import`, body));
  const names = texts
    .map((text) => text.split(':')[0]!)
    .filter((name) => !/^(?:purge\.|attempt\.forgive|job\.fail_lost)/.test(name));
  return names.slice(0, names.indexOf('COMMIT') + 1);
}

describe('Adding a user', () => {
  const AROUND = ['token.holder_of_personal', 'START TRANSACTION', 'lock.share_and_text', 'user.name_facts'];

  it('takes two statements and a commit beside the token and a lock, with a password as well', async () => {
    expect(await statementsOfAdding(person({ password: PASSWORD }))).toEqual([
      ...AROUND,
      'user.insert_human',
      'COMMIT',
    ]);
  });

  it('takes two more for the code and the mail of a user who sets the account up', async () => {
    const statements = [...AROUND, 'user.insert_human', 'user_code.put', 'outbox.add', 'COMMIT'];
    expect(await statementsOfAdding(person())).toEqual(statements);
  });
});

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
    expect(await stage.get(userId)).toEqual({
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
    expect(await stage.eventsOf(userId)).toEqual(['user.human.added']);
    expect(await stage.codesOf(userId)).toEqual([]);
    expect(await stage.signIn(userName, PASSWORD)).toBe(200);
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
    const id = await stage.add(more);
    expect((await stage.get(id))['state']).toBe(state);
    expect(await stage.codesOf(id)).toEqual(codes);
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
    ['a weak password', { initialPassword: 'short' }, '400 initialPassword'],
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

  it('takes one statement for the row and its event, and two for the code and its mail', async () => {
    await manager.call('POST', `${USERS}/human`, person());
    const statements = await statementsDuring(() => manager.call('POST', `${USERS}/human`, person()));
    const names = statements.map((text) => text.split(':')[0]);
    // The guard comes before it, and the mail may be sent behind it.
    expect(names.slice(names.indexOf('START TRANSACTION'), names.indexOf('COMMIT') + 1)).toEqual([
      'START TRANSACTION',
      'lock.share_and_text',
      'user.name_facts',
      'user.insert_human',
      'user_code.put',
      'outbox.add',
      'COMMIT',
    ]);
  });

  it('ignores a state, id, owner or hash in the request [ADM-017]', async () => {
    const id = await stage.add({
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
    expect(await stage.get(id)).toMatchObject({
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
    expect(await stage.signIn(userName, PASSWORD)).toBe(401); // the seed came along: the password alone does not do
    expect((await stage.get(userId))['state']).toBe('USER_STATE_ACTIVE');
    const withoutSeed = uniqueName('imported');
    await manager.call(
      'POST',
      `${USERS}/human/_import`,
      person({ userName: withoutSeed, hashedPassword: { value: hash } }),
    );
    expect(await stage.signIn(withoutSeed, PASSWORD)).toBe(200);
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
    expect((await stage.get(userId))['state']).toBe('USER_STATE_ACTIVE');
    expect(await stage.codesOf(userId)).toEqual(['email']);
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
    ['a weak password', { password: 'short' }, '400 password'],
    ['no seed', { otpCode: 'not base32!' }, '400 otpCode'],
    [
      'a recovery code of an unknown form',
      { recoveryCodes: [{ raw: 'x' }, { hash: 'x' }] },
      '400 recoveryCodes[1].hash',
    ],
    ['no recovery code', { recoveryCodes: [{}] }, '400 recoveryCodes[0]'],
    ['33 recovery codes', { recoveryCodes: Array.from({ length: 33 }, () => ({ raw: 'x' })) }, '400 recoveryCodes'],
    ['a passkey where there are none', { requestPasswordlessRegistration: true }, '400 passkey.unavailable'],
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
