import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import {
  addGrant,
  addPerson,
  addProject,
  addUserGrant,
  eventsOf,
  MARK,
  managerOf,
  type Stage,
  setStage,
} from './project-support.js';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.world.close());

const grantsOf = (projectId: string): string => `/management/v1/projects/${projectId}/grants`;
const ROLES = 'urn:service:iam:org:project:roles';

async function lend(
  roleKeys: readonly string[] = ['reader'],
): Promise<{ projectId: string; grantId: string; path: string }> {
  const projectId = await addProject(stage.ownerOfA, ['reader', 'writer']);
  const grantId = await addGrant(stage.ownerOfA, projectId, stage.orgB, roleKeys);
  return { projectId, grantId, path: `${grantsOf(projectId)}/${grantId}` };
}

describe('AddProjectGrant', () => {
  it('lends a project to another organization; both sides see it', async () => {
    const { ownerOfA, ownerOfB, orgA, orgB, world } = stage;
    const projectId = await addProject(ownerOfA, ['reader', 'writer']);
    const { grantId, details } = await ownerOfA.call('POST', grantsOf(projectId), {
      grantedOrgId: orgB.id,
      roleKeys: ['reader', 'reader'],
    });
    expect(details).toEqual({ ...MARK, sequence: '1', creationDate: details.changeDate, resourceOwner: orgA.id });
    const [{ name: projectName }] = (await ownerOfA.call('POST', '/management/v1/projects/_search', {})).result.filter(
      ({ id }: { id: string }) => id === projectId,
    );
    const expected = {
      grantId,
      grantedOrgId: orgB.id,
      grantedOrgName: orgB.domain,
      grantedRoleKeys: ['reader'],
      state: 'PROJECT_GRANT_STATE_ACTIVE',
      projectId,
      projectName,
      projectOwnerId: orgA.id,
      projectOwnerName: orgA.domain,
      details,
    };
    expect((await ownerOfA.call('GET', `${grantsOf(projectId)}/${grantId}`)).projectGrant).toEqual(expected);
    expect((await ownerOfA.call('POST', `${grantsOf(projectId)}/_search`, {})).result).toEqual([expected]);
    expect(
      (await ownerOfB.call('GET', `/management/v1/granted_projects/${projectId}/grants/${grantId}`)).grantedProject,
    ).toEqual(expected);
    const { result: roles } = await ownerOfB.call(
      'POST',
      `/management/v1/granted_projects/${projectId}/grants/${grantId}/roles/_search`,
      {},
    );
    expect(roles).toMatchObject([{ key: 'reader', displayName: 'reader', details: { resourceOwner: orgA.id } }]);
    expect(await eventsOf(stage, grantId)).toEqual(['project.grant.added']);
    expect(await ownerOfB.verdict('GET', `/management/v1/projects/${projectId}`)).toBe('404 project.not_found');
    expect(await ownerOfA.verdict('GET', `/management/v1/granted_projects/${projectId}/grants/${grantId}`)).toBe(
      '404 project_grant.not_found',
    );
    expect(await world.rows('SELECT 1 FROM project_grant WHERE id = $1', [grantId])).toHaveLength(1);
  });

  it.each<[string, (orgs: { a: TestOrg; b: TestOrg }) => Json, string]>([
    ['nothing', () => ({}), '400 grantedOrgId'],
    ['an unknown organization', () => ({ grantedOrgId: '1' }), '404 org.not_found'],
    ['the owner itself', ({ a }) => ({ grantedOrgId: a.id }), '400 project_grant.to_owner'],
    [
      'roles that the project lacks',
      ({ b }) => ({ grantedOrgId: b.id, roleKeys: ['reader', 'king', 'queen'] }),
      '400 roleKeys, roleKeys',
    ],
  ])('refuses %s', async (_, body, verdict) => {
    const projectId = await addProject(stage.ownerOfA, ['reader']);
    expect(await stage.ownerOfA.verdict('POST', grantsOf(projectId), body({ a: stage.orgA, b: stage.orgB }))).toBe(
      verdict,
    );
    expect((await stage.ownerOfA.call('POST', `${grantsOf(projectId)}/_search`, {})).result).toEqual([]);
  });

  it('refuses a second grant, and makes one of two at once', async () => {
    const projectId = await addProject(stage.ownerOfA);
    const body = { grantedOrgId: stage.orgB.id };
    const verdicts = await Promise.all([1, 2].map(() => stage.ownerOfA.verdict('POST', grantsOf(projectId), body)));
    expect(verdicts.sort()).toEqual(['200', '409 project_grant.exists']);
    expect(await stage.ownerOfA.verdict('POST', grantsOf(projectId), body)).toBe('409 project_grant.exists');
  });
});

