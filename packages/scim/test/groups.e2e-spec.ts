import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type TestOrg, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import { addDirectory, type Directory, GROUP, type ListResponse, type Resource } from './support/directory.js';

let world: World;
let org: TestOrg;
let directory: Directory;
let anna: Resource;
let berta: Resource;
let carla: Resource;

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
  org = await world.add.organization();
  directory = await addDirectory(world, org);
  [anna, berta, carla] = [await directory.add(), await directory.add(), await directory.add()];
});
afterAll(() => world.close());

const membersOf = async (id: string): Promise<string[]> =>
  ((await directory.call('GET', `/Groups/${id}`)).members ?? []).map(({ value }) => value).toSorted();

const ids = (...people: readonly Resource[]): string[] => people.map(({ id }) => id).toSorted();

const values = (...people: readonly Resource[]): object[] => people.map(({ id }) => ({ value: id }));

describe('RFC 7643 §4.2: a group', () => {
  it('is made, read, replaced and removed', async () => {
    const body = { schemas: [GROUP], displayName: 'Night shift', externalId: 'g-1', members: values(anna, berta) };
    const reply = await directory.ask('POST', '/Groups', body);
    expect(reply.status).toBe(201);
    const group = reply.json<Resource>();
    expect(reply.location).toBe(group.meta.location);
    expect(group).toMatchObject({ displayName: 'Night shift', externalId: 'g-1' });
    expect(group.members).toContainEqual({
      value: anna.id,
      $ref: anna.meta.location,
      display: expect.stringContaining('Anna'),
      type: 'User',
    });
    expect(await directory.call('GET', `/Groups/${group.id}`)).toEqual(group);
    expect((await directory.call('GET', `/Users/${anna.id}`)).groups).toEqual([
      { value: group.id, $ref: group.meta.location, display: 'Night shift', type: 'direct' },
    ]);

    const renamed = await directory.call('PUT', `/Groups/${group.id}`, {
      displayName: 'Day shift',
      members: values(carla),
    });
    expect(renamed).toMatchObject({ displayName: 'Day shift', members: [{ value: carla.id }] });
    expect(renamed.externalId).toBeUndefined();
    expect(renamed.meta.version).not.toBe(group.meta.version);

    expect((await directory.ask('DELETE', `/Groups/${group.id}`)).status).toBe(204);
    expect(await directory.verdict('GET', `/Groups/${group.id}`)).toBe('404 scim.group_not_found');
    expect(await world.sql`SELECT 1 FROM ext_scim.provisioned_group WHERE group_id = ${group.id}`).toEqual([]);
  });

  it('needs a name that no other one has', async () => {
    await directory.addGroup({ displayName: 'Taken' });
    expect(await directory.verdict('POST', '/Groups', { displayName: 'taken' })).toBe(
      '409 uniqueness group.name_taken',
    );
    expect(await directory.verdict('POST', '/Groups', {})).toBe('400 invalidValue scim.value_invalid');
    expect(await directory.verdict('POST', '/Groups', { displayName: ' x' })).toBe('400 invalidValue request.invalid');
  });

  it('keeps its members where a PUT does not say them, and loses them by an empty list', async () => {
    const { id, displayName } = await directory.addGroup({ members: values(anna) });
    expect((await directory.call('PUT', `/Groups/${id}`, { displayName })).members).toHaveLength(1);
    expect((await directory.call('PUT', `/Groups/${id}`, { displayName, members: [] })).members).toEqual([]);
  });

  it('is read without its members', async () => {
    const { id } = await directory.addGroup({ members: values(anna) });
    const found = await directory.call('GET', `/Groups/${id}?excludedAttributes=members`);
    expect(Object.keys(found)).toEqual(['schemas', 'id', 'meta', 'displayName']);
  });

  it('is not shown a part of its members: one with more than 1,000 has none in a list', async () => {
    const { id } = await directory.addGroup({ displayName: 'Everybody' });
    await world.sql`
      INSERT INTO user_account (id, org_id, kind, user_name, user_name_key, sequence, creation_date, change_date)
      SELECT 'crowd' || n, ${org.id}, 'human', 'crowd' || n, 'crowd' || n, 1, now(), now() FROM generate_series(1, 1001) n`;
    await world.sql`INSERT INTO user_group_member (group_id, user_id) SELECT ${id}, 'crowd' || n FROM generate_series(1, 1001) n`;
    const list = await directory.call<ListResponse>(
      'GET',
      `/Groups?filter=${encodeURIComponent('displayName eq "Everybody"')}`,
    );
    expect(list.Resources[0]?.members).toBeUndefined();
    expect((await directory.call('GET', `/Groups/${id}`)).members).toHaveLength(1001);
    await world.sql`DELETE FROM user_account WHERE id LIKE 'crowd%'`;
  });
});

