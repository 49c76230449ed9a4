import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, startWorld, type TestOrg, type TestPerson, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import { addDirectory, Directory, ERROR, type ListResponse, person, verdictOf } from './support/directory.js';

let world: World;
let org: TestOrg;
let other: TestOrg;
let owner: AdminApi;
let directory: Directory;
let second: Directory;
let stranger: Directory;

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
  [org, other] = [await world.add.organization(), await world.add.organization()];
  owner = await world.manager(['ORG_OWNER'], org);
  directory = await addDirectory(world, org);
  second = await addDirectory(world, org);
  stranger = await addDirectory(world, other);
});
afterAll(() => world.close());

describe('SCM-001: the values of filters are literals', () => {
  const names = ["' OR 1=1 --", '%', '_', '\\', 'a"b', 'a%b', 'a_b'];

  beforeAll(async () => {
    for (const [at, displayName] of names.entries()) await directory.add({ userName: `literal${at}`, displayName });
  });

  it.each(names.map((name) => [name]))('%s', async (name) => {
    const value = JSON.stringify(name);
    const shown = async (filter: string): Promise<unknown> =>
      (await directory.call<ListResponse>('GET', `/Users?filter=${encodeURIComponent(filter)}`)).Resources.map(
        ({ displayName }) => displayName,
      );
    expect(await shown(`displayName eq ${value}`)).toEqual([name]);
    for (const operator of ['co', 'sw', 'ew']) expect(await shown(`displayName ${operator} ${value}`)).toContain(name);
    const containing = names.filter((one) => one.includes(name));
    expect(await shown(`displayName co ${value}`)).toEqual(containing);
  });

  it.each([['"\\u0000"'], ['"a\\u0000b"'], ['"\\ud800"']])('%s finds nobody', async (value) => {
    for (const attribute of [
      'userName',
      'displayName',
      'externalId',
      'emails',
      'emails.type',
      'phoneNumbers',
      'groups',
      'id',
      'manager',
    ])
      expect(await directory.find(`${attribute} eq ${value}`)).toEqual([]);
    for (const attribute of ['displayName', 'externalId', 'members', 'id'])
      expect(await directory.find(`${attribute} eq ${value}`, '/Groups')).toEqual([]);
  });
});

