import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { startWorld } from '../support/world.js';
import { fullDocument } from './document.js';
import { contentsOf, fieldsOf } from './import-refusal.js';

const world = await startWorld();
let api: AdminApi;

beforeAll(async () => {
  api = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
});
afterAll(() => world.close());

type Changed = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- documents are broken in every way here

describe('An import of groups refuses, with its path, and imports nothing', () => {
  it.each<[string, (first: Changed, second: Changed) => void, string[]]>([
    [
      'a member who belongs to another organization [EXP-017]',
      (first, second) => {
        first['groupMembers'][0].userId = second['humanUsers'][0].userId;
      },
      ['orgs[0].groupMembers[0]'],
    ],
    [
      'a member and a grant of an unknown group',
      (first) => {
        first['groupMembers'][0].groupId = 'nobody';
        first['groupGrants'][0].groupId = 'nobody';
      },
      ['orgs[0].groupMembers[0]', 'orgs[0].groupGrants[0]'],
    ],
    [
      'a group with the name of another one, in another case',
      (first) => {
        first['groups'].push({ groupId: 'other', name: first['groups'][0].name.toUpperCase() });
      },
      ['orgs[0].groups[1]'],
    ],
    [
      'a grant with the ID of a grant to a user',
      (first) => {
        first['groupGrants'][0].id = first['userGrants'][0].id;
      },
      ['orgs[0].groupGrants[0]'],
    ],
    [
      'a grant of a role that the project lacks',
      (first) => {
        first['groupGrants'][0].roleKeys = ['nobody'];
      },
      ['orgs[0].groupGrants[0]'],
    ],
    [
      'a name with a blank at an end',
      (first) => {
        first['groups'][0].name = ' Nachtschicht';
      },
      ['orgs[0].groups[0].name'],
    ],
  ])('%s', async (_, change, fields) => {
    const before = await contentsOf(world);
    const document = structuredClone(fullDocument());
    change(document.orgs[0], document.orgs[1]);
    const reply = await api.ask('POST', '/admin/v1/import', { data_orgs: document });
    expect([reply.status, fieldsOf(reply)]).toEqual([400, fields]);
    expect(await contentsOf(world)).toBe(before);
  });
});
