import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../support/admin-api.js';
import { uniqueName } from '../support/builders.js';
import { send } from '../support/http.js';
import { basicAuth, paths } from '../support/relying-party.js';
import { relyingPartyOf } from './app-party.js';
import {
  type AddedApp,
  addOidcApp,
  addPerson,
  addProject,
  eventsOf,
  MARK,
  oidcApp,
  type Stage,
  setStage,
} from './project-support.js';

let stage: Stage;
let projectId: string;
let path: string;

beforeAll(async () => {
  stage = await setStage();
  projectId = await addProject(stage.ownerOfA);
  path = `/management/v1/projects/${projectId}/apps`;
});
afterAll(() => stage.world.close());

describe('AddOIDCApp', () => {
  it('registers an application with all its settings, as they are then read and listed', async () => {
    const settings = {
      redirectUris: ['https://app.test/cb', 'https://app.test/other'],
      responseTypes: ['OIDC_RESPONSE_TYPE_CODE', 'OIDC_RESPONSE_TYPE_ID_TOKEN', 'OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN'],
      grantTypes: [
        'OIDC_GRANT_TYPE_AUTHORIZATION_CODE',
        'OIDC_GRANT_TYPE_IMPLICIT',
        'OIDC_GRANT_TYPE_REFRESH_TOKEN',
        'OIDC_GRANT_TYPE_DEVICE_CODE',
        'OIDC_GRANT_TYPE_TOKEN_EXCHANGE',
      ],
      appType: 'OIDC_APP_TYPE_WEB',
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_POST',
      postLogoutRedirectUris: ['https://app.test/bye'],
      version: 'OIDC_VERSION_1_0',
      devMode: true,
      accessTokenType: 'OIDC_TOKEN_TYPE_JWT',
      accessTokenHeaderType: 'ACCESS_TOKEN_HEADER_TYPE_JWT',
      strictAuthMethod: true,
      jwksUri: 'https://app.test/jwks.json',
      assertionAudience: 'ASSERTION_AUDIENCE_ISSUER_ONLY',
      requireAssertionId: true,
      dpopBoundAccessTokens: true,
      securityProfile: 'SECURITY_PROFILE_NONE',
      tlsBoundAccessTokens: true,
      tlsClientNameType: 'TLS_CLIENT_NAME_TYPE_SUBJECT_DN',
      tlsClientName: 'CN=app,O=Example',
      requirePushedRequests: true,
      requireSignedRequests: true,
      requestUris: { uris: ['https://app.test/request.jwt#first', 'https://app.test/request.jwt'] },
      signedUserinfo: true,
      accessTokenRoleAssertion: true,
      idTokenRoleAssertion: true,
      idTokenUserinfoAssertion: true,
      clockSkew: '5s',
      additionalOrigins: ['https://other.test'],
      skipNativeAppSuccessPage: true,
      backChannelLogoutUri: 'https://app.test/logout',
      loginVersion: { loginV2: { baseUri: 'https://login.test/' } },
      consentPage: true,
      extensionGrants: { names: [] },
      flatRolesClaim: true,
      accessTokenLifetime: '600s',
      idTokenLifetime: '7200s',
    };
    const name = uniqueName('Whole');
    const unoffered = {
      noneCompliant: true,
      complianceProblems: [
        'NotCompliant',
        'GrantType.TokenExchange.NotConfidential',
        'BoundTokens.ImplicitAccessToken',
        'RequestUri.NotFetched', // nor is REQUEST_URI set
        'Certificate.NotRead', // no proxy is configured here
      ].map(toProblem),
    };
    const added = await stage.ownerOfA.call<AddedApp>('POST', `${path}/oidc`, { name, ...settings });
    stage.world.plant(added.clientSecret);
    expect(added).toEqual({
      appId: expect.stringMatching(/^\d+$/),
      details: { ...MARK, creationDate: expect.any(String), resourceOwner: stage.orgA.id },
      clientId: expect.stringMatching(/^\d+$/),
      clientSecret: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
      ...unoffered,
    });
    const { app } = await stage.ownerOfA.call('GET', `${path}/${added.appId}`);
    expect(app).toEqual({
      id: added.appId,
      details: added.details,
      state: 'APP_STATE_ACTIVE',
      administration: 'APP_ADMINISTRATION_OWN_ORG',
      name,
      oidcConfig: {
        ...settings,
        clientId: added.clientId,
        ...unoffered,
        origin: 'APP_ORIGIN_ADMINISTRATOR',
        allowedOrigins: ['https://app.test', 'https://other.test'],
      },
    });
    const { result } = await stage.ownerOfA.call('POST', `${path}/_search`, { queries: [{ nameQuery: { name } }] });
    expect(result).toEqual([app]);
    expect(await eventsOf(stage, added.appId)).toEqual(['client.oidc.added']);
  });

  it.each<[string, Json, Json | undefined]>([
    ['none', {}, undefined],
    ['the first', { loginVersion: { loginV1: {} } }, { loginV1: {} }],
    ['the second, here', { loginVersion: { loginV2: {} } }, { loginV2: {} }],
  ])('keeps which login pages it was made for: %s', async (_, over, expected) => {
    const { appId } = await addOidcApp(stage, stage.ownerOfA, projectId, over);
    expect((await stage.ownerOfA.call('GET', `${path}/${appId}`)).app.oidcConfig.loginVersion).toEqual(expected);
  });

  it('adds an application with which people sign in', async () => {
    const rp = await relyingPartyOf(stage, path, await addOidcApp(stage, stage.ownerOfA, projectId));
    const tokens = await rp.tokens(await addPerson(stage, stage.orgA), { scope: 'openid offline_access' });
    expect((await rp.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('gives no secret where none is used', async () => {
    for (const authMethodType of ['OIDC_AUTH_METHOD_TYPE_NONE', 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT']) {
      expect((await addOidcApp(stage, stage.ownerOfA, projectId, { authMethodType })).clientSecret).toBe('');
    }
  });

  it('shows the secret once and keeps its digest alone [ADM-021]', async () => {
    const { appId, clientSecret } = await addOidcApp(stage, stage.ownerOfA, projectId);
    for (const [method, at] of [
      ['GET', `${path}/${appId}`],
      ['POST', `${path}/_search`],
    ] as const) {
      const { text } = await stage.ownerOfA.ask(method, at, method === 'POST' ? {} : undefined);
      expect(text).not.toMatch(new RegExp(`${clientSecret}|[sS]ecret"`));
    }
    const [row] = await stage.world.rows<{ text: string }>(
      `SELECT c::text || coalesce((SELECT string_agg(e::text, '') FROM event e WHERE e.aggregate_id = c.id), '') AS text FROM client c WHERE id = $1`,
      [appId],
    );
    expect(row!.text).not.toContain(clientSecret);
  });

  it.each<[string, Json, string]>([
    ['no name', { name: '' }, '400 name'],
    ['a blank name', { name: '  ' }, '400 name'],
    ['a script', { redirectUris: ['javascript:alert(1)'] }, '400 redirectUris[0]'],
    ['a file', { redirectUris: ['https://ok.test/cb', 'file:///etc/passwd'] }, '400 redirectUris[1]'],
    ['user information', { redirectUris: ['https://user:pw@evil.test/'] }, '400 redirectUris[0]'],
    ['a fragment', { redirectUris: ['https://app.test/cb#x'] }, '400 redirectUris[0]'],
    ['http without development mode', { redirectUris: ['http://app.test/cb'] }, '400 redirectUris[0]'],
    ['a custom scheme of a web application', { redirectUris: ['app:/cb'] }, '400 redirectUris[0]'],
    ['a script after signing out', { postLogoutRedirectUris: ['javascript:x'] }, '400 postLogoutRedirectUris[0]'],
    [
      'no origin',
      { additionalOrigins: ['https://app.test/path', '*'] },
      '400 additionalOrigins[0], additionalOrigins[1]',
    ],
    [
      'http to another machine that is called like loopback',
      { redirectUris: ['http://localhost.evil.test/cb'] },
      '400 redirectUris[0]',
    ],
    ['a response type without its grant', { responseTypes: ['OIDC_RESPONSE_TYPE_ID_TOKEN'] }, '400 grantTypes'],
    ['a skew of 6 seconds', { clockSkew: '6s' }, '400 clockSkew'],
    ['a broken skew', { clockSkew: '0.5s' }, '400 clockSkew'],
    [
      'no lifetime',
      { accessTokenLifetime: '0s', idTokenLifetime: '7776001s' },
      '400 accessTokenLifetime, idTokenLifetime',
    ],
    ['a call to a script', { backChannelLogoutUri: 'javascript:x' }, '400 backChannelLogoutUri'],
    ['a call to another protocol', { backChannelLogoutUri: 'gopher://x' }, '400 backChannelLogoutUri'],
    [
      'login pages that are no address',
      { loginVersion: { loginV2: { baseUri: 'not a url' } } },
      '400 loginVersion.loginV2.baseUri',
    ],
    ['an unknown type', { appType: 'OIDC_APP_TYPE_TOASTER' }, '400 appType'],
    ['an unknown method', { authMethodType: 7 }, '400 authMethodType'],
    ['everything at once', { name: '', redirectUris: ['x'], clockSkew: '9s' }, '400 name'],
  ])('refuses %s and registers nothing', async (_, over, verdict) => {
    const before = await stage.world.contents();
    expect(await stage.ownerOfA.verdict('POST', `${path}/oidc`, oidcApp(over))).toBe(verdict);
    expect(await stage.world.contents()).toBe(before);
  });

  it('names every broken setting at once', async () => {
    const body = oidcApp({
      redirectUris: ['x:y'],
      additionalOrigins: ['*'],
      clockSkew: '9s',
      responseTypes: ['OIDC_RESPONSE_TYPE_ID_TOKEN'],
    });
    expect(await stage.ownerOfA.verdict('POST', `${path}/oidc`, body)).toBe(
      '400 redirectUris[0], additionalOrigins[0], grantTypes, clockSkew',
    );
  });

  it('reports what departs from the standards, at once and whenever it is read', async () => {
    const added = await addOidcApp(stage, stage.ownerOfA, projectId, {
      appType: 'OIDC_APP_TYPE_USER_AGENT',
      devMode: true,
      redirectUris: ['http://app.test/cb'],
      grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
    });
    const problems = ['NotCompliant', 'Code.RedirectUris.HttpOnlyForWeb', 'UserAgent.AuthMethodType.NotNone'];
    expect(added.noneCompliant).toBe(true);
    expect(added.complianceProblems).toEqual(problems.map(toProblem));
    const { oidcConfig } = (await stage.ownerOfA.call('GET', `${path}/${added.appId}`)).app;
    expect([oidcConfig.noneCompliant, oidcConfig.complianceProblems]).toEqual([true, added.complianceProblems]);
  });

  it('refuses a name twice in one project, also at the same moment', async () => {
    const name = uniqueName('Twice');
    const verdicts = await Promise.all(
      [1, 2, 3].map(() => stage.ownerOfA.verdict('POST', `${path}/oidc`, oidcApp({ name }))),
    );
    expect(verdicts.sort()).toEqual(['200', '409 client.name_taken', '409 client.name_taken']);
    expect(
      await stage.ownerOfA.verdict(
        'POST',
        `/management/v1/projects/${await addProject(stage.ownerOfA)}/apps/oidc`,
        oidcApp({ name }),
      ),
    ).toBe('200');
  });
});

function toProblem(key: string): Json {
  return { key: `Application.OIDC.V1.${key}`, localizedMessage: expect.stringMatching(/\.$/) };
}

describe('AddAPIApp', () => {
  it.each([
    ['API_AUTH_METHOD_TYPE_BASIC', /^[A-Za-z0-9]{64}$/],
    ['API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT', /^$/],
  ])('registers one that authenticates by %s', async (authMethodType, secret) => {
    const name = uniqueName('API');
    const added = await stage.ownerOfA.call('POST', `${path}/api`, { name, authMethodType });
    stage.world.plant(added.clientSecret);
    expect(added.clientSecret).toMatch(secret);
    expect((await stage.ownerOfA.call('GET', `${path}/${added.appId}`)).app).toEqual({
      id: added.appId,
      details: added.details,
      state: 'APP_STATE_ACTIVE',
      administration: 'APP_ADMINISTRATION_OWN_ORG',
      name,
      apiConfig: {
        clientId: added.clientId,
        authMethodType,
        strictAuthMethod: false,
        tlsClientNameType: 'TLS_CLIENT_NAME_TYPE_UNSPECIFIED',
        tlsClientName: '',
        noneCompliant: false,
        complianceProblems: [],
        jwksUri: '',
        assertionAudience: 'ASSERTION_AUDIENCE_ANY',
        requireAssertionId: true,
      },
    });
  });

  it('registers one that authenticates by certificate, and says that none is read here [MTL-004]', async () => {
    const settings = { name: uniqueName('API'), authMethodType: 'API_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH' };
    expect(await stage.ownerOfA.verdict('POST', `${path}/api`, settings)).toBe('400 tlsClientNameType');
    const own = { ...settings, authMethodType: 'API_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH' };
    expect(await stage.ownerOfA.verdict('POST', `${path}/api`, own)).toBe('400 jwks');
    const named = { tlsClientNameType: 'TLS_CLIENT_NAME_TYPE_SAN_DNS', tlsClientName: 'api.test' };
    const added = await stage.ownerOfA.call('POST', `${path}/api`, { ...settings, ...named });
    expect(added.clientSecret).toBe('');
    const configOf = async () => (await stage.ownerOfA.call('GET', `${path}/${added.appId}`)).app.apiConfig;
    expect(await configOf()).toMatchObject({
      ...named,
      authMethodType: settings.authMethodType,
      noneCompliant: true,
      complianceProblems: [{ key: 'Application.OIDC.V1.Certificate.NotRead' }],
    });
    const renamed = { tlsClientNameType: 'TLS_CLIENT_NAME_TYPE_SAN_URI', tlsClientName: 'https://api.test/' };
    const config = { authMethodType: settings.authMethodType, ...renamed };
    await stage.ownerOfA.call('PUT', `${path}/${added.appId}/api_config`, config);
    expect(await configOf()).toMatchObject(renamed);
    await stage.ownerOfA.call('PUT', `${path}/${added.appId}/api_config`, {});
    expect(await configOf()).toMatchObject({ authMethodType: 'API_AUTH_METHOD_TYPE_BASIC', noneCompliant: false });
  });

  it('asks about tokens with its secret', async () => {
    const { clientId, clientSecret } = await stage.ownerOfA.call('POST', `${path}/api`, { name: uniqueName('API') });
    stage.world.plant(clientSecret);
    const ask = async (secret: string): Promise<number> =>
      (
        await send(stage.world.origin, {
          method: 'POST',
          path: paths.introspect,
          headers: basicAuth(clientId, secret),
          body: { token: 'x' },
        })
      ).status;
    expect([await ask(clientSecret), await ask('wrong')]).toEqual([200, 401]);
  });

  it('refuses any other authentication method', async () => {
    expect(
      await stage.ownerOfA.verdict('POST', `${path}/api`, { name: 'x', authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE' }),
    ).toBe('400 authMethodType');
    expect(await stage.ownerOfA.verdict('POST', `${path}/api`, { name: 'x', authMethodType: 2 })).toBe(
      '400 authMethodType',
    );
  });
});

describe('DeactivateApp, ReactivateApp and RemoveApp', () => {
  it('stop, start and end sign-ins and tokens; twice is refused', async () => {
    const added = await addOidcApp(stage, stage.ownerOfA, projectId);
    const rp = await relyingPartyOf(stage, path, added);
    const { access_token: token } = await rp.tokens(await addPerson(stage, stage.orgA));
    const at = `${path}/${added.appId}`;
    const userinfo = async (): Promise<number> => (await rp.userinfo(token)).status;
    expect((await stage.ownerOfA.call('POST', `${at}/_deactivate`, {})).details).toEqual({
      ...MARK,
      sequence: '2',
      resourceOwner: stage.orgA.id,
    });
    expect([
      await stage.ownerOfA.verdict('POST', `${at}/_deactivate`, {}),
      await userinfo(),
      (await rp.authorizeOnce()).status,
    ]).toEqual(['400 client.state_unchanged', 401, 400]);
    expect((await stage.ownerOfA.call('GET', at)).app.state).toBe('APP_STATE_INACTIVE');
    await stage.ownerOfA.call('POST', `${at}/_reactivate`, {});
    expect([await stage.ownerOfA.verdict('POST', `${at}/_reactivate`, {}), await userinfo()]).toEqual([
      '400 client.state_unchanged',
      200,
    ]);
    const verdicts = await Promise.all([1, 2].map(() => stage.ownerOfA.verdict('DELETE', at)));
    expect(verdicts.sort()).toEqual(['200', '404 client.not_found']);
    expect([await stage.ownerOfA.verdict('GET', at), await userinfo(), (await rp.authorizeOnce()).status]).toEqual([
      '404 client.not_found',
      401,
      400,
    ]);
    expect(await eventsOf(stage, added.appId)).toEqual([
      'client.oidc.added',
      'client.deactivated',
      'client.reactivated',
      'client.removed',
    ]);
  });
});

describe('ListApps', () => {
  it('sorts by name, pages and filters', async () => {
    const id = await addProject(stage.ownerOfA);
    const at = `/management/v1/projects/${id}/apps`;
    for (const name of ['beta', 'alpha', 'gamma'])
      await stage.ownerOfA.call('POST', `${at}/oidc`, oidcApp({ name, authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE' }));
    const names = async (body: Json): Promise<string[]> =>
      (await stage.ownerOfA.call('POST', `${at}/_search`, body)).result.map(({ name }: { name: string }) => name);
    expect(await names({})).toEqual(['alpha', 'beta', 'gamma']);
    expect(await names({ query: { offset: 1, limit: 1, asc: true } })).toEqual(['beta']);
    expect(
      await names({
        queries: [
          { nameQuery: { name: 'A', method: 'TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE' } },
          { nameQuery: { name: 'g', method: 'TEXT_QUERY_METHOD_STARTS_WITH' } },
        ],
      }),
    ).toEqual(['gamma']);
  });
});
