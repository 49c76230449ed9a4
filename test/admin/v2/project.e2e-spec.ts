import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith } from '../../support/admin-api.js';
import { uniqueName } from '../../support/builders.js';
import { addProject, type Stage, setStage } from '../project-support.js';

const PATH = '/v2/projects';
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown as string;

let stage: Stage;
let a: AdminApi;
let orgId: string;

beforeAll(async () => {
  stage = await setStage();
  a = stage.ownerOfA;
  orgId = stage.orgA.id;
});
afterAll(() => stage.world.close());

const create = async (api: AdminApi, organizationId: string, more: object = {}): Promise<string> =>
  (await api.call('POST', PATH, { organizationId, name: uniqueName('Second'), ...more }))['projectId'] as string;

const idsIn = async (api: AdminApi, filters: readonly object[] = []): Promise<string[]> =>
  (
    (await api.call('POST', `${PATH}/_search`, { filters, pagination: { limit: 1_000 } }))['projects'] as Array<{
      projectId: string;
    }>
  ).map(({ projectId }) => projectId);

describe('Projects of the second generation', () => {
  it('are those of the first', async () => {
    const name = uniqueName('Both');
    const settings = { projectRoleAssertion: true, authorizationRequired: true, projectAccessRequired: true };
    const { projectId, creationDate } = await a.call('POST', PATH, { organizationId: orgId, name, ...settings });
    expect(creationDate).toEqual(DATE);
    expect((await a.call('GET', `${PATH}/${projectId}`))['project']).toEqual({
      projectId,
      organizationId: orgId,
      creationDate,
      changeDate: creationDate,
      name,
      state: 'PROJECT_STATE_ACTIVE',
      ...settings,
      privateLabelingSetting: 'PRIVATE_LABELING_SETTING_UNSPECIFIED',
      grantedState: 'GRANTED_PROJECT_STATE_UNSPECIFIED',
    });
    expect((await a.call('GET', `/management/v1/projects/${projectId}`))['project']).toMatchObject({
      name,
      projectRoleAssertion: true,
      projectRoleCheck: true,
      hasProjectCheck: true,
    });
  });

  it('may have an id of the caller’s choice, once, and none that is a word of a path', async () => {
    const projectId = uniqueName('own-id');
    expect(await create(a, orgId, { projectId })).toBe(projectId);
    expect(await a.verdict('POST', PATH, { organizationId: orgId, projectId, name: uniqueName('x') })).toBe(
      '409 project.id_taken',
    );
    expect(await a.verdict('POST', PATH, { organizationId: orgId, projectId: '_search', name: 'x' })).toBe(
      '400 projectId',
    );
  });

  it('keep what an update does not name', async () => {
    const projectId = await create(a, orgId, { authorizationRequired: true });
    const name = uniqueName('Renamed');
    await a.call('POST', `${PATH}/${projectId}`, { name, projectRoleAssertion: true });
    expect((await a.call('GET', `${PATH}/${projectId}`))['project']).toMatchObject({
      name,
      projectRoleAssertion: true,
      authorizationRequired: true,
    });
    await a.call('POST', `${PATH}/${projectId}`, { authorizationRequired: false });
    expect((await a.call('GET', `${PATH}/${projectId}`))['project']).toMatchObject({
      name,
      authorizationRequired: false,
    });
  });

  it('are deactivated, activated and removed', async () => {
    const projectId = await create(a, orgId);
    expect(await a.call('POST', `${PATH}/${projectId}/deactivate`)).toEqual({ changeDate: DATE });
    expect((await a.call('GET', `${PATH}/${projectId}`))['project']).toMatchObject({ state: 'PROJECT_STATE_INACTIVE' });
    expect(await a.call('POST', `${PATH}/${projectId}/activate`)).toEqual({ changeDate: DATE });
    expect(await a.call('DELETE', `${PATH}/${projectId}`)).toEqual({ deletionDate: DATE });
    expect(await a.verdict('GET', `${PATH}/${projectId}`)).toBe('404 project.not_found');
  });

  it('keep a state that they have already', async () => {
    const projectId = await create(a, orgId);
    const first = await a.call('POST', `${PATH}/${projectId}/deactivate`);
    expect(await a.call('POST', `${PATH}/${projectId}/deactivate`)).toEqual(first);
    await a.call('POST', `${PATH}/${projectId}/activate`);
    await a.call('POST', `${PATH}/${projectId}/activate`);
    expect((await a.call('GET', `${PATH}/${projectId}`))['project']).toMatchObject({ state: 'PROJECT_STATE_ACTIVE' });
  });

  it('are found by name, id and organization', async () => {
    const name = uniqueName('Found');
    const projectId = await create(a, orgId, { name });
    expect(
      await idsIn(a, [
        { projectNameFilter: { projectName: name.toUpperCase(), method: 'TEXT_FILTER_METHOD_EQUALS_IGNORE_CASE' } },
      ]),
    ).toEqual([projectId]);
    expect(await idsIn(a, [{ inProjectIdsFilter: { ids: [projectId, '1'] } }])).toEqual([projectId]);
    expect(await idsIn(a, [{ organizationIdFilter: { organizationId: orgId, type: 'OWNED' } }])).toContain(projectId);
    expect(await idsIn(a, [{ organizationIdFilter: { organizationId: stage.orgB.id } }])).not.toContain(projectId);
    expect(await a.verdict('POST', `${PATH}/_search`, { filters: [{ nonsense: {} }] })).toBe('400 filters[0]');
  });

  it('have roles, of which an update changes what it names', async () => {
    const projectId = await create(a, orgId);
    const role = { roleKey: 'inspector', displayName: 'Inspector', group: 'Staff' };
    expect(await a.call('POST', `${PATH}/${projectId}/roles`, role)).toEqual({ creationDate: DATE });
    await a.call('POST', `${PATH}/${projectId}/roles/inspector`, { displayName: 'Inspector of tickets' });
    expect((await a.call('POST', `${PATH}/${projectId}/roles/_search`, {}))['projectRoles']).toEqual([
      {
        projectId,
        key: 'inspector',
        creationDate: DATE,
        changeDate: DATE,
        displayName: 'Inspector of tickets',
        group: 'Staff',
      },
    ]);
    expect(await a.call('DELETE', `${PATH}/${projectId}/roles/inspector`)).toEqual({ removalDate: DATE });
    expect((await a.call('POST', `${PATH}/${projectId}/roles/_search`, {}))['projectRoles']).toEqual([]);
  });

  it('are granted to organizations, which then find them', async () => {
    const projectId = await create(a, orgId);
    await a.call('POST', `${PATH}/${projectId}/roles`, { roleKey: 'reader', displayName: 'Reader' });
    const grantedOrganizationId = stage.orgB.id;
    await a.call('POST', `${PATH}/${projectId}/grants`, { grantedOrganizationId, roleKeys: ['reader'] });
    const grant = {
      organizationId: orgId,
      grantedOrganizationId,
      grantedRoleKeys: ['reader'],
      projectId,
      state: 'PROJECT_GRANT_STATE_ACTIVE',
    };
    const search = { filters: [{ inProjectIdsFilter: { ids: [projectId] } }] };
    for (const api of [a, stage.ownerOfB])
      expect((await api.call('POST', '/v2/project_grants/_search', search))['projectGrants']).toMatchObject([grant]);
    const filters = [{ organizationIdFilter: { organizationId: grantedOrganizationId, type: 'GRANTED' } }];
    expect((await stage.ownerOfB.call('POST', `${PATH}/_search`, { filters }))['projects']).toMatchObject([
      { projectId, organizationId: orgId, grantedOrganizationId, grantedState: 'GRANTED_PROJECT_STATE_ACTIVE' },
    ]);
    const place = `${PATH}/${projectId}/grants/${grantedOrganizationId}`;
    expect(await a.verdict('POST', place, {})).toBe('400 roleKeys');
    await a.call('POST', place, { roleKeys: [] });
    await a.call('POST', `${place}/deactivate`);
    expect((await a.call('POST', '/v2/project_grants/_search', search))['projectGrants']).toMatchObject([
      { grantedRoleKeys: [], state: 'PROJECT_GRANT_STATE_INACTIVE' },
    ]);
    await a.call('POST', `${place}/activate`);
    expect(await a.call('DELETE', place)).toEqual({ deletionDate: DATE });
    expect(await a.verdict('DELETE', place)).toBe('404 project_grant.not_found');
  });
});

