import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, type Json } from '../support/admin-api.js';
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

const ROLES = 'urn:service:iam:org:project:roles';

let stage: Stage;
let projectId: string;

beforeAll(async () => {
  stage = await setStage();
  projectId = await addProject(stage.ownerOfA, ['reader', 'writer']);
});
afterAll(() => stage.world.close());

const grantsOf = ({ id }: { id: string }): string => `/management/v1/users/${id}/grants`;

describe('AddUserGrant', () => {
  it('gives a user roles, which are then in tokens', async () => {
    const { world, ownerOfA, orgA } = stage;
    const person = await addPerson(stage, orgA);
    const { userGrantId, details } = await ownerOfA.call('POST', grantsOf(person), {
      projectId,
      roleKeys: ['writer', 'reader', 'writer'],
    });
    expect(details).toEqual({ ...MARK, sequence: '1', creationDate: details.changeDate, resourceOwner: orgA.id });
    const { userGrant } = await ownerOfA.call('GET', `${grantsOf(person)}/${userGrantId}`);
    expect(userGrant).toEqual({
      id: userGrantId,
      details,
      roleKeys: ['writer', 'reader'],
      state: 'USER_GRANT_STATE_ACTIVE',
      userId: person.id,
      userName: person.userName,
      firstName: 'Given',
      lastName: 'Family',
      email: person.email,
      displayName: 'Given Family',
      orgId: orgA.id,
      orgName: 'orga.test',
      orgDomain: 'orga.test',
      projectId,
      projectName: expect.any(String),
      projectGrantId: '',
      avatarUrl: '',
      preferredLoginName: person.loginName,
      userType: 'TYPE_HUMAN',
      grantedOrgId: orgA.id,
      grantedOrgName: 'orga.test',
      grantedOrgDomain: 'orga.test',
    });
    const rp = new RelyingParty(world, await world.add.client({ projectId }));
    const { access_token: token } = await rp.tokens(person);
    expect((await rp.introspect(token)).json()[ROLES]).toEqual({
      reader: { [orgA.id]: 'orga.test' },
      writer: { [orgA.id]: 'orga.test' },
    });
    expect(await eventsOf(stage, userGrantId)).toEqual(['user.grant.added']);
  });

  it('gives a service user roles, too', async () => {
    const service = await stage.world.add.service({ orgId: stage.orgA.id });
    const { userGrantId } = await stage.ownerOfA.call('POST', grantsOf(service), { projectId, roleKeys: ['reader'] });
    expect((await stage.ownerOfA.call('GET', `${grantsOf(service)}/${userGrantId}`)).userGrant).toMatchObject({
      userType: 'TYPE_MACHINE',
      userName: service.userName,
      displayName: service.userName,
      preferredLoginName: service.userName,
    });
  });

  it('gives roles of a project that the organization was granted, by the grant or by the project', async () => {
    const { ownerOfA, ownerOfB, orgB } = stage;
    const id = await addProject(ownerOfA, ['reader', 'writer']);
    const grantId = await addGrant(ownerOfA, id, orgB, ['reader']);
    const [one, other] = [await addPerson(stage, orgB), await addPerson(stage, orgB)];
    const { userGrantId } = await ownerOfB.call('POST', grantsOf(one), {
      projectId: id,
      projectGrantId: grantId,
      roleKeys: ['reader'],
    });
    const { userGrantId: second } = await ownerOfB.call('POST', grantsOf(other), {
      projectId: id,
      roleKeys: ['reader'],
    });
    for (const [person, grant] of [
      [one, userGrantId],
      [other, second],
    ] as const) {
      expect((await ownerOfB.call('GET', `${grantsOf(person)}/${grant}`)).userGrant).toMatchObject({
        projectGrantId: grantId,
        orgId: orgB.id,
        details: { resourceOwner: orgB.id },
      });
    }
  });

  it.each<[string, () => Promise<[AdminApi, { id: string }, Json]>, string]>([
    ['no project', async () => [stage.ownerOfA, await addPerson(stage, stage.orgA), {}], '400 projectId'],
    [
      'an unknown project',
      async () => [stage.ownerOfA, await addPerson(stage, stage.orgA), { projectId: '1' }],
      '404 project.not_found',
    ],
    [
      'the project of another organization',
      async () => [stage.ownerOfB, await addPerson(stage, stage.orgB), { projectId, roleKeys: ['reader'] }],
      '404 project.not_found',
    ],
    [
      'an unknown user',
      async () => [stage.ownerOfA, { id: '1' }, { projectId, roleKeys: ['reader'] }],
      '404 user.not_found',
    ],
    [
      'a user of another organization',
      async () => [stage.ownerOfA, await addPerson(stage, stage.orgB), { projectId, roleKeys: ['reader'] }],
      '404 user.not_found',
    ],
    [
      'roles that the project lacks',
      async () => [stage.ownerOfA, await addPerson(stage, stage.orgA), { projectId, roleKeys: ['reader', 'king'] }],
      '400 roleKeys',
    ],
    [
      'a grant of another project',
      async () => [
        stage.ownerOfA,
        await addPerson(stage, stage.orgA),
        { projectId, projectGrantId: '1', roleKeys: [] },
      ],
      '404 project_grant.not_found',
    ],
    [
      'roles that were not granted',
      async () => {
        const id = await addProject(stage.ownerOfA, ['reader', 'writer']);
        await addGrant(stage.ownerOfA, id, stage.orgB, ['reader']);
        return [stage.ownerOfB, await addPerson(stage, stage.orgB), { projectId: id, roleKeys: ['writer'] }];
      },
      '400 roleKeys',
    ],
    [
      'the grant to another user',
      async () => {
        const id = await addProject(stage.ownerOfA, ['reader']);
        const grantId = await addGrant(stage.ownerOfA, id, await stage.world.add.org(), ['reader']);
        return [
          stage.ownerOfB,
          await addPerson(stage, stage.orgB),
          { projectId: id, projectGrantId: grantId, roleKeys: ['reader'] },
        ];
      },
      '404 project.not_found',
    ],
  ])('refuses %s', async (_, make, verdict) => {
    const [api, person, body] = await make();
    const before = await stage.world.contents();
    expect(await api.verdict('POST', grantsOf(person), body)).toBe(verdict);
    expect(await stage.world.contents()).toBe(before);
  });

  it('lets managers of the instance give roles to users of other organizations, whom they may read', async () => {
    const stranger = await addPerson(stage, stage.orgB);
    expect(await stage.iamOwner.verdict('POST', grantsOf(stranger), { projectId, roleKeys: ['reader'] })).toBe('200');
  });

  it('refuses a second grant, and makes one of two at once', async () => {
    const person = await addPerson(stage, stage.orgA);
    const body = { projectId, roleKeys: ['reader'] };
    const verdicts = await Promise.all([1, 2].map(() => stage.ownerOfA.verdict('POST', grantsOf(person), body)));
    expect(verdicts.sort()).toEqual(['200', '409 user_grant.exists']);
    expect(await stage.ownerOfA.verdict('POST', grantsOf(person), body)).toBe('409 user_grant.exists');
  });
});

