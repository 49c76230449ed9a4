import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, verdictOf } from '../support/admin-api.js';
import {
  addGrant,
  addOidcApp,
  addPerson,
  addProject,
  addUserGrant,
  oidcApp,
  type Stage,
  setStage,
} from './project-support.js';

/** The ids of one object of each kind, all of organization A. */
interface Ids {
  readonly project: string;
  readonly role: string;
  readonly app: string;
  readonly api: string;
  readonly key: string;
  readonly grant: string;
  readonly user: string;
  readonly userGrant: string;
}

/** An operation on an object of an organization. */
interface Case {
  readonly name: string;
  readonly method: string;
  readonly path: (ids: Ids) => string;
  readonly body?: (ids: Ids) => Json;
  readonly writes: boolean;
}

const PROJECT = (ids: Ids): string => `/management/v1/projects/${ids.project}`;
const APP = (ids: Ids): string => `${PROJECT(ids)}/apps/${ids.app}`;
const GRANT = (ids: Ids): string => `${PROJECT(ids)}/grants/${ids.grant}`;
const USER_GRANT = (ids: Ids): string => `/management/v1/users/${ids.user}/grants/${ids.userGrant}`;

const read = (name: string, method: string, path: Case['path'], body?: Case['body']): Case => ({
  name,
  method,
  path,
  ...(body ? { body } : {}),
  writes: false,
});
const write = (name: string, method: string, path: Case['path'], body?: Case['body']): Case => ({
  name,
  method,
  path,
  ...(body ? { body } : {}),
  writes: true,
});
const empty = (): Json => ({});

