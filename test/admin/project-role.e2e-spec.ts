import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../support/admin-api.js';
import { RelyingParty } from '../support/relying-party.js';
import {
  addGrant,
  addPerson,
  addProject,
  addUserGrant,
  eventsOf,
  MARK,
  type Stage,
  setStage,
} from './project-support.js';

let stage: Stage;
let projectId: string;
let path: string;

beforeAll(async () => {
  stage = await setStage();
  projectId = await addProject(stage.ownerOfA);
  path = `/management/v1/projects/${projectId}/roles`;
});
afterAll(() => stage.world.close());

const keys = async (body: Json = {}): Promise<string[]> =>
  (await stage.ownerOfA.call('POST', `${path}/_search`, body)).result.map(({ key }: { key: string }) => key);

describe('AddProjectRole', () => {
  it('adds a role, which is then listed; twice is refused', async () => {
    const { details } = await stage.ownerOfA.call('POST', path, {
      roleKey: 'reader',
      displayName: 'Reader',
      group: 'People',
    });
    expect(details).toEqual({ ...MARK, creationDate: details.changeDate, resourceOwner: stage.orgA.id });
    const { result } = await stage.ownerOfA.call('POST', `${path}/_search`, {});
    expect(result).toEqual([{ key: 'reader', details, displayName: 'Reader', group: 'People' }]);
    expect(await stage.ownerOfA.verdict('POST', path, { roleKey: 'reader', displayName: 'Other' })).toBe(
      '409 project.role_taken',
    );
  });

  it('adds a role once if two calls come at once', async () => {
    const verdicts = await Promise.all(
      [1, 2].map(() => stage.ownerOfA.verdict('POST', path, { roleKey: 'racer', displayName: 'Racer' })),
    );
    expect(verdicts.sort()).toEqual(['200', '409 project.role_taken']);
  });

  it.each<[string, Json, string]>([
    ['nothing', {}, '400 roleKey, displayName'],
    [
      '201 characters',
      { roleKey: 'x'.repeat(201), displayName: 'y'.repeat(201), group: 'z'.repeat(201) },
      '400 roleKey, displayName, group',
    ],
    ['NUL', { roleKey: 'a\0', displayName: 'x' }, '400 roleKey'],
    ['the name of an operation [ADM-098]', { roleKey: '_Bulk', displayName: 'x' }, '400 roleKey'],
    ['what stands for the project itself in a path [ADM-098]', { roleKey: '..', displayName: 'x' }, '400 roleKey'],
  ])('refuses %s', async (_, body, verdict) => {
    expect(await stage.ownerOfA.verdict('POST', path, body)).toBe(verdict);
  });

  it.each(['__proto__', 'constructor', 'a/b', 'ä ö', '%2F', '😀', "'; DROP TABLE project_role;--"])(
    'takes %s as nothing but a key',
    async (roleKey) => {
      await stage.ownerOfA.call('POST', path, { roleKey, displayName: roleKey });
      expect(await keys({ queries: [{ keyQuery: { key: roleKey } }] })).toEqual([roleKey]);
      await stage.ownerOfA.call('DELETE', `${path}/${encodeURIComponent(roleKey)}`);
      expect(await keys({ queries: [{ keyQuery: { key: roleKey } }] })).toEqual([]);
    },
  );
});

describe('BulkAddProjectRoles', () => {
  it('adds all, or none', async () => {
    const roles = ['bulk-a', 'bulk-b'].map((key) => ({ key, displayName: key, group: 'Bulk' }));
    expect((await stage.ownerOfA.call('POST', `${path}/_bulk`, { roles })).details).toMatchObject({
      ...MARK,
      resourceOwner: stage.orgA.id,
    });
    expect(await keys({ queries: [{ keyQuery: { key: 'bulk-', method: 'TEXT_QUERY_METHOD_STARTS_WITH' } }] })).toEqual([
      'bulk-a',
      'bulk-b',
    ]);
    const before = await stage.world.contents();
    expect(
      await stage.ownerOfA.verdict('POST', `${path}/_bulk`, { roles: [{ key: 'bulk-c', displayName: 'c' }, ...roles] }),
    ).toBe('409 project.role_taken');
    const twice = [
      { key: 'bulk-d', displayName: 'd' },
      { key: 'bulk-d', displayName: 'd' },
    ];
    expect(await stage.ownerOfA.verdict('POST', `${path}/_bulk`, { roles: twice })).toBe('400 roles[1].key');
    const named = ['bulk-e', '_search'].map((key) => ({ key, displayName: key }));
    expect(await stage.ownerOfA.verdict('POST', `${path}/_bulk`, { roles: named })).toBe('400 roles[1].key');
    expect(await stage.ownerOfA.verdict('POST', `${path}/_bulk`, { roles: [{ key: '' }] })).toBe(
      '400 roles[0].key, roles[0].displayName',
    );
    expect(
      await stage.ownerOfA.verdict('POST', `${path}/_bulk`, { roles: Array(501).fill({ key: 'x', displayName: 'x' }) }),
    ).toBe('400 roles');
    expect(await stage.world.contents()).toBe(before);
  });
});

