import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg, TestPerson } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let orgA: TestOrg;
let orgB: TestOrg;
let owner: AdminApi;
let ownerOfA: AdminApi;
let ownerOfB: AdminApi;
let strangerOfB: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
  owner = (await callerWith(world, orgA, ['IAM_OWNER'])).api;
  ownerOfA = (await callerWith(world, orgA, ['ORG_OWNER'])).api;
  ownerOfB = (await callerWith(world, orgB, ['ORG_OWNER'])).api;
  strangerOfB = await world.add.person({ orgId: orgB.id });
});
afterAll(async () => world.close());

describe('A user of another organization', () => {
  it('cannot be made a manager by their id, which would reveal who they are [ADM-004]', async () => {
    const projectP = await world.cast.projectP;
    const { grantId } = await ownerOfA.call<{ grantId: string }>('POST', `/management/v1/projects/${projectP}/grants`, {
      grantedOrgId: orgB.id,
      roleKeys: [],
    });
    for (const userId of [strangerOfB.id, 'nobody']) {
      expect(
        await ownerOfA.verdict('POST', '/management/v1/orgs/me/members', { userId, roles: ['ORG_OWNER_VIEWER'] }),
      ).toBe('400 member.user_missing');
      expect(
        await ownerOfA.verdict('POST', `/management/v1/projects/${projectP}/members`, {
          userId,
          roles: ['PROJECT_OWNER_VIEWER'],
        }),
      ).toBe('400 member.user_missing');
    }
    const ofA = await world.add.person({ orgId: orgA.id });
    expect(
      await ownerOfB.verdict('POST', `/management/v1/projects/${projectP}/grants/${grantId}/members`, {
        userId: ofA.id,
        roles: ['PROJECT_GRANT_OWNER'],
      }),
    ).toBe('400 member.user_missing');
    expect(await ownerOfB.verdict('DELETE', `/management/v1/users/${strangerOfB.id}`)).toBe('200');
  });

  it('is made a manager by a caller who may read the users of both', async () => {
    const guest = await world.add.person({ orgId: orgB.id });
    expect(
      await owner.verdict('POST', '/management/v1/orgs/me/members', { userId: guest.id, roles: ['ORG_OWNER_VIEWER'] }),
    ).toBe('200');
  });
});

describe('A user with more rights', () => {
  it('is not removed or stopped with an organization by its owner', async () => {
    const org = await world.add.org();
    const { api } = await callerWith(world, org, ['ORG_OWNER']);
    await callerWith(world, org, ['IAM_OWNER']);
    expect(await api.verdict('POST', '/management/v1/orgs/me/_deactivate')).toBe('403 permission.user_too_strong');
    expect(await api.verdict('DELETE', '/management/v1/orgs/me')).toBe('403 permission.user_too_strong');
    expect(await owner.verdict('DELETE', `/admin/v1/orgs/${org.id}`)).toBe('200');
  });

  it('is not signed in by a provider that a weaker manager has pointed elsewhere', async () => {
    const org = await world.add.org();
    const { api: settings } = await callerWith(world, org, ['ORG_SETTINGS_MANAGER']);
    const { api: orgOwner } = await callerWith(world, org, ['ORG_OWNER']);
    const config = {
      clientId: 'c',
      clientSecret: 'a secret of theirs',
      issuer: 'https://idp.example',
      scopes: ['openid'],
    };
    const { idpId } = await settings.call('POST', '/management/v1/idps/oidc', { name: 'theirs', ...config });
    const jwt = {
      jwtEndpoint: 'https://idp.example/in',
      issuer: 'https://idp.example',
      keysEndpoint: 'https://idp.example/keys',
      headerName: 'x-jwt',
    };
    const { idpId: jwtId } = await settings.call('POST', '/management/v1/idps/jwt', { name: 'their proxy', ...jwt });
    const strong = await world.add.person({ orgId: org.id });
    await world.add.member(strong.id, ['ORG_OWNER'], { level: 'org', objectId: org.id, orgId: org.id });
    for (const id of [idpId, jwtId])
      await world.rows(
        `INSERT INTO idp_link (idp_id, external_user_id, user_id, display_name, sequence, creation_date, change_date) VALUES ($1, 'sub', $2, '', 1, now(), now())`,
        [id, strong.id],
      );
    expect(
      await settings.verdict('PUT', `/management/v1/idps/${idpId}/oidc_config`, {
        ...config,
        issuer: 'https://evil.example',
      }),
    ).toBe('403 permission.user_too_strong');
    expect(
      await settings.verdict('PUT', `/management/v1/idps/${jwtId}/jwt_config`, {
        ...jwt,
        keysEndpoint: 'https://evil.example/keys',
      }),
    ).toBe('403 permission.user_too_strong');
    expect(
      await orgOwner.verdict('PUT', `/management/v1/idps/${idpId}/oidc_config`, {
        ...config,
        issuer: 'https://other.example',
      }),
    ).toBe('200');
  });
});

