import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { TotpService } from '../../src/user/factor/totp.service.js';
import { App, afterPassword, newcomerUnder, turnTo, withApp } from '../login/factor-turns.js';
import { ORIGIN, withKey } from '../login/passkey-turns.js';
import { pageOf } from '../login/turns.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { type TestOrg, type TestPerson, uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const SEED = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const KINDS = ['otp', 'otp_email', 'recovery_codes'] as const;

let world: World;
let orgA: TestOrg;
let manager: AdminApi;
let viewer: AdminApi;
let strangers: AdminApi;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
  orgA = await world.cast.orgA;
  manager = (await callerWith(world, orgA, ['ORG_USER_MANAGER'])).api;
  viewer = (await callerWith(world, orgA, ['ORG_OWNER_VIEWER'])).api;
  strangers = (await callerWith(world, await world.cast.orgB, ['ORG_OWNER'])).api;
});
afterAll(() => world.close());

const at = (userId: string, kind: string): string => `/management/v1/users/${userId}/auth_factors/${kind}`;
const list = async (userId: string, api = manager): Promise<unknown> =>
  (await api.call('POST', at(userId, '_search')))['result'];
const ready = { state: 'AUTH_FACTOR_STATE_READY' };

async function withBoth(): Promise<TestPerson> {
  const person = await world.add.person({ orgId: orgA.id });
  await withApp(world, person, ['recovery-1', 'recovery-2']);
  return person;
}

describe('ListHumanAuthFactors', () => {
  it('lists the second factors of a user, without anything that could be used to sign in', async () => {
    const person = await withBoth();
    expect(await list(person.id, viewer)).toEqual([
      { ...ready, otp: {} },
      { ...ready, recoveryCodes: { left: 2 } },
    ]);
    const none = await world.add.person({ orgId: orgA.id });
    expect(await list(none.id)).toEqual([]);
    expect((await manager.ask('POST', at(person.id, '_search'))).text).not.toMatch(/secret|seed|hash|argon2|step/i);
  });

  it('distinguishes pending and ready factors', async () => {
    const person = await newcomerUnder(world, { forceMfa: true });
    const web1 = new RelyingParty(world, await world.cast.web1);
    const setUp = pageOf(await web1.browser.submit(await afterPassword(web1, person), { factor: 'otp' }));
    const owner = (await callerWith(world, { id: person.orgId, domain: '' }, ['ORG_OWNER'])).api;
    expect(await list(person.id, owner)).toEqual([{ state: 'AUTH_FACTOR_STATE_NOT_READY', otp: {} }]);
    world.plant(setUp.find('code')!.text);
  });

  it('counts the recovery codes that are left', async () => {
    const person = await withBoth();
    const web1 = new RelyingParty(world, await world.cast.web1);
    const page = await turnTo(web1, await afterPassword(web1, person), 'Use a recovery code');
    await web1.browser.submit(page, { code: 'recovery-1' });
    expect(await list(person.id)).toContainEqual({ ...ready, recoveryCodes: { left: 1 } });
  });

  it('is refused for service users, for users of another organization, and without the permission', async () => {
    const person = await withBoth();
    const { id: serviceId } = await world.add.service({ orgId: orgA.id });
    expect(await manager.verdict('POST', at(serviceId, '_search'))).toBe('400 user.not_person');
    expect(await strangers.verdict('POST', at(person.id, '_search'))).toBe('404 user.not_found');
    expect(await strangers.about(orgA.id).verdict('POST', at(person.id, '_search'))).toBe('403 permission.missing');
  });
});

