import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith } from '../../support/admin-api.js';
import { RelyingParty } from '../../support/relying-party.js';
import {
  addGrant,
  addPerson,
  addProject,
  addUserGrant,
  eventsOf,
  managerOf,
  type Stage,
  setStage,
} from '../project-support.js';

const PATH = '/v2/authorizations';
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown as string;
const ROLES = 'urn:service:iam:org:project:roles';

let stage: Stage;
let a: AdminApi;
let b: AdminApi;
/** Of organization A, with the roles reader and writer; the role reader is granted to B. */
let projectId: string;
let projectGrantId: string;

beforeAll(async () => {
  stage = await setStage();
  a = stage.ownerOfA;
  b = stage.ownerOfB;
  projectId = await addProject(a, ['reader', 'writer']);
  projectGrantId = await addGrant(a, projectId, stage.orgB, ['reader']);
});
afterAll(() => stage.world.close());

const create = async (
  api: AdminApi,
  userId: string,
  organizationId: string,
  roleKeys: readonly string[] = ['reader'],
): Promise<string> =>
  (await api.call<{ id: string }>('POST', PATH, { userId, projectId, organizationId, roleKeys })).id;

const idsIn = async (api: AdminApi, filters: readonly object[] = []): Promise<string[]> =>
  (
    await api.call<{ authorizations: Array<{ id: string }> }>('POST', `${PATH}/_search`, {
      filters,
      pagination: { limit: 1_000 },
    })
  ).authorizations.map(({ id }) => id);

