import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import { addDirectory, CORE, type Directory, ENTERPRISE, LIST, PATCH, type Resource } from './support/directory.js';

/**
 * The requests that Entra's documentation of its provisioning service shows, with the fields in its order and its
 * spellings: what it sends today, and what with the flag aadOptscim062020.
 */
let world: World;
let entra: Directory;
let user: Resource;

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
  entra = await addDirectory(world, await world.add.organization());
});
afterAll(() => world.close());

const UUID = '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef';
const UPN = 'Test_User_00aa00aa-bb11-cc22-dd33-44ee44ee44ee';
const MAIL = 'Test_User_11bb11bb-cc22-dd33-ee44-55ff55ff55ff@testuser.com';

async function patched(id: string, ...operations: readonly object[]): Promise<Resource> {
  return entra.call('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations: operations });
}

describe('SCM-015: Entra', () => {
  it('tests the connection by a user who does not exist', async () => {
    for (const query of [
      `userName eq "${UUID}"`,
      `externalId eq "${UUID}"`,
      `emails[type eq "work"].value eq "${UUID}"`,
    ])
      expect(await entra.call('GET', `/Users?filter=${encodeURIComponent(query)}`)).toMatchObject({
        schemas: [LIST],
        totalResults: 0,
        Resources: [],
      });
  });

  it('creates a user', async () => {
    const reply = await entra.ask('POST', '/Users', {
      schemas: [CORE, ENTERPRISE],
      externalId: UUID,
      userName: UPN,
      active: true,
      emails: [{ primary: true, type: 'work', value: MAIL }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
    });
    expect(reply.status).toBe(201);
    user = reply.json();
    expect(user).toMatchObject({
      externalId: UUID,
      userName: UPN,
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      active: true,
      emails: [{ value: MAIL, type: 'work', primary: true }],
    });
  });

  it('creates a user with nulls, and names of schemas that are misspelt', async () => {
    const made = await entra.call('POST', '/Users', {
      schemas: [CORE, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0User'],
      externalId: 'jyoung',
      userName: 'jyoung@testuser.com',
      active: true,
      addresses: null,
      displayName: 'Joy Young',
      emails: [{ type: 'work', value: 'jyoung@Contoso.com', primary: true }],
      meta: { resourceType: 'User' },
      name: { familyName: 'Young', givenName: 'Joy' },
      phoneNumbers: null,
      preferredLanguage: null,
      title: null,
      department: null,
      manager: null,
    });
    expect(made).toMatchObject({
      userName: 'jyoung@testuser.com',
      emails: [{ value: 'jyoung@Contoso.com' }],
      displayName: 'Joy Young',
    });
    expect(await entra.find('externalId eq "jyoung"')).toEqual(['jyoung@testuser.com']);
  });

  it('reads a user by the id and by a query, also one who is disabled', async () => {
    expect(await entra.call('GET', `/Users/${user.id}`)).toEqual(user);
    expect(await entra.verdict('GET', '/Users/5171a35d82074e068ce2')).toBe('404 scim.user_not_found');
    expect(await entra.find(`userName eq "${UPN}"`)).toEqual([UPN]);
    expect(await entra.find('userName eq "non-existent user"')).toEqual([]);
  });

  it('updates several attributes', async () => {
    expect(
      await patched(
        user.id,
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      ),
    ).toMatchObject({
      emails: [{ value: 'updatedEmail@microsoft.com', type: 'work', primary: true }],
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
    });
    const value = '5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.com';
    expect(await patched(user.id, { op: 'Replace', path: 'userName', value })).toMatchObject({ userName: value });
  });

  it.each<[string, readonly object[]]>([
    [
      'without the flag',
      [
        { op: 'Replace', path: 'displayName', value: 'Pvlo' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'TestBcwqnm@test.microsoft.com' },
        { op: 'Replace', path: 'name.givenName', value: 'Gtfd' },
        { op: 'Replace', path: 'name.familyName', value: 'Pkqf' },
        { op: 'Replace', path: 'externalId', value: 'Eqpj' },
        { op: 'Replace', path: `${ENTERPRISE}:employeeNumber`, value: 'Eqpj' },
      ],
    ],
    [
      'with the flag',
      [
        { op: 'replace', path: 'emails[type eq "work"].value', value: 'TestBcwqnm@test.microsoft.com' },
        {
          op: 'replace',
          value: {
            displayName: 'Pvlo',
            'name.givenName': 'Gtfd',
            'name.familyName': 'Pkqf',
            externalId: 'Eqpj',
            [`${ENTERPRISE}:employeeNumber`]: 'Eqpj',
          },
        },
      ],
    ],
  ])('replaces many attributes %s', async (_, operations) => {
    const { id } = await entra.add();
    expect(await patched(id, ...operations)).toMatchObject({
      displayName: 'Pvlo',
      emails: [{ value: 'TestBcwqnm@test.microsoft.com', type: 'work' }],
      name: { givenName: 'Gtfd', familyName: 'Pkqf' },
      externalId: 'Eqpj',
      [ENTERPRISE]: { employeeNumber: 'Eqpj' },
    });
    await entra.ask('DELETE', `/Users/${id}`);
  });

  it.each([
    ['without the flag', { op: 'Add', path: 'nickName', value: 'Babs' }],
    ['with the flag', { op: 'add', path: 'nickName', value: 'Babs' }],
  ])('adds a text %s', async (_, operation) => {
    expect(await patched(user.id, operation)).toMatchObject({ nickName: 'Babs' });
  });

  it.each([
    [
      'without the flag',
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Replace', path: 'active', value: 'True' },
    ],
    ['with the flag', { op: 'replace', path: 'active', value: false }, { op: 'replace', path: 'active', value: true }],
    [
      'as its tutorial shows',
      { op: 'Replace', path: 'active', value: false },
      { op: 'Replace', path: 'active', value: true },
    ],
  ])('disables and restores a user %s', async (_, off, on) => {
    expect(await patched(user.id, off)).toMatchObject({ active: false });
    expect(await entra.find(`id eq "${user.id}"`)).toHaveLength(1);
    expect(await patched(user.id, on)).toMatchObject({ active: true });
  });

  it('sets a manager, and asks whether somebody is one', async () => {
    const boss = await entra.add();
    const value = [{ $ref: `http://.../scim/Users/${boss.id}`, value: boss.id }];
    expect(await patched(user.id, { op: 'Add', path: 'manager', value })).toMatchObject({
      [ENTERPRISE]: { manager: { value: boss.id } },
    });
    const query = encodeURIComponent(`id eq "${user.id}" and manager eq "${boss.id}"`);
    expect(await entra.call('GET', `/Users?filter=${query}&attributes=id`)).toMatchObject({
      totalResults: 1,
      Resources: [{ id: user.id }],
    });
    expect(await patched(user.id, { op: 'Add', path: `${ENTERPRISE}:manager`, value: boss.id })).toMatchObject({
      [ENTERPRISE]: { manager: { value: boss.id } },
    });
    const without = await patched(user.id, { op: 'Remove', path: `${ENTERPRISE}:manager` });
    expect(without[ENTERPRISE] ?? {}).not.toHaveProperty('manager');
  });

  it('keeps all that it maps by default', async () => {
    const { id } = await entra.add();
    const mapped = {
      title: 'Title',
      preferredLanguage: 'en-US',
      'addresses[type eq "work"].streetAddress': '1 Road',
      'addresses[type eq "work"].locality': 'Town',
      'addresses[type eq "work"].region': 'Region',
      'addresses[type eq "work"].postalCode': '12345',
      'addresses[type eq "work"].country': 'DE',
      'addresses[type eq "work"].formatted': 'Office 7',
      'addresses[type eq "other"].Formatted': 'Office 8',
      'phoneNumbers[type eq "work"].value': '55555555555',
      'phoneNumbers[type eq "mobile"].value': '+49 (170) 1234',
      'phoneNumbers[type eq "fax"].value': '123-456',
      'emails[type eq "other"].Value': 'proxy@mail.test',
      [`${ENTERPRISE}:department`]: 'Department',
      [`${ENTERPRISE}:employeeNumber`]: '4711',
      [`${ENTERPRISE}:costCenter`]: 'C',
      [`${ENTERPRISE}:organization`]: 'O',
      [`${ENTERPRISE}:division`]: 'D',
    };
    const after = await patched(id, ...Object.entries(mapped).map(([path, value]) => ({ op: 'Add', path, value })));
    expect(after).toMatchObject({
      title: 'Title',
      preferredLanguage: 'en-US',
      addresses: [
        {
          type: 'work',
          streetAddress: '1 Road',
          locality: 'Town',
          region: 'Region',
          postalCode: '12345',
          country: 'DE',
          formatted: 'Office 7',
        },
        { type: 'other', formatted: 'Office 8' },
      ],
      phoneNumbers: [
        { type: 'work', value: '55555555555' },
        { type: 'mobile', value: '+49 (170) 1234' },
        { type: 'fax', value: '123-456' },
      ],
      [ENTERPRISE]: {
        department: 'Department',
        employeeNumber: '4711',
        costCenter: 'C',
        organization: 'O',
        division: 'D',
      },
    });
    expect(after.emails).toContainEqual({ type: 'other', value: 'proxy@mail.test' });
    expect(await world.sql`SELECT phone FROM user_account WHERE id = ${id}`).toEqual([{ phone: '+491701234' }]);
  });

  it('deletes a user', async () => {
    expect((await entra.ask('DELETE', `/Users/${user.id}`)).status).toBe(204);
  });

  it('creates, finds, renames and deletes a group', async () => {
    const schemas = [
      'urn:ietf:params:scim:schemas:core:2.0:Group',
      'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
    ];
    const externalId = '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159';
    const group = await entra.call('POST', '/Groups', {
      schemas,
      externalId,
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    });
    expect(group).toMatchObject({ externalId, displayName: 'displayName', members: [] });
    expect(await entra.call('GET', `/Groups/${group.id}?excludedAttributes=members`)).not.toHaveProperty('members');
    const query = encodeURIComponent('displayName eq "displayName"');
    expect(await entra.call('GET', `/Groups?excludedAttributes=members&filter=${query}`)).toMatchObject({
      totalResults: 1,
      Resources: [{ id: group.id, externalId }],
    });
    const value = '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName';
    expect((await entra.patchGroup(group.id, { op: 'Replace', path: 'displayName', value })).status).toBe(204);
    expect(await entra.find('displayName co "updatedDisplayName"', '/Groups')).toEqual([value]);
    expect((await entra.ask('DELETE', `/Groups/${group.id}`)).status).toBe(204);
  });

  it.each<[string, (id: string) => object]>([
    ['without the flag', (id) => ({ op: 'Remove', path: 'members', value: [{ value: id }] })],
    ['as its tutorial shows', (id) => ({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] })],
    ['with the flag', (id) => ({ op: 'remove', path: `members[value eq "${id}"]` })],
  ])('adds and removes members %s', async (_, remove) => {
    const [anna, berta, group] = [await entra.add(), await entra.add(), await entra.addGroup()];
    for (const { id } of [anna, berta]) {
      const reply = await entra.patchGroup(group.id, {
        op: 'Add',
        path: 'members',
        value: [{ $ref: null, value: id }],
      });
      expect(reply.status).toBe(204);
    }
    expect((await entra.patchGroup(group.id, remove(anna.id))).status).toBe(204);
    expect((await entra.call('GET', `/Groups/${group.id}`)).members).toMatchObject([{ value: berta.id }]);
    const query = encodeURIComponent(`id eq "${group.id}" and members eq "${berta.id}"`);
    expect(await entra.call('GET', `/Groups?filter=${query}&attributes=id`)).toMatchObject({ totalResults: 1 });
  });

  it('discovers the schemas', async () => {
    expect(await entra.call('GET', '/Schemas')).toMatchObject({ schemas: [LIST], totalResults: 3 });
  });
});