describe('A login name', () => {
  it("stays one person's when the organization adds the domain in it", async () => {
    const org = await world.add.org();
    const { api } = await callerWith(world, org, ['ORG_OWNER']);
    await world.add.person({ orgId: org.id, userName: 'chief@late.example', email: 'chief@mail.test' });
    await world.add.person({ orgId: org.id, userName: 'chief' });
    expect(await api.verdict('POST', '/management/v1/orgs/me/domains', { domain: 'late.example' })).toBe(
      '400 org.domain_names_collide',
    );
  });
});

describe('A new organization', () => {
  it('has no first person whose password breaks the rules', async () => {
    const human = {
      userName: 'first',
      profile: { firstName: 'F', lastName: 'P' },
      email: { email: 'f@setup.example', isEmailVerified: true },
    };
    expect(
      await owner.verdict('POST', '/admin/v1/orgs/_setup', {
        org: { name: 'Set up' },
        human: { ...human, password: 'short' },
      }),
    ).toMatch(/^400 human\.password/);
  });

  it('takes no domain at which people of others have their names', async () => {
    await world.add.person({ orgId: orgA.id, userName: 'pat@taken-by-setup.example', email: 'pat@mail.test' });
    const human = {
      userName: 'first2',
      profile: { firstName: 'F', lastName: 'P' },
      email: { email: 'f@setup.example', isEmailVerified: true },
    };
    expect(
      await owner.verdict('POST', '/admin/v1/orgs/_setup', {
        org: { name: 'Set up 2', domain: 'taken-by-setup.example' },
        human: { ...human, password: 'Correct-Horse-7' },
      }),
    ).toBe('400 org.domain_in_use');
  });
});

describe('The default organization', () => {
  it('is there, also when it is removed and made the default at once', async () => {
    const before = (await world.get(InstanceService).get()).defaultOrgId;
    for (let round = 0; round < 10; round += 1) {
      const org = await world.add.org();
      await Promise.all([
        owner.verdict('PUT', `/admin/v1/orgs/default/${org.id}`),
        owner.verdict('DELETE', `/admin/v1/orgs/${org.id}`),
      ]);
      const [found] = await world.rows('SELECT 1 AS found FROM instance i JOIN org o ON o.id = i.default_org_id');
      expect(found).toEqual({ found: 1 });
      await owner.ask('PUT', `/admin/v1/orgs/default/${before}`);
    }
  });

  it('is an active one', async () => {
    const org = await world.add.org();
    await owner.about(org.id).call('POST', '/management/v1/orgs/me/_deactivate');
    expect(await owner.verdict('PUT', `/admin/v1/orgs/default/${org.id}`)).toBe('400 org.inactive');
  });
});

describe('The journal of an organization', () => {
  it.each([
    'ORG_SETTINGS_MANAGER',
    'ORG_PROJECT_CREATOR',
    'ORG_PROJECT_PERMISSION_EDITOR',
    'ORG_USER_PERMISSION_EDITOR',
  ] as const)('shows a %s nothing of users whom they may not read', async (role) => {
    const { api } = await callerWith(world, orgA, [role]);
    expect(await api.verdict('POST', '/management/v1/events/_search')).toBe('403 permission.missing');
  });

  it('is read by who may look at everything', async () => {
    const { api } = await callerWith(world, orgA, ['ORG_OWNER_VIEWER']);
    expect(await api.verdict('POST', '/management/v1/events/_search')).toBe('200');
  });

  it.each(['sequence', 'position'])('takes any number as %s', async (field) => {
    expect(
      await owner.verdict('POST', '/admin/v1/events/_search', { [field]: '18446744073709551615', asc: true }),
    ).toBe('200');
  });

  it('journals each thing that ended with an organization', async () => {
    const org = await world.add.org();
    const service = await world.add.service({ orgId: org.id });
    const people = [await world.add.person({ orgId: org.id }), await world.add.person({ orgId: org.id })];
    for (const { id } of people)
      await world.add.member(id, ['ORG_OWNER'], { level: 'org', objectId: org.id, orgId: org.id });
    await world.add.member(service.id, ['ORG_OWNER_VIEWER'], { level: 'org', objectId: orgA.id, orgId: orgA.id });
    const projectId = await world.add.project({ orgId: org.id });
    await world.add.member(people[0]!.id, ['PROJECT_OWNER'], { level: 'project', objectId: projectId, orgId: org.id });
    const [before] = await world.rows<{ position: string }>('SELECT max(position) AS position FROM event');
    await owner.call('DELETE', `/admin/v1/orgs/${org.id}`);
    const events = await world.rows<{ told: string }>(
      "SELECT type || ' ' || org_id AS told FROM event WHERE position > $1",
      [before!.position],
    );
    expect(events.map(({ told }) => told).sort()).toEqual(
      [
        `org.member.cascade.removed ${org.id}`,
        `org.member.cascade.removed ${org.id}`,
        `org.member.cascade.removed ${orgA.id}`,
        `org.removed ${org.id}`,
        `project.cascade.removed ${org.id}`,
        `project.member.cascade.removed ${org.id}`,
        `user.cascade.removed ${org.id}`,
        `user.cascade.removed ${org.id}`,
        `user.cascade.removed ${org.id}`,
        `user.personal_access_token.removed ${org.id}`,
        `user.service.key.removed ${org.id}`,
      ].sort(),
    );
  });
});