describe('UpdateProjectRole', () => {
  it('replaces the names; the same again changes nothing; an unknown role is not found', async () => {
    await stage.ownerOfA.call('POST', path, { roleKey: 'named', displayName: 'Named' });
    const { details } = await stage.ownerOfA.call('PUT', `${path}/named`, { displayName: 'Renamed', group: 'G' });
    expect((await stage.ownerOfA.call('PUT', `${path}/named`, { displayName: 'Renamed', group: 'G' })).details).toEqual(
      details,
    );
    const { result } = await stage.ownerOfA.call('POST', `${path}/_search`, {
      queries: [{ displayNameQuery: { displayName: 'Renamed' } }],
    });
    expect(result).toMatchObject([
      { key: 'named', displayName: 'Renamed', group: 'G', details: { sequence: details.sequence } },
    ]);
    expect(await stage.ownerOfA.verdict('PUT', `${path}/nobody`, { displayName: 'x' })).toBe(
      '404 project.role_not_found',
    );
  });
});

describe('RemoveProjectRole', () => {
  it('takes the role from the grants of the project and from everybody who holds it, an event for each', async () => {
    const { world, ownerOfA, ownerOfB, orgA, orgB } = stage;
    const id = await addProject(ownerOfA, ['reader', 'writer']);
    const [own, lent] = [await addPerson(stage, orgA), await addPerson(stage, orgB)];
    const grantId = await addGrant(ownerOfA, id, orgB, ['reader', 'writer']);
    const grants = [
      await addUserGrant(ownerOfA, own.id, id, ['reader', 'writer']),
      await addUserGrant(ownerOfB, lent.id, id, ['writer']),
    ];
    const rp = new RelyingParty(world, await world.add.client({ projectId: id }));
    const scope = 'openid urn:service:iam:org:project:role:reader urn:service:iam:org:project:role:writer';
    const rolesOf = async (token: string): Promise<string[]> =>
      Object.keys(
        (await rp.introspect(token)).json<Record<string, object>>()['urn:service:iam:org:project:roles'] ?? {},
      );
    const { access_token: token, scope: granted } = await rp.tokens(own, { scope });
    expect([await rolesOf(token), granted]).toEqual([['reader', 'writer'], scope]);
    const { details } = await ownerOfA.call('DELETE', `/management/v1/projects/${id}/roles/writer`);
    expect(details).toEqual({ ...MARK, resourceOwner: orgA.id });
    expect(await rolesOf(token)).toEqual(['reader']);
    expect((await rp.elsewhere().tokens(own, { scope })).scope).toBe('openid urn:service:iam:org:project:role:reader');
    expect(
      (await ownerOfA.call('GET', `/management/v1/projects/${id}/grants/${grantId}`)).projectGrant.grantedRoleKeys,
    ).toEqual(['reader']);
    expect((await eventsOf(stage, grantId)).at(-1)).toBe('project.grant.cascade.changed');
    for (const grant of grants) {
      expect((await eventsOf(stage, grant)).slice(-2)).toEqual(['user.grant.added', 'user.grant.cascade.changed']);
      const [row] = await world.rows<{ sequence: string; roles: string[] }>(
        'SELECT sequence, role_keys AS roles FROM user_grant WHERE id = $1',
        [grant],
      );
      expect([row!.sequence, row!.roles]).toEqual(['2', grant === grants[0] ? ['reader'] : []]);
    }
    expect(await ownerOfA.verdict('DELETE', `/management/v1/projects/${id}/roles/writer`)).toBe(
      '404 project.role_not_found',
    );
    expect(
      await ownerOfA.verdict('POST', `/management/v1/users/${lent.id}/grants`, { projectId: id, roleKeys: ['writer'] }),
    ).toMatch(/^40/);
  });

  it('remains with no user to whom it is granted at the same moment', async () => {
    const { world, ownerOfA, orgA } = stage;
    for (let round = 0; round < 5; round += 1) {
      const id = await addProject(ownerOfA, ['reader', 'writer']);
      const { id: userId } = await addPerson(stage, orgA);
      await Promise.all([
        ownerOfA.verdict('POST', `/management/v1/users/${userId}/grants`, { projectId: id, roleKeys: ['writer'] }),
        ownerOfA.call('DELETE', `/management/v1/projects/${id}/roles/writer`),
      ]);
      expect(
        await world.rows(`SELECT 1 FROM user_grant WHERE project_id = $1 AND 'writer' = ANY (role_keys)`, [id]),
      ).toEqual([]);
    }
  });
});