describe('SCM-002: a filter that is too much', () => {
  it.each([
    ['5,000 parentheses', `${'('.repeat(5_000)}title pr${')'.repeat(5_000)}`],
    ['1,001 characters', `title eq "${'x'.repeat(990)}"`],
    ['not(not(…)) 11 deep', `${'not('.repeat(11)}title pr${')'.repeat(11)}`],
    ['100,000 or', Array.from({ length: 100_000 }, () => 'id pr').join(' or ')],
  ])('of %s is refused with invalidFilter, without echo', async (_, filter) => {
    const reply = await directory.ask('POST', '/Users/.search', { filter });
    expect(verdictOf(reply)).toBe('400 invalidFilter scim.filter_invalid');
    expect(reply.text).not.toMatch(/title|xxx|not\(|id pr/);
    expect(reply.text.length).toBeLessThan(300);
  });
});

describe('SCM-004: whose people and groups', () => {
  it('nobody acts on another organization', async () => {
    const there = new Directory(world, other.id, directory.id, directory.token);
    for (const [method, path, body] of [
      ['GET', '/Users'],
      ['POST', '/Users', person()],
      ['GET', '/Groups'],
      ['POST', '/.search', {}],
      ['POST', '/Bulk', { Operations: [{ method: 'POST', path: '/Users', bulkId: 'a', data: person() }] }],
    ] as const)
      expect(await there.verdict(method, path, body)).toMatch(/^403 /);
  });

  it('an owner of the instance is of one organization, and no directory elsewhere', async () => {
    const instanceOwner = await world.manager(['IAM_OWNER'], other);
    const there = new Directory(world, org.id, '', instanceOwner.token);
    expect(await there.verdict('GET', '/Users')).toBe('403 scim.not_of_organization');
    expect(await there.verdict('POST', '/Users', person())).toBe('403 scim.not_of_organization');
  });

  it('people and groups of another organization do not exist', async () => {
    const theirs = await stranger.add();
    const group = await stranger.addGroup();
    for (const method of ['GET', 'DELETE']) {
      expect(await directory.verdict(method, `/Users/${theirs.id}`)).toBe('404 scim.user_not_found');
      expect(await directory.verdict(method, `/Groups/${group.id}`)).toBe('404 scim.group_not_found');
    }
    const patch = { Operations: [{ op: 'replace', path: 'displayName', value: 'x' }] };
    expect(await directory.verdict('PATCH', `/Users/${theirs.id}`, patch)).toBe('404 scim.user_not_found');
    expect(await directory.verdict('PATCH', `/Groups/${group.id}`, patch)).toBe('404 scim.group_not_found');
    expect(await directory.verdict('PUT', `/Users/${theirs.id}`, person())).toBe('404 scim.user_not_found');
    expect(await directory.find(`id eq "${theirs.id}"`)).toEqual([]);
  });

  it('a manager of a project alone is no directory', async () => {
    const { id: projectId } = await owner.call<{ id: string }>('POST', '/management/v1/projects', { name: 'P' });
    const own = await addDirectory(world, org, []);
    await owner.call('POST', `/management/v1/projects/${projectId}/members`, {
      userId: own.id,
      roles: ['PROJECT_OWNER'],
    });
    expect(await own.verdict('GET', '/Users')).toMatch(/^403 /);
    expect(await own.verdict('POST', '/Users', person())).toMatch(/^403 /);
  });

  it('service users are nobody', async () => {
    expect(await directory.verdict('GET', `/Users/${directory.id}`)).toBe('404 scim.user_not_found');
    expect(await directory.find(`id eq "${directory.id}"`)).toEqual([]);
  });

  it('without a token, or with a wrong one, nothing is answered but 401 in the form of SCIM', async () => {
    for (const headers of [
      { Authorization: '' },
      { Authorization: 'Bearer nothing' },
      { Authorization: 'non-token' },
    ]) {
      const reply = await directory.ask('GET', '/Users', undefined, headers);
      expect(reply.status).toBe(401);
      expect(reply.header('content-type')).toBe('application/scim+json; charset=utf-8');
      expect(reply.header('www-authenticate')).toMatch(/^Bearer/);
      expect(reply.json()).toMatchObject({ schemas: [ERROR], status: '401' });
    }
  });
});

describe('SCM-005: ids that a directory brings', () => {
  it('mean nothing to anybody else', async () => {
    const victim = await second.add({ externalId: 'their-own' });
    const made = await directory.add({ id: victim.id, externalId: '1', meta: { version: 'W/"9"' } });
    expect(made.id).not.toBe(victim.id);
    const same = await directory.add({ externalId: 'their-own' });
    expect(await directory.find('externalId eq "their-own"')).toEqual([same.userName]);
    expect(await second.find('externalId eq "their-own"')).toEqual([victim.userName]);
    expect(await directory.verdict('GET', '/Users/1')).toBe('404 scim.user_not_found');
    expect(await directory.verdict('GET', '/Users/their-own')).toBe('404 scim.user_not_found');
    expect(await second.call('GET', `/Users/${victim.id}`)).toEqual(victim);
  });

  it('are shown to their directory alone', async () => {
    const { id } = await second.add({ externalId: 'secret-7' });
    expect((await directory.call('GET', `/Users/${id}`)).externalId).toBeUndefined();
    expect(await directory.find('externalId pr and userName sw "nobody"')).toEqual([]);
    const group = await second.addGroup({ externalId: 'g-7' });
    expect((await directory.call('GET', `/Groups/${group.id}`)).externalId).toBeUndefined();
    expect(await directory.find('externalId eq "g-7"', '/Groups')).toEqual([]);
    expect(await second.find('externalId eq "g-7"', '/Groups')).toEqual([group.displayName]);
  });

  it('are compared with case', async () => {
    const { userName } = await directory.add({ externalId: 'CaSe' });
    expect(await directory.find('externalId eq "CaSe"')).toEqual([userName]);
    expect(await directory.find('externalId eq "case"')).toEqual([]);
    expect(await directory.find('externalId sw "CaS"')).toEqual([userName]);
  });
});

describe('SCM-006: nobody is adopted', () => {
  let admin: TestPerson;

  beforeAll(async () => {
    admin = await world.add.user({ org, userName: 'boss', email: 'boss@mail.test' });
    await owner.call('POST', '/management/v1/orgs/me/members', { userId: admin.id, roles: ['ORG_OWNER'] });
  });

  it('by the name or the address of an administrator', async () => {
    expect(await directory.verdict('POST', '/Users', person({ userName: 'boss' }))).toBe(
      '409 uniqueness user.name_taken',
    );
    expect(await directory.verdict('POST', '/Users', person({ userName: 'BOSS' }))).toBe(
      '409 uniqueness user.name_taken',
    );
    const emails = [{ value: 'Boss@MAIL.test', primary: true }];
    expect(await directory.verdict('POST', '/Users', person({ emails }))).toBe('409 uniqueness scim.email_taken');
    expect(await directory.verdict('POST', '/Users', { userName: 'boss@mail.test' })).toMatch(/^409 uniqueness/);
  });

  it('nor by a later change of an address', async () => {
    const { id } = await directory.add();
    const take = { Operations: [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'boss@mail.test' }] };
    expect(await directory.verdict('PATCH', `/Users/${id}`, take)).toBe('409 uniqueness scim.email_taken');
    expect(await directory.verdict('PUT', `/Users/${id}`, { userName: 'x', emails: 'boss@mail.test' })).toBe(
      '409 uniqueness scim.email_taken',
    );
  });

  it('nor by their id, which a look-up tells', async () => {
    const body = {
      ...person({ userName: 'boss', emails: [{ value: 'evil@mail.test' }] }),
      password: 'Evil-Password-7',
    };
    expect(await directory.find('userName eq "boss"')).toEqual(['boss']);
    const change = { Operations: [{ op: 'replace', path: 'emails', value: [{ value: 'evil@mail.test' }] }] };
    for (const [method, sent] of [
      ['PATCH', change],
      ['PUT', body],
      ['DELETE', undefined],
    ] as const)
      expect(await directory.verdict(method, `/Users/${admin.id}`, sent)).toBe('403 scim.not_provisioned');
    expect(await world.sql`SELECT email, state FROM user_account WHERE id = ${admin.id}`).toEqual([
      { email: 'boss@mail.test', state: 'active' },
    ]);
  });

  it('and who has more rights than the directory is not changed even when put under it', async () => {
    await owner.call('POST', `/management/v1/ext/scim/directories/${directory.id}/users`, { userIds: [admin.id] });
    const change = { Operations: [{ op: 'replace', path: 'title', value: 'Fool' }] };
    expect(await directory.verdict('PATCH', `/Users/${admin.id}`, change)).toBe('403 permission.user_too_strong');
    expect(await directory.verdict('DELETE', `/Users/${admin.id}`)).toBe('403 permission.user_too_strong');
  });

  it('a user of another directory is not changed either', async () => {
    const { id } = await second.add();
    expect(await directory.verdict('DELETE', `/Users/${id}`)).toBe('403 scim.provisioned_elsewhere');
    const group = await second.addGroup();
    expect(await directory.verdict('DELETE', `/Groups/${group.id}`)).toBe('403 scim.provisioned_elsewhere');
  });
});