describe('Taking second factors away', () => {
  it('lets a user who has lost the phone sign in again with one factor, and journals it', async () => {
    const person = await withBoth();
    const web1 = new RelyingParty(world, await world.cast.web1);
    expect((await afterPassword(web1, person)).find('#code')).not.toBeNull();
    const { details } = await manager.call('DELETE', at(person.id, 'otp'));
    expect(details).toMatchObject({
      sequence: expect.stringMatching(/^\d+$/),
      changeDate: expect.any(String),
      resourceOwner: orgA.id,
    });
    expect(await list(person.id)).toEqual([]);
    expect((await web1.elsewhere().signIn(person)).code).toBeDefined();
    const events = await world.rows<{ type: string }>(
      "SELECT type FROM event WHERE aggregate_type = 'user' AND aggregate_id = $1 ORDER BY sequence",
      [person.id],
    );
    expect(events.map(({ type }) => type).slice(-2)).toEqual([
      'user.human.mfa.otp.removed',
      'user.human.recoverycodes.removed',
    ]);
  });

  it('takes what is named and leaves the rest', async () => {
    const person = await withBoth();
    expect(await manager.verdict('DELETE', at(person.id, 'recovery_codes'))).toBe('200');
    expect(await list(person.id)).toEqual([{ ...ready, otp: {} }]);
    await world.rows(
      "INSERT INTO auth_factor (id, user_id, kind, state, created_at) VALUES ($1, $2, 'otp_email', 'ready', now())",
      [uniqueName('factor'), person.id],
    );
    expect(await manager.verdict('DELETE', at(person.id, 'otp'))).toBe('200');
    expect(await list(person.id)).toEqual([{ ...ready, otpEmail: {} }]);
    expect(await manager.verdict('DELETE', at(person.id, 'otp_email'))).toBe('200');
  });

  it.each(KINDS)(
    'of the kind %s is refused when there is none, twice, at once, elsewhere and to viewers',
    async (kind) => {
      const person = await withBoth();
      await world.rows(
        "INSERT INTO auth_factor (id, user_id, kind, state, created_at) VALUES ($1, $2, 'otp_email', 'ready', now())",
        [uniqueName('factor'), person.id],
      );
      const path = at(person.id, kind);
      expect(await viewer.verdict('DELETE', path)).toBe('403 permission.missing');
      expect(await strangers.verdict('DELETE', path)).toBe('404 user.not_found');
      expect(await manager.verdict('DELETE', at('0', kind))).toBe('404 user.not_found');
      const verdicts = await Promise.all([1, 2].map(() => manager.verdict('DELETE', path)));
      expect(verdicts.sort()).toEqual(['200', '404 factor.not_found']);
      expect(await manager.verdict('DELETE', path)).toBe('404 factor.not_found');
      const { id: serviceId } = await world.add.service({ orgId: orgA.id });
      expect(await manager.verdict('DELETE', at(serviceId, kind))).toBe('400 user.not_person');
    },
  );

  it('is refused to a manager who is weaker than the person', async () => {
    const person = await withBoth();
    const { id: instanceId } = await world.get(InstanceService).get();
    await world.add.member(person.id, ['IAM_OWNER'], { level: 'instance', objectId: instanceId, orgId: instanceId });
    for (const kind of KINDS)
      expect(await manager.verdict('DELETE', at(person.id, kind))).toBe('403 permission.user_too_strong');
    expect(await list(person.id)).toHaveLength(2);
  });
});