describe('What a project grant means when people sign in', () => {
  it('admits people of the organization to a project that admits its own alone, as long as it is active', async () => {
    const { world, ownerOfA, orgA, orgB } = stage;
    const projectId = await addProject(ownerOfA, [], { hasProjectCheck: true });
    const rp = new RelyingParty(world, await world.add.client({ projectId }));
    const [own, lent, stranger] = [
      await addPerson(stage, orgA),
      await addPerson(stage, orgB),
      await addPerson(stage, await world.add.org()),
    ];
    const outcome = async (person: typeof own): Promise<string> => {
      const { code, error } = await rp.elsewhere().signIn(person);
      return code === undefined ? String(error) : 'code';
    };
    const outcomes = async (): Promise<string[]> => Promise.all([own, lent, stranger].map(outcome));
    expect(await outcomes()).toEqual(['code', 'access_denied', 'access_denied']);
    const grantId = await addGrant(ownerOfA, projectId, orgB, []);
    expect(await outcomes()).toEqual(['code', 'code', 'access_denied']);
    await ownerOfA.call('POST', `${grantsOf(projectId)}/${grantId}/_deactivate`, {});
    expect(await outcomes()).toEqual(['code', 'access_denied', 'access_denied']);
    await ownerOfA.call('POST', `${grantsOf(projectId)}/${grantId}/_reactivate`, {});
    expect(await outcomes()).toEqual(['code', 'code', 'access_denied']);
    await ownerOfA.call('DELETE', `${grantsOf(projectId)}/${grantId}`);
    expect(await outcomes()).toEqual(['code', 'access_denied', 'access_denied']);
  });

  it('lets the organization give roles, which count as long as it is active', async () => {
    const { world, ownerOfA, ownerOfB, orgB } = stage;
    const { projectId, path } = await lend(['reader']);
    await ownerOfA.call('PUT', `/management/v1/projects/${projectId}`, {
      name: `Checked ${projectId}`,
      projectRoleCheck: true,
      projectRoleAssertion: true,
    });
    const client = await world.add.client({
      projectId,
      accessTokenType: 'jwt',
      accessTokenRoleAssertion: true,
      idTokenRoleAssertion: true,
    });
    const rp = new RelyingParty(world, client);
    const lent = await addPerson(stage, orgB);
    expect(await rp.signIn(lent)).toMatchObject({ error: 'access_denied' });
    await addUserGrant(ownerOfB, lent.id, projectId, ['reader']);
    const tokens = await rp.tokens(lent);
    const expected = { reader: { [orgB.id]: orgB.domain } };
    const said = async (): Promise<unknown[]> => [
      (await rp.userinfo(tokens.access_token)).json()[ROLES],
      (await rp.introspect(tokens.access_token)).json()[ROLES],
    ];
    const inToken = (token: string): unknown =>
      (JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Json)[ROLES];
    expect([inToken(tokens.access_token), inToken(tokens.id_token), ...(await said())]).toEqual([
      expected,
      expected,
      expected,
      expected,
    ]);
    await ownerOfA.call('POST', `${path}/_deactivate`, {});
    expect(await said()).toEqual([undefined, undefined]);
    expect(await rp.elsewhere().signIn(lent)).toMatchObject({ error: 'access_denied' });
    await ownerOfA.call('POST', `${path}/_reactivate`, {});
    expect(await said()).toEqual([expected, expected]);
  });
});