describe('UpdateUserGrant', () => {
  it('replaces the roles for living tokens, too; the same again changes nothing', async () => {
    const { world, ownerOfA, orgA } = stage;
    const person = await addPerson(stage, orgA);
    const id = await addUserGrant(ownerOfA, person.id, projectId, ['reader']);
    const rp = new RelyingParty(world, await world.add.client({ projectId }));
    const { access_token: token } = await rp.tokens(person);
    const path = `${grantsOf(person)}/${id}`;
    const { details } = await ownerOfA.call('PUT', path, { roleKeys: ['writer'] });
    expect(details).toEqual({ ...MARK, sequence: '2', resourceOwner: orgA.id });
    expect((await ownerOfA.call('PUT', path, { roleKeys: ['writer'] })).details).toEqual(details);
    expect(Object.keys((await rp.introspect(token)).json<Record<string, object>>()[ROLES]!)).toEqual(['writer']);
    expect(await ownerOfA.verdict('PUT', path, { roleKeys: ['king'] })).toBe('400 roleKeys');
    expect(await ownerOfA.verdict('PUT', `${grantsOf(await addPerson(stage, orgA))}/${id}`, { roleKeys: [] })).toBe(
      '404 user_grant.not_found',
    );
    const verdicts = await Promise.all(
      [['reader'], ['reader', 'writer']].map((roleKeys) => ownerOfA.verdict('PUT', path, { roleKeys })),
    );
    expect(verdicts).toEqual(['200', '200']);
    expect((await ownerOfA.call('GET', path)).userGrant.details.sequence).toBe('4');
  });
});

