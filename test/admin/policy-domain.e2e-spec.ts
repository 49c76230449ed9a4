import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { UserService } from '../../src/user/user.service.js';
import { UserDirectory } from '../../src/user/user-directory.js';
import { beginPassword, errorsOf } from '../login/turns.js';
import { PASSWORD, type TestOrg, type TestPerson, uniqueName } from '../support/builders.js';
import { answerOf, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { Callers } from './callers.js';
import { codeOf, fieldsOf, type PolicyCast, policyCast } from './policy-api.js';

const INSTANCE = '/admin/v1/policies/domain';
const custom = (orgId: string, word = 'domain'): string => `/admin/v1/orgs/${orgId}/policies/${word}`;

let world: World;
let cast: PolicyCast;

beforeAll(async () => {
  world = await startWorld();
  cast = await policyCast(world);
});
afterAll(() => world.close());

/** Signs in, or answers the errors of the page. */
async function tryName(loginName: string, scope = 'openid'): Promise<string | string[]> {
  const rp = new RelyingParty(world, await world.cast.web1);
  const arrival = await rp.browser.submit(await beginPassword(rp, loginName, { scope }), { password: PASSWORD });
  if (arrival.page) return errorsOf(arrival.page);
  return answerOf(arrival.redirect)['code'] === undefined ? 'nothing' : 'signed in';
}

const NOBODY = ['The login name or the password is not correct.'];

/** What the person may type to sign in. */
async function namesOf({ orgId, id }: TestPerson): Promise<readonly string[]> {
  return (await world.get(UserDirectory).get(orgId, id)).loginNames;
}

/** The rows of an organization's users, as far as their versions in the database go. */
async function versionsOf(org: TestOrg): Promise<string> {
  const [row] = await world.rows<{ versions: string }>(
    `SELECT string_agg(id || xmin::text, ',' ORDER BY id) AS versions FROM user_account WHERE org_id = $1`,
    [org.id],
  );
  return row!.versions;
}

/**
 * People who are called `{prefix}1`, `{prefix}2`, … and whose names are unique in the organization, as where its policy
 * always said so.
 */
async function addMany(org: TestOrg, count: number, prefix: string): Promise<void> {
  await world.rows(
    `INSERT INTO user_account (id, org_id, kind, user_name, user_name_key, name_scope)
     SELECT $1 || '-' || n, $1, 'human', $2 || n, $2 || n, $1 FROM generate_series(1, $3::int) n`,
    [org.id, prefix, count],
  );
}

async function orgMustBeDomain(): Promise<TestOrg> {
  const org = await world.add.org();
  await cast.iam.change('POST', custom(org.id), { userLoginMustBeDomain: true });
  return org;
}

describe('The domain policy', () => {
  it('demands nothing in a new instance', async () => {
    expect(await cast.viewer.policy(INSTANCE)).toMatchObject({
      userLoginMustBeDomain: false,
      validateOrgDomains: false,
      smtpSenderAddressMatchesInstanceDomain: false,
      isDefault: true,
    });
    expect(await cast.viewerA.policy('/management/v1/policies/domain')).toMatchObject({
      userLoginMustBeDomain: false,
      isDefault: true,
    });
  });

  it('of an organization is added, changed and reset by managers of the instance', async () => {
    const { iam, ownerA, viewerA } = cast;
    const path = custom(ownerA.orgId);
    expect(await iam.policy(path)).toMatchObject({ isDefault: true });
    expect(codeOf(await iam.ask('PUT', path, { validateOrgDomains: true }))).toEqual([404, 5]);
    const added = await iam.change('POST', path, { validateOrgDomains: true });
    expect(added).toMatchObject({ sequence: '1', resourceOwner: ownerA.orgId });
    expect(codeOf(await iam.ask('POST', path, {}))).toEqual([409, 6]);
    expect(await viewerA.policy('/management/v1/policies/domain')).toMatchObject({
      validateOrgDomains: true,
      isDefault: false,
    });
    expect(await iam.change('PUT', path, { validateOrgDomains: true })).toEqual(added);
    expect(await iam.change('PUT', path, { smtpSenderAddressMatchesInstanceDomain: true })).toMatchObject({
      sequence: '2',
    });
    await iam.change('DELETE', path);
    expect(codeOf(await iam.ask('DELETE', path))).toEqual([404, 5]);
    expect(await viewerA.policy('/management/v1/policies/domain')).toMatchObject({
      validateOrgDomains: false,
      isDefault: true,
    });
  });

  it('is found for no organization that does not exist', async () => {
    for (const [method, path] of [
      ['GET', custom('1')],
      ['POST', custom('1')],
      ['PUT', custom('1')],
      ['DELETE', custom('1')],
    ] as const) {
      expect(codeOf(await cast.iam.ask(method, path, method === 'POST' || method === 'PUT' ? {} : undefined))).toEqual([
        404, 5,
      ]);
    }
    expect(fieldsOf(await cast.iam.ask('POST', custom('x'.repeat(201)), {}))).toEqual(['orgId']);
  });

  it('requires the permission to change it', async () => {
    const { ownerA, viewer, ownerB } = cast;
    const before = await world.contents();
    for (const reply of [
      await viewer.ask('PUT', INSTANCE, { userLoginMustBeDomain: true }),
      await ownerA.ask('POST', custom(ownerA.orgId), { userLoginMustBeDomain: true }),
      await ownerB.ask('DELETE', custom(ownerA.orgId)),
      await ownerA.ask('GET', custom(ownerA.orgId)),
      await ownerB.about(ownerA.orgId).ask('GET', '/management/v1/policies/domain'),
    ])
      expect(codeOf(reply)).toEqual([403, 7]);
    expect(await world.contents()).toBe(before);
  });

  it('is the same under its older name, which is deprecated and leaves the other settings alone', async () => {
    const { iam, viewerA } = cast;
    const org = await world.add.org();
    const older = custom(org.id, 'orgiam');
    await iam.change('POST', custom(org.id), { validateOrgDomains: true });
    const changed = await iam.ask('PUT', older, { userLoginMustBeDomain: true });
    expect([changed.status, changed.header('deprecation')]).toEqual([200, expect.stringMatching(/^@\d+$/)]);
    expect(await iam.policy(custom(org.id))).toMatchObject({ userLoginMustBeDomain: true, validateOrgDomains: true });
    expect(Object.keys(await iam.policy(older)).sort()).toEqual(['details', 'isDefault', 'userLoginMustBeDomain']);
    await iam.change('DELETE', older);
    await iam.change('POST', older, { userLoginMustBeDomain: true });
    expect(await iam.policy(custom(org.id))).toMatchObject({
      userLoginMustBeDomain: true,
      validateOrgDomains: false,
      isDefault: false,
    });
    await iam.change('DELETE', older);
    await iam.change('PUT', '/admin/v1/policies/orgiam', {});
    expect(await viewerA.policy('/management/v1/policies/orgiam')).toMatchObject({
      userLoginMustBeDomain: false,
      isDefault: true,
    });
    expect(await iam.policy('/admin/v1/policies/orgiam')).toMatchObject({ userLoginMustBeDomain: false });
  });
});

describe('userLoginMustBeDomain', () => {
  it('makes user names unique in their organization, so that two may have the same', async () => {
    const [one, other] = [await orgMustBeDomain(), await orgMustBeDomain()];
    const [first, second] = [
      await world.add.person({ orgId: one.id, userName: 'twin' }),
      await world.add.person({ orgId: other.id, userName: 'twin' }),
    ];
    await expect(world.add.person({ orgId: one.id, userName: 'TWIN' })).rejects.toMatchObject({
      reason: 'user.name_taken',
    });
    expect([await namesOf(first), await namesOf(second)]).toEqual([[`twin@${one.domain}`], [`twin@${other.domain}`]]);
    expect(await tryName(`twin@${one.domain}`)).toBe('signed in');
    expect(await tryName(`TWIN@${other.domain}`)).toBe('signed in');
    expect(await tryName('twin')).toEqual(NOBODY);
    // Within an organization that the application names, the domain goes without saying.
    expect(await tryName('twin', `openid urn:service:iam:org:id:${one.id}`)).toBe('signed in');
  });

  it('takes the people of an organization along, with their login names, and back', async () => {
    const org = await world.add.org();
    const whole = `${uniqueName('whole')}@mail.test`;
    // An address of its own: a proven one would be a login name too.
    const person = await world.add.person({ orgId: org.id, userName: whole, email: `${uniqueName('mail')}@mail.test` });
    const preferredName = async (): Promise<unknown> => {
      const rp = new RelyingParty(world, await world.cast.web1);
      const { access_token: token } = await rp.tokens({ ...person, loginName }, { scope: 'openid profile' });
      return (await rp.userinfo(token)).json()['preferred_username'];
    };
    let loginName = person.userName;
    expect([await namesOf(person), await preferredName()]).toEqual([[person.userName], person.userName]);
    await cast.iam.change('POST', custom(org.id), { userLoginMustBeDomain: true });
    expect(await tryName(person.userName)).toEqual(NOBODY);
    loginName = `${person.userName}@${org.domain}`;
    expect([await namesOf(person), await preferredName()]).toEqual([[loginName], loginName]);
    await cast.iam.change('PUT', custom(org.id), { userLoginMustBeDomain: false });
    expect([await namesOf(person), await tryName(person.userName)]).toEqual([[person.userName], 'signed in']);
    await cast.iam.change('PUT', custom(org.id), { userLoginMustBeDomain: true });
    await cast.iam.change('DELETE', custom(org.id));
    expect(await namesOf(person)).toEqual([person.userName]);
  });

  it('is not taken back while names would meet, and then nothing has changed', async () => {
    const [one, other] = [await orgMustBeDomain(), await orgMustBeDomain()];
    const name = uniqueName('double');
    const people = [
      await world.add.person({ orgId: one.id, userName: name }),
      await world.add.person({ orgId: other.id, userName: name }),
    ];
    await cast.iam.change('DELETE', custom(one.id));
    const before = await world.contents();
    for (const reply of [
      await cast.iam.ask('PUT', custom(other.id), { userLoginMustBeDomain: false }),
      await cast.iam.ask('DELETE', custom(other.id)),
    ]) {
      expect(codeOf(reply)).toEqual([400, 9]);
      expect(reply.text).toContain('user.names_collide');
      expect(reply.text).toContain(`Among them: ${name}.`);
    }
    expect(await world.contents()).toBe(before);
    expect(await Promise.all(people.map(namesOf))).toEqual([
      [`${name}@${one.domain}`, name],
      [`${name}@${other.domain}`],
    ]);
    await world.transaction((tx) => world.get(UserService).remove(tx, people[0]!.id, 'test'));
    expect((await cast.iam.ask('DELETE', custom(other.id))).status).toBe(200);
  });

  it('cannot be switched off while a whole name is the name of another user at a domain', async () => {
    const [one, other] = [await world.add.org(), await orgMustBeDomain()];
    const name = uniqueName('at');
    await world.add.person({ orgId: one.id, userName: name });
    await world.add.person({ orgId: other.id, userName: `${name}@${one.domain}`, email: 'somebody@mail.test' });
    expect(await tryName(`${name}@${one.domain}`)).toBe('signed in');
    expect(codeOf(await cast.iam.ask('DELETE', custom(other.id)))).toEqual([400, 9]);
  });

  it('leaves names of service users alone: they are client ids', async () => {
    const org = await orgMustBeDomain();
    const service = await world.add.service({ orgId: org.id });
    expect(await new Callers(world).clientCredentials(service, 'openid')).toBeDefined();
    await expect(
      world.add.service({ orgId: (await world.add.org()).id, userName: service.userName }),
    ).rejects.toMatchObject({ reason: 'user.name_taken' });
  });

  it('of the instance takes along everybody whose organization has no policy of its own', async () => {
    const [plain, own] = [await world.add.org(), await world.add.org()];
    await cast.iam.change('POST', custom(own.id), {});
    const [ofPlain, ofOwn] = [await world.add.person({ orgId: plain.id }), await world.add.person({ orgId: own.id })];
    await cast.iam.change('PUT', INSTANCE, { userLoginMustBeDomain: true });
    expect([await namesOf(ofPlain), await namesOf(ofOwn)]).toEqual([
      [ofPlain.loginName],
      [ofOwn.loginName, ofOwn.userName],
    ]);
    expect([await tryName(ofPlain.userName), await tryName(ofPlain.loginName), await tryName(ofOwn.userName)]).toEqual([
      NOBODY,
      'signed in',
      'signed in',
    ]);
    await cast.iam.change('DELETE', custom(own.id));
    expect(await namesOf(ofOwn)).toEqual([ofOwn.loginName]);
    await cast.iam.change('PUT', INSTANCE, { userLoginMustBeDomain: false });
    expect([await namesOf(ofPlain), await namesOf(ofOwn)]).toEqual([
      [ofPlain.loginName, ofPlain.userName],
      [ofOwn.loginName, ofOwn.userName],
    ]);
  });

  it('finds those who are added while it changes', async () => {
    const org = await world.add.org();
    const adding = Array.from({ length: 8 }, () => world.add.person({ orgId: org.id, password: '' }));
    await Promise.all([...adding, cast.iam.change('POST', custom(org.id), { userLoginMustBeDomain: true })]);
    for (const person of await Promise.all(adding)) expect(await namesOf(person)).toEqual([person.loginName]);
  });
});

describe('A change of userLoginMustBeDomain', () => {
  it('writes no user, in either direction, if no user was added in the meantime', async () => {
    const org = await world.add.org();
    const person = await world.add.person({ orgId: org.id });
    const before = await versionsOf(org);
    await cast.iam.change('POST', custom(org.id), { userLoginMustBeDomain: true });
    expect(await namesOf(person)).toEqual([person.loginName]);
    await cast.iam.change('PUT', custom(org.id), { userLoginMustBeDomain: false });
    expect(await namesOf(person)).toEqual([person.loginName, person.userName]);
    expect(await versionsOf(org)).toBe(before);
  });

  it('releases earlier names for other users, who need them exclusively, and then cannot be switched off', async () => {
    const [one, other, third] = [await world.add.org(), await world.add.org(), await orgMustBeDomain()];
    const name = uniqueName('freed');
    const first = await world.add.person({ orgId: one.id, userName: name });
    await expect(world.add.person({ orgId: other.id, userName: name })).rejects.toMatchObject({
      reason: 'user.name_taken',
    });
    await cast.iam.change('POST', custom(one.id), { userLoginMustBeDomain: true });
    await world.add.person({ orgId: third.id, userName: name });
    await world.add.person({ orgId: other.id, userName: name });
    expect([await tryName(name), await tryName(first.loginName), await tryName(`${name}@${third.domain}`)]).toEqual([
      'signed in',
      'signed in',
      'signed in',
    ]);
    const reply = await cast.iam.ask('DELETE', custom(one.id));
    expect([codeOf(reply), reply.text]).toEqual([[400, 9], expect.stringContaining(name)]);
  });

  it('frees them for service users and by renaming, too', async () => {
    const [one, other] = [await world.add.org(), await world.add.org()];
    const [first, second] = [await world.add.person({ orgId: one.id }), await world.add.person({ orgId: one.id })];
    await cast.iam.change('POST', custom(one.id), { userLoginMustBeDomain: true });
    await world.add.service({ orgId: other.id, userName: first.userName });
    const renamed = await world.add.person({ orgId: other.id });
    await world.transaction(async (tx) => {
      const users = world.get(UserService);
      await users.rename(tx, await users.get(tx, renamed.id), second.userName, 'test');
    });
    expect(await namesOf(renamed)).toEqual([`${second.userName}@${other.domain}`, second.userName]);
  });

  it('lets no two people of one organization have a name, whenever they got it', async () => {
    const org = await world.add.org();
    const person = await world.add.person({ orgId: org.id });
    await cast.iam.change('POST', custom(org.id), { userLoginMustBeDomain: true });
    await expect(world.add.person({ orgId: org.id, userName: person.userName.toUpperCase() })).rejects.toMatchObject({
      reason: 'user.name_taken',
    });
    expect(await world.get(UserDirectory).isUnique(org.id, person.userName, '')).toBe(false);
    expect(await world.get(UserDirectory).isUnique((await orgMustBeDomain()).id, person.userName, '')).toBe(true);
  });

  it('takes any number of people along, whose names were never unique in the instance', async () => {
    const org = await orgMustBeDomain();
    const prefix = uniqueName('many');
    await addMany(org, 2_500, prefix);
    await cast.iam.change('PUT', custom(org.id), { userLoginMustBeDomain: false });
    expect(
      await world.rows('SELECT 1 AS left FROM user_account WHERE org_id = $1 AND name_scope <> $2', [org.id, '']),
    ).toEqual([]);
    await expect(
      world.add.person({ orgId: (await world.add.org()).id, userName: `${prefix}1700` }),
    ).rejects.toMatchObject({ reason: 'user.name_taken' });
  });

  it('that is refused leaves every name as it was, and names those that collide', async () => {
    const [org, other] = [await orgMustBeDomain(), await world.add.org()];
    const prefix = uniqueName('some');
    await addMany(org, 1_500, prefix);
    const taken = await world.add.person({ orgId: other.id, userName: `${prefix}977` });
    const reply = await cast.iam.ask('DELETE', custom(org.id));
    expect([codeOf(reply), reply.text]).toEqual([[400, 9], expect.stringContaining(`Among them: ${prefix}977.`)]);
    const { loginNames } = await world.get(UserDirectory).get(org.id, `${org.id}-12`);
    expect(loginNames).toEqual([`${prefix}12@${org.domain}`]);
    // A name that was reserved by the attempt goes to a user who needs it.
    await world.add.person({ orgId: other.id, userName: `${prefix}12` });
    await world.transaction((tx) => world.get(UserService).remove(tx, taken.id, 'test'));
    expect((await cast.iam.ask('DELETE', custom(org.id))).text).toContain(`Among them: ${prefix}12.`);
  });

  it('is refused while a whole name stands at a domain that another organization has verified', async () => {
    const [org, owner] = [await orgMustBeDomain(), await world.add.org()];
    await world.add.person({
      orgId: org.id,
      userName: `${uniqueName('guest')}@${owner.domain}`,
      email: `${uniqueName('mail')}@mail.test`,
    });
    expect(codeOf(await cast.iam.ask('DELETE', custom(org.id)))).toEqual([400, 9]);
  });

  it('does not wait for an import that adds users, and does not make others wait', async () => {
    const org = await world.add.org();
    const importing = new Client(world.database.connection);
    await importing.connect();
    try {
      await importing.query('BEGIN');
      await importing.query('SELECT pg_advisory_xact_lock_shared(1734440037, 5)');
      const changing = cast.iam.ask('POST', custom(org.id), { userLoginMustBeDomain: true });
      await new Promise((resolve) => setTimeout(resolve, 300));
      const [reply] = await Promise.all([changing, world.add.person({ orgId: org.id, password: '' })]);
      expect([codeOf(reply), reply.text]).toEqual([[409, 10], expect.stringContaining('user.names_busy')]);
    } finally {
      await importing.end();
    }
    await cast.iam.change('POST', custom(org.id), { userLoginMustBeDomain: true });
  });
});