describe('UpdateProjectGrant', () => {
  it('replaces the roles, and removes lost ones only from users who got them through it', async () => {
    const { world, ownerOfA, ownerOfB, orgA, orgB } = stage;
    const { projectId, grantId, path } = await lend(['reader', 'writer']);
    const [own, both, one] = [await addPerson(stage, orgA), await addPerson(stage, orgB), await addPerson(stage, orgB)];
    const ids = [
      await addUserGrant(ownerOfA, own.id, projectId, ['reader', 'writer']),
      await addUserGrant(ownerOfB, both.id, projectId, ['reader', 'writer']),
      await addUserGrant(ownerOfB, one.id, projectId, ['reader']),
    ];
    const { details } = await ownerOfA.call('PUT', path, { roleKeys: ['reader'] });
    expect(details).toEqual({ ...MARK, sequence: '2', resourceOwner: orgA.id });
    expect((await ownerOfA.call('PUT', path, { roleKeys: ['reader', 'reader'] })).details).toEqual(details);
    const held = await world.rows<{ id: string; roles: string[] }>(
      'SELECT id, role_keys AS roles FROM user_grant WHERE project_id = $1',
      [projectId],
    );
    expect(ids.map((id) => held.find((grant) => grant.id === id)?.roles)).toEqual([
      ['reader', 'writer'],
      ['reader'],
      ['reader'],
    ]);
    expect(await Promise.all(ids.map((id) => eventsOf(stage, id)))).toEqual([
      ['user.grant.added'],
      ['user.grant.added', 'user.grant.cascade.changed'],
      ['user.grant.added'],
    ]);
    expect(await eventsOf(stage, grantId)).toEqual(['project.grant.added', 'project.grant.changed']);
    expect(
      await ownerOfB.verdict('POST', `/management/v1/users/${one.id}/grants`, { projectId, roleKeys: ['writer'] }),
    ).toMatch(/^4/);
    expect(
      await ownerOfB.verdict('PUT', `/management/v1/users/${both.id}/grants/${ids[1]}`, { roleKeys: ['writer'] }),
    ).toBe('400 roleKeys');
    expect(await ownerOfA.verdict('PUT', path, { roleKeys: ['king'] })).toBe('400 roleKeys');
  });

  it('two at once: the last one counts, and no user has more roles', async () => {
    const { projectId, path } = await lend(['reader', 'writer']);
    const person = await addPerson(stage, stage.orgB);
    await addUserGrant(stage.ownerOfB, person.id, projectId, ['reader', 'writer']);
    const verdicts = await Promise.all(
      [['reader'], ['writer']].map((roleKeys) => stage.ownerOfA.verdict('PUT', path, { roleKeys })),
    );
    expect(verdicts).toEqual(['200', '200']);
    expect(
      await stage.world.rows('SELECT role_keys AS roles FROM user_grant WHERE project_id = $1', [projectId]),
    ).toEqual([{ roles: [] }]);
  });
});

describe('DeactivateProjectGrant, ReactivateProjectGrant and RemoveProjectGrant', () => {
  it('leave events; twice is refused, and two at once find one', async () => {
    const { ownerOfA, ownerOfB, orgA, orgB } = stage;
    const { projectId, grantId, path } = await lend(['reader']);
    const person = await addPerson(stage, orgB);
    const userGrantId = await addUserGrant(ownerOfB, person.id, projectId, ['reader']);
    await managerOf(stage, orgB, 'PROJECT_GRANT_OWNER', grantId);
    expect((await ownerOfA.call('POST', `${path}/_deactivate`, {})).details).toEqual({
      ...MARK,
      sequence: '3',
      resourceOwner: orgA.id,
    });
    expect(await ownerOfA.verdict('POST', `${path}/_deactivate`, {})).toBe('400 project_grant.state_unchanged');
    expect(
      (await ownerOfB.call('GET', `/management/v1/granted_projects/${projectId}/grants/${grantId}`)).grantedProject
        .state,
    ).toBe('PROJECT_GRANT_STATE_INACTIVE');
    expect(
      await ownerOfB.verdict('POST', `/management/v1/users/${(await addPerson(stage, orgB)).id}/grants`, {
        projectId,
        roleKeys: ['reader'],
      }),
    ).toBe('400 user_grant.project_grant_inactive');
    await ownerOfA.call('POST', `${path}/_reactivate`, {});
    expect(await ownerOfA.verdict('POST', `${path}/_reactivate`, {})).toBe('400 project_grant.state_unchanged');
    const verdicts = await Promise.all([1, 2].map(() => ownerOfA.verdict('DELETE', path)));
    expect(verdicts.sort()).toEqual(['200', '404 project_grant.not_found']);
    expect(await eventsOf(stage, grantId)).toEqual([
      'project.grant.added',
      'project.grant.member.added',
      'project.grant.deactivated',
      'project.grant.reactivated',
      'project.grant.member.cascade.removed',
      'project.grant.removed',
    ]);
    expect((await eventsOf(stage, userGrantId)).at(-1)).toBe('user.grant.cascade.removed');
    expect(await ownerOfB.verdict('GET', `/management/v1/users/${person.id}/grants/${userGrantId}`)).toBe(
      '404 user_grant.not_found',
    );
  });
});