describe('DeactivateUserGrant, ReactivateUserGrant and RemoveUserGrant', () => {
  it('remove the roles, temporarily or permanently; a second time is refused, and of two at once one succeeds', async () => {
    const { world, ownerOfA, orgA } = stage;
    const person = await addPerson(stage, orgA);
    const id = await addUserGrant(ownerOfA, person.id, projectId, ['reader']);
    const rp = new RelyingParty(world, await world.add.client({ projectId }));
    const { access_token: token } = await rp.tokens(person);
    const roles = async (): Promise<unknown> => (await rp.introspect(token)).json()[ROLES];
    const path = `${grantsOf(person)}/${id}`;
    expect(await roles()).toBeDefined();
    expect((await ownerOfA.call('POST', `${path}/_deactivate`, {})).details).toEqual({
      ...MARK,
      sequence: '2',
      resourceOwner: orgA.id,
    });
    expect([await ownerOfA.verdict('POST', `${path}/_deactivate`, {}), await roles()]).toEqual([
      '400 user_grant.state_unchanged',
      undefined,
    ]);
    expect((await ownerOfA.call('GET', path)).userGrant.state).toBe('USER_GRANT_STATE_INACTIVE');
    await ownerOfA.call('POST', `${path}/_reactivate`, {});
    expect(await ownerOfA.verdict('POST', `${path}/_reactivate`, {})).toBe('400 user_grant.state_unchanged');
    expect(await roles()).toBeDefined();
    const verdicts = await Promise.all([1, 2].map(() => ownerOfA.verdict('DELETE', path)));
    expect(verdicts.sort()).toEqual(['200', '404 user_grant.not_found']);
    expect(await roles()).toBeUndefined();
    expect(await eventsOf(stage, id)).toEqual([
      'user.grant.added',
      'user.grant.deactivated',
      'user.grant.reactivated',
      'user.grant.removed',
    ]);
  });
});

describe('BulkRemoveUserGrant', () => {
  it('removes all, or none', async () => {
    const { ownerOfA, ownerOfB, orgA, orgB, world } = stage;
    const mine = await Promise.all(
      [1, 2, 3].map(async () => addUserGrant(ownerOfA, (await addPerson(stage, orgA)).id, projectId, ['reader'])),
    );
    const foreignProject = await addProject(ownerOfB, ['reader']);
    const foreign = await addUserGrant(ownerOfB, (await addPerson(stage, orgB)).id, foreignProject, ['reader']);
    const path = '/management/v1/user_grants/_bulk';
    const before = await world.contents();
    expect(await ownerOfA.verdict('DELETE', path, { grantId: [...mine, foreign] })).toBe('404 user_grant.not_found');
    expect(await ownerOfA.verdict('DELETE', path, { grantId: [...mine, ''] })).toBe('400 grantId');
    expect(await world.contents()).toBe(before);
    expect(await ownerOfA.call('DELETE', path, { grantId: [...mine, mine[0]!] })).toEqual({});
    expect(await world.rows('SELECT 1 FROM user_grant WHERE id = ANY ($1)', [mine])).toEqual([]);
    for (const id of mine) expect((await eventsOf(stage, id)).at(-1)).toBe('user.grant.removed');
    expect(await ownerOfA.verdict('DELETE', path, { grant_id: mine })).toBe('404 user_grant.not_found');
    expect(await ownerOfA.call('DELETE', path, {})).toEqual({});
  });
});
