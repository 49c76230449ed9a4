import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, startWorld, type TestOrg, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import { addDirectory, type Directory, person } from './support/directory.js';

let world: World;
let org: TestOrg;
let owner: AdminApi;
let directory: Directory;
let second: Directory;

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
  org = await world.add.organization();
  owner = await world.manager(['ORG_OWNER'], org);
  directory = await addDirectory(world, org);
  second = await addDirectory(world, org);
});
afterAll(() => world.close());

const at = (own: Directory, path: string): string => `/management/v1/ext/scim/directories/${own.id}/${path}`;

describe('an administrator puts existing people under a directory', () => {
  it('which then changes them, and they keep what they are', async () => {
    const local = await world.add.user({ org, firstName: 'Lore', lastName: 'Local' });
    expect(await directory.verdict('PUT', `/Users/${local.id}`, person())).toBe('403 scim.not_provisioned');
    const seen = await directory.call('GET', `/Users/${local.id}`);
    expect(seen).toMatchObject({ userName: local.userName, name: { givenName: 'Lore', familyName: 'Local' } });
    await owner.call('POST', at(directory, 'users'), { userIds: [local.id, local.id] });
    expect(await directory.find(`emails[type eq "work"].value eq "${local.email}"`)).toEqual([local.userName]);
    await directory.patch(
      local.id,
      { op: 'Add', path: 'externalId', value: 'L-1' },
      { op: 'Add', path: 'title', value: 'Cook' },
    );
    expect(await directory.call('GET', `/Users/${local.id}`)).toMatchObject({
      ...seen,
      meta: expect.anything(),
      externalId: 'L-1',
      title: 'Cook',
    });
    expect(await owner.call('GET', at(directory, 'users?limit=10'))).toMatchObject({
      result: [{ userId: local.id, externalId: 'L-1' }],
      total: 1,
    });

    expect(await owner.call('GET', '/management/v1/ext/scim/directories')).toEqual({
      result: [{ directoryId: directory.id, users: 1, groups: 0 }],
    });

    await owner.call('POST', at(directory, 'users/release'), { userIds: [local.id] });
    expect(await directory.verdict('DELETE', `/Users/${local.id}`)).toBe('403 scim.not_provisioned');
    expect((await directory.call('GET', `/Users/${local.id}`))['title']).toBeUndefined();
    expect(
      await world.sql`SELECT type, payload FROM event WHERE aggregate_id = ${local.id} AND type LIKE 'ext.scim.%' ORDER BY sequence`,
    ).toEqual([
      { type: 'ext.scim.user.taken_over', payload: { directoryId: directory.id } },
      { type: 'ext.scim.user.described', payload: { directoryId: directory.id } },
      { type: 'ext.scim.user.released', payload: { directoryId: directory.id } },
    ]);
  });

  it('and groups as well', async () => {
    const { groupId } = await owner.call<{ groupId: string }>('POST', '/management/v1/groups', { name: 'Local group' });
    const patch = { Operations: [{ op: 'replace', path: 'displayName', value: 'Theirs' }] };
    expect(await directory.find('displayName eq "Local group"', '/Groups')).toEqual(['Local group']);
    expect(await directory.verdict('PATCH', `/Groups/${groupId}`, patch)).toBe('403 scim.not_provisioned');
    await owner.call('POST', at(directory, 'groups'), { groupIds: [groupId] });
    expect(await directory.verdict('PATCH', `/Groups/${groupId}`, patch)).toBe('204');
    expect(await owner.call('GET', at(directory, 'groups'))).toMatchObject({ result: [{ groupId, externalId: '' }] });
    expect(await owner.verdict('POST', at(second, 'groups'), { groupIds: [groupId] })).toBe(
      '400 scim.provisioned_elsewhere',
    );
    await owner.call('POST', at(directory, 'groups/release'), { groupIds: [groupId] });
    expect(await directory.verdict('DELETE', `/Groups/${groupId}`)).toBe('403 scim.not_provisioned');
  });

  it('but nobody of another directory or organization, no service user, and under no person', async () => {
    const theirs = await second.add();
    const elsewhere = await world.add.user({ org: await world.add.organization() });
    const take = (userIds: string[], own: { id: string } = directory): Promise<string> =>
      owner.verdict('POST', `/management/v1/ext/scim/directories/${own.id}/users`, { userIds });
    expect(await take([theirs.id])).toBe('400 scim.provisioned_elsewhere');
    expect(await take([elsewhere.id])).toBe('400 userIds');
    expect(await take([second.id])).toBe('400 userIds');
    expect(await take(['unknown'])).toBe('400 userIds');
    const local = await world.add.user({ org });
    expect(await take([local.id], local)).toBe('404 scim.directory_unknown');
    expect(await take([local.id], { id: 'unknown' })).toBe('404 scim.directory_unknown');
    const stranger = await addDirectory(world, await world.add.organization());
    expect(await take([local.id], stranger)).toBe('404 scim.directory_unknown');
  });

  it('and a directory cannot do it itself', async () => {
    const local = await world.add.user({ org });
    const own = { Authorization: `Bearer ${directory.token}`, 'Content-Type': 'application/json' };
    const path = at(directory, 'users');
    const reply = await world.send({
      method: 'POST',
      path,
      headers: own,
      body: JSON.stringify({ userIds: [local.id] }),
    });
    expect(reply.status).toBe(403);
  });
});