describe('lists of project grants', () => {
  it('filter by project, organization, role and name', async () => {
    const { ownerOfA, ownerOfB, orgA, orgB, world } = stage;
    const orgC = await world.add.org();
    const [one, other] = [await addProject(ownerOfA, ['reader', 'writer']), await addProject(ownerOfA, ['reader'])];
    const grants = [
      await addGrant(ownerOfA, one, orgB, ['reader']),
      await addGrant(ownerOfA, one, orgC, ['writer']),
      await addGrant(ownerOfA, other, orgC, ['reader']),
    ];
    const found = async (path: string, ...queries: Json[]): Promise<string[]> => {
      const { result } = await ownerOfA.call('POST', path, { queries });
      return result.map(({ grantId }: { grantId: string }) => grantId).filter((id: string) => grants.includes(id));
    };
    const all = '/management/v1/projectgrants/_search';
    expect(await found(all)).toEqual(grants);
    expect(await found(all, { projectIdQuery: { projectId: one } })).toEqual(grants.slice(0, 2));
    expect(await found(all, { grantedOrgIdQuery: { grantedOrgId: orgC.id } })).toEqual(grants.slice(1));
    expect(await found(all, { roleKeyQuery: { roleKey: 'writ', method: 'TEXT_QUERY_METHOD_STARTS_WITH' } })).toEqual([
      grants[1],
    ]);
    expect(
      await found(`${grantsOf(one)}/_search`, {
        roleKeyQuery: { roleKey: 'READER', method: 'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE' },
      }),
    ).toEqual([grants[0]]);
    expect(await found(`${grantsOf(one)}/_search`, { projectNameQuery: { name: 'nothing' } })).toEqual([]);
    const { result } = await ownerOfB.call('POST', '/management/v1/granted_projects/_search', {});
    expect(result.map(({ grantId }: { grantId: string }) => grantId)).toContain(grants[0]);
    expect(result.map(({ grantedOrgId }: { grantedOrgId: string }) => grantedOrgId)).toEqual(result.map(() => orgB.id));
    const ownedBy = async (resourceOwner: string): Promise<string[]> =>
      (
        await ownerOfB.call('POST', '/management/v1/granted_projects/_search', {
          queries: [{ projectResourceOwnerQuery: { resourceOwner } }],
        })
      ).result.map(({ projectOwnerId }: { projectOwnerId: string }) => projectOwnerId);
    expect(new Set(await ownedBy(orgA.id))).toEqual(new Set([orgA.id]));
    expect(await ownedBy(orgC.id)).toEqual([]);
  });

  it('are shown to managers of single projects or grants', async () => {
    const { ownerOfA, orgA, orgB } = stage;
    const { projectId, grantId } = await lend();
    await lend();
    const manager = await managerOf(stage, orgA, 'PROJECT_OWNER', projectId);
    expect(
      (await manager.call('POST', '/management/v1/projectgrants/_search', {})).result.map(
        (grant: Json) => grant['grantId'],
      ),
    ).toEqual([grantId]);
    const lent = await managerOf(stage, orgB, 'PROJECT_GRANT_OWNER', grantId);
    expect(
      (await lent.call('POST', '/management/v1/granted_projects/_search', {})).result.map(
        (grant: Json) => grant['grantId'],
      ),
    ).toEqual([grantId]);
    expect(await lent.verdict('GET', `/management/v1/granted_projects/${projectId}/grants/${grantId}`)).toBe('200');
    expect(
      await lent.verdict('POST', `/management/v1/granted_projects/${projectId}/grants/${grantId}/roles/_search`, {}),
    ).toBe('200');
    const other = await lend();
    expect(
      await lent.verdict('GET', `/management/v1/granted_projects/${other.projectId}/grants/${other.grantId}`),
    ).toBe('403 permission.missing');
    for (const [method, path] of [
      ['PUT', ''],
      ['POST', '/_deactivate'],
      ['DELETE', ''],
    ] as const) {
      expect(
        await lent.verdict(method, `${grantsOf(projectId)}/${grantId}${path}`, method === 'DELETE' ? undefined : {}),
      ).toBe('403 permission.missing');
      expect(
        await lent
          .about(orgA.id)
          .verdict(method, `${grantsOf(projectId)}/${grantId}${path}`, method === 'DELETE' ? undefined : {}),
      ).toBe('403 permission.missing');
    }
    expect(await ownerOfA.verdict('GET', `${grantsOf(projectId)}/${grantId}`)).toBe('200');
  });
});
