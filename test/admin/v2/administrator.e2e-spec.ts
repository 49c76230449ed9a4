import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../../support/admin-api.js';
import { addGrant, addPerson, addProject, managerOf, type Stage, setStage } from '../project-support.js';

const PATH = '/v2/administrators';
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown as string;

let stage: Stage;
let a: AdminApi;
let b: AdminApi;
/** Of organization A, and granted to B. */
let projectId: string;
let projectGrantId: string;

beforeAll(async () => {
  stage = await setStage();
  a = stage.ownerOfA;
  b = stage.ownerOfB;
  projectId = await addProject(a, ['reader']);
  projectGrantId = await addGrant(a, projectId, stage.orgB, ['reader']);
});
afterAll(() => stage.world.close());

interface Administrator {
  readonly user: { readonly id: string };
  readonly roles: readonly string[];
}

const listed = async (api: AdminApi, filters: readonly object[] = []): Promise<Administrator[]> =>
  (
    await api.call<{ administrators: Administrator[] }>('POST', `${PATH}/_search`, {
      filters,
      pagination: { limit: 1_000, asc: true },
    })
  ).administrators;
const idsIn = async (api: AdminApi, filters: readonly object[] = []): Promise<string[]> =>
  (await listed(api, filters)).map(({ user }) => user.id);

interface Kind {
  readonly name: string;
  readonly resource: () => Json;
  readonly roles: readonly [one: string, other: string];
  /** Who may appoint there, and whose users. */
  readonly owner: () => AdminApi;
  readonly org: () => Stage['orgA'];
  readonly shown: () => Json;
  readonly members: () => string;
}

const KINDS: readonly Kind[] = [
  {
    name: 'the instance',
    resource: () => ({ instance: true }),
    roles: ['IAM_OWNER_VIEWER', 'IAM_USER_MANAGER'],
    owner: () => stage.iamOwner,
    org: () => stage.orgA,
    shown: () => ({ instance: true }),
    members: () => '/admin/v1/members/_search',
  },
  {
    name: 'an organization',
    resource: () => ({ organizationId: stage.orgA.id }),
    roles: ['ORG_OWNER_VIEWER', 'ORG_USER_MANAGER'],
    owner: () => a,
    org: () => stage.orgA,
    shown: () => ({ organization: { id: stage.orgA.id, name: 'orga.test' } }),
    members: () => '/management/v1/orgs/me/members/_search',
  },
  {
    name: 'a project',
    resource: () => ({ projectId }),
    roles: ['PROJECT_OWNER_VIEWER', 'PROJECT_OWNER'],
    owner: () => a,
    org: () => stage.orgA,
    shown: () => ({ project: { id: projectId, name: expect.any(String), organizationId: stage.orgA.id } }),
    members: () => `/management/v1/projects/${projectId}/members/_search`,
  },
  {
    name: 'a project grant',
    resource: () => ({ projectGrant: { projectId, organizationId: stage.orgB.id } }),
    roles: ['PROJECT_GRANT_OWNER_VIEWER', 'PROJECT_GRANT_OWNER'],
    owner: () => b,
    org: () => stage.orgB,
    shown: () => ({
      projectGrant: {
        id: projectGrantId,
        projectId,
        projectName: expect.any(String),
        organizationId: stage.orgA.id,
        grantedOrganizationId: stage.orgB.id,
      },
    }),
    members: () => `/management/v1/projects/${projectId}/grants/${projectGrantId}/members/_search`,
  },
];

