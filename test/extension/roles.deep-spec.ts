import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import type { World } from '../support/world.js';
import { EMPLOYEES, startWithEmployees } from './employee-routes.js';

let world: World;
let org: TestOrg;
let owner: AdminApi;
let iamOwner: AdminApi;

beforeAll(async () => {
  world = await startWithEmployees();
  org = await world.cast.orgA;
  owner = (await callerWith(world, org, ['ORG_OWNER'])).api;
  iamOwner = (await callerWith(world, org, ['IAM_OWNER'])).api;
});
afterAll(() => world.close());

describe('A role of an extension', () => {
  it('is offered at its level, granted like any other, and ends with its removal', async () => {
    const { result } = await owner.call<{ result: string[] }>('POST', '/management/v1/orgs/members/roles/_search', {});
    expect(result).toContain('EXT_HR_CLERK');
    const clerk = await callerWith(world, org, []);
    expect(await clerk.api.verdict('GET', EMPLOYEES)).toBe('403 permission.missing');
    const member = { userId: clerk.service.id, roles: ['EXT_HR_CLERK'] };
    expect(await owner.verdict('POST', '/management/v1/orgs/me/members', member)).toBe('200');
    expect(await clerk.api.verdict('GET', EMPLOYEES)).toBe('200');
    expect(await clerk.api.verdict('POST', '/management/v1/users/_search', {})).toBe('403 permission.missing');
    expect(await owner.verdict('DELETE', `/management/v1/orgs/me/members/${clerk.service.id}`)).toBe('200');
    expect(await clerk.api.verdict('GET', EMPLOYEES)).toBe('403 permission.missing');
  });

  it('is not granted by callers who hold less, nor at another level', async () => {
    const { service } = await callerWith(world, org, []);
    const settings = (await callerWith(world, org, ['IAM_ORG_MANAGER'])).api;
    const member = { userId: service.id, roles: ['EXT_HR_CLERK'] };
    expect(await settings.about(org.id).verdict('POST', '/management/v1/orgs/me/members', member)).toBe(
      '403 permission.role_too_strong',
    );
    expect(await iamOwner.verdict('POST', '/admin/v1/members', member)).toBe('400 roles');
  });
});

describe('A document for an import', () => {
  it('keeps roles of extensions that are loaded, and leaves others out with a note', async () => {
    const user = {
      userName: 'clerk@imported.test',
      profile: { firstName: 'C', lastName: 'C' },
      email: { email: 'clerk@imported.test', isEmailVerified: true },
    };
    const orgs = [
      {
        orgId: 'org-imported',
        org: { name: 'Imported' },
        humanUsers: [{ userId: 'clerk-imported', state: 'USER_STATE_ACTIVE', user }],
        orgMembers: [{ userId: 'clerk-imported', roles: ['EXT_HR_CLERK', 'EXT_CRM_SELLER', 'ORG_OWNER_VIEWER'] }],
      },
    ];
    const answer = await iamOwner.call('POST', '/admin/v1/import', { data_orgs: { orgs } });
    expect(answer['errors']).toEqual([
      expect.objectContaining({ message: expect.stringContaining('EXT_CRM_SELLER has no counterpart here') }),
    ]);
    expect(await world.rows("SELECT roles FROM member WHERE user_id = 'clerk-imported'")).toEqual([
      { roles: ['EXT_HR_CLERK', 'ORG_OWNER_VIEWER'] },
    ]);
  });
});
