import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Json } from '../support/admin-api.js';
import { makeKey, uniqueName } from '../support/builders.js';
import { CERTIFICATES, keyWith, withUnreadableKey } from '../support/certificates.js';
import { addOidcApp, addProject, EMPTY_LISTS, type Stage, setStage } from './project-support.js';

const JWKS_URI = 'https://app.test/jwks.json';

let stage: Stage;
let projectId: string;
let path: string;
let jwk: JWK;

beforeAll(async () => {
  stage = await setStage();
  projectId = await addProject(stage.ownerOfA);
  path = `/management/v1/projects/${projectId}/apps`;
  jwk = { ...(await makeKey('ES256')).publicJwk, kid: 'one' };
});
afterAll(() => stage.world.close());

/** Adds an application of a kind; answers its id. */
async function add(kind: 'oidc' | 'api', settings: object = {}): Promise<string> {
  if (kind === 'oidc') {
    const key = { authMethodType: 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' };
    return (await addOidcApp(stage, stage.ownerOfA, projectId, { ...key, ...settings })).appId;
  }
  const key = { name: uniqueName('API'), authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' };
  return (await stage.ownerOfA.call('POST', `${path}/api`, { ...key, ...settings })).appId as string;
}

async function read(kind: 'oidc' | 'api', appId: string): Promise<Json> {
  return (await stage.ownerOfA.call('GET', `${path}/${appId}`)).app[`${kind}Config`];
}

const method = { oidc: 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT', api: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' } as const;

it.each(['oidc', 'api'] as const)(
  'an application (%s) has what it needs for assertions, keeps it in an update without it, and loses it when told',
  async (kind) => {
    const jwks = { keys: [jwk] };
    const strict = { assertionAudience: 'ASSERTION_AUDIENCE_ISSUER_ONLY', requireAssertionId: false };
    const appId = await add(kind, { jwks, ...strict });
    expect(await read(kind, appId)).toMatchObject({ jwks, ...strict, jwksUri: '' });
    const put = async (config: object): Promise<void> => {
      const lists = { ...EMPTY_LISTS, redirectUris: ['https://app.test/cb'] };
      const said = { authMethodType: method[kind], ...lists, ...config };
      await stage.ownerOfA.call('PUT', `${path}/${appId}/${kind}_config`, said);
    };
    await put({});
    expect(await read(kind, appId)).toMatchObject({ jwks, ...strict, jwksUri: '' });
    await put({ jwks: {}, jwksUri: JWKS_URI, assertionAudience: 'ASSERTION_AUDIENCE_ANY', requireAssertionId: true });
    const changed = { jwksUri: JWKS_URI, assertionAudience: 'ASSERTION_AUDIENCE_ANY', requireAssertionId: true };
    expect(await read(kind, appId)).toMatchObject(changed);
    expect(await read(kind, appId)).not.toHaveProperty('jwks');
    await put({ jwksUri: '' });
    expect(await read(kind, appId)).toMatchObject({ jwksUri: '' });
  },
);

it('a new application requires a jti, and accepts every audience of ours', async () => {
  expect(await read('oidc', await add('oidc'))).toMatchObject({
    requireAssertionId: true,
    assertionAudience: 'ASSERTION_AUDIENCE_ANY',
  });
});

it('a note advises the issuer alone as their audience, until the application demands that', async () => {
  const appId = await add('oidc');
  const keys = ['NotCompliant', 'Assertion.AudienceAny'].map((name) => ({ key: `Application.OIDC.V1.${name}` }));
  expect(await read('oidc', appId)).toMatchObject({ noneCompliant: true, complianceProblems: keys });
  const strict = { redirectUris: ['https://app.test/cb'], assertionAudience: 'ASSERTION_AUDIENCE_ISSUER_ONLY' };
  await stage.ownerOfA.call('PUT', `${path}/${appId}/oidc_config`, {
    ...EMPTY_LISTS,
    authMethodType: method.oidc,
    ...strict,
  });
  expect(await read('oidc', appId)).toMatchObject({ noneCompliant: false, complianceProblems: [] });
});

it('keys that could not verify an assertion safely and certificates of another key, are refused with their place in the set [MTL-005]', async () => {
  const weak = await exportJWK((await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })).privateKey);
  const refused: ReadonlyArray<readonly [object, string]> = [
    [{ jwks: { keys: 'x' } }, '400 jwks'],
    [{ jwks: { key: [jwk] } }, '400 jwks'],
    [{ jwks: { keys: [jwk, 1] } }, '400 jwks.keys[1]'],
    [{ jwks: { keys: [jwk, { kty: 'oct', k: 'AAAA' }] } }, '400 jwks.keys[1]'],
    [{ jwks: { keys: [weak] } }, '400 jwks.keys[0]'], // It is private.
    [{ jwks: { keys: [jwk, jwk] } }, '400 jwks.keys[1].kid'],
    [{ jwks: { keys: [{ ...jwk, x5c: keyWith(CERTIFICATES.selfA, 'a').x5c }] } }, '400 jwks.keys[0]'],
    [{ jwks: { keys: [{ ...jwk, x5c: [withUnreadableKey(CERTIFICATES.selfA)] }] } }, '400 jwks.keys[0]'],
    [{ jwks: { keys: [{ ...keyWith(CERTIFICATES.selfA, 'a'), x5t: 'x' }] } }, '400 jwks.keys[0]'],
    [{ jwks: { keys: Array.from({ length: 21 }, (_, n) => ({ ...jwk, kid: `${n}` })) } }, '400 jwks'],
    [{ jwks: { keys: [jwk], note: 'x'.repeat(70_000) } }, '400 jwks'],
    [{ jwksUri: 'http://app.test/jwks.json' }, '400 jwksUri'],
    [{ jwksUri: 'https://user@app.test/jwks.json' }, '400 jwksUri'],
    [{ jwks: { keys: [jwk] }, jwksUri: JWKS_URI }, '400 jwksUri'],
  ];
  for (const [settings, verdict] of refused) {
    const body = { name: uniqueName('API'), authMethodType: method.api, ...settings };
    expect([settings, await stage.ownerOfA.verdict('POST', `${path}/api`, body)]).toEqual([settings, verdict]);
  }
});