describe('SCM-007: rights', () => {
  it('are never given by roles, entitlements or groups of a user', async () => {
    const { id: groupId } = await directory.addGroup();
    const rights = {
      roles: [{ value: 'IAM_OWNER' }, 'ORG_OWNER'],
      entitlements: ['IAM_OWNER'],
      groups: [{ value: groupId }],
    };
    const { id } = await directory.add(rights);
    await directory.call('PUT', `/Users/${id}`, person(rights));
    await directory.call('PATCH', `/Users/${id}`, {
      Operations: [
        { op: 'add', value: rights },
        { op: 'add', path: 'roles', value: rights.roles },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'IAM_OWNER' },
        { op: 'replace', path: 'entitlements', value: rights.entitlements },
      ],
    });
    const found = await directory.call('GET', `/Users/${id}`);
    expect([found['roles'], found['entitlements'], found.groups]).toEqual([undefined, undefined, undefined]);
    expect(await world.sql`SELECT 1 FROM member WHERE user_id = ${id}`).toEqual([]);
    expect(await world.sql`SELECT 1 FROM user_group_member WHERE user_id = ${id}`).toEqual([]);
  });
});

describe('a directory', () => {
  it('is a service user: a person with the same rights makes nobody', async () => {
    const browserPerson = await world.add.user({ org });
    await owner.call('POST', '/management/v1/orgs/me/members', { userId: browserPerson.id, roles: ['ORG_OWNER'] });
    const scope = 'openid urn:service:iam:org:project:id:service:aud';
    const tokens = await world.party(await world.add.application({ org })).tokens(browserPerson, { scope });
    const human = new Directory(world, org.id, browserPerson.id, tokens.access_token);
    expect(await human.verdict('GET', '/Users')).toBe('200');
    expect(await human.verdict('POST', '/Users', person())).toBe('403 scim.no_directory');
    expect(await human.verdict('POST', '/Groups', { displayName: 'Human' })).toBe('403 scim.no_directory');
  });
});
