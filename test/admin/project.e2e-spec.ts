import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callerWith, type Json } from '../support/admin-api.js';
import { uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import {
  addGrant,
  addOidcApp,
  addPerson,
  addProject,
  addUserGrant,
  eventsOf,
  MARK,
  managerOf,
  type Stage,
  setStage,
} from './project-support.js';

const PATH = '/management/v1/projects';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.world.close());

describe('AddProject', () => {
  it('makes a project with all its settings, which is then read and listed', async () => {
    const { ownerOfA, orgA } = stage;
    const settings = {
      name: uniqueName('Timetable'),
      projectRoleAssertion: true,
      projectRoleCheck: true,
      hasProjectCheck: true,
      privateLabelingSetting: 'PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY',
    };
    const { id, details } = await ownerOfA.call('POST', PATH, settings);
    expect(details).toEqual({ ...MARK, creationDate: details.changeDate, resourceOwner: orgA.id });
    const { project } = await ownerOfA.call('GET', `${PATH}/${id}`);
    expect(project).toEqual({ id, details, state: 'PROJECT_STATE_ACTIVE', ...settings });
    const { result, details: list } = await ownerOfA.call('POST', `${PATH}/_search`, {
      queries: [{ nameQuery: { name: settings.name } }],
    });
    expect([result, list.totalResult]).toEqual([[project], '1']);
    expect(await eventsOf(stage, id)).toEqual(['project.added']);
  });

  it('writes every field, including omitted ones', async () => {
    const id = await addProject(stage.ownerOfA);
    expect((await stage.ownerOfA.call('GET', `${PATH}/${id}`)).project).toMatchObject({
      projectRoleAssertion: false,
      projectRoleCheck: false,
      hasProjectCheck: false,
      privateLabelingSetting: 'PRIVATE_LABELING_SETTING_UNSPECIFIED',
    });
  });

  it('names its first managers', async () => {
    const [one, other] = [await addPerson(stage, stage.orgA), await addPerson(stage, stage.orgA)];
    const id = await addProject(stage.ownerOfA, [], {
      admins: [{ userId: one.id }, { userId: other.id, roles: ['PROJECT_OWNER_VIEWER'] }],
    });
    const { result } = await stage.ownerOfA.call('POST', `${PATH}/${id}/members/_search`, {});
    expect(result.map(({ userId, roles }: { userId: string; roles: string[] }) => [userId, roles])).toEqual([
      [one.id, ['PROJECT_OWNER']],
      [other.id, ['PROJECT_OWNER_VIEWER']],
    ]);
  });

  it('is owned by its creator only if they could not manage it otherwise', async () => {
    const { api: creator } = await callerWith(stage.world, stage.orgA, ['ORG_PROJECT_CREATOR']);
    const id = await addProject(creator, ['reader']);
    expect(await creator.verdict('PUT', `${PATH}/${id}`, { name: uniqueName('Renamed') })).toBe('200');
    expect(await creator.verdict('PUT', `${PATH}/${await addProject(stage.ownerOfA)}`, { name: 'x' })).toBe(
      '403 permission.missing',
    );
    const own = await addProject(stage.ownerOfA);
    expect((await stage.ownerOfA.call('POST', `${PATH}/${own}/members/_search`, {})).result).toEqual([]);
  });

  it.each<[string, () => Json | Promise<Json>, string]>([
    ['no name', () => ({}), '400 name'],
    ['a blank name', () => ({ name: ' \t ' }), '400 name'],
    ['201 characters', () => ({ name: '😀'.repeat(201) }), '400 name'],
    ['NUL in a name', () => ({ name: 'a\0b' }), '400 name'],
    ['an unknown appearance', () => ({ name: 'x', privateLabelingSetting: 99 }), '400 privateLabelingSetting'],
    [
      'a manager role of another level',
      async () => ({
        name: uniqueName('x'),
        admins: [{ userId: (await addPerson(stage, stage.orgA)).id, roles: ['ORG_OWNER'] }],
      }),
      '400 admins[0].roles',
    ],
    ['an unknown manager', () => ({ name: uniqueName('x'), admins: [{ userId: '1' }] }), '404 user.not_found'],
    [
      'a manager of another organization',
      async () => ({ name: uniqueName('x'), admins: [{ userId: (await addPerson(stage, stage.orgB)).id }] }),
      '404 user.not_found',
    ],
  ])('refuses %s and makes nothing', async (_, body, verdict) => {
    const sent = await body();
    const before = await stage.world.contents();
    expect(await stage.ownerOfA.verdict('POST', PATH, sent)).toBe(verdict);
    expect(await stage.world.contents()).toBe(before);
  });

  it('takes 200 characters, counted as people count them', async () => {
    expect(await stage.ownerOfA.verdict('POST', PATH, { name: '😀'.repeat(200) })).toBe('200');
  });

  it('refuses a name twice in one organization, also at the same moment [ADM-033]', async () => {
    const name = uniqueName('Twice');
    const verdicts = await Promise.all([1, 2, 3].map(() => stage.ownerOfA.verdict('POST', PATH, { name })));
    expect(verdicts.sort()).toEqual(['200', '409 project.name_taken', '409 project.name_taken']);
    expect(await stage.ownerOfB.verdict('POST', PATH, { name })).toBe('200');
  });

  it('stores nothing but what it names [ADM-017]', async () => {
    const id = await addProject(stage.ownerOfA, [], {
      id: 'mine',
      orgId: stage.orgB.id,
      resourceOwner: stage.orgB.id,
      state: 'PROJECT_STATE_INACTIVE',
      sequence: '77',
    });
    expect(id).not.toBe('mine');
    expect((await stage.ownerOfA.call('GET', `${PATH}/${id}`)).project).toMatchObject({
      state: 'PROJECT_STATE_ACTIVE',
      details: { resourceOwner: stage.orgA.id },
    });
  });

  it('requires the permission to create projects', async () => {
    for (const api of [stage.viewerOfA, stage.nobodyOfA, stage.ownerOfB.about(stage.orgA.id)]) {
      expect(await api.verdict('POST', PATH, { name: 'x' })).toBe('403 permission.missing');
    }
  });
});

