import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { type Caller, Callers } from '../../src/extension/facade/caller.js';
import { Database } from '../../src/extension/facade/database.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { ManagedGrants } from '../../src/extension/facade/managed-grants.js';
import { ManagedGroups } from '../../src/extension/facade/managed-groups.js';
import { ManagedUsers, type UserFilter } from '../../src/extension/facade/managed-users.js';
import { Organizations } from '../../src/extension/facade/organizations.js';
import { Secret } from '../../src/foundation/config/secret.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

@Injectable()
class Directory {
  constructor(
    readonly callers: Callers,
    readonly database: Database,
    readonly grants: ManagedGrants,
    readonly groups: ManagedGroups,
    readonly organizations: Organizations,
    readonly users: ManagedUsers,
  ) {}
}

@Module({ imports: [GatehouseServices], providers: [Directory] })
class DirectoryModule {}

const directory = defineExtension({
  id: 'directory',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: DirectoryModule,
  roles: [
    {
      name: 'EXT_DIRECTORY_SYNC',
      level: 'org',
      permissions: ['user.read', 'user.write', 'user.delete', 'group.read', 'group.write', 'group.delete'],
    },
  ],
  schemaChanges: [
    {
      name: '1-entry',
      up: `CREATE TABLE entry (
        user_id text PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
        desk text NOT NULL
      )`,
    },
  ],
});

let world: World;
let org: TestOrg;
let other: TestOrg;
let own: Directory;
let owner: Caller;
let userManager: Caller;
let sync: Caller;
let stranger: Caller;

beforeAll(async () => {
  world = await startWorld({ extensions: [directory] });
  [org, other] = [await world.add.org('acme.test', 'Acme'), await world.add.org()];
  own = world.get(Directory);
  const callerOf = async (of: TestOrg, ...roles: string[]): Promise<Caller> =>
    own.callers.of((await callerWith(world, of, roles)).service.id);
  owner = await callerOf(org, 'ORG_OWNER');
  userManager = await callerOf(org, 'ORG_USER_MANAGER');
  sync = await callerOf(org, 'EXT_DIRECTORY_SYNC');
  stranger = await callerOf(other, 'ORG_OWNER');
});
afterAll(() => world.close());

let count = 0;
const anna = (over: object = {}) => {
  count += 1;
  const userName = `anna${count}`;
  return { userName, firstName: 'Anna', lastName: 'Berg', email: `${userName}@acme.test`, ...over };
};

const idsOf = async (where: UserFilter, caller = owner): Promise<string[]> =>
  (await own.users.list(caller, { where, offset: 0, limit: 100 })).users.map(({ id }) => id);

const sentMails = async (): Promise<number> => {
  await world.get(MailWorker).run();
  return (await world.rows('SELECT 1 FROM outbox')).length;
};