describe('The seed of an imported user', () => {
  it('belongs to a ready factor, whose codes sign the user in', async () => {
    const userName = uniqueName('imported');
    const password = 'Imported-Horse-7';
    world.plant(password);
    const { userId } = await manager.call<{ userId: string }>('POST', '/management/v1/users/human/_import', {
      userName,
      profile: { firstName: 'Ilse', lastName: 'Brandt' },
      email: { email: `${userName}@mail.test`, isEmailVerified: true },
      password,
      passwordChangeRequired: false,
      otpCode: SEED.toLowerCase(),
      recoveryCodes: [{ raw: 'paper code' }],
    });
    expect(await list(userId)).toEqual([
      { ...ready, otp: {} },
      { ...ready, recoveryCodes: { left: 1 } },
    ]);
    const web1 = new RelyingParty(world, await world.cast.web1);
    const asked = await afterPassword(web1, {
      id: userId,
      orgId: orgA.id,
      userName,
      loginName: `${userName}@${orgA.domain}`,
      email: '',
      password,
    });
    expect(web1.toAnswer(await web1.browser.submit(asked, { code: new App(world, SEED).code() })).code).toBeDefined();
  });

  it.each(['x', 'JBSWY3DPEHPK3PX', '0189018901890189', 'A'.repeat(129)])(
    'is refused, and the user is not created, if it is not valid base32 or too long: %s',
    async (otpCode) => {
      const userName = uniqueName('imported');
      const body = {
        userName,
        profile: { firstName: 'Ilse', lastName: 'Brandt' },
        email: { email: `${userName}@mail.test` },
        otpCode,
      };
      expect(await manager.verdict('POST', '/management/v1/users/human/_import', body)).toBe('400 otpCode');
      expect(await manager.verdict('GET', `/management/v1/users/_is_unique?userName=${userName}`)).toBe('200');
      expect((await manager.call('GET', `/management/v1/users/_is_unique?userName=${userName}`))['isUnique']).toBe(
        true,
      );
    },
  );

  it('cannot be given to a user who has one', async () => {
    const person = await withBoth();
    const again = world.transaction((tx) =>
      world.get(TotpService).importSeed(tx, { userId: person.id, orgId: orgA.id }, new Secret(SEED), 'test'),
    );
    await expect(again).rejects.toMatchObject({ reason: 'factor.exists' });
  });

  it('can be opened only for the user and the organization that it was sealed for', async () => {
    const totp = world.get(TotpService);
    const sealed = totp.sealSeed({ userId: '1', orgId: 'a' }, new Secret(SEED));
    expect(totp.openSeed({ userId: '1', orgId: 'a' }, sealed).reveal()).toBe(SEED);
    for (const owner of [
      { userId: '2', orgId: 'a' },
      { userId: '1', orgId: 'b' },
    ])
      expect(() => totp.openSeed(owner, sealed)).toThrow('cannot be read');
  });
});

describe('Passkeys and security keys of a user', () => {
  const passkeysAt = (userId: string): string => `/management/v1/users/${userId}/passwordless`;
  const passkeysOf = async (userId: string, api = manager): Promise<Array<{ id: string; name: string }>> =>
    ((await api.call('POST', `${passkeysAt(userId)}/_search`))['result'] ?? []) as Array<{ id: string; name: string }>;

  it('are listed apart, by id and name alone, and removed one by one', async () => {
    const person = await world.add.person({ orgId: orgA.id });
    await withKey(world, person, 'passkey');
    await withKey(world, person, 'u2f');
    const [passkey] = await passkeysOf(person.id, viewer);
    expect(passkey).toEqual({ id: expect.any(String), name: 'Passkey', ...ready });
    const factors = (await list(person.id, viewer)) as Array<{ u2f: { id: string } }>;
    expect(factors).toEqual([{ ...ready, u2f: { id: expect.any(String), name: 'Security key' } }]);
    await manager.call('DELETE', `${passkeysAt(person.id)}/${passkey!.id}`);
    await manager.call('DELETE', at(person.id, `u2f/${factors[0]!.u2f.id}`));
    expect([await passkeysOf(person.id), await list(person.id)]).toEqual([[], []]);
    expect(await manager.verdict('DELETE', `${passkeysAt(person.id)}/${passkey!.id}`)).toBe('404 passkey.not_found');
  });

  it('are out of reach for other organizations, viewers, and under the other name [PKY-022]', async () => {
    const person = await world.add.person({ orgId: orgA.id });
    await withKey(world, person, 'passkey');
    const [passkey] = await passkeysOf(person.id);
    const path = `${passkeysAt(person.id)}/${passkey!.id}`;
    expect(await strangers.verdict('POST', `${passkeysAt(person.id)}/_search`)).toBe('404 user.not_found');
    expect(await strangers.verdict('DELETE', path)).toBe('404 user.not_found');
    expect(await viewer.verdict('DELETE', path)).toMatch(/^403 /);
    expect(await manager.verdict('DELETE', at(person.id, `u2f/${passkey!.id}`))).toBe('404 passkey.not_found');
    expect(await passkeysOf(person.id)).toHaveLength(1);
  });
});