describe('UpdateProject', () => {
  it('replaces name and settings; the same again changes nothing', async () => {
    const id = await addProject(stage.ownerOfA, [], { projectRoleCheck: true });
    const body = { name: uniqueName('Renamed'), projectRoleAssertion: true };
    const { details } = await stage.ownerOfA.call('PUT', `${PATH}/${id}`, body);
    expect(details).toEqual({ ...MARK, sequence: '2', resourceOwner: stage.orgA.id });
    expect((await stage.ownerOfA.call('GET', `${PATH}/${id}`)).project).toMatchObject({
      name: body.name,
      projectRoleAssertion: true,
      projectRoleCheck: false,
    });
    expect((await stage.ownerOfA.call('PUT', `${PATH}/${id}`, body)).details).toEqual(details);
    expect(await eventsOf(stage, id)).toEqual(['project.added', 'project.changed']);
  });

  it('loses no change of two at once [ADM-034]', async () => {
    const id = await addProject(stage.ownerOfA);
    const verdicts = await Promise.all(
      [1, 2].map(() => stage.ownerOfA.verdict('PUT', `${PATH}/${id}`, { name: uniqueName('Renamed') })),
    );
    expect(verdicts).toEqual(['200', '200']);
    expect((await stage.ownerOfA.call('GET', `${PATH}/${id}`)).project.details.sequence).toBe('3');
  });

  it('refuses the name of another project', async () => {
    const [one, other] = [await addProject(stage.ownerOfA), await addProject(stage.ownerOfA)];
    const { name } = (await stage.ownerOfA.call('GET', `${PATH}/${one}`)).project;
    expect(await stage.ownerOfA.verdict('PUT', `${PATH}/${other}`, { name })).toBe('409 project.name_taken');
  });

  it('takes effect at the next sign-in: only people of the organization, or those who hold a role', async () => {
    const { world, ownerOfA } = stage;
    const id = await addProject(ownerOfA, ['reader']);
    const rp = new RelyingParty(world, await world.add.client({ projectId: id }));
    const stranger = await addPerson(stage, stage.orgB);
    const own = await addPerson(stage, stage.orgA);
    expect((await rp.signIn(stranger))['code']).toEqual(expect.any(String));
    await ownerOfA.call('PUT', `${PATH}/${id}`, { name: uniqueName('Closed'), hasProjectCheck: true });
    expect(await rp.elsewhere().signIn(stranger)).toMatchObject({ error: 'access_denied' });
    expect((await rp.elsewhere().signIn(own))['code']).toEqual(expect.any(String));
    await ownerOfA.call('PUT', `${PATH}/${id}`, { name: uniqueName('Closed'), projectRoleCheck: true });
    expect(await rp.elsewhere().signIn(own)).toMatchObject({ error: 'access_denied' });
    await addUserGrant(ownerOfA, own.id, id, ['reader']);
    expect((await rp.elsewhere().signIn(own))['code']).toEqual(expect.any(String));
  });
});

