import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type TestPerson, uniqueName } from '../support/builders.js';
import { send } from '../support/http.js';
import { paths, RelyingParty } from '../support/relying-party.js';
import { addGrant, addPerson, addProject, eventsOf, MARK, managerOf, type Stage, setStage } from './project-support.js';

const GROUPS = '/management/v1/groups';
const ROLES = 'urn:service:iam:org:project:roles';

let stage: Stage;
/** Any choice of permissions can be a role of an extension. */
@Module({})
class ClerksModule {}
const clerks = defineExtension({
  id: 'clerks',
  version: '1.0.0',
  gatehouse: '*',
  module: ClerksModule,
  roles: [{ name: 'EXT_CLERKS_CLERK', level: 'org', permissions: ['group.read', 'group.write', 'group.delete'] }],
});

beforeAll(async () => {
  stage = await setStage({ extensions: [clerks] });
});
afterAll(() => stage.world.close());

async function addGroup(api: AdminApi, members: ReadonlyArray<{ id: string }> = [], name?: string): Promise<string> {
  const { groupId } = await api.call<{ groupId: string }>('POST', GROUPS, { name: name ?? uniqueName('Group') });
  if (members.length > 0)
    await api.call('POST', `${GROUPS}/${groupId}/members`, { userIds: members.map(({ id }) => id) });
  return groupId;
}

async function grant(api: AdminApi, groupId: string, projectId: string, ...roleKeys: string[]): Promise<string> {
  const { groupGrantId } = await api.call<{ groupGrantId: string }>('POST', `${GROUPS}/${groupId}/grants`, {
    projectId,
    roleKeys,
  });
  return groupGrantId;
}

async function list<Entry>(api: AdminApi, path: string, body: Json = {}): Promise<Entry[]> {
  return (await api.call<{ result?: Entry[] }>('POST', path, body)).result ?? [];
}

const membersOf = async (api: AdminApi, groupId: string): Promise<string[]> =>
  (await list<{ userId: string }>(api, `${GROUPS}/${groupId}/members/_search`)).map(({ userId }) => userId);