describe('Administrators of the second generation', () => {
  it.each(KINDS)('of $name are the members of the first: created, changed, removed', async (kind) => {
    const owner = kind.owner();
    const { id: userId, loginName } = await addPerson(stage, kind.org());
    const [role, other] = kind.roles;
    const body = { userId, resource: kind.resource() };
    expect(await owner.call('POST', PATH, { ...body, roles: [role] })).toEqual({ creationDate: DATE });
    expect(await owner.verdict('POST', PATH, { ...body, roles: [role] })).toBe('409 member.exists');
    const filters = [{ inUserIdsFilter: { ids: [userId] } }];
    const user = {
      id: userId,
      preferredLoginName: loginName,
      displayName: 'Given Family',
      organizationId: kind.org().id,
    };
    expect(await listed(owner, filters)).toEqual([
      { creationDate: DATE, changeDate: DATE, user, ...kind.shown(), roles: [role] },
    ]);
    expect(await listed(owner, [...filters, { resource: kind.resource() }])).toHaveLength(1);
    expect(await owner.call('POST', `${PATH}/${userId}`, { resource: kind.resource(), roles: [other] })).toEqual({
      changeDate: DATE,
    });
    const { result } = await owner.call('POST', kind.members(), { queries: [{ userIdQuery: { userId } }] });
    expect(result).toMatchObject([{ userId, roles: [other] }]);
    const place = `${PATH}/${userId}/delete`;
    expect(await owner.call('POST', place, { resource: kind.resource() })).toEqual({ deletionDate: DATE });
    expect(await owner.verdict('POST', place, { resource: kind.resource() })).toBe('404 member.not_found');
    expect(await listed(owner, filters)).toEqual([]);
  });

  it('name one resource, and roles of its level', async () => {
    const { id: userId } = await addPerson(stage, stage.orgA);
    const roles = ['ORG_OWNER'];
    expect(await a.verdict('POST', PATH, { userId, roles })).toBe('400 resource');
    for (const resource of [{}, { instance: false }])
      expect(await a.verdict('POST', PATH, { userId, roles, resource })).toBe('400 resource');
    expect(await a.verdict('POST', PATH, { userId, roles: ['IAM_OWNER'], resource: { projectId } })).toBe('400 roles');
    expect(await a.verdict('POST', `${PATH}/${userId}`, { resource: { projectId } })).toBe('400 roles');
  });

  it('are found by each of their filters, and by filters combined', async () => {
    const { id: userId, loginName } = await addPerson(stage, stage.orgA);
    const resource = { organizationId: stage.orgA.id };
    await a.call('POST', PATH, { userId, resource, roles: ['ORG_PROJECT_CREATOR'] });
    const own = { inUserIdsFilter: { ids: [userId] } };
    const [{ creationDate }] = (await listed(a, [own])) as unknown as [{ creationDate: string }];
    const at = (method: string) => ({
      creationDate: { timestamp: creationDate, method: `TIMESTAMP_FILTER_METHOD_${method}` },
    });
    for (const filter of [
      at('EQUALS'),
      at('AFTER_OR_EQUALS'),
      at('BEFORE_OR_EQUALS'),
      { userOrganizationId: { id: stage.orgA.id } },
      { userPreferredLoginName: { preferredLoginName: loginName } },
      { userDisplayName: { displayName: 'given', method: 'TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE' } },
      { resource },
      { resource: { instance: false } },
      { role: { roleKey: 'ORG_PROJECT_CREATOR' } },
      { and: { queries: [own, { userDisplayName: { displayName: 'Given Family' } }] } },
      {
        or: {
          queries: [{ resource: { instance: true } }, { userPreferredLoginName: { preferredLoginName: loginName } }],
        },
      },
      { not: { query: { role: { roleKey: 'ORG_OWNER' } } } },
    ])
      expect([filter, await idsIn(a, [own, filter])]).toEqual([filter, [userId]]);
    for (const filter of [
      at('AFTER'),
      at('BEFORE'),
      { userOrganizationId: { id: stage.orgB.id } },
      { resource: { projectId } },
      { resource: { instance: true } },
      { role: { roleKey: 'ORG_OWNER' } },
      { not: { query: own } },
      { or: { queries: [] } },
    ])
      expect([filter, await idsIn(a, [own, filter])]).toEqual([filter, []]);
  });

  it('refuse filters that are nested too deep, parts of login names and a time that is missing', async () => {
    const deep = (levels: number): object =>
      levels === 0 ? { role: { roleKey: 'x' } } : { not: { query: deep(levels - 1) } };
    const refused = async (filter: object): Promise<string> =>
      a.verdict('POST', `${PATH}/_search`, { filters: [filter] });
    expect(await refused(deep(4))).toBe('200');
    expect(await refused(deep(5))).toMatch(/^400 filters\[0\]\.not/);
    const part = { preferredLoginName: 'x', method: 'TEXT_FILTER_METHOD_CONTAINS' };
    expect(await refused({ userPreferredLoginName: part })).toBe('400 filters[0].userPreferredLoginName.method');
    expect(await refused({ creationDate: {} })).toBe('400 filters[0].creationDate.timestamp');
    expect(await refused({ resource: {} })).toBe('400 filters[0].resource');
  });

  it('are listed in the order that is asked for, page by page, once for each resource', async () => {
    const { id: userId } = await addPerson(stage, stage.orgA);
    for (const [resource, role] of [
      [{ organizationId: stage.orgA.id }, 'ORG_OWNER_VIEWER'],
      [{ projectId }, 'PROJECT_OWNER_VIEWER'],
    ] as const)
      await a.call('POST', PATH, { userId, resource, roles: [role] });
    const filters = [{ inUserIdsFilter: { ids: [userId] } }];
    for (const column of ['USER_ID', 'CREATION_DATE', 'CHANGE_DATE']) {
      const pages = await Promise.all(
        ['0', '1'].map(async (offset) =>
          a.call('POST', `${PATH}/_search`, {
            filters,
            sortingColumn: `ADMINISTRATOR_FIELD_NAME_${column}`,
            pagination: { offset, limit: 1, asc: true },
          }),
        ),
      );
      const roles = pages.flatMap((page) => (page['administrators'] as Administrator[]).map((one) => one.roles[0]));
      expect(roles.sort()).toEqual(['ORG_OWNER_VIEWER', 'PROJECT_OWNER_VIEWER']);
      expect(pages[0]!['pagination']).toEqual({ totalResult: '2', appliedLimit: '1' });
    }
  });
});

