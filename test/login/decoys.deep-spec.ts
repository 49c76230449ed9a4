import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BegunCheck, PasswordHash } from '../../src/foundation/password/password-hash.js';
import { PasswordMixes } from '../../src/user/password-mixes.js';
import { callerWith } from '../support/admin-api.js';
import { PASSWORD, type TestOrg, type TestPerson, uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { beginPassword, setState } from './turns.js';

/** Cheap ones, each of another form: which of them is computed is what counts here, not for how long. */
const BCRYPT = { setting: '$2b$04', hash: `$2b$04$${'a'.repeat(53)}` };
const MD5_CRYPT = { setting: '$1', hash: `$1$salt$${'a'.repeat(22)}` };
const PBKDF2 = { setting: '$pbkdf2-sha256$1000', hash: `$pbkdf2-sha256$1000$c2FsdHNhbHQ$${'a'.repeat(43)}` };
const OWN = '$argon2id$v=19$m=19456,t=2,p=1';

const world = await startWorld({ hashing: 'real' });
const replica = await startWorld({ replicaOf: world, loginLimits: 'on' });
const begun: BegunCheck[] = [];
let client: RelyingParty;
let clientOfReplica: RelyingParty;

beforeAll(async () => {
  client = new RelyingParty(world, await world.cast.web1);
  clientOfReplica = new RelyingParty(replica, await world.cast.web1);
  for (const each of [world, replica]) each.get(PasswordHash).onCheck((check) => begun.push(check));
});
beforeEach(() => {
  begun.length = 0;
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

/** An organization whose people brought these hashes, one each. */
async function orgOf(...hashes: readonly string[]): Promise<{ org: TestOrg; people: TestPerson[] }> {
  const org = await world.add.org();
  const people: TestPerson[] = [];
  for (const hash of hashes) {
    const person = await world.add.person({ orgId: org.id });
    await world.rows('UPDATE user_account SET password_hash = $2 WHERE id = $1', [person.id, hash]);
    people.push(person);
  }
  await world.get(PasswordMixes).count();
  return { org, people };
}

/** What is computed when this name is tried with a wrong password. */
async function checkedFor(
  loginName: string,
  { at = client, orgId }: { at?: RelyingParty; orgId?: string } = {},
): Promise<string> {
  begun.length = 0;
  const visitor = at.elsewhere();
  const page = await beginPassword(
    visitor,
    loginName,
    orgId === undefined ? {} : { scope: `openid urn:service:iam:org:id:${orgId}` },
  );
  await visitor.browser.submit(page, { password: 'wrong' });
  return begun[0]?.setting ?? 'nothing';
}

const unknownAt = (org: TestOrg): string => `${uniqueName('unknown')}@${org.domain}`;

async function all(names: readonly string[]): Promise<string[]> {
  const settings: string[] = [];
  for (const name of names) settings.push(await checkedFor(name));
  return settings;
}

describe('An unknown name', () => {
  it('costs what the people of its organization cost, where that is the same for all of them', async () => {
    const { org, people } = await orgOf(BCRYPT.hash, BCRYPT.hash);
    expect(new Set(await all([people[0]!.loginName, ...Array.from({ length: 8 }, () => unknownAt(org))]))).toEqual(
      new Set([BCRYPT.setting]),
    );
  });

  it('costs now this, now that, where people cost different things', async () => {
    const { org } = await orgOf(BCRYPT.hash, BCRYPT.hash, MD5_CRYPT.hash, MD5_CRYPT.hash);
    for (let n = 0; n < 2; n += 1) await world.add.person({ orgId: org.id });
    await world.get(PasswordMixes).count();
    const settings = await all(Array.from({ length: 60 }, () => unknownAt(org)));
    // A third each: fewer than three of sixty would be seen once in twenty million runs.
    for (const setting of [BCRYPT.setting, MD5_CRYPT.setting, OWN])
      expect(settings.filter((each) => each === setting).length).toBeGreaterThan(2);
    expect(new Set(settings).size).toBe(3);
  });

  it('costs the same each time, in either of its spellings, in each process and after every count', async () => {
    const { org } = await orgOf(BCRYPT.hash, MD5_CRYPT.hash, PBKDF2.hash);
    for (let n = 0; n < 6; n += 1) {
      const name = uniqueName('unknown');
      const first = await checkedFor(`${name}@${org.domain}`);
      expect(await checkedFor(`${name}@${org.domain}`, { at: clientOfReplica })).toBe(first);
      expect(await checkedFor(`${name.toUpperCase()}@${org.domain}`)).toBe(first);
      expect(await checkedFor(name, { orgId: org.id })).toBe(first);
      expect(await checkedFor(`${name}@${org.domain}`, { orgId: org.id })).toBe(first);
      await world.get(PasswordMixes).count();
      expect(await checkedFor(`${name}@${org.domain}`)).toBe(first);
    }
  });

  it('costs what our own hashes cost once everybody has signed in', async () => {
    const { org, people } = await orgOf(BCRYPT.hash, BCRYPT.hash);
    const name = unknownAt(org);
    expect(await checkedFor(name)).toBe(BCRYPT.setting);
    for (const { id } of people) await world.add.newPassword(id, PASSWORD);
    await world.get(PasswordMixes).count();
    expect(await checkedFor(name)).toBe(OWN);
  });

  it('costs what users of the instance cost, if its domain belongs to no organization', async () => {
    await orgOf(...Array.from({ length: 30 }, () => PBKDF2.hash));
    expect(await all(Array.from({ length: 30 }, () => `${uniqueName('unknown')}@nowhere.test`))).toContain(
      PBKDF2.setting,
    );
  });

  it('costs what the people cost who came with an import a moment ago', async () => {
    const org = await world.add.org();
    const { api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']);
    const user = {
      userName: uniqueName('brought'),
      profile: { firstName: 'B', lastName: 'B' },
      hashedPassword: { value: BCRYPT.hash },
    };
    await api.call('POST', '/admin/v1/import', {
      data_orgs: {
        orgs: [{ orgId: org.id, humanUsers: [{ userId: uniqueName('brought'), state: 'USER_STATE_ACTIVE', user }] }],
      },
    });
    await world.get(PasswordMixes).onModuleDestroy(); // what is under way
    expect(await checkedFor(unknownAt(org))).toBe(BCRYPT.setting);
  });
});

describe('An account', () => {
  it.each(['active', 'locked', 'inactive'] as const)('costs its own hash while it is %s', async (state) => {
    const { people } = await orgOf(MD5_CRYPT.hash, BCRYPT.hash, BCRYPT.hash, BCRYPT.hash);
    if (state !== 'active') await setState(world, people[0]!, state);
    expect(await checkedFor(people[0]!.loginName)).toBe(MD5_CRYPT.setting);
  });

  it('costs its own hash when its password was guessed too often, under whatever names', async () => {
    const { org, people } = await orgOf(MD5_CRYPT.hash, BCRYPT.hash, BCRYPT.hash, BCRYPT.hash);
    const { userName, email } = people[0]!;
    for (const name of [`${userName}@${org.domain}`, email]) {
      for (let n = 0; n < 6; n += 1) expect(await checkedFor(name, { at: clientOfReplica })).toBe(MD5_CRYPT.setting);
    }
    const [row] = await world.rows<{ reasons: string[] }>(
      "SELECT array_agg(DISTINCT payload ->> 'reason') AS reasons FROM event WHERE payload ->> 'userId' = $1",
      [people[0]!.id],
    );
    expect(row?.reasons).toContain('account_limited');
  });

  it('without a password costs what an unknown name costs', async () => {
    const { org } = await orgOf(BCRYPT.hash, BCRYPT.hash);
    const { loginName } = await world.add.person({ orgId: org.id, password: '' });
    expect(await checkedFor(loginName)).toBe(BCRYPT.setting);
  });
});

describe('Counting', () => {
  const sharesOf = async (
    at: World,
    orgId: string,
  ): Promise<Array<{ setting: string; brought: number; remaining: number }>> =>
    at.rows('SELECT setting, brought, remaining FROM password_mix WHERE org_id = $1 ORDER BY setting', [orgId]);

  it('knows how many came with a setting, and how many have it still', async () => {
    const { org, people } = await orgOf(BCRYPT.hash, BCRYPT.hash, MD5_CRYPT.hash);
    await world.add.newPassword(people[0]!.id, PASSWORD);
    await world.get(PasswordMixes).count();
    expect(await sharesOf(world, org.id)).toEqual([
      { setting: '', brought: 3, remaining: 3 },
      { setting: '$1', brought: 1, remaining: 1 },
      { setting: '$2b$04', brought: 2, remaining: 1 },
    ]);
  });

  it('keeps as many settings of an organization as can be read at once, the most frequent ones', async () => {
    const rare = Array.from({ length: 60 }, (_, n) => PBKDF2.hash.replace('$1000$', `$${1_001 + n}$`));
    const { org } = await orgOf(BCRYPT.hash, BCRYPT.hash, ...rare);
    const shares = await sharesOf(world, org.id);
    expect(shares).toHaveLength(50);
    expect(shares).toContainEqual({ setting: BCRYPT.setting, brought: 2, remaining: 2 });
  });

  it('forgets an organization that is gone', async () => {
    const { org, people } = await orgOf(BCRYPT.hash);
    await world.rows('DELETE FROM user_account WHERE id = $1', [people[0]!.id]);
    await world.rows('DELETE FROM org WHERE id = $1', [org.id]);
    await world.get(PasswordMixes).count();
    expect(await sharesOf(world, org.id)).toEqual([]);
  });

  it('is not done again before a minute has passed, by any process', async () => {
    const { org } = await orgOf(BCRYPT.hash);
    await world.add.person({ orgId: org.id });
    const everybody = async (): Promise<number | undefined> => (await sharesOf(world, org.id))[0]?.remaining;
    for (const each of [world, replica]) await each.get(PasswordMixes).countIfDue();
    expect(await everybody()).toBe(1);
    await world.rows("UPDATE password_mix_count SET counted_at = counted_at - interval '1 minute', took_ms = 1");
    await replica.get(PasswordMixes).countIfDue();
    expect(await everybody()).toBe(2);
  });
});
