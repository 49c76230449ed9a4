import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { AccountCodes } from '../../src/user/account-codes.js';
import { AddressOwners } from '../../src/user/address-owners.js';
import { UserService } from '../../src/user/user.service.js';
import { UserCodes } from '../../src/user/user-codes.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { EDITOR, PASSWORD, type TestOrg, type TestPerson, uniqueName } from '../support/builders.js';
import { lastMailTo, linkIn } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { apply, CONFIRM, peopleWith, register } from './registration-turns.js';
import { ask } from './reset-turns.js';
import { beginPassword } from './turns.js';

const USERS = '/management/v1/users';
const DOMAINS = '/management/v1/orgs/me/domains';
/** Of the users of the other organization, which claims what is not theirs. */
const HERS = 'Another-Horse-8';

let world: World;
let web1: RelyingParty;
/** A domain that no organization has proved. */
let freemail: string;
let frank: TestPerson;
let org: TestOrg;
let other: TestOrg;
/** A manager of the users of the other organization. */
let manager: AdminApi;

beforeAll(async () => {
  world = await startWorld();
  org = await world.add.org();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
  other = await world.add.org();
  manager = (await callerWith(world, other, ['ORG_OWNER'])).api;
  freemail = `${uniqueName('freemail')}.example`;
  frank = await somebody(org);
});

const somebody = async (
  { id: orgId }: TestOrg,
  over: Partial<Parameters<World['add']['person']>[0]> = {},
): Promise<TestPerson> => world.add.person({ orgId, email: `${uniqueName('frank')}@${freemail}`, ...over });
const hers = async (over: Partial<TestPerson> = {}): Promise<TestPerson> =>
  somebody(other, { password: HERS, ...over });

/** With a code that was mailed to the address. */
async function prove({ id }: Pick<TestPerson, 'id'>): Promise<void> {
  const codes = world.get(AccountCodes);
  const code = await world.transaction((tx) => world.get(UserCodes).issue(tx, id, 'email'));
  const checked = await codes.check(id, 'email', code.reveal());
  await world.transaction((tx) => codes.verifyEmail(tx, checked!));
}

async function whoSignsIn(loginName: string, over = {}): Promise<'frank' | 'hers' | 'nobody'> {
  for (const [who, password] of [
    ['frank', PASSWORD],
    ['hers', HERS],
  ] as const) {
    const client = web1.elsewhere();
    const arrival = await client.browser.submit(await beginPassword(client, loginName, over), { password });
    if (arrival.redirect !== undefined) return who;
  }
  return 'nobody';
}

/** Whose password the mail to the address resets. */
async function whoIsReset(email: string): Promise<string | null> {
  await ask(web1.elsewhere(), email);
  return linkIn(await lastMailTo(world, email)).searchParams.get('userID');
}

const vouch = (user: TestPerson, email: string): Promise<Record<string, unknown>> =>
  manager.call('PUT', `${USERS}/${user.id}/email`, { email, isEmailVerified: true });

describe('An address that a manager vouches for [LOG-065]', () => {
  it('does not shut out the user who has proved it, at sign-in and reset, and the manager is told', async () => {
    const user = await hers();
    expect(await vouch(user, user.email)).toMatchObject({ isEmailProvedByAnother: false });
    await prove(frank);
    expect(await vouch(user, frank.email)).toMatchObject({ isEmailProvedByAnother: true });
    expect(await whoSignsIn(frank.email)).toBe('frank');
    expect(await whoIsReset(frank.email)).toBe(frank.id);
    expect(await whoSignsIn(user.loginName)).toBe('hers');
    const scope = `openid urn:service:iam:org:id:${other.id}`;
    expect(await whoSignsIn(frank.email, { scope })).toBe('hers');
  });

  it('gives way to the user who proves it later, and stays with the first for whom it is vouched until then', async () => {
    const [early, late] = [await hers(), await hers()];
    const email = `${uniqueName('frank')}@${freemail}`;
    await vouch(early, email);
    world.clock.advance('1s');
    frank = await somebody(org, { email });
    await vouch(late, email);
    expect(await whoSignsIn(email)).toBe('hers');
    await prove(frank);
    expect(await whoSignsIn(email)).toBe('frank');
  });

  it('is not proved by the manager who says so of himself, nor lost by a manager who says it again', async () => {
    await prove(frank);
    const { api } = await callerWith(world, org, ['ORG_USER_MANAGER']);
    const again = { email: frank.email, isEmailVerified: true };
    await api.call('PUT', `${USERS}/${frank.id}/email`, again);
    const user = await hers();
    await vouch(user, frank.email);
    expect(await world.get(AddressOwners).isProvedByAnother(frank.email, user.id)).toBe(true);
    expect(await world.get(AddressOwners).isProvedByAnother(frank.email, frank.id)).toBe(false);
  });

  it('is proved by whoever resets the password with a mailed code, and first proved is first served', async () => {
    const email = `${uniqueName('frank')}@${freemail}`;
    const user = await hers({ email });
    world.clock.advance('1s');
    frank = await somebody(org, { email });
    const codes = world.get(AccountCodes);
    const code = await world.transaction((tx) => world.get(UserCodes).issue(tx, frank.id, 'password_reset'));
    const checked = (await codes.check(frank.id, 'password_reset', code.reveal()))!;
    const { passwordHash } = (await world.get(UserService).findByLoginName(frank.loginName))!;
    await world.transaction((tx) => codes.resetPassword(tx, checked, passwordHash as never));
    expect(await whoSignsIn(email)).toBe('frank');
    world.clock.advance('1s');
    await prove(user);
    expect(await whoSignsIn(email)).toBe('frank');
  });

  it('keeps nobody from registering with it, and who registered signs in by it', async () => {
    const email = `${uniqueName('new')}@${freemail}`;
    await vouch(await hers(), email);
    const { code } = await register(world, web1, { email });
    expect(code).toBeDefined();
    expect(await whoSignsIn(email)).toBe('frank');
  });

  it('is not taken from anybody by a stranger who registers with it and cannot prove it', async () => {
    const { page } = await apply(web1, { email: frank.email, password: HERS, passwordRepeat: HERS });
    expect(page.title).toContain(CONFIRM);
    expect(await peopleWith(world, frank.email)).toHaveLength(2);
    expect(await whoSignsIn(frank.email)).toBe('frank');
  });

  it('means a phone number of the first who had it', async () => {
    const phone = '+49309876543';
    const { api } = await callerWith(world, org, ['ORG_USER_MANAGER']);
    await api.call('PUT', `${USERS}/${frank.id}/phone`, { phone, isPhoneVerified: true });
    world.clock.advance('1s');
    await manager.call('PUT', `${USERS}/${(await hers()).id}/phone`, { phone, isPhoneVerified: true });
    expect(await whoSignsIn(phone)).toBe('frank');
    for (const spelling of [phone, '\uff0b49309876543', '+4930987\uff16543'])
      expect(await manager.verdict('POST', `${USERS}/human`, human(spelling))).toBe('409 user.name_taken');
  });
});

