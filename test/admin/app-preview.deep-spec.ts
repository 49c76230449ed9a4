import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { callerWith, type Json } from '../support/admin-api.js';
import type { TestClient, TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { addPerson, addProject, addUserGrant, managerOf, type Stage, setStage } from './project-support.js';

const URN = 'urn:service:iam:';
const SCOPES = [
  'openid',
  'profile',
  'email',
  'phone',
  'offline_access',
  `${URN}user:metadata`,
  `${URN}user:resourceowner`,
  `${URN}org:project:role:reader`,
  'unknown',
];

let stage: Stage;
let projectId: string;
let person: TestPerson;

beforeAll(async () => {
  stage = await setStage();
  projectId = await addProject(stage.ownerOfA, ['reader', 'writer']);
  person = await addPerson(stage, stage.orgA);
  await addUserGrant(stage.ownerOfA, person.id, projectId, ['reader', 'writer']);
  await stage.world.rows(`INSERT INTO user_metadata (user_id, key, value) VALUES ($1, 'team', 'blue')`, [person.id]);
});
afterAll(() => stage.world.close());

const previewPath = ({ id }: TestClient): string => `/management/v1/projects/${projectId}/apps/${id}/_preview`;

/** Without what belongs to one token, or to one moment. */
function lasting(claims: Json): Json {
  const {
    jti: _j,
    sid: _s,
    nonce: _n,
    at_hash: _h,
    exp,
    iat,
    nbf: _b,
    auth_time: _t,
    ...rest
  } = claims as Record<string, unknown>;
  return { ...rest, ...(typeof exp === 'number' && typeof iat === 'number' ? { lifetime: exp - iat } : {}) };
}

describe('PreviewTokens', () => {
  it.each<[string, Json]>([
    ['opaque access tokens', {}],
    ['JWT access tokens that assert roles', { accessTokenType: 'jwt', accessTokenRoleAssertion: true }],
    [
      'ID tokens that say everything',
      {
        idTokenRoleAssertion: true,
        idTokenUserinfoAssertion: true,
        flatRolesClaim: true,
        clockSkewSeconds: 3,
        accessTokenSeconds: 600,
      },
    ],
    ['JWT access tokens and a skewed clock', { accessTokenType: 'jwt', clockSkewSeconds: 5 }],
  ])('shows the result of a sign-in: %s', async (_, settings) => {
    const { world, ownerOfA } = stage;
    const client = await world.add.client({ projectId, ...settings });
    const preview = await ownerOfA.call('POST', previewPath(client), { userId: person.id, scopes: SCOPES });
    const rp = new RelyingParty(world, client);
    const tokens = await rp.tokens(person, { scope: SCOPES.join(' ') });
    expect(preview['scopes']).toEqual(tokens.scope.split(' '));
    expect(lasting(preview['idToken'])).toEqual(lasting(decodeJwt(tokens.id_token)));
    expect(preview['userinfo']).toEqual((await rp.userinfo(tokens.access_token)).json());
    expect(lasting(preview['introspection'])).toEqual(lasting((await rp.introspect(tokens.access_token)).json()));
    if (settings['accessTokenType'] === 'jwt')
      expect(lasting(preview['accessToken'])).toEqual(lasting(decodeJwt(tokens.access_token)));
    expect(preview['introspection'][`${URN}org:project:roles`]).toMatchObject({
      reader: { [stage.orgA.id]: 'orga.test' },
    });
  });

  it('shows an application that gets nothing but ID tokens all claims of the scopes in them', async () => {
    const client = await stage.world.add.client({
      projectId,
      authMethod: 'none',
      clientType: 'user_agent',
      responseTypes: ['id_token'],
      grantTypes: ['implicit'],
    });
    const { idToken, ...rest } = await stage.ownerOfA.call('POST', previewPath(client), {
      userId: person.id,
      scopes: ['openid', 'email', 'profil', 'offline_access'],
    });
    const { id_token: real = '' } = await new RelyingParty(stage.world, client).signIn(person, {
      scope: 'openid email',
    });
    expect(lasting(idToken)).toEqual(lasting(decodeJwt(real)));
    expect(idToken).toMatchObject({ email: person.email });
    expect(rest).toEqual({
      scopes: ['openid', 'email'],
      droppedScopes: ['profil', 'offline_access'],
      leftOutClaims: [],
    });
  });

  it('issues nothing and changes nothing', async () => {
    const client = await stage.world.add.client({ projectId });
    const before = await stage.world.contents();
    const reply = await stage.ownerOfA.ask('POST', previewPath(client), { userId: person.id, scopes: ['openid'] });
    expect(reply.text).not.toMatch(/"jti"|"at_hash"|"sid"|"eyJ/);
    expect(await stage.world.contents()).toBe(before);
  });

  it.each<[string, () => Promise<{ path: string; userId: string; scopes: string[] }>, string]>([
    [
      'no user',
      async () => ({ path: previewPath(await stage.world.add.client({ projectId })), userId: '', scopes: ['openid'] }),
      '400 userId',
    ],
    [
      'no openid',
      async () => ({
        path: previewPath(await stage.world.add.client({ projectId })),
        userId: person.id,
        scopes: ['profile'],
      }),
      '400 scopes',
    ],
    [
      'an unknown user',
      async () => ({ path: previewPath(await stage.world.add.client({ projectId })), userId: '1', scopes: ['openid'] }),
      '404 user.not_found',
    ],
    [
      'a user of another organization',
      async () => ({
        path: previewPath(await stage.world.add.client({ projectId })),
        userId: (await addPerson(stage, stage.orgB)).id,
        scopes: ['openid'],
      }),
      '404 user.not_found',
    ],
    [
      'a service user',
      async () => ({
        path: previewPath(await stage.world.add.client({ projectId })),
        userId: (await stage.world.add.service({ orgId: stage.orgA.id })).id,
        scopes: ['openid'],
      }),
      '400 preview.service_user',
    ],
    [
      'an API application',
      async () => ({
        path: previewPath(await stage.world.add.api({ projectId })),
        userId: person.id,
        scopes: ['openid'],
      }),
      '400 client.not_oidc',
    ],
  ])('refuses %s', async (_, make, verdict) => {
    const { path, ...body } = await make();
    expect(await stage.ownerOfA.verdict('POST', path, body)).toBe(verdict);
  });

  it('refuses an application that is inactive: it would get nothing', async () => {
    const client = await stage.world.add.client({ projectId });
    await stage.ownerOfA.call('POST', `/management/v1/projects/${projectId}/apps/${client.id}/_deactivate`, {});
    expect(await stage.ownerOfA.verdict('POST', previewPath(client), { userId: person.id, scopes: ['openid'] })).toBe(
      '400 client.inactive',
    );
  });

  it('requires the permission to read a profile, in addition to the rights on the project', async () => {
    const client = await stage.world.add.client({ projectId });
    const manager = await managerOf(stage, stage.orgA, 'PROJECT_OWNER', projectId);
    expect(await manager.verdict('POST', previewPath(client), { userId: person.id, scopes: ['openid'] })).toBe(
      '403 permission.missing',
    );
    const { api: userManager } = await callerWith(stage.world, stage.orgA, ['ORG_USER_MANAGER']);
    expect(await userManager.verdict('POST', previewPath(client), { userId: person.id, scopes: ['openid'] })).toBe(
      '403 permission.missing',
    );
  });
});