describe('Users that an extension manages as a caller', () => {
  it('are added without a mail, and found before they have set their account up', async () => {
    const before = await sentMails();
    const added = await own.users.add(
      owner,
      anna({ emailVerified: true, timeZone: 'Europe/Paris', phone: '+41791234567' }),
    );
    expect(added).toMatchObject({
      orgId: org.id,
      state: 'initial',
      displayName: 'Anna Berg',
      emailVerified: true,
      timeZone: 'Europe/Paris',
      phone: '+41791234567',
    });
    expect(await own.users.find(owner, added.id)).toEqual(added);
    expect(await sentMails()).toBe(before);
  });

  it('belong to the organization of the call: nobody sees or changes those of others', async () => {
    const { id } = await own.users.add(owner, anna());
    expect(await own.users.find(stranger, id)).toBeUndefined();
    for (const change of [
      own.users.change(stranger, id, () => ({ lastName: 'Other' })),
      own.users.deactivate(stranger, id),
      own.users.remove(stranger, id),
    ])
      await expect(change).rejects.toMatchObject({ reason: 'user.not_found' });
    expect(await idsOf({ field: 'id', in: [id] }, stranger)).toEqual([]);
  });

  it('are managed with the permissions of the caller, and by nobody who has less than they', async () => {
    const viewer = await own.callers.of((await callerWith(world, org, ['ORG_OWNER_VIEWER'])).service.id);
    await expect(own.users.add(viewer, anna())).rejects.toMatchObject({ reason: 'permission.missing' });
    await expect(own.users.remove(viewer, 'any')).rejects.toMatchObject({ reason: 'permission.missing' });
    const manager = await world.add.person({ orgId: org.id });
    await world.add.member(manager.id, ['ORG_OWNER'], { level: 'org', objectId: org.id, orgId: org.id });
    for (const change of [
      own.users.change(userManager, manager.id, () => ({ email: 'mine@acme.test' })),
      own.users.deactivate(userManager, manager.id),
      own.users.reactivate(userManager, manager.id),
      own.users.remove(userManager, manager.id),
    ])
      await expect(change).rejects.toMatchObject({ reason: 'permission.user_too_strong' });
    expect(own.callers.may(viewer, 'user.read')).toBe(true);
    expect(own.callers.may(viewer, 'user.write')).toBe(false);
  });

  it('change all at once, as they are when they are locked, and without a mail', async () => {
    const { id, sequence } = await own.users.add(owner, anna());
    const before = await sentMails();
    const changed = await own.users.change(owner, id, (user) => ({
      userName: `${user.userName}.b`,
      lastName: `${user.lastName}er`,
      nickName: 'Ann',
      email: 'anna.berger@acme.test',
      emailVerified: true,
      phone: '+41791112233',
    }));
    expect(changed).toMatchObject({
      lastName: 'Berger',
      nickName: 'Ann',
      email: 'anna.berger@acme.test',
      emailVerified: true,
      phone: '+41791112233',
      phoneVerified: false,
    });
    expect(changed.userName).toMatch(/\.b$/);
    expect(changed.sequence).toBeGreaterThan(sequence);
    expect(await own.users.change(owner, id, () => ({ phone: '' }))).toMatchObject({ phone: '' });
    expect(await sentMails()).toBe(before);
    const refused = own.users.change(owner, id, () => {
      throw new Error('not this one');
    });
    await expect(refused).rejects.toThrow('not this one');
  });

  it('change in the transaction of the extension, with its own rows or not at all', async () => {
    const user = anna();
    const failed = own.database.transaction(async (tx) => {
      const { id } = await own.users.add(owner, user, tx);
      await tx.query('INSERT INTO ext_directory.entry (user_id, desk) VALUES (:id, :desk)', { id, desk: '4b' });
      expect(await own.users.find(owner, id, tx)).toMatchObject({ id });
      await own.users.deactivate(owner, id, tx);
      throw new Error('a later step fails');
    });
    await expect(failed).rejects.toThrow('a later step fails');
    expect(await idsOf({ field: 'userName', is: 'equal', value: user.userName })).toEqual([]);
    const kept = await own.database.transaction(async (tx) => {
      const { id } = await own.users.add(owner, user, tx);
      await tx.query('INSERT INTO ext_directory.entry (user_id, desk) VALUES (:id, :desk)', { id, desk: '4b' });
      return id;
    });
    const atDesk = { sql: 'SELECT user_id FROM ext_directory.entry WHERE desk = :desk', values: { desk: '4b' } };
    expect(await idsOf({ idIn: atDesk })).toEqual([kept]);
    expect(await idsOf({ all: [{ not: { idIn: atDesk } }, { field: 'id', in: [kept] }] })).toEqual([]);
  });

  it('are closed with their sessions and tokens, also those who have never signed in, and opened again', async () => {
    const { id } = await own.users.add(owner, anna());
    expect(await own.users.deactivate(owner, id)).toMatchObject({ state: 'inactive' });
    const again = await own.users.deactivate(owner, id);
    expect(again).toMatchObject({ state: 'inactive' });
    expect(await own.users.reactivate(owner, id)).toMatchObject({ state: 'initial' });
    const person = await world.add.person({ orgId: org.id });
    const client = await world.add.application();
    const tokens = await world.party(client).tokens(person, { scope: 'openid' });
    await own.users.deactivate(owner, person.id);
    expect((await world.party(client).introspect(tokens.access_token)).json()).toEqual({ active: false });
  });

  it('stay locked out when they are opened', async () => {
    const { id } = await own.users.add(owner, anna());
    await world.rows(`UPDATE user_account SET state = 'locked' WHERE id = $1`, [id]);
    expect(await own.users.reactivate(owner, id)).toMatchObject({ state: 'locked' });
  });

  it('get a password only from a caller who may set credentials, and by the rules', async () => {
    const strong = new Secret('correct horse battery staple');
    const { id } = await own.users.add(owner, anna({ emailVerified: true, password: strong }));
    expect(await own.users.find(owner, id)).toMatchObject({ state: 'active' });
    await expect(own.users.setPassword(owner, id, new Secret('1'), { changeRequired: false })).rejects.toMatchObject({
      kind: 'InvalidArgument',
    });
    expect(own.callers.may(sync, 'user.write')).toBe(true);
    for (const change of [
      own.users.setPassword(sync, id, strong, { changeRequired: false }),
      own.users.add(sync, anna({ password: strong })),
    ])
      await expect(change).rejects.toMatchObject({ reason: 'permission.missing' });
  });

  it('are listed by filters over names, times, states and groups, with the exact total', async () => {
    const marked = await Promise.all([1, 2, 3].map((at) => own.users.add(owner, anna({ nickName: `Mark%${at}` }))));
    const [first, second, third] = marked.map(({ id }) => id) as [string, string, string];
    await own.users.deactivate(owner, second);
    const isMarked: UserFilter = { field: 'nickName', is: 'startsWith', value: 'mark%' };
    expect((await idsOf(isMarked)).sort()).toEqual([first, second, third].sort());
    expect(await idsOf({ field: 'nickName', is: 'startsWith', value: 'mark%', matchCase: true })).toEqual([]);
    expect(await idsOf({ all: [isMarked, { field: 'state', in: ['inactive'] }] })).toEqual([second]);
    expect(
      await idsOf({
        all: [
          isMarked,
          { not: { field: 'nickName', is: 'endsWith', value: '3' } },
          { field: 'state', in: ['initial'] },
        ],
      }),
    ).toEqual([first]);
    const group = await own.groups.add(owner, { name: 'Marked' });
    await own.groups.addMembers(owner, group.id, [third]);
    expect(await idsOf({ memberOf: group.id })).toEqual([third]);
    const changedAt = (await own.users.find(owner, second))!.changedAt;
    expect(await idsOf({ all: [isMarked, { field: 'changedAt', is: 'equal', value: changedAt }] })).toContain(second);
    expect(
      await idsOf({
        all: [isMarked, { field: 'createdAt', is: 'after', value: new Date(changedAt.getTime() + 60_000) }],
      }),
    ).toEqual([]);
    expect(await own.users.list(owner, { where: isMarked, offset: 1, limit: 1 })).toMatchObject({
      total: 3,
      users: [{}],
    });
    expect(await own.users.list(owner, { where: isMarked, offset: 0, limit: 0 })).toEqual({ total: 3, users: [] });
    expect(await idsOf({ field: 'phone', is: 'equal', value: '+41791234567' })).toHaveLength(1);
  });
});

