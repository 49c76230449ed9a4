import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../../support/admin-api.js';
import { uniqueName } from '../../support/builders.js';
import { addOidcApp, addProject, managerOf, type Stage, setStage } from '../project-support.js';

const PATH = '/v2/applications';
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown as string;
const REDIRECT = 'https://app.example.com/callback';

let stage: Stage;
let a: AdminApi;
let projectId: string;

beforeAll(async () => {
  stage = await setStage();
  a = stage.ownerOfA;
  projectId = await addProject(a);
});
afterAll(() => stage.world.close());

interface Created {
  readonly applicationId: string;
  readonly creationDate: string;
  readonly oidcConfiguration: { readonly clientId: string; readonly clientSecret: string };
  readonly apiConfiguration: { readonly clientId: string; readonly clientSecret: string };
}

const create = async (more: Json = {}): Promise<Created> =>
  a.call<Created>('POST', PATH, {
    projectId,
    name: uniqueName('Second'),
    oidcConfiguration: { redirectUris: [REDIRECT] },
    ...more,
  });

const get = async (id: string): Promise<Json> => (await a.call('GET', `${PATH}/${id}`))['application'] as Json;

const idsIn = async (api: AdminApi, filters: readonly object[] = []): Promise<string[]> =>
  (
    (await api.call('POST', `${PATH}/_search`, { filters, pagination: { limit: 1_000 } }))['applications'] as Array<{
      applicationId: string;
    }>
  ).map(({ applicationId }) => applicationId);