describe('A group', () => {
  it('is created, found, changed and deleted, with an event for each', async () => {
    const { ownerOfA, orgA } = stage;
    const name = uniqueName('Night shift');
    const { groupId, details } = await ownerOfA.call('POST', GROUPS, { name, description: 'ten to six' });
    expect(details).toEqual({ ...MARK, sequence: '1', creationDate: details.changeDate, resourceOwner: orgA.id });
    expect((await ownerOfA.call('GET', `${GROUPS}/${groupId}`)).group).toEqual({
      id: groupId,
      name,
      description: 'ten to six',
      details,
    });
    await ownerOfA.call('PUT', `${GROUPS}/${groupId}`, { description: '' });
    expect((await ownerOfA.call('GET', `${GROUPS}/${groupId}`)).group).toMatchObject({ name, description: '' });
    await ownerOfA.call('PUT', `${GROUPS}/${groupId}`, { description: '' });
    await ownerOfA.call('DELETE', `${GROUPS}/${groupId}`);
    expect(await ownerOfA.verdict('GET', `${GROUPS}/${groupId}`)).toBe('404 group.not_found');
    expect(await eventsOf(stage, groupId)).toEqual(['group.added', 'group.changed', 'group.removed']);
  });

  it('has a name that no other group of its organization has, in whichever case', async () => {
    const { ownerOfA, ownerOfB } = stage;
    const name = uniqueName('Nachtschicht Ä');
    await addGroup(ownerOfA, [], name);
    expect(await ownerOfA.verdict('POST', GROUPS, { name: name.toUpperCase() })).toBe('409 group.name_taken');
    const other = await addGroup(ownerOfA);
    expect(await ownerOfA.verdict('PUT', `${GROUPS}/${other}`, { name })).toBe('409 group.name_taken');
    await addGroup(ownerOfB, [], name);
  });

  it.each([
    ['no name', { name: '' }, '400 name'],
    ['a blank name', { name: '  ' }, '400 name'],
    ['a blank at an end', { name: ' x' }, '400 name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, '400 name'],
    ['an ID that means something else in a path', { name: 'x', groupId: '_search' }, '400 groupId'],
  ])('is refused with %s', async (_, body, verdict) => {
    expect(await stage.ownerOfA.verdict('POST', GROUPS, body)).toBe(verdict);
  });

  it('can be given an ID once', async () => {
    const groupId = uniqueName('id');
    await stage.ownerOfA.call('POST', GROUPS, { name: uniqueName('g'), groupId });
    expect(await stage.ownerOfB.verdict('POST', GROUPS, { name: uniqueName('g'), groupId })).toBe('409 group.id_taken');
  });

  it('is found by its name, by IDs and by a member', async () => {
    const { ownerOfA, orgA } = stage;
    const person = await addPerson(stage, orgA);
    const name = uniqueName('Findable');
    const groupId = await addGroup(ownerOfA, [person], name);
    await addGroup(ownerOfA, [], `${name} too`);
    const found = async (query: Json): Promise<string[]> =>
      (await list<{ name: string }>(ownerOfA, `${GROUPS}/_search`, { queries: [query] })).map(({ name: n }) => n);
    const method = 'TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE';
    expect(await found({ nameQuery: { name: name.toLowerCase(), method } })).toEqual([name, `${name} too`]);
    expect(await found({ nameQuery: { name } })).toEqual([name]);
    expect(await found({ idsQuery: { ids: [groupId, 'none'] } })).toEqual([name]);
    expect(await found({ userIdQuery: { userId: person.id } })).toEqual([name]);
  });

  it('has users and service users of its organization as members, each once', async () => {
    const { ownerOfA, orgA, orgB, world } = stage;
    const [person, service] = [await addPerson(stage, orgA), await world.add.service({ orgId: orgA.id })];
    const groupId = await addGroup(ownerOfA, [person, service]);
    await ownerOfA.call('POST', `${GROUPS}/${groupId}/members`, { userIds: [person.id] });
    expect((await membersOf(ownerOfA, groupId)).sort()).toEqual([person.id, service.id].sort());
    expect(
      await list(ownerOfA, `${GROUPS}/${groupId}/members/_search`, {
        queries: [{ userIdsQuery: { userIds: [person.id] } }],
      }),
    ).toEqual([
      {
        userId: person.id,
        userName: person.userName,
        displayName: 'Given Family',
        email: person.email,
        userType: 'TYPE_HUMAN',
        creationDate: expect.any(String),
      },
    ]);
    const strangers = [(await addPerson(stage, orgB)).id, 'nobody', groupId];
    for (const stranger of strangers)
      expect(await ownerOfA.verdict('POST', `${GROUPS}/${groupId}/members`, { userIds: [person.id, stranger] })).toBe(
        '400 userIds',
      );
    await ownerOfA.call('POST', `${GROUPS}/${groupId}/members/_remove`, { userIds: [person.id, 'nobody'] });
    expect(await membersOf(ownerOfA, groupId)).toEqual([service.id]);
    expect(await eventsOf(stage, groupId)).toEqual([
      'group.added',
      'group.member.added',
      'group.member.added',
      'group.member.removed',
    ]);
  });

  it('loses a member who is removed, with an event', async () => {
    const { ownerOfA, orgA } = stage;
    const person = await addPerson(stage, orgA);
    const groupId = await addGroup(ownerOfA, [person]);
    await ownerOfA.call('DELETE', `/management/v1/users/${person.id}`);
    expect(await membersOf(ownerOfA, groupId)).toEqual([]);
    expect((await eventsOf(stage, groupId)).at(-1)).toBe('group.member.cascade.removed');
  });
});

describe('A grant to a group', () => {
  async function rolesIn(person: TestPerson, projectId: string): Promise<string[]> {
    const rp = new RelyingParty(stage.world, await stage.world.add.client({ projectId }));
    const { access_token: token } = await rp.tokens(person);
    return Object.keys((await rp.introspect(token)).json()[ROLES] ?? {}).sort();
  }

  it('gives each member its roles, in union with their own, until it, the membership or the group ends', async () => {
    const { ownerOfA, orgA } = stage;
    const projectId = await addProject(ownerOfA, ['reader', 'writer', 'admin']);
    const person = await addPerson(stage, orgA);
    const [one, other] = [await addGroup(ownerOfA, [person]), await addGroup(ownerOfA, [person])];
    await ownerOfA.call('POST', `/management/v1/users/${person.id}/grants`, { projectId, roleKeys: ['reader'] });
    const first = await grant(ownerOfA, one, projectId, 'reader', 'writer');
    await grant(ownerOfA, other, projectId, 'admin');
    expect(await rolesIn(person, projectId)).toEqual(['admin', 'reader', 'writer']);
    await ownerOfA.call('POST', `${GROUPS}/${one}/grants/${first}/_deactivate`);
    expect(await rolesIn(person, projectId)).toEqual(['admin', 'reader']);
    await ownerOfA.call('POST', `${GROUPS}/${one}/grants/${first}/_reactivate`);
    await ownerOfA.call('PUT', `${GROUPS}/${one}/grants/${first}`, { roleKeys: ['writer'] });
    await ownerOfA.call('POST', `${GROUPS}/${one}/members/_remove`, { userIds: [person.id] });
    expect(await rolesIn(person, projectId)).toEqual(['admin', 'reader']);
    await ownerOfA.call('DELETE', `${GROUPS}/${other}`);
    expect(await rolesIn(person, projectId)).toEqual(['reader']);
    expect((await ownerOfA.call<Json>('GET', `${GROUPS}/${one}/grants/${first}`))['groupGrant']).toMatchObject({
      groupId: one,
      roleKeys: ['writer'],
    });
    expect(await list(ownerOfA, `${GROUPS}/${one}/grants/_search`)).toMatchObject([
      { id: first, groupId: one, projectId, roleKeys: ['writer'] },
    ]);
    await ownerOfA.call('DELETE', `${GROUPS}/${one}/grants/${first}`);
    expect(await eventsOf(stage, first)).toEqual([
      'group.grant.added',
      'user.grant.deactivated',
      'user.grant.reactivated',
      'user.grant.changed',
      'user.grant.removed',
    ]);
  });

  it('admits its members to a project that asks for a role', async () => {
    const { ownerOfA, orgA, world } = stage;
    const projectId = await addProject(ownerOfA, ['reader'], { projectRoleCheck: true });
    const person = await addPerson(stage, orgA);
    const groupId = await addGroup(ownerOfA, [person]);
    const rp = new RelyingParty(world, await world.add.client({ projectId }));
    await expect(rp.tokens(person)).rejects.toThrow();
    await grant(ownerOfA, groupId, projectId, 'reader');
    expect((await rp.tokens(person)).access_token).toEqual(expect.any(String));
  });

  it('goes with its project, loses a role that goes, and is not among the grants of users', async () => {
    const { ownerOfA, ownerOfB, orgB } = stage;
    const projectId = await addProject(ownerOfA, ['reader', 'writer']);
    await addGrant(ownerOfA, projectId, orgB, ['reader', 'writer']);
    const groupId = await addGroup(ownerOfB);
    const grantId = await grant(ownerOfB, groupId, projectId, 'reader', 'writer');
    expect(await ownerOfB.verdict('POST', `${GROUPS}/${groupId}/grants`, { projectId, roleKeys: [] })).toBe(
      '409 group_grant.exists',
    );
    await ownerOfA.call('DELETE', `/management/v1/projects/${projectId}/roles/writer`);
    expect(await list(ownerOfB, `${GROUPS}/${groupId}/grants/_search`)).toMatchObject([
      { roleKeys: ['reader'], projectGrantId: expect.any(String) },
    ]);
    const queries = [{ projectIdQuery: { projectId } }];
    expect(await list(ownerOfB, '/management/v1/users/grants/_search', { queries })).toEqual([]);
    await ownerOfA.call('DELETE', `/management/v1/projects/${projectId}`);
    expect((await eventsOf(stage, grantId)).at(-1)).toBe('user.grant.cascade.removed');
  });

  it('may be given by a manager of the project alone, to a group of the organization only', async () => {
    const { ownerOfA, ownerOfB, orgA } = stage;
    const projectId = await addProject(ownerOfA, ['reader']);
    const manager = await managerOf(stage, orgA, 'PROJECT_OWNER', projectId);
    const groupId = await addGroup(ownerOfA);
    await grant(manager, groupId, projectId, 'reader');
    const foreign = await addGroup(ownerOfB);
    const body = { projectId, roleKeys: ['reader'] };
    expect(await ownerOfA.verdict('POST', `${GROUPS}/${foreign}/grants`, body)).toBe('404 group.not_found');
    const others = await addProject(ownerOfA, ['reader']);
    expect(await manager.verdict('POST', `${GROUPS}/${groupId}/grants`, { ...body, projectId: others })).toBe(
      '403 permission.missing',
    );
  });
});

describe('Who may change groups but not grant roles', () => {
  it('cannot obtain or take away roles by changing the members of a group, or removing it [ADM-062]', async () => {
    const { ownerOfA, orgA } = stage;
    const { api: clerk, service } = await callerWith(stage.world, orgA, ['EXT_CLERKS_CLERK']);
    const person = await addPerson(stage, orgA);
    const groupId = await addGroup(clerk, [service, person]);
    await clerk.call('POST', `${GROUPS}/${groupId}/members/_remove`, { userIds: [service.id] });
    await grant(ownerOfA, groupId, await addProject(ownerOfA, ['reader']), 'reader');
    const path = `${GROUPS}/${groupId}`;
    for (const [method, at, body] of [
      ['POST', `${path}/members`, { userIds: [service.id] }],
      ['POST', `${path}/members/_remove`, { userIds: [person.id] }],
      ['DELETE', path, undefined],
    ] as const)
      expect(await clerk.verdict(method, at, body)).toBe('403 permission.missing');
    await clerk.call('PUT', path, { description: 'still mine to describe' });
    expect(await membersOf(ownerOfA, groupId)).toEqual([person.id]);
  });
});

describe('Groups of another organization', () => {
  it('are not there: not to be read, changed, joined, granted to or searched [ADM-063]', async () => {
    const { ownerOfA, ownerOfB, orgA } = stage;
    const person = await addPerson(stage, orgA);
    const name = uniqueName('Hidden');
    const groupId = await addGroup(ownerOfA, [person], name);
    const path = `${GROUPS}/${groupId}`;
    for (const [method, at, body] of [
      ['GET', path, undefined],
      ['PUT', path, { name: 'mine' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/members/_search`, {}],
      ['POST', `${path}/members`, { userIds: [person.id] }],
      ['POST', `${path}/members/_remove`, { userIds: [person.id] }],
      ['POST', `${path}/grants/_search`, {}],
    ] as const)
      expect(`${method} ${await ownerOfB.verdict(method, at, body)}`).toBe(`${method} 404 group.not_found`);
    const queries = [{ userIdQuery: { userId: person.id } }];
    expect(await list(ownerOfB, `${GROUPS}/_search`, { queries })).toEqual([]);
    expect(await membersOf(ownerOfA, groupId)).toEqual([person.id]);
  });
});

describe('The scope groups', () => {
  it('gives the names of the groups in UserInfo, in introspection and in JWT access tokens, and nothing without it', async () => {
    const { world, ownerOfA, orgA } = stage;
    const person = await addPerson(stage, orgA);
    const names = [uniqueName('B'), uniqueName('A')];
    for (const name of names) await addGroup(ownerOfA, [person], name);
    const projectId = await addProject(ownerOfA);
    const rp = new RelyingParty(world, await world.add.client({ projectId, accessTokenType: 'jwt' }));
    const { access_token: token } = await rp.tokens(person, { scope: 'openid groups' });
    const sorted = [...names].sort();
    expect((await rp.userinfo(token)).json()['groups']).toEqual(sorted);
    expect((await rp.introspect(token)).json()['groups']).toEqual(sorted);
    expect(decodeJwt(token)['groups']).toEqual(sorted);
    const { access_token: plain } = await rp.tokens(person, { scope: 'openid profile' });
    expect((await rp.userinfo(plain)).json()).not.toHaveProperty('groups');
    expect((await send(world.origin, { path: paths.discovery })).json()).toMatchObject({
      scopes_supported: expect.arrayContaining(['groups']),
      claims_supported: expect.arrayContaining(['groups']),
    });
  });
});