describe('Authorizations of the second generation', () => {
  it('are the user grants of the first, and in tokens', async () => {
    const person = await addPerson(stage, stage.orgA);
    const id = await create(a, person.id, stage.orgA.id, ['reader', 'writer']);
    const { authorizations } = await a.call('POST', `${PATH}/_search`, {
      filters: [{ authorizationIds: { ids: [id] } }],
    });
    expect(authorizations).toEqual([
      {
        id,
        creationDate: DATE,
        changeDate: DATE,
        project: { id: projectId, name: expect.any(String), organizationId: stage.orgA.id },
        organization: { id: stage.orgA.id, name: 'orga.test' },
        user: {
          id: person.id,
          preferredLoginName: person.loginName,
          displayName: 'Given Family',
          avatarUrl: '',
          organizationId: stage.orgA.id,
        },
        state: 'STATE_ACTIVE',
        roles: [
          { key: 'reader', displayName: 'reader', group: '' },
          { key: 'writer', displayName: 'writer', group: '' },
        ],
      },
    ]);
    expect((await a.call('GET', `/management/v1/users/${person.id}/grants/${id}`)).userGrant).toMatchObject({
      roleKeys: ['reader', 'writer'],
      projectGrantId: '',
    });
    const rp = new RelyingParty(stage.world, await stage.world.add.client({ projectId }));
    const { access_token: token } = await rp.tokens(person);
    expect(Object.keys((await rp.introspect(token)).json()[ROLES] as object)).toEqual(['reader', 'writer']);
    expect(await eventsOf(stage, id)).toEqual(['user.grant.added']);
  });

  it('are changed, deactivated, activated and removed', async () => {
    const person = await addPerson(stage, stage.orgA);
    const id = await create(a, person.id, stage.orgA.id);
    expect(await a.verdict('POST', `${PATH}/${id}`, {})).toBe('400 roleKeys');
    expect(await a.call('POST', `${PATH}/${id}`, { roleKeys: ['writer'] })).toEqual({ changeDate: DATE });
    expect(await a.call('POST', `${PATH}/${id}/deactivate`)).toEqual({ changeDate: DATE });
    expect(await a.verdict('POST', `${PATH}/${id}/deactivate`)).toBe('400 user_grant.state_unchanged');
    const { userGrant } = await a.call('GET', `/management/v1/users/${person.id}/grants/${id}`);
    expect(userGrant).toMatchObject({ roleKeys: ['writer'], state: 'USER_GRANT_STATE_INACTIVE' });
    expect(await a.call('POST', `${PATH}/${id}/activate`)).toEqual({ changeDate: DATE });
    expect(await a.call('DELETE', `${PATH}/${id}`)).toEqual({ deletionDate: DATE });
    expect(await a.verdict('DELETE', `${PATH}/${id}`)).toBe('404 user_grant.not_found');
  });

  it('of a project of another organization need its grant, and its roles', async () => {
    const person = await addPerson(stage, stage.orgB);
    const body = { userId: person.id, projectId, organizationId: stage.orgB.id };
    expect(await b.verdict('POST', PATH, { ...body, roleKeys: ['writer'] })).toBe('400 roleKeys');
    const other = await addProject(a, ['reader']);
    expect(await b.verdict('POST', PATH, { ...body, projectId: other, roleKeys: ['reader'] })).toBe(
      '404 project.not_found',
    );
    const id = await create(b, person.id, stage.orgB.id);
    const { userGrant } = await b.call('GET', `/management/v1/users/${person.id}/grants/${id}`);
    expect(userGrant).toMatchObject({ projectGrantId, orgId: stage.orgB.id });
    expect(await b.verdict('POST', `${PATH}/${id}`, { roleKeys: ['writer'] })).toBe('400 roleKeys');
    expect(await b.verdict('POST', PATH, { ...body, roleKeys: ['reader'] })).toBe('409 user_grant.exists');
    await a.call('POST', `/v2/projects/${projectId}/grants/${stage.orgB.id}/deactivate`);
    const next = await addPerson(stage, stage.orgB);
    expect(await b.verdict('POST', PATH, { ...body, userId: next.id, roleKeys: ['reader'] })).toBe(
      '400 user_grant.project_grant_inactive',
    );
    await a.call('POST', `/v2/projects/${projectId}/grants/${stage.orgB.id}/activate`);
  });

  it('are found by each of their filters', async () => {
    const own = await addProject(a, ['inspector']);
    const person = await addPerson(stage, stage.orgA);
    const id = await addUserGrant(a, person.id, own, ['inspector']);
    const elsewhere = await create(b, (await addPerson(stage, stage.orgB)).id, stage.orgB.id);
    const { authorizations } = await a.call('POST', `${PATH}/_search`, {
      filters: [{ authorizationIds: { ids: [id] } }],
    });
    const [{ project }] = authorizations as [{ project: { name: string } }];
    for (const filters of [
      [{ projectId: { id: own } }],
      [{ projectName: { name: project.name.toUpperCase(), method: 'TEXT_FILTER_METHOD_EQUALS_IGNORE_CASE' } }],
      [{ inUserIds: { ids: [person.id, '1'] } }],
      [{ userPreferredLoginName: { loginName: person.loginName } }],
      [{ roleKey: { key: 'spect', method: 'TEXT_FILTER_METHOD_CONTAINS' } }, { projectId: { id: own } }],
      [{ userDisplayName: { displayName: 'Given Family' } }, { projectId: { id: own } }],
      [{ organizationId: { id: stage.orgA.id } }, { projectId: { id: own } }],
      [{ userOrganizationId: { id: stage.orgA.id } }, { projectId: { id: own } }],
      [{ state: { state: 'STATE_ACTIVE' } }, { projectId: { id: own } }],
    ])
      expect([filters, await idsIn(a, filters)]).toEqual([filters, [id]]);
    expect(await idsIn(a, [{ state: { state: 'STATE_INACTIVE' } }, { projectId: { id: own } }])).toEqual([]);
    expect(await idsIn(a, [{ projectGrantId: { id: projectGrantId } }])).toContain(elsewhere);
    const part = { loginName: 'x', method: 'TEXT_FILTER_METHOD_CONTAINS' };
    expect(await a.verdict('POST', `${PATH}/_search`, { filters: [{ userPreferredLoginName: part }] })).toBe(
      '400 filters[0].userPreferredLoginName.method',
    );
    for (const name of ['CREATED_DATE', 'CHANGED_DATE', 'ID', 'USER_ID', 'PROJECT_ID', 'ORGANIZATION_ID'])
      expect(await a.verdict('POST', `${PATH}/_search`, { sortingColumn: `AUTHORIZATION_FIELD_NAME_${name}` })).toBe(
        '200',
      );
    const sorted = { sortingColumn: 'AUTHORIZATION_FIELD_NAME_USER_ORGANIZATION_ID', pagination: { asc: true } };
    const page = await stage.iamOwner.call('POST', `${PATH}/_search`, sorted);
    const orgs = (page.authorizations as Array<{ user: { organizationId: string } }>).map((one) => one.user);
    expect(orgs.map(({ organizationId }) => organizationId)).toEqual(
      orgs.map(({ organizationId }) => organizationId).sort(),
    );
  });

  it('are read by who granted them, and by who owns the project', async () => {
    const ofA = await create(a, (await addPerson(stage, stage.orgA)).id, stage.orgA.id);
    const ofB = await create(b, (await addPerson(stage, stage.orgB)).id, stage.orgB.id);
    expect(await idsIn(a)).toEqual(expect.arrayContaining([ofA, ofB]));
    expect(await idsIn(b)).toContain(ofB);
    expect(await idsIn(b)).not.toContain(ofA);
    expect(await idsIn(stage.iamOwner)).toEqual(expect.arrayContaining([ofA, ofB]));
  });

  it('are not the grants of groups, which have no user', async () => {
    const { groupId } = await a.call('POST', '/management/v1/groups', { name: `Group ${Date.now()}` });
    const { groupGrantId } = await a.call('POST', `/management/v1/groups/${groupId}/grants`, {
      projectId,
      roleKeys: ['reader'],
    });
    expect(await idsIn(a)).not.toContain(groupGrantId);
    expect(await a.verdict('DELETE', `${PATH}/${groupGrantId}`)).toBe('404 user_grant.not_found');
  });
});