describe('An object that a request names [ADM-101]', () => {
  it('is out of reach for managers of other organizations, and answered as if it did not exist', async () => {
    const projectId = await addProject(a);
    const there = stage.ownerOfB;
    for (const id of [projectId, '1'])
      expect([
        await there.verdict('GET', `${PATH}/${id}`),
        await there.verdict('POST', `${PATH}/${id}`, { name: 'Mine' }),
        await there.verdict('POST', `${PATH}/${id}/deactivate`),
        await there.verdict('DELETE', `${PATH}/${id}`),
        await there.verdict('POST', `${PATH}/${id}/roles`, { roleKey: 'a', displayName: 'A' }),
        await there.verdict('POST', `${PATH}/${id}/roles/_search`, {}),
        await there.verdict('POST', `${PATH}/${id}/grants`, { grantedOrganizationId: stage.orgB.id, roleKeys: [] }),
        await there.verdict('DELETE', `${PATH}/${id}/grants/${stage.orgB.id}`),
      ]).toEqual(Array.from({ length: 8 }, () => '404 project.not_found'));
    expect(await there.verdict('POST', PATH, { organizationId: orgId, name: 'Theirs' })).toBe('404 org.not_found');
    expect(await idsIn(there)).not.toContain(projectId);
  });

  it('is not brought into reach by the header of the first generation', async () => {
    const projectId = await addProject(a);
    const headers = { 'x-service-orgid': stage.orgB.id };
    expect((await stage.ownerOfB.ask('GET', `${PATH}/${projectId}`, undefined, headers)).status).toBe(404);
  });

  it('needs no role of the organization if there is one of the object itself', async () => {
    const projectId = await addProject(a);
    const other = await addProject(a);
    const { api, service } = await callerWith(stage.world, stage.orgA, []);
    await a.call('POST', `/management/v1/projects/${projectId}/members`, {
      userId: service.id,
      roles: ['PROJECT_OWNER'],
    });
    expect(await api.verdict('POST', `${PATH}/${projectId}`, { name: uniqueName('By its owner') })).toBe('200');
    expect(await api.verdict('GET', `${PATH}/${other}`)).toBe('404 project.not_found');
    expect(await idsIn(api)).toEqual([projectId]);
  });

  it('is not looked for if the caller holds the permission nowhere', async () => {
    const { api } = await callerWith(stage.world, stage.orgA, []);
    expect(await api.verdict('GET', `${PATH}/${await addProject(a)}`)).toBe('403 permission.missing');
    expect(await api.verdict('POST', `${PATH}/_search`, {})).toBe('403 permission.missing');
  });

  it('is reached over gRPC and Connect as in JSON', async () => {
    const projectId = await addProject(a);
    const ask = async (api: AdminApi): Promise<number> =>
      (await api.ask('POST', '/service.project.v2.ProjectService/GetProject', { projectId })).status;
    expect([await ask(a), await ask(stage.ownerOfB)]).toEqual([200, 404]);
  });
});