const human = (userName: string): Record<string, unknown> => ({
  userName,
  profile: { firstName: 'Una', lastName: 'User' },
  email: { email: `${uniqueName('una')}@mail.test`, isEmailVerified: true },
  initialPassword: HERS,
});

describe('A user name that is the address of another user [LOG-066]', () => {
  it('is refused, in any spelling, to new users and those who are renamed, in both organizations', async () => {
    const user = await hers();
    const { api } = await callerWith(world, org, ['ORG_USER_MANAGER']);
    for (const caller of [manager, api])
      expect(await caller.verdict('POST', `${USERS}/human`, human(frank.email.toUpperCase()))).toBe(
        '409 user.name_taken',
      );
    expect(await manager.verdict('PUT', `${USERS}/${user.id}/username`, { userName: frank.email })).toBe(
      '409 user.name_taken',
    );
    expect(await manager.call('GET', `${USERS}/_is_unique?userName=${encodeURIComponent(frank.email)}`)).toMatchObject({
      isUnique: false,
    });
    expect(await whoSignsIn(frank.email)).toBe('frank');
  });

  it('is refused at a domain that the organization merely claims, whoever says that the address is verified', async () => {
    const [local] = frank.email.split('@');
    expect(await manager.verdict('POST', DOMAINS, { domain: freemail })).toBe('200');
    expect(await manager.verdict('POST', `${USERS}/human`, human(local!))).toBe('409 user.name_taken');
    expect(await manager.verdict('POST', `${USERS}/human`, human(uniqueName('other')))).toBe('200');
  });

  it('refuses the claim of the domain by which it would become one', async () => {
    await hers({ userName: frank.email.split('@')[0]! });
    expect(await manager.verdict('POST', DOMAINS, { domain: freemail })).toBe('400 org.domain_address_in_use');
    expect(await whoSignsIn(frank.email)).toBe('frank');
  });

  it('does not win where it came first: neither as a whole nor at a domain that is merely claimed', async () => {
    const [whole, local] = [`${uniqueName('frank')}@${freemail}`, uniqueName('frank')];
    await hers({ userName: whole });
    await hers({ userName: local });
    await manager.call('POST', DOMAINS, { domain: freemail });
    for (const email of [whole, `${local}@${freemail}`]) {
      expect(await whoSignsIn(email)).toBe('hers');
      const owner = await somebody(org, { email });
      expect(await whoSignsIn(email)).toBe('hers'); // vouched for: the login name is as good as ever
      await prove(owner);
      expect(await whoSignsIn(email)).toBe('frank');
    }
  });

  it('refuses the policy by which it would be typed as a whole', async () => {
    const set = (userLoginMustBeDomain: boolean): Promise<unknown> =>
      world.transaction((tx) =>
        world.get(PolicyService).set(tx, 'domain', other.id, { userLoginMustBeDomain }, EDITOR),
      );
    await set(true);
    await hers({ userName: frank.email });
    expect(await whoSignsIn(frank.email)).toBe('frank');
    await expect(set(false)).rejects.toMatchObject({ reason: 'user.names_collide' });
    expect(await whoSignsIn(frank.email)).toBe('frank');
  });
});

describe('An imported address [LOG-065]', () => {
  const imported = async (email: string, userName: string): Promise<string> => {
    const { api } = await callerWith(world, org, ['IAM_OWNER']);
    const profile = { firstName: 'Ida', lastName: 'Import' };
    const user = { userName, profile, email: { email, isEmailVerified: true }, password: PASSWORD };
    const orgs = [{ orgId: org.id, humanUsers: [{ userId: uniqueName('ida'), user }] }];
    return (await api.ask('POST', '/admin/v1/import', { data_orgs: { orgs } })).text;
  };

  it('signs its user in, whomever a manager has given it before, until somebody proves it', async () => {
    const email = `${uniqueName('ida')}@${freemail}`;
    const user = await hers();
    await vouch(user, email);
    await imported(email, uniqueName('ida'));
    expect(await whoSignsIn(email)).toBe('frank');
    await prove(user);
    expect(await whoSignsIn(email)).toBe('hers');
  });

  it('is none that another user has proved here as a user name [LOG-066]', async () => {
    await prove(frank);
    expect(await imported(`${uniqueName('ida')}@${freemail}`, frank.email)).toContain(
      'has a name that is the verified e-mail address of another user',
    );
    expect(await whoSignsIn(frank.email)).toBe('frank');
  });
});
