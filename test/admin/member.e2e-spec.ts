import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg, TestPerson, TestService } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { Callers } from './callers.js';

let world: World;
let replica: World;
let orgA: TestOrg;
let orgB: TestOrg;
let owner: AdminApi;
let viewer: AdminApi;
let ownerOfA: AdminApi;
let ownerService: TestService;
let projectP: string;
let alice: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world });
  [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
  owner = (await callerWith(world, orgA, ['IAM_OWNER'])).api;
  viewer = (await callerWith(world, orgA, ['IAM_OWNER_VIEWER'])).api;
  ({ api: ownerOfA, service: ownerService } = await callerWith(world, orgA, ['ORG_OWNER']));
  projectP = await world.cast.projectP;
  alice = await world.cast.alice;
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

interface Level {
  readonly name: string;
  readonly path: () => Promise<string>;
  readonly rolesPath: string;
  readonly role: string;
  readonly weaker: string;
  readonly rolesField: string;
}

let grantId = '';

/** Project P of organization A, granted to organization B. */
async function grant(): Promise<string> {
  if (grantId === '') {
    ({ grantId } = await ownerOfA.call('POST', `/management/v1/projects/${projectP}/grants`, {
      grantedOrgId: orgB.id,
      roleKeys: ['reader'],
    }));
  }
  return grantId;
}

const LEVELS: Level[] = [
  {
    name: 'instance',
    path: async () => '/admin/v1/members',
    rolesPath: '/admin/v1/members/roles/_search',
    role: 'IAM_OWNER',
    weaker: 'IAM_OWNER_VIEWER',
    rolesField: 'roles',
  },
  {
    name: 'organization',
    path: async () => '/management/v1/orgs/me/members',
    rolesPath: '/management/v1/orgs/members/roles/_search',
    role: 'ORG_OWNER',
    weaker: 'ORG_OWNER_VIEWER',
    rolesField: 'result',
  },
  {
    name: 'project',
    path: async () => `/management/v1/projects/${projectP}/members`,
    rolesPath: '/management/v1/projects/members/roles/_search',
    role: 'PROJECT_OWNER',
    weaker: 'PROJECT_OWNER_VIEWER',
    rolesField: 'result',
  },
  {
    name: 'project grant',
    path: async () => `/management/v1/projects/${projectP}/grants/${await grant()}/members`,
    rolesPath: '/management/v1/projects/grants/members/roles/_search',
    role: 'PROJECT_GRANT_OWNER',
    weaker: 'PROJECT_GRANT_OWNER_VIEWER',
    rolesField: 'result',
  },
];

describe.each(LEVELS)('Managers of the $name', ({ path, rolesPath, role, weaker, rolesField }) => {
  it('are added, listed, changed and removed', async () => {
    const at = await path();
    expect((await owner.call('POST', rolesPath))[rolesField]).toEqual(expect.arrayContaining([role, weaker]));
    const added = await owner.call('POST', at, { userId: alice.id, roles: [role] });
    expect(added['details']).toEqual({
      sequence: expect.stringMatching(/^\d+$/),
      creationDate: expect.any(String),
      changeDate: expect.any(String),
      resourceOwner: expect.any(String),
    });
    expect(await owner.verdict('POST', at, { userId: alice.id, roles: [role] })).toBe('409 member.exists');
    const list = async (): Promise<Array<Record<string, unknown>>> =>
      (await owner.call('POST', `${at}/_search`, { queries: [{ userIdQuery: { userId: alice.id } }] }))[
        'result'
      ] as Array<Record<string, unknown>>;
    expect(await list()).toEqual([
      expect.objectContaining({
        userId: alice.id,
        roles: [role],
        preferredLoginName: alice.loginName,
        email: alice.email,
        userType: 'TYPE_HUMAN',
        userResourceOwner: orgA.id,
      }),
    ]);
    const changed = await owner.call('PUT', `${at}/${alice.id}`, { roles: [weaker] });
    expect(await owner.call('PUT', `${at}/${alice.id}`, { roles: [weaker] })).toEqual(changed); // the same again writes nothing
    expect((await list())[0]).toMatchObject({ roles: [weaker] });
    await owner.call('DELETE', `${at}/${alice.id}`);
    expect(await list()).toEqual([]);
    expect(await owner.verdict('DELETE', `${at}/${alice.id}`)).toBe('404 member.not_found');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['nobody', { userId: 'nobody' }, '400 member.user_missing'],
    ['no user', {}, '400 userId'],
    ['a role of nowhere', { roles: ['KING'] }, '400 roles'],
    ['an empty role', { roles: [''] }, '400 roles'],
    ['no list', { roles: 'ORG_OWNER' }, '400 roles'],
  ])('refuse %s', async (_, change, verdict) => {
    expect(
      await owner.verdict(
        'POST',
        await path(),
        change['userId'] === undefined && Object.keys(change).length === 0
          ? { roles: [role] }
          : { userId: alice.id, roles: [role], ...change },
      ),
    ).toBe(verdict);
  });

  it('added twice at once are added once', async () => {
    const at = await path();
    const bob = await world.add.person({ orgId: orgA.id });
    const verdicts = await Promise.all(
      [1, 2].map(() => owner.verdict('POST', at, { userId: bob.id, roles: [weaker] })),
    );
    expect(verdicts.sort()).toEqual(['200', '409 member.exists']);
  });

  it('are not for those who only look', async () => {
    expect(await viewer.verdict('POST', await path(), { userId: alice.id, roles: [weaker] })).toBe(
      '403 permission.missing',
    );
    expect((await viewer.ask('POST', `${await path()}/_search`)).status).toBe(200);
  });
});

describe('No manager gains rights by granting', () => {
  it.each(['IAM_OWNER', 'IAM_OWNER_VIEWER'])(
    'an owner of an organization cannot make a user %s [ADM-007]',
    async (role) => {
      expect(await ownerOfA.verdict('POST', '/admin/v1/members', { userId: ownerService.id, roles: [role] })).toBe(
        '403 permission.missing',
      );
      expect(
        await ownerOfA.verdict('POST', '/management/v1/orgs/me/members', { userId: alice.id, roles: [role] }),
      ).toBe('400 roles');
    },
  );

  it.each([
    ['ORG_USER_MANAGER', 'ORG_OWNER', '403 permission.missing'],
    ['IAM_LOGIN_CLIENT', 'ORG_OWNER', '403 permission.role_too_strong'],
    ['IAM_ORG_MANAGER', 'ORG_OWNER', '200'],
  ] as const)('%s gives %s: %s', async (own, given, verdict) => {
    const { api } = await callerWith(world, orgA, [own]);
    const person = await world.add.person({ orgId: orgA.id });
    expect(await api.verdict('POST', '/management/v1/orgs/me/members', { userId: person.id, roles: [given] })).toBe(
      verdict,
    );
  });

  it("takes no role away that is stronger than one's own", async () => {
    const { api } = await callerWith(world, orgA, ['IAM_LOGIN_CLIENT']);
    const { service } = await callerWith(world, orgA, ['IAM_OWNER']);
    expect(await api.verdict('PUT', `/admin/v1/members/${service.id}`, { roles: [] })).toBe(
      '403 permission.role_too_strong',
    );
  });

  it('reaches no other organization [ADM-004]', async () => {
    const about = ownerOfA.about(orgB.id);
    expect(
      await about.verdict('POST', '/management/v1/orgs/me/members', { userId: alice.id, roles: ['ORG_OWNER'] }),
    ).toBe('403 permission.missing');
    const projectQ = await world.cast.projectQ;
    for (const id of [projectQ, 'nothing']) {
      expect(
        await ownerOfA.verdict('POST', `/management/v1/projects/${id}/members`, {
          userId: alice.id,
          roles: ['PROJECT_OWNER'],
        }),
      ).toBe('404 project.not_found');
    }
  });

  it('a manager of one project manages no other', async () => {
    const { api, service } = await callerWith(world, orgA, []);
    await owner.call('POST', `/management/v1/projects/${projectP}/members`, {
      userId: service.id,
      roles: ['PROJECT_OWNER'],
    });
    expect((await api.ask('POST', `/management/v1/projects/${projectP}/members/_search`)).status).toBe(200);
    const other = await world.add.project({ orgId: orgA.id });
    expect(await api.verdict('POST', `/management/v1/projects/${other}/members/_search`)).toBe(
      '403 permission.missing',
    );
    expect(await api.verdict('GET', '/management/v1/orgs/me')).toBe('403 permission.missing');
  });
});

describe('A role that is taken away', () => {
  it('is gone with the next request, at any process [ADM-006]', async () => {
    const { api, service } = await callerWith(world, orgA, ['IAM_OWNER_VIEWER']);
    const elsewhere = new AdminApi(replica.origin, api.token);
    expect(await elsewhere.verdict('GET', '/admin/v1/orgs/default')).toBe('200');
    await owner.call('DELETE', `/admin/v1/members/${service.id}`);
    expect(await elsewhere.verdict('GET', '/admin/v1/orgs/default')).toBe('403 permission.missing');
  });
});

describe('The last IAM_OWNER [ADM-008]', () => {
  it('keeps the role, also when two try at once', async () => {
    const small = await startWorld();
    const org = await small.cast.orgA;
    const one = await callerWith(small, org, ['IAM_OWNER']);
    const two = await callerWith(small, org, ['IAM_OWNER']);
    await small.rows("DELETE FROM member WHERE level = 'instance' AND user_id NOT IN ($1, $2)", [
      one.service.id,
      two.service.id,
    ]);
    const verdicts = await Promise.all([
      one.api.verdict('DELETE', `/admin/v1/members/${two.service.id}`),
      two.api.verdict('PUT', `/admin/v1/members/${one.service.id}`, { roles: ['IAM_OWNER_VIEWER'] }),
    ]);
    expect(verdicts.sort()).toEqual(['200', expect.stringMatching(/^400 member.last_owner$|^403 permission/)]);
    const [left] = await small.rows<{ count: string }>(
      "SELECT count(*) FROM member WHERE level = 'instance' AND 'IAM_OWNER' = ANY (roles)",
    );
    expect(left).toEqual({ count: '1' });
    await small.close();
  });
});

describe("One's own account", () => {
  it('is returned to every caller with a token of their own', async () => {
    const { user, lastLogin } = await ownerOfA.call('GET', '/auth/v1/users/me');
    expect([user.id, user.state, user.machine.name, lastLogin]).toEqual([
      ownerService.id,
      'USER_STATE_ACTIVE',
      ownerService.userName,
      undefined,
    ]);
  });

  it('shows when a user last signed in', async () => {
    const callers = new Callers(world);
    const token = await callers.person([]);
    const { user, lastLogin } = await new AdminApi(world.origin, token).call('GET', '/auth/v1/users/me');
    expect(user.human.profile).toMatchObject({ firstName: 'Given', lastName: 'Family' });
    expect(new Date(lastLogin as string)).toEqual(world.clock.now());
  });
});

describe("One's own permissions and memberships", () => {
  it('are returned as lists of words', async () => {
    const { result } = await ownerOfA.call('POST', '/auth/v1/permissions/service/me/_search');
    expect(result).toEqual(expect.arrayContaining(['org.read', 'user.write']));
    expect(result).not.toContain('iam.read');
    const memberships = await ownerOfA.call('POST', '/auth/v1/memberships/me/_search');
    expect(memberships['result']).toEqual([
      expect.objectContaining({
        userId: ownerService.id,
        orgId: orgA.id,
        roles: ['ORG_OWNER'],
        displayName: 'orga.test',
      }),
    ]);
    expect(memberships['result'][0]).not.toHaveProperty('iam');
    expect(
      (await owner.call('POST', '/auth/v1/memberships/me/_search', { queries: [{ iamQuery: { iam: true } }] }))[
        'result'
      ],
    ).toHaveLength(1);
  });

  it('of others are returned within the organization', async () => {
    const { result } = await ownerOfA.call('POST', `/management/v1/users/${ownerService.id}/memberships/_search`);
    expect(result).toHaveLength(1);
    const stranger = await world.add.person({ orgId: orgB.id });
    expect(await ownerOfA.verdict('POST', `/management/v1/users/${stranger.id}/memberships/_search`)).toBe(
      '404 user.not_found',
    );
  });
});