describe('An authorization [ADM-101]', () => {
  it('is out of reach for others, and answered as if it did not exist', async () => {
    const id = await create(a, (await addPerson(stage, stage.orgA)).id, stage.orgA.id);
    for (const one of [id, '1'])
      expect([
        await b.verdict('POST', `${PATH}/${one}`, { roleKeys: [] }),
        await b.verdict('POST', `${PATH}/${one}/deactivate`),
        await b.verdict('POST', `${PATH}/${one}/activate`),
        await b.verdict('DELETE', `${PATH}/${one}`),
      ]).toEqual(Array.from({ length: 4 }, () => '404 user_grant.not_found'));
  });

  it('that another organization granted for a project is read by its owner, and changed by nobody there', async () => {
    const id = await create(b, (await addPerson(stage, stage.orgB)).id, stage.orgB.id);
    expect(await idsIn(a)).toContain(id);
    expect(await a.verdict('DELETE', `${PATH}/${id}`)).toBe('404 user_grant.not_found');
    const owner = await managerOf(stage, stage.orgA, 'PROJECT_OWNER', projectId);
    expect(await owner.verdict('POST', `${PATH}/${id}`, { roleKeys: [] })).toBe('404 user_grant.not_found');
  });

  it('is not made in an organization where the caller may not grant', async () => {
    const person = await addPerson(stage, stage.orgA);
    const body = { userId: person.id, projectId, organizationId: stage.orgA.id, roleKeys: ['reader'] };
    expect(await b.verdict('POST', PATH, body)).toBe('404 org.not_found');
    const owner = await managerOf(stage, stage.orgA, 'PROJECT_OWNER', projectId);
    expect(await owner.verdict('POST', PATH, { ...body, organizationId: stage.orgB.id })).toBe('404 org.not_found');
    const granted = await managerOf(stage, stage.orgB, 'PROJECT_GRANT_OWNER', projectGrantId);
    expect(await granted.verdict('POST', PATH, body)).toBe('404 org.not_found');
  });

  it('is not made for a user of an organization whose users the caller may not read', async () => {
    const person = await addPerson(stage, stage.orgB);
    const body = { projectId, organizationId: stage.orgA.id, roleKeys: ['reader'] };
    for (const userId of [person.id, '1'])
      expect(await a.verdict('POST', PATH, { ...body, userId })).toBe('404 user.not_found');
  });

  it('needs no role of the organization if there is one of the project, or of its grant', async () => {
    const other = await addProject(a, ['reader']);
    const beyond = await addUserGrant(a, (await addPerson(stage, stage.orgA)).id, other, ['reader']);
    const owner = await managerOf(stage, stage.orgA, 'PROJECT_OWNER', projectId);
    const ofA = await create(owner, (await addPerson(stage, stage.orgA)).id, stage.orgA.id, ['writer']);
    const granted = await managerOf(stage, stage.orgB, 'PROJECT_GRANT_OWNER', projectGrantId);
    const ofB = await create(granted, (await addPerson(stage, stage.orgB)).id, stage.orgB.id);
    expect(await idsIn(owner)).toEqual(expect.arrayContaining([ofA, ofB]));
    expect(await idsIn(owner)).not.toContain(beyond);
    expect(await idsIn(granted)).toContain(ofB);
    expect(await idsIn(granted)).not.toContain(ofA);
    expect(await granted.verdict('POST', `${PATH}/${ofB}/deactivate`)).toBe('200');
    expect(await owner.verdict('DELETE', `${PATH}/${ofA}`)).toBe('200');
    expect(await owner.verdict('DELETE', `${PATH}/${beyond}`)).toBe('404 user_grant.not_found');
  });

  it('is only read with a role that only reads', async () => {
    const id = await create(a, (await addPerson(stage, stage.orgA)).id, stage.orgA.id);
    expect(await idsIn(stage.viewerOfA)).toContain(id);
    expect(await stage.viewerOfA.verdict('DELETE', `${PATH}/${id}`)).toBe('403 permission.missing');
    const { api } = await callerWith(stage.world, stage.orgA, []);
    expect(await api.verdict('POST', `${PATH}/_search`, {})).toBe('403 permission.missing');
  });
});
