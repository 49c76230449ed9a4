import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type Parameters, type Reply, send } from '../support/http.js';
import { basicAuth, paths } from '../support/relying-party.js';
import { expectToken400, expectToken401 } from '../support/verdict.js';
import { startWorld } from '../support/world.js';

const SHORT = 'petstore';
const world = await startWorld();
let api: AdminApi;
let hash: string;

/** As a converter writes it: an application for people, one that asks about tokens, and a service user. */
function documentOf(secretHash: string): Json {
  return {
    orgs: [
      {
        orgId: 'short-org',
        org: { name: 'Short' },
        projects: [{ projectId: 'short-project', project: { name: 'P' } }],
        oidcApps: [
          {
            appId: 'short-web',
            clientId: 'petclinic',
            secretHash,
            app: {
              projectId: 'short-project',
              name: 'web',
              redirectUris: ['https://pets.test/cb'],
              responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
              grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
            },
          },
        ],
        apiApps: [
          {
            appId: 'short-api',
            clientId: 'petapi',
            secretHash,
            app: { projectId: 'short-project', name: 'api', authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' },
          },
        ],
        machineUsers: [{ userId: 'short-machine', user: { userName: 'strimzi', name: 'Strimzi' }, secretHash }],
      },
    ],
  };
}

const post = (path: string, clientId: string, secret: string, body: Parameters): Promise<Reply> =>
  send(world.origin, { method: 'POST', path, headers: basicAuth(clientId, secret), body });
const refresh = (clientId: string, secret: string): Promise<Reply> =>
  post(paths.token, clientId, secret, { grant_type: 'refresh_token', refresh_token: 'gtr_none' });

beforeAll(async () => {
  world.plant(SHORT);
  api = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
  hash = await world.get(PasswordHash).hash(new Secret(SHORT));
  await api.call('POST', '/admin/v1/import', { data_orgs: documentOf(hash) });
});
afterAll(() => world.close());

describe('A client with a short imported secret keeps it', () => {
  it('at the token endpoint', async () => {
    for (const time of ['first', 'second']) {
      expect(time).toBeDefined();
      expectToken400(await refresh('petclinic', SHORT), 'invalid_grant');
    }
    for (const wrong of ['Petstore', 'petstor', '', hash]) expectToken401(await refresh('petclinic', wrong));
    expectToken400(await refresh('petclinic', SHORT), 'invalid_grant');
  });

  it('at introspection', async () => {
    expect((await post(paths.introspect, 'petapi', SHORT, { token: 'gta_none' })).json()).toEqual({ active: false });
    expectToken401(await post(paths.introspect, 'petapi', 'wrong', { token: 'gta_none' }));
  });

  it('as a service user, by client_credentials', async () => {
    expect(
      (await post(paths.token, 'strimzi', SHORT, { grant_type: 'client_credentials' })).json()['access_token'],
    ).toBeDefined();
    expectToken401(await post(paths.token, 'strimzi', 'wrong', { grant_type: 'client_credentials' }));
  });

  it('until another one is generated', async () => {
    const { clientSecret } = await api
      .about('short-org')
      .call<{ clientSecret: string }>(
        'POST',
        '/management/v1/projects/short-project/apps/short-api/api_config/_generate_client_secret',
        {},
      );
    world.plant(clientSecret);
    expectToken401(await post(paths.introspect, 'petapi', SHORT, { token: 'gta_none' }));
    expect((await post(paths.introspect, 'petapi', clientSecret, { token: 'gta_none' })).json()).toEqual({
      active: false,
    });
  });

  it('in the next export, when secrets are asked for', async () => {
    const { orgs } = await api.call<{ orgs: Array<Record<string, Array<{ secretHash?: string }>>> }>(
      'POST',
      '/admin/v1/export',
      { orgIds: ['short-org'], withPasswords: true },
    );
    expect([orgs[0]?.['oidcApps']?.[0]?.secretHash, orgs[0]?.['machineUsers']?.[0]?.secretHash]).toEqual([hash, hash]);
    expect((await api.ask('POST', '/admin/v1/export', { orgIds: ['short-org'] })).text).not.toContain('$argon2id');
  });

  it('when the same document comes again', async () => {
    const document = documentOf(hash);
    delete (document['orgs'] as Array<Record<string, unknown>>)[0]!['apiApps'];
    expect((await api.call('POST', '/admin/v1/import', { data_orgs: document }))['errors']).toEqual([]);
    expectToken400(await refresh('petclinic', SHORT), 'invalid_grant');
  });

  it.each([
    ['too few bytes', 'AAAA', /SHA-256/],
    ['too many bytes', 'A'.repeat(100), /SHA-256/],
    ['a number', 7, /must be a string/],
    ['an unknown form', '$9$x', /must be a hash/],
    ['a secret in clear', 'petstore!', /SHA-256/],
    ['a hash that is cut off', '$2b$12$NT0I31Sa7ihGEWpka9ASYe', /must be/],
  ])('and gets an error about a secretHash of %s', async (_, secretHash, says) => {
    const reply = await api.ask('POST', '/admin/v1/import', { data_orgs: documentOf(secretHash as string) });
    expect(reply.status).toBe(400);
    const violations = reply.json<{
      details: Array<{ fieldViolations: Array<{ field: string; description: string }> }>;
    }>().details[0]!.fieldViolations;
    expect(violations.map(({ field }) => field)).toEqual([
      'orgs[0].oidcApps[0].secretHash',
      'orgs[0].apiApps[0].secretHash',
      'orgs[0].machineUsers[0].secretHash',
    ]);
    for (const { description } of violations) expect(description).toMatch(says);
  });
});
