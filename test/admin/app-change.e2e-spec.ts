import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../support/admin-api.js';
import { uniqueName } from '../support/builders.js';
import { send } from '../support/http.js';
import { basicAuth, paths } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { relyingPartyOf } from './app-party.js';
import {
  addOidcApp,
  addProject,
  EMPTY_LISTS,
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

describe('UpdateApp', () => {
  it('changes the name; the same again changes nothing; that of another is refused', async () => {
    const [one, other] = [
      await addOidcApp(stage, stage.ownerOfA, projectId),
      await addOidcApp(stage, stage.ownerOfA, projectId),
    ];
    const name = uniqueName('Renamed');
    const { details } = await stage.ownerOfA.call('PUT', `${path}/${one.appId}`, { name });
    expect(details).toEqual({ ...MARK, sequence: '2', resourceOwner: stage.orgA.id });
    expect((await stage.ownerOfA.call('PUT', `${path}/${one.appId}`, { name })).details).toEqual(details);
    expect(await stage.ownerOfA.verdict('PUT', `${path}/${other.appId}`, { name })).toBe('409 client.name_taken');
    expect(await stage.ownerOfA.verdict('PUT', `${path}/${other.appId}`, { name: ' ' })).toBe('400 name');
  });
});

describe('UpdateOIDCAppConfig', () => {
  it('replaces the configuration, from the next request of every process on; the same again changes nothing', async () => {
    const replica = await startWorld({ replicaOf: stage.world });
    try {
      const added = await addOidcApp(stage, stage.ownerOfA, projectId, { redirectUris: ['https://one.test/cb'] });
      const rp = await relyingPartyOf(stage, path, added);
      const statusAt = async (origin: string, uri: string): Promise<number> =>
        (await send(origin, { path: rp.authorizePath({ redirect_uri: uri }) })).status;
      for (const { origin } of [stage.world, replica]) expect(await statusAt(origin, 'https://two.test/cb')).toBe(400);
      const { name: _, ...config } = oidcApp({ redirectUris: ['https://two.test/cb'] });
      const { details } = await stage.ownerOfA.call('PUT', `${path}/${added.appId}/oidc_config`, config);
      expect((await stage.ownerOfA.call('PUT', `${path}/${added.appId}/oidc_config`, config)).details).toEqual(details);
      expect(await eventsOf(stage, added.appId)).toEqual(['client.oidc.added', 'client.settings.changed']);
      expect([
        await statusAt(stage.world.origin, 'https://two.test/cb'),
        await statusAt(stage.world.origin, 'https://one.test/cb'),
      ]).toEqual([200, 400]);
      for (const deadline = Date.now() + 10_000; (await statusAt(replica.origin, 'https://two.test/cb')) !== 200; )
        expect(Date.now()).toBeLessThan(deadline);
    } finally {
      await replica.close();
    }
  });

  it('resets settings that are left out', async () => {
    const { appId } = await addOidcApp(stage, stage.ownerOfA, projectId, {
      consentPage: true,
      accessTokenLifetime: '60s',
      backChannelLogoutUri: 'https://app.test/x',
    });
    await stage.ownerOfA.call('PUT', `${path}/${appId}/oidc_config`, {
      ...EMPTY_LISTS,
      redirectUris: ['https://app.test/cb'],
    });
    const { oidcConfig } = (await stage.ownerOfA.call('GET', `${path}/${appId}`)).app;
    expect(oidcConfig).toMatchObject({
      consentPage: false,
      backChannelLogoutUri: '',
      responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
      grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
      redirectUris: ['https://app.test/cb'],
    });
    expect(oidcConfig).not.toHaveProperty('accessTokenLifetime');
  });

  it('keeps what programs written for another vendor do not know of, where it is left out', async () => {
    const kept = {
      accessTokenHeaderType: 'ACCESS_TOKEN_HEADER_TYPE_JWT',
      strictAuthMethod: true,
      dpopBoundAccessTokens: true,
    };
    const { appId } = await addOidcApp(stage, stage.ownerOfA, projectId, kept);
    const read = async (): Promise<Json> => (await stage.ownerOfA.call('GET', `${path}/${appId}`)).app.oidcConfig;
    await stage.ownerOfA.call('PUT', `${path}/${appId}/oidc_config`, {
      ...EMPTY_LISTS,
      redirectUris: ['https://app.test/cb'],
    });
    expect(await read()).toMatchObject(kept);
    const changed = {
      accessTokenHeaderType: 'ACCESS_TOKEN_HEADER_TYPE_AT_JWT',
      strictAuthMethod: false,
      dpopBoundAccessTokens: false,
    };
    await stage.ownerOfA.call('PUT', `${path}/${appId}/oidc_config`, { ...EMPTY_LISTS, ...changed });
    expect(await read()).toMatchObject(changed);
  });

  it('takes the secret from an application that needs none any more', async () => {
    const added = await addOidcApp(stage, stage.ownerOfA, projectId);
    const { name: _, ...config } = oidcApp({ authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE' });
    await stage.ownerOfA.call('PUT', `${path}/${added.appId}/oidc_config`, config);
    expect(await stage.world.rows('SELECT secret_hash FROM client WHERE id = $1', [added.appId])).toEqual([
      { secret_hash: null },
    ]);
    await stage.ownerOfA.call('PUT', `${path}/${added.appId}/oidc_config`, {
      ...config,
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC',
    });
    const reply = await send(stage.world.origin, {
      method: 'POST',
      path: paths.introspect,
      headers: basicAuth(added.clientId, added.clientSecret),
      body: { token: 'x' },
    });
    expect(reply.status).toBe(401);
  });

  it('refuses an application of the other kind', async () => {
    const { appId } = await stage.ownerOfA.call('POST', `${path}/api`, { name: uniqueName('API'), authMethodType: 1 });
    const oidc = await addOidcApp(stage, stage.ownerOfA, projectId);
    expect(await stage.ownerOfA.verdict('PUT', `${path}/${appId}/oidc_config`, oidcApp())).toBe('400 client.not_oidc');
    expect(await stage.ownerOfA.verdict('PUT', `${path}/${oidc.appId}/api_config`, {})).toBe('400 client.not_api');
    expect(await stage.ownerOfA.verdict('POST', `${path}/${appId}/oidc_config/_generate_client_secret`, {})).toBe(
      '400 client.not_oidc',
    );
    expect(await stage.ownerOfA.verdict('POST', `${path}/${oidc.appId}/api_config/_generate_client_secret`, {})).toBe(
      '400 client.not_api',
    );
  });

  it('loses no change of two at once [ADM-034]', async () => {
    const { appId } = await addOidcApp(stage, stage.ownerOfA, projectId);
    const verdicts = await Promise.all(
      ['https://x.test/a', 'https://x.test/b'].map((uri) =>
        stage.ownerOfA.verdict('PUT', `${path}/${appId}/oidc_config`, { ...EMPTY_LISTS, redirectUris: [uri] }),
      ),
    );
    expect(verdicts).toEqual(['200', '200']);
    expect((await stage.ownerOfA.call('GET', `${path}/${appId}`)).app.details.sequence).toBe('3');
  });
});

describe('UpdateAPIAppConfig', () => {
  it('changes how the application authenticates', async () => {
    const { appId } = await stage.ownerOfA.call('POST', `${path}/api`, { name: uniqueName('API'), authMethodType: 1 });
    expect(await stage.ownerOfA.verdict('POST', `${path}/${appId}/api_config/_generate_client_secret`, {})).toBe(
      '400 client.no_secret',
    );
    await stage.ownerOfA.call('PUT', `${path}/${appId}/api_config`, { authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' });
    expect((await stage.ownerOfA.call('GET', `${path}/${appId}`)).app.apiConfig.authMethodType).toBe(
      'API_AUTH_METHOD_TYPE_BASIC',
    );
    const { clientSecret } = await stage.ownerOfA.call(
      'POST',
      `${path}/${appId}/api_config/_generate_client_secret`,
      {},
    );
    stage.world.plant(clientSecret);
    expect(clientSecret).toMatch(/^[A-Za-z0-9]{64}$/);
  });

  it('keeps whether the method is strict where that is left out', async () => {
    const { appId, clientSecret } = await stage.ownerOfA.call('POST', `${path}/api`, {
      name: uniqueName('API'),
      strictAuthMethod: true,
    });
    stage.world.plant(clientSecret);
    const read = async (): Promise<unknown> =>
      (await stage.ownerOfA.call('GET', `${path}/${appId}`)).app.apiConfig.strictAuthMethod;
    await stage.ownerOfA.call('PUT', `${path}/${appId}/api_config`, { authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' });
    expect(await read()).toBe(true);
    await stage.ownerOfA.call('PUT', `${path}/${appId}/api_config`, { strictAuthMethod: false });
    expect(await read()).toBe(false);
  });
});

describe('RegenerateOIDCClientSecret', () => {
  it('kills the old secret with the answer; two at once leave one that works', async () => {
    const added = await addOidcApp(stage, stage.ownerOfA, projectId);
    const ask = async (secret: string): Promise<number> =>
      (
        await send(stage.world.origin, {
          method: 'POST',
          path: paths.introspect,
          headers: basicAuth(added.clientId, secret),
          body: { token: 'x' },
        })
      ).status;
    expect(await ask(added.clientSecret)).toBe(200);
    const at = `${path}/${added.appId}/oidc_config/_generate_client_secret`;
    const answers = await Promise.all([1, 2].map(() => stage.ownerOfA.call('POST', at, {})));
    for (const { clientSecret } of answers) stage.world.plant(clientSecret);
    expect(answers[0]!.details).toMatchObject({ ...MARK, resourceOwner: stage.orgA.id });
    expect(await ask(added.clientSecret)).toBe(401);
    expect((await Promise.all(answers.map(({ clientSecret }) => ask(clientSecret)))).sort()).toEqual([200, 401]);
  });
});
