import { expect } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type TestOrg, type TestPerson, uniqueName } from '../support/builders.js';
import { startWorld, type World, type WorldOptions } from '../support/world.js';

/** Two organizations, their owners, and a user without permissions. */
export interface Stage {
  readonly world: World;
  readonly orgA: TestOrg;
  readonly orgB: TestOrg;
  readonly iamOwner: AdminApi;
  readonly ownerOfA: AdminApi;
  readonly viewerOfA: AdminApi;
  readonly nobodyOfA: AdminApi;
  readonly ownerOfB: AdminApi;
}

export async function setStage(options: WorldOptions = {}): Promise<Stage> {
  const world = await startWorld(options);
  const [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
  const api = async (org: TestOrg, ...roles: Parameters<typeof callerWith>[2]): Promise<AdminApi> =>
    (await callerWith(world, org, roles)).api;
  return {
    world,
    orgA,
    orgB,
    iamOwner: await api(orgA, 'IAM_OWNER'),
    ownerOfA: await api(orgA, 'ORG_OWNER'),
    viewerOfA: await api(orgA, 'ORG_OWNER_VIEWER'),
    nobodyOfA: await api(orgA),
    ownerOfB: await api(orgB, 'ORG_OWNER'),
  };
}

/** Somebody of an organization who manages one project, or one project grant, and nothing else. */
export async function managerOf(
  { world }: Stage,
  org: TestOrg,
  role: 'PROJECT_OWNER' | 'PROJECT_OWNER_VIEWER' | 'PROJECT_GRANT_OWNER' | 'PROJECT_GRANT_OWNER_VIEWER',
  objectId: string,
): Promise<AdminApi> {
  const { api, service } = await callerWith(world, org, []);
  const level = role.startsWith('PROJECT_GRANT') ? 'project_grant' : 'project';
  await world.add.member(service.id, [role], { level, objectId, orgId: org.id });
  return api;
}

export async function addProject(api: AdminApi, roles: readonly string[] = [], over: Json = {}): Promise<string> {
  const { id } = await api.call<{ id: string }>('POST', '/management/v1/projects', {
    name: uniqueName('Project'),
    ...over,
  });
  const added = roles.map((key) => ({ key, displayName: key }));
  if (added.length > 0) await api.call('POST', `/management/v1/projects/${id}/roles/_bulk`, { roles: added });
  return id;
}

export interface AddedApp {
  readonly appId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly details: Json;
  readonly noneCompliant: boolean;
  readonly complianceProblems: ReadonlyArray<{ key: string; localizedMessage: string }>;
}

/** A confidential web application with code and refresh. */
/** The lists that an update of an OpenID Connect application must name, all of them empty. */
export const EMPTY_LISTS = {
  redirectUris: [],
  responseTypes: [],
  grantTypes: [],
  postLogoutRedirectUris: [],
  additionalOrigins: [],
};

export function oidcApp(over: Json = {}): Json {
  return {
    ...EMPTY_LISTS,
    name: uniqueName('App'),
    redirectUris: [`https://${uniqueName('rp')}.test/cb`],
    responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
    grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
    appType: 'OIDC_APP_TYPE_WEB',
    authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC',
    ...over,
  };
}

export async function addOidcApp(stage: Stage, api: AdminApi, projectId: string, over: Json = {}): Promise<AddedApp> {
  const added = await api.call<AddedApp>('POST', `/management/v1/projects/${projectId}/apps/oidc`, oidcApp(over));
  if (added.clientSecret !== '') stage.world.plant(added.clientSecret);
  return added;
}

export async function addGrant(
  api: AdminApi,
  projectId: string,
  org: TestOrg,
  roleKeys: readonly string[],
): Promise<string> {
  const { grantId } = await api.call<{ grantId: string }>('POST', `/management/v1/projects/${projectId}/grants`, {
    grantedOrgId: org.id,
    roleKeys,
  });
  return grantId;
}

export async function addUserGrant(
  api: AdminApi,
  userId: string,
  projectId: string,
  roleKeys: readonly string[],
): Promise<string> {
  const { userGrantId } = await api.call<{ userGrantId: string }>('POST', `/management/v1/users/${userId}/grants`, {
    projectId,
    roleKeys,
  });
  return userGrantId;
}

export async function addPerson({ world }: Stage, org: TestOrg): Promise<TestPerson> {
  return world.add.person({ orgId: org.id });
}

/** The types of an object's events, oldest first. */
export async function eventsOf({ world }: Stage, aggregateId: string): Promise<string[]> {
  const rows = await world.rows<{ type: string }>('SELECT type FROM event WHERE aggregate_id = $1 ORDER BY position', [
    aggregateId,
  ]);
  return rows.map(({ type }) => type);
}

export const MARK = { sequence: expect.stringMatching(/^[1-9]\d*$/), changeDate: expect.any(String) };