describe('Groups that an extension manages as a caller', () => {
  it('have exactly the members that they are given', async () => {
    const users = await Promise.all([1, 2, 3].map(() => own.users.add(owner, anna())));
    const [first, second, third] = users.map(({ id }) => id).sort() as [string, string, string];
    const group = await own.groups.add(owner, { name: 'Team', description: 'All of it' });
    const filled = await own.groups.replaceMembers(owner, group.id, [first, second]);
    expect(filled.sequence).toBeGreaterThan(group.sequence);
    await own.groups.replaceMembers(owner, group.id, [second, third]);
    const members = await own.groups.members(owner, [group.id], { limit: 10 });
    expect(members.get(group.id)?.map(({ userId }) => userId)).toEqual([second, third]);
    expect((await own.groups.members(owner, [group.id], { limit: 1 })).get(group.id)).toHaveLength(1);
    expect((await own.groups.ofUsers(owner, [first, second])).get(second)).toEqual([{ id: group.id, name: 'Team' }]);
    await expect(own.groups.replaceMembers(owner, group.id, ['no-such'])).rejects.toMatchObject({
      kind: 'InvalidArgument',
    });
    await own.groups.removeMembers(owner, group.id, [second, 'no-such']);
    expect(await own.groups.change(owner, group.id, ({ name }) => ({ name: `${name}s` }))).toMatchObject({
      name: 'Teams',
    });
    const found = await own.groups.list(owner, {
      where: { field: 'name', is: 'equal', value: 'TEAMS' },
      offset: 0,
      limit: 10,
    });
    expect(found).toMatchObject({ total: 1, groups: [{ id: group.id, description: 'All of it' }] });
    expect(await own.groups.find(stranger, group.id)).toBeUndefined();
    await own.groups.remove(owner, group.id);
    expect(await own.groups.find(owner, group.id)).toBeUndefined();
  });

  it('change their members only by who may grant their roles', async () => {
    const projectId = await world.add.project({ orgId: org.id }, ['reader', 'writer']);
    const group = await own.groups.add(sync, { name: 'Readers' });
    const user = await own.users.add(sync, anna());
    await own.groups.replaceMembers(sync, group.id, [user.id]);
    const to = { groupId: group.id };
    await expect(own.grants.add(sync, { to, projectId, roleKeys: ['reader'] })).rejects.toMatchObject({
      reason: 'permission.missing',
    });
    const grantId = await own.grants.add(owner, { to, projectId, roleKeys: ['reader'] });
    for (const change of [
      own.groups.replaceMembers(sync, group.id, []),
      own.groups.addMembers(sync, group.id, [owner.userId]),
      own.groups.removeMembers(sync, group.id, [user.id]),
      own.groups.remove(sync, group.id),
    ])
      await expect(change).rejects.toMatchObject({ reason: 'permission.missing' });
    await own.groups.replaceMembers(sync, group.id, [user.id]); // changes nothing
    await own.grants.change(owner, to, grantId, ['reader', 'writer']);
    expect(await own.grants.list(owner, to, { offset: 0, limit: 10 })).toEqual({
      total: 1,
      grants: [{ id: grantId, projectId, roleKeys: ['reader', 'writer'], state: 'active' }],
    });
    await own.grants.remove(owner, to, grantId);
    await own.groups.remove(sync, group.id);
  });
});

describe('A caller', () => {
  it('is made by Gatehouse alone', async () => {
    const forged = { userId: owner.userId, orgId: org.id, ownOrgId: org.id };
    await expect(own.users.find(forged, '1')).rejects.toThrow('This is no caller of Gatehouse.');
  });

  it('of a user who is gone, or about an organization that is not there, is refused', async () => {
    await expect(own.callers.of('no-such')).rejects.toMatchObject({ reason: 'user.not_found' });
    await expect(own.callers.of(owner.userId, 'no-such')).rejects.toMatchObject({ reason: 'org.not_found' });
    const abroad = await own.callers.of(owner.userId, other.id);
    await expect(own.users.find(abroad, '1')).rejects.toMatchObject({ reason: 'permission.missing' });
  });

  it('learns the verified domains of an organization', async () => {
    expect(await own.organizations.verifiedDomains(org.id)).toEqual(['acme.test']);
    expect(await own.organizations.verifiedDomains('no-such')).toEqual([]);
  });
});