describe('An administrator [ADM-101]', () => {
  it('of a resource out of reach is not made, changed or removed there', async () => {
    const { id: userId } = await addPerson(stage, stage.orgB);
    for (const [resource, role, refusal] of [
      [{ instance: true }, 'IAM_OWNER', '403 permission.missing'],
      [{ organizationId: stage.orgA.id }, 'ORG_OWNER', '404 org.not_found'],
      [{ organizationId: '1' }, 'ORG_OWNER', '404 org.not_found'],
      [{ projectId }, 'PROJECT_OWNER', '404 project.not_found'],
      [{ projectId: '1' }, 'PROJECT_OWNER', '404 project.not_found'],
      [
        { projectGrant: { projectId, organizationId: stage.orgA.id } },
        'PROJECT_GRANT_OWNER',
        '404 project_grant.not_found',
      ],
    ] as const)
      expect([
        await b.verdict('POST', PATH, { userId, resource, roles: [role] }),
        await b.verdict('POST', `${PATH}/${userId}`, { resource, roles: [role] }),
        await b.verdict('POST', `${PATH}/${userId}/delete`, { resource }),
      ]).toEqual([refusal, refusal, refusal]);
    const { api } = await callerWith(stage.world, await stage.world.add.org(), ['ORG_OWNER']);
    const resource = { projectGrant: { projectId, organizationId: stage.orgB.id } };
    expect(await api.verdict('POST', PATH, { userId, resource, roles: ['PROJECT_GRANT_OWNER'] })).toBe(
      '404 project_grant.not_found',
    );
  });

  it('is listed for those who may read it there, and for nobody else', async () => {
    const ofA = await addPerson(stage, stage.orgA);
    const ofB = await addPerson(stage, stage.orgB);
    const grant = { projectGrant: { projectId, organizationId: stage.orgB.id } };
    await a.call('POST', PATH, { userId: ofA.id, resource: { projectId }, roles: ['PROJECT_OWNER'] });
    await b.call('POST', PATH, { userId: ofB.id, resource: grant, roles: ['PROJECT_GRANT_OWNER'] });
    const own = [{ inUserIdsFilter: { ids: [ofA.id, ofB.id] } }];
    const both = [ofA.id, ofB.id].sort();
    expect(await idsIn(a, own)).toEqual(both);
    expect(await idsIn(stage.iamOwner, own)).toEqual(both);
    expect(await idsIn(b, own)).toEqual([ofB.id]);
    const manager = await managerOf(stage, stage.orgA, 'PROJECT_OWNER_VIEWER', projectId);
    expect(await idsIn(manager, own)).toEqual(both);
    const granted = await managerOf(stage, stage.orgB, 'PROJECT_GRANT_OWNER', projectGrantId);
    expect(await idsIn(granted, own)).toEqual([ofB.id]);
    const other = await addProject(a);
    const elsewhere = await managerOf(stage, stage.orgA, 'PROJECT_OWNER', other);
    expect(await idsIn(elsewhere, own)).toEqual([]);
    expect(await listed(elsewhere)).toHaveLength(1);
    const settings = (await callerWith(stage.world, stage.orgA, ['ORG_SETTINGS_MANAGER'])).api;
    expect(await idsIn(settings, own)).toEqual([]);
    expect(await listed(a, [{ resource: { instance: true } }])).toEqual([]);
    expect(await listed(b, [{ not: { query: { userOrganizationId: { id: stage.orgB.id } } } }])).toEqual([]);
  });

  it('whose project has the id of a grant of another organization is not taken for one of the grant', async () => {
    const { projectId: same } = await b.call('POST', '/v2/projects', {
      organizationId: stage.orgB.id,
      projectId: projectGrantId,
      name: `Same id ${Date.now()}`,
    });
    expect(same).toBe(projectGrantId);
    const owner = await managerOf(stage, stage.orgB, 'PROJECT_OWNER', projectGrantId);
    const filters = [{ resource: { projectGrant: { projectId, organizationId: stage.orgB.id } } }];
    const { id: userId } = await addPerson(stage, stage.orgB);
    await b.call('POST', PATH, {
      userId,
      resource: { projectGrant: { projectId, organizationId: stage.orgB.id } },
      roles: ['PROJECT_GRANT_OWNER'],
    });
    expect(await idsIn(b, filters)).toContain(userId);
    expect(await idsIn(owner, filters)).toEqual([]);
    expect(await owner.verdict('POST', `${PATH}/${userId}/delete`, { resource: { projectId: projectGrantId } })).toBe(
      '404 member.not_found',
    );
    await b.call('DELETE', `/v2/projects/${projectGrantId}`);
  });

  it.each<[string, string, () => Json, string]>([
    ['ORG_USER_MANAGER', 'ORG_OWNER', () => ({ organizationId: stage.orgA.id }), '403 permission.missing'],
    ['ORG_SETTINGS_MANAGER', 'ORG_OWNER_VIEWER', () => ({ organizationId: stage.orgA.id }), '403 permission.missing'],
    ['IAM_LOGIN_CLIENT', 'ORG_OWNER', () => ({ organizationId: stage.orgA.id }), '403 permission.role_too_strong'],
    ['IAM_LOGIN_CLIENT', 'IAM_OWNER', () => ({ instance: true }), '403 permission.role_too_strong'],
    ['IAM_ORG_MANAGER', 'IAM_OWNER', () => ({ instance: true }), '403 permission.missing'],
    ['ORG_OWNER', 'IAM_OWNER', () => ({ instance: true }), '403 permission.missing'],
  ])('is not made by a %s with a role that they may not give: %s', async (role, given, resource, refusal) => {
    const { api, service } = await callerWith(stage.world, stage.orgA, [role]);
    const { id: userId } = await addPerson(stage, stage.orgA);
    for (const one of [userId, service.id])
      expect(await api.verdict('POST', PATH, { userId: one, resource: resource(), roles: [given] })).toBe(refusal);
  });

  it('is not made stronger, nor removed, by somebody with fewer rights', async () => {
    const { id: userId } = await addPerson(stage, stage.orgA);
    const resource = { organizationId: stage.orgA.id };
    await a.call('POST', PATH, { userId, resource, roles: ['ORG_OWNER'] });
    const { api } = await callerWith(stage.world, stage.orgA, ['IAM_LOGIN_CLIENT']);
    expect(await api.verdict('POST', `${PATH}/${userId}`, { resource, roles: ['ORG_OWNER_VIEWER'] })).toBe(
      '403 permission.role_too_strong',
    );
    const manager = await managerOf(stage, stage.orgA, 'PROJECT_OWNER_VIEWER', projectId);
    expect(await manager.verdict('POST', `${PATH}/${userId}`, { resource, roles: [] })).toBe('403 permission.missing');
  });

  it('is not made of a user whom the caller may not read', async () => {
    const { id: userId } = await addPerson(stage, stage.orgB);
    for (const one of [userId, '1'])
      expect(
        await a.verdict('POST', PATH, { userId: one, resource: { projectId }, roles: ['PROJECT_OWNER_VIEWER'] }),
      ).toBe('400 member.user_missing');
  });

  it('who is the last owner of the instance stays one', async () => {
    const { api, service } = await callerWith(stage.world, stage.orgA, ['IAM_OWNER']);
    const owners = await idsIn(api, [{ role: { roleKey: 'IAM_OWNER' } }]);
    expect(owners).toContain(service.id);
    const remove = async (id: string): Promise<string> =>
      api.verdict('POST', `${PATH}/${id}/delete`, { resource: { instance: true } });
    for (const id of owners.filter((one) => one !== service.id)) expect(await remove(id)).toBe('200');
    expect(await remove(service.id)).toBe('400 member.last_owner');
  });

  it('is asked for by nobody without a permission over any resource', async () => {
    const { api, service } = await callerWith(stage.world, stage.orgA, []);
    const resource = { organizationId: stage.orgA.id };
    expect([
      await api.verdict('POST', `${PATH}/_search`, {}),
      await api.verdict('POST', PATH, { userId: service.id, resource, roles: ['ORG_OWNER'] }),
      await api.verdict('POST', `${PATH}/${service.id}`, { resource, roles: ['ORG_OWNER'] }),
      await api.verdict('POST', `${PATH}/${service.id}/delete`, { resource }),
    ]).toEqual(Array.from({ length: 4 }, () => '403 permission.missing'));
  });
});