const CASES: readonly Case[] = [
  read('GetProjectByID', 'GET', PROJECT),
  write('UpdateProject', 'PUT', PROJECT, () => ({ name: 'Stolen' })),
  write('DeactivateProject', 'POST', (ids) => `${PROJECT(ids)}/_deactivate`, empty),
  write('ReactivateProject', 'POST', (ids) => `${PROJECT(ids)}/_reactivate`, empty),
  write('RemoveProject', 'DELETE', PROJECT),
  read('ListProjectRoles', 'POST', (ids) => `${PROJECT(ids)}/roles/_search`, empty),
  write(
    'AddProjectRole',
    'POST',
    (ids) => `${PROJECT(ids)}/roles`,
    () => ({ roleKey: 'stolen', displayName: 'x' }),
  ),
  write(
    'BulkAddProjectRoles',
    'POST',
    (ids) => `${PROJECT(ids)}/roles/_bulk`,
    () => ({ roles: [{ key: 'stolen', displayName: 'x' }] }),
  ),
  write(
    'UpdateProjectRole',
    'PUT',
    (ids) => `${PROJECT(ids)}/roles/${ids.role}`,
    () => ({ displayName: 'Stolen' }),
  ),
  write('RemoveProjectRole', 'DELETE', (ids) => `${PROJECT(ids)}/roles/${ids.role}`),
  read('ListApps', 'POST', (ids) => `${PROJECT(ids)}/apps/_search`, empty),
  read('GetAppByID', 'GET', APP),
  write(
    'AddOIDCApp',
    'POST',
    (ids) => `${PROJECT(ids)}/apps/oidc`,
    () => oidcApp(),
  ),
  write(
    'AddAPIApp',
    'POST',
    (ids) => `${PROJECT(ids)}/apps/api`,
    () => ({ name: 'Stolen' }),
  ),
  write('UpdateApp', 'PUT', APP, () => ({ name: 'Stolen' })),
  write(
    'UpdateOIDCAppConfig',
    'PUT',
    (ids) => `${APP(ids)}/oidc_config`,
    () => oidcApp({ redirectUris: ['https://evil.test/cb'] }),
  ),
  write(
    'UpdateAPIAppConfig',
    'PUT',
    (ids) => `${PROJECT(ids)}/apps/${ids.api}/api_config`,
    () => ({ authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' }),
  ),
  write('DeactivateApp', 'POST', (ids) => `${APP(ids)}/_deactivate`, empty),
  write('ReactivateApp', 'POST', (ids) => `${APP(ids)}/_reactivate`, empty),
  write('RemoveApp', 'DELETE', APP),
  write('RegenerateOIDCClientSecret', 'POST', (ids) => `${APP(ids)}/oidc_config/_generate_client_secret`, empty),
  write(
    'RegenerateAPIClientSecret',
    'POST',
    (ids) => `${PROJECT(ids)}/apps/${ids.api}/api_config/_generate_client_secret`,
    empty,
  ),
  read(
    'PreviewTokens',
    'POST',
    (ids) => `${APP(ids)}/_preview`,
    (ids) => ({ userId: ids.user, scopes: ['openid'] }),
  ),
  read('ListAppKeys', 'POST', (ids) => `${PROJECT(ids)}/apps/${ids.api}/keys/_search`, empty),
  read('GetAppKey', 'GET', (ids) => `${PROJECT(ids)}/apps/${ids.api}/keys/${ids.key}`),
  write(
    'AddAppKey',
    'POST',
    (ids) => `${PROJECT(ids)}/apps/${ids.api}/keys`,
    () => ({ type: 'KEY_TYPE_JSON' }),
  ),
  write('RemoveAppKey', 'DELETE', (ids) => `${PROJECT(ids)}/apps/${ids.api}/keys/${ids.key}`),
  read('ListProjectGrants', 'POST', (ids) => `${PROJECT(ids)}/grants/_search`, empty),
  read('GetProjectGrantByID', 'GET', GRANT),
  write(
    'AddProjectGrant',
    'POST',
    (ids) => `${PROJECT(ids)}/grants`,
    () => ({ grantedOrgId: '1', roleKeys: [] }),
  ),
  write('UpdateProjectGrant', 'PUT', GRANT, () => ({ roleKeys: [] })),
  write('DeactivateProjectGrant', 'POST', (ids) => `${GRANT(ids)}/_deactivate`, empty),
  write('ReactivateProjectGrant', 'POST', (ids) => `${GRANT(ids)}/_reactivate`, empty),
  write('RemoveProjectGrant', 'DELETE', GRANT),
  read('GetUserGrantByID', 'GET', USER_GRANT),
  write(
    'AddUserGrant',
    'POST',
    (ids) => `/management/v1/users/${ids.user}/grants`,
    (ids) => ({ projectId: ids.project, roleKeys: [ids.role] }),
  ),
  write('UpdateUserGrant', 'PUT', USER_GRANT, () => ({ roleKeys: [] })),
  write('DeactivateUserGrant', 'POST', (ids) => `${USER_GRANT(ids)}/_deactivate`, empty),
  write('ReactivateUserGrant', 'POST', (ids) => `${USER_GRANT(ids)}/_reactivate`, empty),
  write('RemoveUserGrant', 'DELETE', USER_GRANT),
  write(
    'BulkRemoveUserGrant',
    'DELETE',
    () => '/management/v1/user_grants/_bulk',
    (ids) => ({ grantId: [ids.userGrant] }),
  ),
];

const UNKNOWN: Ids = { project: '1', role: '1', app: '1', api: '1', key: '1', grant: '1', user: '1', userGrant: '1' };

let stage: Stage;
let ids: Ids;
/** Of the same organization, but other objects: a request that mixes them up is refused. */
let others: Ids;

async function makeAll(): Promise<Ids> {
  const { ownerOfA: api } = stage;
  const project = await addProject(api, ['reader']);
  const { appId: app } = await addOidcApp(stage, api, project);
  const { appId: apiApp } = await api.call<{ appId: string }>('POST', `/management/v1/projects/${project}/apps/api`, {
    name: 'API',
    authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT',
  });
  const { id: key } = await api.call<{ id: string }>('POST', `/management/v1/projects/${project}/apps/${apiApp}/keys`, {
    type: 'KEY_TYPE_JSON',
  });
  const { id: user } = await addPerson(stage, stage.orgA);
  const orgC = await stage.world.add.org();
  return {
    project,
    role: 'reader',
    app,
    api: apiApp,
    key,
    user,
    grant: await addGrant(api, project, orgC, ['reader']),
    userGrant: await addUserGrant(api, user, project, ['reader']),
  };
}

beforeAll(async () => {
  stage = await setStage();
  ids = await makeAll();
  others = await makeAll();
});
afterAll(() => stage.world.close());

describe.each(CASES.map((each) => [each.name, each] as const))('%s', (_, { method, path, body, writes }) => {
  it('answers another organization as if there were nothing [ADM-004]', async () => {
    const before = await stage.world.contents();
    const foreign = await stage.ownerOfB.ask(method, path(ids), body?.(ids));
    const nothing = await stage.ownerOfB.ask(method, path(UNKNOWN), body?.(UNKNOWN));
    expect(foreign.status).toBe(404);
    expect([foreign.status, foreign.text]).toEqual([nothing.status, nothing.text]);
    expect(await stage.world.contents()).toBe(before);
  });

  it('refuses callers who name the other organization in the header, and do not have permission there [ADM-005]', async () => {
    const before = await stage.world.contents();
    for (const api of [stage.ownerOfB.about(stage.orgA.id), stage.nobodyOfA, ...(writes ? [stage.viewerOfA] : [])]) {
      expect(verdictOf(await api.ask(method, path(ids), body?.(ids)))).toBe('403 permission.missing');
    }
    expect(await stage.world.contents()).toBe(before);
  });
});

/** The same parents, with the children of others. */
const swapped = (from: Ids, children: Ids): Ids => ({
  ...children,
  project: from.project,
  user: from.user,
  role: 'nowhere',
});
const SAMPLE: Ids = { project: 'p', role: 'r', app: 'a', api: 'b', key: 'k', grant: 'g', user: 'u', userGrant: 'v' };
const NESTED = CASES.filter(({ path }) => path(SAMPLE) !== path(swapped(SAMPLE, UNKNOWN)));

describe.each(NESTED.map((each) => [each.name, each] as const))('%s', (_, { method, path, body }) => {
  it('does not find an object under another of the same organization', async () => {
    const before = await stage.world.contents();
    expect((await stage.ownerOfA.ask(method, path(swapped(ids, others)), body?.(ids))).status).toBe(404);
    expect(await stage.world.contents()).toBe(before);
  });
});

describe('lists of the organization', () => {
  it.each(['projects/_search', 'projectgrants/_search', 'granted_projects/_search', 'users/grants/_search'])(
    '%s shows nothing of another organization, by no filter [ADM-004]',
    async (path) => {
      const queries: Json[] =
        path === 'users/grants/_search'
          ? [
              { projectIdQuery: { projectId: ids.project } },
              { userIdQuery: { userId: ids.user } },
              { withGrantedQuery: { withGranted: true } },
            ]
          : path === 'projectgrants/_search'
            ? [{ projectIdQuery: { projectId: ids.project } }]
            : [];
      for (const query of [undefined, ...queries]) {
        const { result } = await stage.ownerOfB.call<{ result: Json[] }>('POST', `/management/v1/${path}`, {
          queries: query ? [query] : [],
        });
        expect(result).toEqual([]);
      }
      expect(await stage.ownerOfB.about(stage.orgA.id).verdict('POST', `/management/v1/${path}`, {})).toBe(
        '403 permission.missing',
      );
      expect(await stage.nobodyOfA.verdict('POST', `/management/v1/${path}`, {})).toBe('403 permission.missing');
    },
  );

  it('a manager of the instance chooses the organization by the header', async () => {
    const { result } = await stage.iamOwner
      .about(stage.orgB.id)
      .call<{ result: Json[] }>('POST', '/management/v1/projects/_search', {});
    expect(result).toEqual([]);
    expect(await stage.iamOwner.about(stage.orgB.id).verdict('GET', PROJECT(ids))).toBe('404 project.not_found');
    expect(await stage.iamOwner.about(stage.orgA.id).verdict('GET', PROJECT(ids))).toBe('200');
  });
});