describe('DeactivateProject and ReactivateProject', () => {
  it('stop and start the sign-ins and the tokens of its applications; twice is refused', async () => {
    const { world, ownerOfA } = stage;
    const id = await addProject(ownerOfA);
    const rp = new RelyingParty(world, await world.add.client({ projectId: id }));
    const { access_token: token } = await rp.tokens(await addPerson(stage, stage.orgA));
    expect((await rp.userinfo(token)).status).toBe(200);
    expect((await ownerOfA.call('POST', `${PATH}/${id}/_deactivate`, {})).details).toEqual({
      ...MARK,
      sequence: '2',
      resourceOwner: stage.orgA.id,
    });
    expect(await ownerOfA.verdict('POST', `${PATH}/${id}/_deactivate`, {})).toBe('400 project.state_unchanged');
    expect((await ownerOfA.call('GET', `${PATH}/${id}`)).project.state).toBe('PROJECT_STATE_INACTIVE');
    expect((await rp.userinfo(token)).status).toBe(401);
    expect((await rp.elsewhere().authorizeOnce()).status).toBe(400);
    await ownerOfA.call('POST', `${PATH}/${id}/_reactivate`);
    expect(await ownerOfA.verdict('POST', `${PATH}/${id}/_reactivate`)).toBe('400 project.state_unchanged');
    expect((await rp.userinfo(token)).status).toBe(200);
    expect(await eventsOf(stage, id)).toEqual(['project.added', 'project.deactivated', 'project.reactivated']);
  });

  it('change the state once if two calls come at once', async () => {
    const id = await addProject(stage.ownerOfA);
    const verdicts = await Promise.all(
      [1, 2].map(() => stage.ownerOfA.verdict('POST', `${PATH}/${id}/_deactivate`, {})),
    );
    expect(verdicts.sort()).toEqual(['200', '400 project.state_unchanged']);
  });
});