describe('a directory that is removed', () => {
  it('leaves its people, whom another one may be given', async () => {
    const own = await addDirectory(world, org);
    const { id } = await own.add({ externalId: 'x' });
    await owner.call('DELETE', `/management/v1/users/${own.id}`);
    expect(await world.sql`SELECT 1 FROM user_account WHERE id = ${id}`).toHaveLength(1);
    await owner.call('POST', at(directory, 'users'), { userIds: [id] });
    expect((await directory.call('GET', `/Users/${id}`)).externalId).toBeUndefined();
    expect((await directory.ask('DELETE', `/Users/${id}`)).status).toBe(204);
  });
});

describe('an address is verified', () => {
  const isVerified = async (own: World, id: string): Promise<unknown> =>
    (await own.sql`SELECT email_verified FROM user_account WHERE id = ${id}`)[0]?.['email_verified'];
  const withEmail = (value: string): object => ({ emails: [{ value }] });

  it('by default where its domain is verified', async () => {
    const [inside, outside] = [
      await directory.add(withEmail(`in@${org.domain.toUpperCase()}`)),
      await directory.add(withEmail('out@mail.test')),
    ];
    expect([await isVerified(world, inside.id), await isVerified(world, outside.id)]).toEqual([true, false]);
    const swap = (value: string): object => ({ op: 'replace', path: 'emails', value: [{ value }] });
    await directory.patch(inside.id, swap('other@mail.test'));
    await directory.patch(outside.id, swap(`other@${org.domain}`));
    expect([await isVerified(world, inside.id), await isVerified(world, outside.id)]).toEqual([false, true]);
  });

  it('SCM-019: not where the organization has named the domain without proof, which the instance allows', async () => {
    const domain = `victim${Date.now()}.test`;
    await owner.call('POST', '/management/v1/orgs/me/domains', { domain });
    const named = await world.sql`SELECT is_verified FROM org_domain WHERE domain = ${domain}`;
    expect(named).toEqual([{ is_verified: true }]);
    const { id } = await directory.add({ emails: [{ value: `boss@${domain}` }] });
    expect(await isVerified(world, id)).toBe(false);
  });

  it('and stays verified, whatever else is changed, once its owner has proved it', async () => {
    const { id } = await directory.add(withEmail('proved@mail.test'));
    await owner.call('PUT', `/management/v1/users/${id}/email`, { email: 'proved@mail.test', isEmailVerified: true });
    await directory.patch(id, { op: 'add', path: 'nickName', value: 'P' });
    expect(await isVerified(world, id)).toBe(true);
  });

  it('always or never by SCIM_EMAIL_VERIFIED, and a mail is sent by SCIM_INVITE', async () => {
    for (const [word, verdict] of [
      ['always', true],
      ['never', false],
    ] as const) {
      const own = await startWorld({
        extensions: [scim],
        env: { SCIM_EMAIL_VERIFIED: word, SCIM_INVITE: String(verdict) },
      });
      try {
        const ownOrg = await own.add.organization();
        const there = await addDirectory(own, ownOrg);
        const { id } = await there.add(withEmail(verdict ? 'x@mail.test' : `x@${ownOrg.domain}`));
        expect(await isVerified(own, id)).toBe(verdict);
        expect(await own.sql`SELECT 1 FROM outbox WHERE user_id = ${id}`).toHaveLength(verdict ? 1 : 0);
      } finally {
        await own.close();
      }
    }
  });
});
