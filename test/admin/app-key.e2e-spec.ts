import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CryptoKey, importPKCS8 } from 'jose';
import type { Json } from '../support/admin-api.js';
import { signAssertion } from '../support/assertion.js';
import { uniqueName } from '../support/builders.js';
import { send } from '../support/http.js';
import { paths } from '../support/relying-party.js';
import { addProject, eventsOf, MARK, type Stage, setStage } from './project-support.js';

let stage: Stage;
let projectId: string;
let apps: string;

beforeAll(async () => {
  stage = await setStage();
  projectId = await addProject(stage.ownerOfA);
  apps = `/management/v1/projects/${projectId}/apps`;
});
afterAll(() => stage.world.close());

async function addApi(
  authMethodType = 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT',
): Promise<{ appId: string; clientId: string; keys: string }> {
  const { appId, clientId } = await stage.ownerOfA.call('POST', `${apps}/api`, {
    name: uniqueName('API'),
    authMethodType,
  });
  return { appId, clientId, keys: `${apps}/${appId}/keys` };
}

interface KeyFile {
  readonly type: string;
  readonly keyId: string;
  readonly key: string;
  readonly appId: string;
  readonly clientId: string;
}

async function addKey(keys: string, body: Json = {}): Promise<{ id: string; file: KeyFile; details: Json }> {
  const { id, keyDetails, details } = await stage.ownerOfA.call('POST', keys, { type: 'KEY_TYPE_JSON', ...body });
  const file = JSON.parse(Buffer.from(keyDetails, 'base64').toString()) as KeyFile;
  stage.world.plant(file.key.split('\n')[1]);
  return { id, file, details };
}

async function privateKey(pem: string): Promise<CryptoKey> {
  return importPKCS8(createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString(), 'RS256');
}

/** Whether the service believes an assertion that is signed with it. */
async function authenticates(clientId: string, kid: string, key: CryptoKey): Promise<number> {
  const assertion = await signAssertion(stage.world, { kid, alg: 'RS256', privateKey: key, publicJwk: {} }, clientId);
  const body = {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
    token: 'x',
  };
  return (await send(stage.world.origin, { method: 'POST', path: paths.introspect, body })).status;
}