describe('RemoveProject', () => {
  it('removes all that belongs to the project, and leaves an event for each object', async () => {
    const { world, ownerOfA, ownerOfB, orgA, orgB } = stage;
    const [manager, colleague, foreigner] = [
      await addPerson(stage, orgA),
      await addPerson(stage, orgA),
      await addPerson(stage, orgB),
    ];
    const id = await addProject(ownerOfA, ['reader'], { admins: [{ userId: manager.id }] });
    const { appId, clientId } = await addOidcApp(stage, ownerOfA, id);
    const grantId = await addGrant(ownerOfA, id, orgB, ['reader']);
    await managerOf(stage, orgB, 'PROJECT_GRANT_OWNER', grantId);
    const own = await addUserGrant(ownerOfA, colleague.id, id, ['reader']);
    const lent = await addUserGrant(ownerOfB, foreigner.id, id, ['reader']);
    const { details } = await ownerOfA.call('DELETE', `${PATH}/${id}`);
    expect(details).toEqual({ ...MARK, resourceOwner: orgA.id });
    expect((await eventsOf(stage, id)).slice(-2)).toEqual(['project.member.cascade.removed', 'project.removed']);
    expect((await eventsOf(stage, appId)).at(-1)).toBe('client.cascade.removed');
    expect((await eventsOf(stage, grantId)).slice(-2)).toEqual([
      'project.grant.member.cascade.removed',
      'project.grant.cascade.removed',
    ]);
    for (const grant of [own, lent]) expect((await eventsOf(stage, grant)).at(-1)).toBe('user.grant.cascade.removed');
    for (const table of ['project_role', 'project_grant', 'client', 'user_grant']) {
      expect([table, await world.rows(`SELECT 1 FROM ${table} WHERE project_id = $1`, [id])]).toEqual([table, []]);
    }
    expect(await world.rows('SELECT 1 FROM member WHERE object_id IN ($1, $2)', [id, grantId])).toEqual([]);
    expect((await new RelyingParty(world, { ...(await world.cast.web1), clientId }).authorizeOnce()).status).toBe(400);
    expect(await ownerOfA.verdict('DELETE', `${PATH}/${id}`)).toBe('404 project.not_found');
    expect(await ownerOfA.verdict('GET', `${PATH}/${id}`)).toBe('404 project.not_found');
  });

  it('removes a project once if two calls come at once', async () => {
    const id = await addProject(stage.ownerOfA);
    const verdicts = await Promise.all([1, 2].map(() => stage.ownerOfA.verdict('DELETE', `${PATH}/${id}`)));
    expect(verdicts.sort()).toEqual(['200', '404 project.not_found']);
  });
});

describe('The project of the service itself', () => {
  it('is only changed by owners of the instance, since its applications could obtain their tokens [ADM-007]', async () => {
    const { world, iamOwner } = stage;
    const { orgId, projectId } = world.firstStart;
    const { api: orgOwner } = await callerWith(world, { id: orgId, domain: '' }, ['ORG_OWNER']);
    const { api: orgManager } = await callerWith(world, { id: orgId, domain: '' }, ['IAM_ORG_MANAGER']);
    const { result } = await orgOwner.call('POST', `${PATH}/${projectId}/apps/_search`, {});
    const { id: appId, oidcConfig } = result.find(({ name }: { name: string }) => name === 'API documentation');
    const before = await world.contents();
    for (const api of [orgOwner, orgManager]) {
      for (const [method, path, body] of [
        ['PUT', '', { name: 'x' }],
        ['POST', '/_deactivate', {}],
        ['DELETE', '', undefined],
        ['POST', '/roles', { roleKey: 'x', displayName: 'x' }],
        ['PUT', `/apps/${appId}/oidc_config`, { ...oidcConfig, redirectUris: ['https://evil.test/cb'] }],
        ['POST', '/apps/oidc', { name: 'x' }],
        ['POST', '/grants', { grantedOrgId: stage.orgB.id }],
      ] as const) {
        expect([method, path, await api.verdict(method, `${PATH}/${projectId}${path}`, body)]).toEqual([
          method,
          path,
          '403 permission.missing',
        ]);
      }
    }
    expect(await world.contents()).toBe(before);
    const owner = iamOwner.about(orgId);
    expect(
      await owner.verdict('PUT', `${PATH}/${projectId}/apps/${appId}/oidc_config`, {
        ...oidcConfig,
        consentPage: true,
      }),
    ).toBe('200');
    await owner.call('PUT', `${PATH}/${projectId}/apps/${appId}/oidc_config`, oidcConfig);
  });

  it('stays: it is neither removed nor deactivated, nor is the application of the documentation', async () => {
    const { world, iamOwner } = stage;
    const owner = iamOwner.about(world.firstStart.orgId);
    const path = `${PATH}/${world.firstStart.projectId}`;
    const { result } = await owner.call('POST', `${path}/apps/_search`, {});
    expect(await owner.verdict('DELETE', path)).toBe('400 project.is_system');
    expect(await owner.verdict('POST', `${path}/_deactivate`, {})).toBe('400 project.is_system');
    const { id } = result.find(({ name }: { name: string }) => name === 'API documentation');
    expect(await owner.verdict('DELETE', `${path}/apps/${id}`)).toBe('400 client.is_documentation');
  });
});