describe('RFC 7644 §3.5.2: a PATCH of a group', () => {
  it('is answered with 204, or with the group where attributes are asked for', async () => {
    const { id } = await directory.addGroup();
    const reply = await directory.patchGroup(id, { op: 'Replace', path: 'displayName', value: 'Renamed' });
    expect([reply.status, reply.text]).toEqual([204, '']);
    const { displayName, meta } = await directory.call('GET', `/Groups/${id}`);
    expect([displayName, meta.version]).toEqual(['Renamed', reply.header('etag')]);
    const body = { Operations: [{ op: 'add', value: { externalId: 'g-2' } }] };
    expect(await directory.call('PATCH', `/Groups/${id}?attributes=externalId`, body)).toMatchObject({
      externalId: 'g-2',
    });
  });

  it('renames as Okta does, with the id beside the name', async () => {
    const { id } = await directory.addGroup();
    await directory.patchGroup(id, { op: 'replace', value: { id, displayName: 'Okta group' } });
    expect((await directory.call('GET', `/Groups/${id}`)).displayName).toBe('Okta group');
  });

  it('applies its operations one after the other', async () => {
    const { id } = await directory.addGroup({ members: values(anna) });
    const reply = await directory.patchGroup(
      id,
      { op: 'remove', path: `members[value eq "${anna.id}"]` },
      { op: 'add', path: 'members', value: values(berta, carla) },
      { op: 'remove', path: `members[value eq "${berta.id}"]` },
    );
    expect(reply.status).toBe(204);
    expect(await membersOf(id)).toEqual(ids(carla));
  });

  it('SCM-013: remove with the path members alone removes all, by one event that says how many', async () => {
    const { id } = await directory.addGroup({ members: values(anna, berta, carla) });
    expect((await directory.patchGroup(id, { op: 'remove', path: 'members' })).status).toBe(204);
    expect(await membersOf(id)).toEqual([]);
    expect(
      await world.sql`
        SELECT payload, editor_id FROM event WHERE aggregate_id = ${id} AND type = 'ext.scim.group.emptied'`,
    ).toEqual([{ payload: { directoryId: directory.id, members: 3 }, editor_id: directory.id }]);
  });

  it('SCM-013: remove with a list removes those alone, and nobody by an empty one', async () => {
    const { id } = await directory.addGroup({ members: values(anna, berta, carla) });
    await directory.patchGroup(id, { op: 'Remove', path: 'members', value: [{ $ref: null, value: berta.id }] });
    expect(await membersOf(id)).toEqual(ids(anna, carla));
    await directory.patchGroup(id, { op: 'remove', path: 'members', value: [] });
    expect(await membersOf(id)).toEqual(ids(anna, carla));
  });

  it('SCM-013: remove with a filter that finds nobody is refused with noTarget', async () => {
    const { id } = await directory.addGroup({ members: values(anna) });
    const remove = async (path: string): Promise<string> =>
      directory.verdict('PATCH', `/Groups/${id}`, { Operations: [{ op: 'remove', path }] });
    expect(await remove(`members[value eq "${berta.id}"]`)).toBe('400 noTarget scim.no_target');
    expect(await remove('members[display eq "Nobody"]')).toBe('400 noTarget scim.no_target');
    expect(await remove(`members[display co "Anna" and type eq "User"]`)).toBe('204');
    expect(await membersOf(id)).toEqual([]);
  });

  it('SCM-003: a path that names no attribute is refused with invalidPath', async () => {
    const { id } = await directory.addGroup();
    for (const path of ['__proto__.x', 'constructor.prototype.x', 'members[value eq "a"].__proto__'])
      expect(await directory.verdict('PATCH', `/Groups/${id}`, { Operations: [{ op: 'add', path, value: 1 }] })).toBe(
        '400 invalidPath scim.path_invalid',
      );
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

describe('SCM-012: who can be a member', () => {
  let groupId: string;
  let stranger: Resource;

  beforeAll(async () => {
    groupId = (await directory.addGroup({ displayName: 'Strict' })).id;
    stranger = await (await addDirectory(world, await world.add.organization())).add();
  });

  it.each<[string, () => object, string]>([
    ['a user of another organization', () => ({ value: stranger.id }), '400 invalidValue request.invalid'],
    ['an unknown id', () => ({ value: 'unknown' }), '400 invalidValue request.invalid'],
    ['a group', () => ({ value: groupId, type: 'Group' }), '400 invalidValue scim.value_invalid'],
    ['a group that does not say so', () => ({ value: groupId }), '400 invalidValue request.invalid'],
    ['somebody without an id', () => ({ display: 'Anna' }), '400 invalidValue scim.value_invalid'],
  ])('not %s', async (_, member, verdict) => {
    const add = { Operations: [{ op: 'add', path: 'members', value: [member()] }] };
    expect(await directory.verdict('PATCH', `/Groups/${groupId}`, add)).toBe(verdict);
    expect(await directory.verdict('POST', '/Groups', { displayName: 'New', members: [member()] })).toBe(verdict);
    expect(await directory.verdict('PUT', `/Groups/${groupId}`, { displayName: 'Strict', members: [member()] })).toBe(
      verdict,
    );
  });

  it('not 50,000 in one request: at most 10,000', async () => {
    const members = Array.from({ length: 50_000 }, (_, at) => ({ value: `u${at}` }));
    const add = { Operations: [{ op: 'add', path: 'members', value: members }] };
    expect(await directory.verdict('PATCH', `/Groups/${groupId}`, add)).toBe('400 invalidValue scim.value_invalid');
    expect(await directory.verdict('POST', '/Groups', { displayName: 'Crowd', members })).toBe(
      '400 invalidValue scim.value_invalid',
    );
  });

  it('and the same user is one once', async () => {
    await directory.patchGroup(groupId, { op: 'add', path: 'members', value: [...values(anna), ...values(anna)] });
    await directory.patchGroup(groupId, { op: 'add', path: 'members', value: values(anna) });
    expect(await membersOf(groupId)).toEqual(ids(anna));
  });
});

describe('groups with grants', () => {
  it('have members of directories that may grant alone (EXT_SCIM_GRANTS)', async () => {
    const { id } = await directory.addGroup({ displayName: 'Payroll' });
    const owner = await world.manager(['ORG_OWNER'], org);
    const { id: projectId } = await owner.call<{ id: string }>('POST', '/management/v1/projects', { name: 'Payroll' });
    await owner.call('POST', `/management/v1/projects/${projectId}/roles`, { roleKey: 'clerk', displayName: 'Clerk' });
    await owner.call('POST', `/management/v1/groups/${id}/grants`, { projectId, roleKeys: ['clerk'] });
    const add = { Operations: [{ op: 'add', path: 'members', value: values(anna) }] };
    expect(await directory.verdict('PATCH', `/Groups/${id}`, add)).toBe('403 permission.missing');
    await owner.call('PUT', `/management/v1/orgs/me/members/${directory.id}`, {
      roles: ['EXT_SCIM_DIRECTORY', 'EXT_SCIM_GRANTS'],
    });
    expect(await directory.verdict('PATCH', `/Groups/${id}`, add)).toBe('204');
    await owner.call('PUT', `/management/v1/orgs/me/members/${directory.id}`, { roles: ['EXT_SCIM_DIRECTORY'] });
  });
});