describe('AddAppKey', () => {
  it('makes a pair, hands the private half over once, and believes what it signs', async () => {
    const { appId, clientId, keys } = await addApi();
    const { id, file, details } = await addKey(keys);
    expect(details).toEqual({ ...MARK, sequence: '2', creationDate: expect.any(String), resourceOwner: stage.orgA.id });
    expect(file).toEqual({
      type: 'application',
      keyId: id,
      key: expect.stringMatching(/^-----BEGIN RSA PRIVATE KEY-----\n/),
      appId,
      clientId,
    });
    expect(await authenticates(clientId, id, await privateKey(file.key))).toBe(200);
    expect((await stage.ownerOfA.call('GET', `${keys}/${id}`)).key).toEqual({
      id,
      details,
      type: 'KEY_TYPE_JSON',
      expirationDate: '9999-12-31T23:59:59.000Z',
    });
    const { result } = await stage.ownerOfA.call('POST', `${keys}/_search`, {});
    expect(JSON.stringify(result)).not.toMatch(/PRIVATE|"d"/);
    expect(result).toHaveLength(1);
    const [row] = await stage.world.rows<{ text: string }>(
      'SELECT public_key::text AS text FROM client_key WHERE id = $1',
      [id],
    );
    expect(Object.keys(JSON.parse(row!.text)).sort()).toEqual(['e', 'kty', 'n']);
    expect(await eventsOf(stage, appId)).toEqual(['client.api.added', 'client.key.added']);
  });

  it.each([
    ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['P-256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['Ed25519', () => generateKeyPairSync('ed25519')],
  ] as const)('registers a public key of the caller: %s', async (_, make) => {
    const { keys } = await addApi();
    const { publicKey } = make();
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const { id, keyDetails } = await stage.ownerOfA.call('POST', keys, {
      type: 'KEY_TYPE_JSON',
      publicKey: Buffer.from(pem).toString('base64'),
    });
    expect(keyDetails).toBe('');
    const [row] = await stage.world.rows<{ jwk: JsonWebKey }>(
      'SELECT public_key AS jwk FROM client_key WHERE id = $1',
      [id],
    );
    expect(createPublicKey({ key: row!.jwk, format: 'jwk' }).equals(publicKey)).toBe(true);
  });

  it.each<[string, () => Json, string]>([
    ['no type', () => ({ type: 'KEY_TYPE_UNSPECIFIED' }), '400 type'],
    ['a moment that has passed', () => ({ expirationDate: '2020-01-01T00:00:00Z' }), '400 expirationDate'],
    [
      'a private key',
      () => ({
        publicKey: toBase64(
          generateKeyPairSync('rsa', { modulusLength: 2048 })
            .privateKey.export({ type: 'pkcs8', format: 'pem' })
            .toString(),
        ),
      }),
      '400 publicKey',
    ],
    [
      'a weak key',
      () => ({
        publicKey: toBase64(
          generateKeyPairSync('rsa', { modulusLength: 1024 })
            .publicKey.export({ type: 'spki', format: 'pem' })
            .toString(),
        ),
      }),
      '400 publicKey',
    ],
    [
      'a curve that signs nothing here',
      () => ({
        publicKey: toBase64(
          generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
            .publicKey.export({ type: 'spki', format: 'pem' })
            .toString(),
        ),
      }),
      '400 publicKey',
    ],
    ['no PEM', () => ({ publicKey: toBase64('hello') }), '400 publicKey'],
    ['no base64', () => ({ publicKey: '***' }), '400 publicKey'],
  ])('refuses %s', async (_, body, verdict) => {
    const { keys } = await addApi();
    expect(await stage.ownerOfA.verdict('POST', keys, { type: 'KEY_TYPE_JSON', ...body() })).toBe(verdict);
    expect((await stage.ownerOfA.call('POST', `${keys}/_search`, {})).result).toEqual([]);
  });

  it('refuses an application that authenticates by a secret', async () => {
    const { keys } = await addApi('API_AUTH_METHOD_TYPE_BASIC');
    expect(await stage.ownerOfA.verdict('POST', keys, { type: 'KEY_TYPE_JSON' })).toBe('400 client.no_keys');
  });

  it('accepts two at once and an expiry, after which nothing is believed', async () => {
    const { clientId, keys } = await addApi();
    const expirationDate = new Date(stage.world.clock.now().getTime() + 60_000).toISOString();
    const [one, other] = await Promise.all([addKey(keys, { expirationDate }), addKey(keys)]);
    const [first, second] = [await privateKey(one.file.key), await privateKey(other.file.key)];
    expect([await authenticates(clientId, one.id, first), await authenticates(clientId, other.id, second)]).toEqual([
      200, 200,
    ]);
    stage.world.clock.advance('61s');
    expect([await authenticates(clientId, one.id, first), await authenticates(clientId, other.id, second)]).toEqual([
      401, 200,
    ]);
  });
});

describe('RemoveAppKey', () => {
  it('is effective at once; twice, or two at once, find one', async () => {
    const { clientId, appId, keys } = await addApi();
    const { id, file } = await addKey(keys);
    const key = await privateKey(file.key);
    expect(await authenticates(clientId, id, key)).toBe(200);
    const verdicts = await Promise.all([1, 2].map(() => stage.ownerOfA.verdict('DELETE', `${keys}/${id}`)));
    expect(verdicts.sort()).toEqual(['200', '404 client.key_not_found']);
    expect(await authenticates(clientId, id, key)).toBe(401);
    expect(await stage.ownerOfA.verdict('GET', `${keys}/${id}`)).toBe('404 client.key_not_found');
    expect((await eventsOf(stage, appId)).at(-1)).toBe('client.key.removed');
  });
});

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}