describe('ListProjects', () => {
  it('sorts by name, pages and filters', async () => {
    const org = await stage.world.add.org();
    const { api } = await callerWith(stage.world, org, ['ORG_OWNER']);
    for (const name of ['beta', 'alpha', 'gamma', 'Alps_100%']) await api.call('POST', PATH, { name });
    const names = async (body: Json): Promise<string[]> =>
      (await api.call('POST', `${PATH}/_search`, body)).result.map(({ name }: { name: string }) => name);
    const all = await names({});
    expect([...all].sort()).toEqual(['Alps_100%', 'alpha', 'beta', 'gamma']);
    expect(await names({ query: { asc: false, limit: 2 } })).toEqual([...all].reverse().slice(0, 2));
    expect(await names({ query: { asc: true, offset: '1', limit: 2 } })).toEqual(all.slice(1, 3));
    expect(
      (
        await names({ queries: [{ nameQuery: { name: 'ALP', method: 'TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE' } }] })
      ).sort(),
    ).toEqual(['Alps_100%', 'alpha']);
    expect(await names({ queries: [{ nameQuery: { name: '%', method: 'TEXT_QUERY_METHOD_CONTAINS' } }] })).toEqual([
      'Alps_100%',
    ]);
    const ownedBy = async (resourceOwner: string): Promise<string[]> =>
      names({ queries: [{ projectResourceOwnerQuery: { resourceOwner } }] });
    expect([await ownedBy(org.id), await ownedBy(stage.orgA.id)]).toEqual([all, []]);
    expect(
      await names({ queries: [{ nameQuery: { name: "' OR 1=1--", method: 'TEXT_QUERY_METHOD_CONTAINS' } }] }),
    ).toEqual([]);
  });

  it('shows managers of single projects those projects only', async () => {
    const [mine, other] = [await addProject(stage.ownerOfA, ['reader']), await addProject(stage.ownerOfA, ['reader'])];
    const manager = await managerOf(stage, stage.orgA, 'PROJECT_OWNER', mine);
    const { result, details } = await manager.call('POST', `${PATH}/_search`, {});
    expect([result.map(({ id }: { id: string }) => id), details.totalResult]).toEqual([[mine], '1']);
    expect(await manager.verdict('GET', `${PATH}/${mine}`)).toBe('200');
    expect(await manager.verdict('POST', `${PATH}/${mine}/roles`, { roleKey: 'writer', displayName: 'Writer' })).toBe(
      '200',
    );
    expect(
      await manager.verdict('POST', `${PATH}/${mine}/apps/oidc`, { name: 'x', responseTypes: [], grantTypes: [] }),
    ).toBe('200');
    for (const path of ['', '/apps/_search', '/roles/_search', '/grants/_search']) {
      expect(
        await manager.verdict(path === '' ? 'GET' : 'POST', `${PATH}/${other}${path}`, path === '' ? undefined : {}),
      ).toBe('403 permission.missing');
    }
    expect(await manager.verdict('POST', PATH, { name: 'x' })).toBe('403 permission.missing');
    const viewer = await managerOf(stage, stage.orgA, 'PROJECT_OWNER_VIEWER', mine);
    expect(await viewer.verdict('GET', `${PATH}/${mine}`)).toBe('200');
    expect(await viewer.verdict('PUT', `${PATH}/${mine}`, { name: 'x' })).toBe('403 permission.missing');
  });
});

describe('ids in paths [ADM-024]', () => {
  it.each([
    '..',
    '%2e%2e',
    '0',
    '-1',
    '18446744073709551616',
    encodeURIComponent('１２'),
    'x'.repeat(201),
    "'%20OR%201=1--",
  ])('%s finds nothing', async (id) => {
    const { status } = await stage.ownerOfA.ask('GET', `${PATH}/${id}`);
    expect([400, 404, 405]).toContain(status);
  });
});