describe('Applications of the second generation', () => {
  it('are those of the first, with other numbers for response types', async () => {
    const name = uniqueName('Both');
    const { applicationId, creationDate, oidcConfiguration } = await create({
      name,
      oidcConfiguration: {
        redirectUris: [REDIRECT],
        responseTypes: [1, 'OIDC_RESPONSE_TYPE_ID_TOKEN'],
        grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_IMPLICIT'],
        applicationType: 'OIDC_APP_TYPE_WEB',
        authMethodType: 'OIDC_AUTH_METHOD_TYPE_POST',
        developmentMode: true,
        loginVersion: { loginV2: { baseUri: 'https://login.example.com' } },
      },
    });
    expect(oidcConfiguration).toMatchObject({ clientId: expect.any(String), clientSecret: expect.any(String) });
    expect(await get(applicationId)).toMatchObject({
      applicationId,
      projectId,
      creationDate,
      changeDate: creationDate,
      state: 'APPLICATION_STATE_ACTIVE',
      name,
      oidcConfiguration: {
        clientId: oidcConfiguration.clientId,
        responseTypes: ['OIDC_RESPONSE_TYPE_CODE', 'OIDC_RESPONSE_TYPE_ID_TOKEN'],
        developmentMode: true,
        loginVersion: { loginV2: { baseUri: 'https://login.example.com' } },
      },
    });
    const { app } = await a.call<{ app: Json }>('GET', `/management/v1/projects/${projectId}/apps/${applicationId}`);
    expect(app).toMatchObject({
      name,
      oidcConfig: {
        clientId: oidcConfiguration.clientId,
        authMethodType: 'OIDC_AUTH_METHOD_TYPE_POST',
        responseTypes: ['OIDC_RESPONSE_TYPE_CODE', 'OIDC_RESPONSE_TYPE_ID_TOKEN'],
        devMode: true,
      },
    });
  });

  it('sign users in by the code flow if they name none, or are APIs', async () => {
    const { applicationId } = await create({ oidcConfiguration: {} });
    expect(await get(applicationId)).toMatchObject({
      oidcConfiguration: {
        responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
        grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
      },
    });
    const api = await create({ oidcConfiguration: undefined, apiConfiguration: {} });
    expect(api.apiConfiguration).toEqual({ clientId: expect.any(String), clientSecret: expect.any(String) });
    expect(await get(api.applicationId)).toMatchObject({
      apiConfiguration: { authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' },
    });
  });

  it('may have an id of the caller’s choice, once, and none that is a word of a path', async () => {
    const applicationId = uniqueName('own-id');
    expect((await create({ applicationId })).applicationId).toBe(applicationId);
    const again = { projectId, name: uniqueName('x'), oidcConfiguration: {} };
    expect(await a.verdict('POST', PATH, { ...again, applicationId })).toBe('409 client.application_id_taken');
    expect(await a.verdict('POST', PATH, { ...again, applicationId: '_search' })).toBe('400 applicationId');
  });

  it('are refused by the names that fields have in the request, and by name where another package makes them', async () => {
    const base = { projectId, name: uniqueName('Refused') };
    const verdict = (more: object): Promise<string> => a.verdict('POST', PATH, { ...base, ...more });
    expect(await verdict({})).toBe('400 oidcConfiguration');
    expect(await verdict({ oidcConfiguration: { redirectUris: ['nonsense'] } })).toBe(
      '400 oidcConfiguration.redirectUris[0]',
    );
    expect(await verdict({ oidcConfiguration: { responseTypes: [0] } })).toBe('400 oidcConfiguration.responseTypes');
    expect(await verdict({ oidcConfiguration: {}, apiConfiguration: {} })).toBe('400 apiConfiguration');
    const saml = { samlConfiguration: { metadataUrl: 'https://wiki.example.com/metadata' } };
    const { applicationId } = await create();
    for (const path of [PATH, `${PATH}/${applicationId}`]) {
      const reply = await a.ask('POST', path, { ...base, ...saml });
      expect([reply.status, reply.json()['message']]).toEqual([400, expect.stringContaining('gatehouse-saml')]);
    }
  });

  it('keep what an update does not name, an empty list included', async () => {
    const { applicationId } = await create({
      oidcConfiguration: {
        redirectUris: [REDIRECT],
        postLogoutRedirectUris: ['https://app.example.com/'],
        clockSkew: '2s',
        idTokenRoleAssertion: true,
        accessTokenLifetime: '600s',
        consentPage: true,
        loginVersion: { loginV1: {} },
      },
    });
    const before = (await get(applicationId))['oidcConfiguration'] as Json;
    const name = uniqueName('Renamed');
    const second = 'https://app.example.com/second';
    expect(
      await a.call('POST', `${PATH}/${applicationId}`, {
        projectId,
        name,
        oidcConfiguration: { redirectUris: [REDIRECT, second], postLogoutRedirectUris: [] },
      }),
    ).toEqual({ changeDate: DATE });
    expect(await get(applicationId)).toMatchObject({
      name,
      oidcConfiguration: { ...before, redirectUris: [REDIRECT, second] },
    });
    await a.call('POST', `${PATH}/${applicationId}`, {
      oidcConfiguration: {
        clockSkew: '0s',
        idTokenRoleAssertion: false,
        accessTokenLifetime: '0s',
        consentPage: false,
        applicationType: 'OIDC_APP_TYPE_NATIVE',
        authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
        accessTokenType: 'OIDC_TOKEN_TYPE_JWT',
      },
    });
    const after = await get(applicationId);
    expect(after).toMatchObject({
      name,
      oidcConfiguration: {
        redirectUris: [REDIRECT, second],
        clockSkew: '0s',
        idTokenRoleAssertion: false,
        consentPage: false,
        applicationType: 'OIDC_APP_TYPE_NATIVE',
        authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
        accessTokenType: 'OIDC_TOKEN_TYPE_JWT',
        loginVersion: { loginV1: {} },
      },
    });
    expect(after['oidcConfiguration']).not.toHaveProperty('accessTokenLifetime');
    expect(await a.verdict('POST', `${PATH}/${applicationId}`, { apiConfiguration: {} })).toBe('400 client.not_api');
  });

  it('get another secret, are deactivated, reactivated and removed', async () => {
    const { applicationId, oidcConfiguration } = await create();
    const place = `${PATH}/${applicationId}`;
    const { clientSecret, creationDate } = await a.call('POST', `${place}/generate_client_secret`, { projectId });
    expect([clientSecret === oidcConfiguration.clientSecret, creationDate]).toEqual([false, DATE]);
    expect(await a.call('POST', `${place}/deactivate`)).toEqual({ deactivationDate: DATE });
    expect(await get(applicationId)).toMatchObject({ state: 'APPLICATION_STATE_INACTIVE' });
    expect(await a.call('POST', `${place}/reactivate`)).toEqual({ reactivationDate: DATE });
    await a.call('POST', place, { oidcConfiguration: { authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE' } });
    expect(await a.verdict('POST', `${place}/generate_client_secret`)).toBe('400 client.no_secret');
    expect(await a.verdict('DELETE', `${place}?projectId=1`)).toBe('404 client.not_found');
    expect(await a.call('DELETE', `${place}?projectId=${projectId}`)).toEqual({ deletionDate: DATE });
    expect(await a.verdict('GET', place)).toBe('404 client.not_found');
  });

  it('are found by project, name, state, type and client id, and not by what another package knows', async () => {
    const own = await addProject(a);
    const name = uniqueName('Found');
    const web = await create({ projectId: own, name });
    const { applicationId: api } = await create({ projectId: own, oidcConfiguration: undefined, apiConfiguration: {} });
    await a.call('POST', `${PATH}/${api}/deactivate`);
    const inOwn = { projectIdFilter: { projectId: own } };
    const found = async (filter: object): Promise<string[]> => idsIn(a, [inOwn, filter]);
    expect((await idsIn(a, [inOwn])).sort()).toEqual([web.applicationId, api].sort());
    const nameFilter = { name: name.toUpperCase(), method: 'TEXT_FILTER_METHOD_EQUALS_IGNORE_CASE' };
    expect(await idsIn(a, [{ nameFilter }])).toEqual([web.applicationId]);
    expect(await found({ stateFilter: 'APPLICATION_STATE_INACTIVE' })).toEqual([api]);
    expect(await found({ stateFilter: 'APPLICATION_STATE_REMOVED' })).toEqual([]);
    expect(await found({ typeFilter: 'APPLICATION_TYPE_OIDC' })).toEqual([web.applicationId]);
    expect(await found({ typeFilter: 'APPLICATION_TYPE_SAML' })).toEqual([]);
    const { clientId } = web.oidcConfiguration;
    expect(await idsIn(a, [{ clientIdFilter: { clientId } }])).toEqual([web.applicationId]);
    for (const filter of [{ entityIdFilter: { entityId: 'x' } }, { stateFilter: 0 }])
      expect(await a.verdict('POST', `${PATH}/_search`, { filters: [filter] })).toMatch(/^400 filters\[0\]/);
    for (const sortingColumn of [0, 1, 2, 3, 4])
      expect(await a.verdict('POST', `${PATH}/_search`, { sortingColumn, filters: [inOwn] })).toBe('200');
  });
});

describe('An application that a request names [ADM-101]', () => {
  it('is out of reach for managers of other organizations, and answered as if it did not exist', async () => {
    const { appId } = await addOidcApp(stage, a, projectId);
    const there = stage.ownerOfB;
    for (const id of [appId, '1'])
      expect([
        await there.verdict('GET', `${PATH}/${id}`),
        await there.verdict('POST', `${PATH}/${id}`, { name: 'Mine' }),
        await there.verdict('POST', `${PATH}/${id}/deactivate`),
        await there.verdict('POST', `${PATH}/${id}/reactivate`),
        await there.verdict('POST', `${PATH}/${id}/generate_client_secret`),
        await there.verdict('DELETE', `${PATH}/${id}`),
      ]).toEqual(Array.from({ length: 6 }, () => '404 client.not_found'));
    const theirs = { projectId, name: 'Theirs', oidcConfiguration: {} };
    expect(await there.verdict('POST', PATH, theirs)).toBe('404 project.not_found');
    expect(await idsIn(there)).not.toContain(appId);
    expect(await idsIn(there, [{ projectIdFilter: { projectId } }])).toEqual([]);
  });

  it('needs a role of its project alone, of which the weakest reads it and changes nothing', async () => {
    const own = await addProject(a);
    const { appId } = await addOidcApp(stage, a, own);
    const { appId: other } = await addOidcApp(stage, a, projectId);
    const owner = await managerOf(stage, stage.orgA, 'PROJECT_OWNER', own);
    expect(await owner.verdict('POST', `${PATH}/${appId}`, { name: uniqueName('By its owner') })).toBe('200');
    const viewer = await managerOf(stage, stage.orgA, 'PROJECT_OWNER_VIEWER', own);
    expect(await viewer.verdict('GET', `${PATH}/${appId}`)).toBe('200');
    expect(await viewer.verdict('GET', `${PATH}/${other}`)).toBe('404 client.not_found');
    expect(await idsIn(viewer)).toEqual([appId]);
    expect(await viewer.verdict('POST', `${PATH}/${appId}`, { name: 'x' })).toBe('403 permission.missing');
    expect(await viewer.verdict('DELETE', `${PATH}/${appId}`)).toBe('403 permission.missing');
  });

  it('is not changed by who may read it there and write elsewhere', async () => {
    const own = await addProject(a);
    const { appId } = await addOidcApp(stage, a, projectId);
    const { api, service } = await callerWith(stage.world, stage.orgA, ['ORG_OWNER_VIEWER']);
    const place = { level: 'project', objectId: own, orgId: stage.orgA.id } as const;
    await stage.world.add.member(service.id, ['PROJECT_OWNER'], place);
    expect(await api.verdict('GET', `${PATH}/${appId}`)).toBe('200');
    expect(await api.verdict('POST', `${PATH}/${appId}`, { name: 'x' })).toBe('404 client.not_found');
    expect(await api.verdict('POST', `${PATH}/${appId}/generate_client_secret`)).toBe('404 client.not_found');
  });

  it('is not looked for if the caller holds the permission nowhere', async () => {
    const { appId } = await addOidcApp(stage, a, projectId);
    expect(await stage.nobodyOfA.verdict('GET', `${PATH}/${appId}`)).toBe('403 permission.missing');
    expect(await stage.nobodyOfA.verdict('POST', `${PATH}/_search`, {})).toBe('403 permission.missing');
  });

  it('is changed by owners of the instance alone if it may administer', async () => {
    const { appId } = await addOidcApp(stage, a, projectId);
    await stage.iamOwner.call('PUT', `/admin/v1/apps/${appId}/administration`, {
      administration: 'APP_ADMINISTRATION_ALLOWED',
    });
    const config = { oidcConfiguration: { redirectUris: ['https://evil.example.com/callback'] } };
    expect(await a.verdict('POST', `${PATH}/${appId}`, config)).toBe('403 permission.missing');
    expect(await a.verdict('POST', `${PATH}/${appId}/generate_client_secret`)).toBe('403 permission.missing');
    expect(await stage.iamOwner.verdict('POST', `${PATH}/${appId}`, config)).toBe('200');
  });

  it('is reached over gRPC and Connect as in JSON', async () => {
    const { appId: applicationId } = await addOidcApp(stage, a, projectId);
    const ask = async (api: AdminApi): Promise<number> =>
      (await api.ask('POST', '/service.application.v2.ApplicationService/GetApplication', { applicationId })).status;
    expect([await ask(a), await ask(stage.ownerOfB)]).toEqual([200, 404]);
  });
});
