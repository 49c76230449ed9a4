import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { extensionContract, startWorld, type TestOrg, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import { addDirectory, type Directory, ENTERPRISE } from './support/directory.js';

let world: World;

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
});
afterAll(() => world.close());

async function useAll(own: Directory, org: TestOrg, userId: string): Promise<void> {
  const anna = await own.add({
    externalId: 'x',
    phoneNumbers: [{ value: '1', type: 'work' }],
    emails: [{ value: 'contract@mail.test' }, { value: 'contract@home.test', type: 'home' }],
  });
  const group = await own.addGroup({ externalId: 'g', members: [{ value: anna.id }] });
  for (const filter of [
    'userName eq "x"',
    'externalId eq "x"',
    'externalId sw "x"',
    'externalId pr',
    'emails eq "contract@home.test"',
    'emails[type eq "home" and value co "contract"]',
    'emails.type pr',
    'phoneNumbers eq "1"',
    'phoneNumbers pr',
    'manager eq "x"',
    'manager pr',
    'meta.lastModified gt "2000-01-01T00:00:00Z"',
    `groups eq "${group.id}"`,
  ])
    await own.find(filter);
  for (const filter of ['displayName eq "x"', 'externalId eq "g"', `members eq "${anna.id}"`])
    await own.find(filter, '/Groups');
  await own.call('PUT', `/Users/${anna.id}`, { ...anna, [ENTERPRISE]: { manager: { value: 'x' } } });
  await own.patchGroup(group.id, { op: 'remove', path: 'members' });
  const owner = await world.manager(['ORG_OWNER'], org);
  const path = `/management/v1/ext/scim/directories/${own.id}`;
  await owner.call('POST', `${path}/users`, { userIds: [userId] });
  await owner.call('GET', `${path}/users`);
  await owner.call('GET', `${path}/groups`);
  await owner.call('POST', `${path}/groups/release`, { groupIds: [group.id] });
  await owner.call('POST', `${path}/groups`, { groupIds: [group.id] });
  await own.call('PATCH', `/Users/${userId}`, {
    Operations: [{ op: 'add', path: 'emails', value: [{ value: 'second@home.test', type: 'home' }] }],
  });
  await own.ask('DELETE', `/Groups/${group.id}`);
  await own.ask('DELETE', `/Users/${anna.id}`);
}

describe('the contracts of extensions', () => {
  for (const { name, run } of [
    ...extensionContract(() => world, scim, {
      use: async ({ id, orgId }) => {
        const org = { id: orgId, domain: '' };
        await useAll(await addDirectory(world, org), org, id);
      },
      wrongEnv: { SCIM_EMAIL_VERIFIED: 'sometimes', SCIM_INVITE: 'perhaps' },
    }),
  ])
    it(name, run);
});
