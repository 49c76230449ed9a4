import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { pageOf } from '../login/turns.js';
import { signAssertion } from '../support/assertion.js';
import { makeKey } from '../support/builders.js';
import { CERTIFICATES, keyWith } from '../support/certificates.js';
import type { DocumentServer } from '../support/document-server.js';
import { send } from '../support/http.js';
import type { World } from '../support/world.js';
import { ClientDocumentStage } from './client-document-stage.js';

let stage: ClientDocumentStage;
let server: DocumentServer;
let world: World;

beforeAll(async () => {
  stage = await ClientDocumentStage.set();
  ({ server, world } = stage);
});
afterAll(() => stage.close());

describe('An application whose client ID is the address of a document', () => {
  it('is refused before any connection for an address that is none of a document [CMD-002]', async () => {
    const before = server.requests.length;
    for (const path of ['/a/../b.json', '/a/%2e%2e/b.json', '/b.json?x=1', '/b.json#x', '/'])
      expect(await stage.statusOf(server.origin + path)).toBe(400);
    expect(await stage.statusOf(`https://user@${server.host}/b.json`)).toBe(400);
    expect(await stage.statusOf('https://127.0.0.1/b.json')).toBe(400);
    expect(await stage.statusOf(`${server.origin}/${'a'.repeat(2_000)}`)).toBe(400);
    expect(server.requests).toHaveLength(before);
  });

  it.each<[string, (path: string) => string]>([
    ['no document', (path) => server.publish(path, { status: 404, body: '{}' })],
    ['a page', (path) => server.publish(path, { headers: { 'Content-Type': 'text/html' }, body: '{}' })],
    ['5,001 bytes', (path) => server.describe(path, { x: 'x'.repeat(5_001) })],
    ['no JSON', (path) => server.publish(path, { body: 'client' })],
    ['an expiry of a secret', (path) => server.describe(path, { client_secret_expires_at: 0 })],
    ['a method with a secret', (path) => server.describe(path, { token_endpoint_auth_method: 'client_secret_post' })],
    [
      'a certificate of another key [MTL-005]',
      (path) =>
        server.describe(path, {
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: { keys: [{ ...keyWith(CERTIFICATES.selfA, 'a'), x5c: keyWith(CERTIFICATES.selfB, 'b').x5c }] },
        }),
    ],
    [
      'keys of another host [CMD-004]',
      (path) =>
        server.describe(path, {
          token_endpoint_auth_method: 'private_key_jwt',
          jwks_uri: 'https://169.254.169.254/keys',
        }),
    ],
    ['pairwise subjects [CMD-004]', (path) => server.describe(path, { sector_identifier_uri: 'https://127.0.0.1/' })],
    ['a logo that is a script [CMD-004]', (path) => server.describe(path, { logo_uri: 'JaVaScript:alert(1)' })],
    [
      'a redirect URI of another port',
      (path) => server.describe(path, { redirect_uris: ['https://provider.test/cb'] }),
    ],
    ['a private scheme', (path) => server.describe(path, { redirect_uris: ['com.example.app:/cb'] })],
    ['no redirect URI', (path) => server.describe(path, { redirect_uris: [] })],
    ['an unreadable name', (path) => server.describe(path, { client_name: '\u202e\u0000' })],
  ])('is refused with a page for %s, leaves no row, and is read again [CMD-003]', async (_, publish) => {
    const path = stage.newPath();
    const clientId = publish(path);
    expect(await stage.statusOf(clientId)).toBe(400);
    expect(await stage.rowsOf(clientId)).toEqual([]);
    server.describe(path);
    expect(await stage.statusOf(clientId)).toBe(200);
  });

  it('is refused for a redirect, which is not followed to a good document [CMD-003]', async () => {
    const [path, target] = [stage.newPath(), stage.newPath()];
    const good = { client_id: server.origin + path };
    server.describe(target, good);
    server.publish(path, { status: 302, headers: { Location: target }, body: JSON.stringify(good) });
    expect(await stage.statusOf(server.origin + path)).toBe(400);
    expect(server.requests).toContain(path);
    expect(server.requests).not.toContain(target);
    expect(await stage.rowsOf(server.origin + path)).toEqual([]);
    expect(await stage.statusOf(server.describe(path))).toBe(200);
  });

  it('is refused for a private key, which a document must not contain, and is read again [CMD-003]', async () => {
    const pair = await generateKeyPair('EdDSA', { extractable: true });
    const path = stage.newPath();
    const describeWith = async (key: CryptoKey): Promise<string> =>
      server.describe(path, {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ ...(await exportJWK(key)), kid: 'one' }] },
      });
    const clientId = await describeWith(pair.privateKey);
    const page = pageOf(await stage.rpOf(clientId).authorize());
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('this one is private')]);
    expect(await stage.rowsOf(clientId)).toEqual([]);
    expect(await stage.statusOf(await describeWith(pair.publicKey))).toBe(200);
  });

  it('is refused when the name of its keys has become one of a private network, which is not called [CMD-004]', async () => {
    const key = { ...(await makeKey('ES256')), kid: 'one' };
    const statusAt = async (address: string, keys: string): Promise<number> => {
      server.publish(keys, { body: JSON.stringify({ keys: [{ ...key.publicJwk, kid: key.kid }] }) });
      const clientId = server.describe(stage.newPath(), {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: server.origin + keys,
      });
      const rp = stage.rpOf(clientId);
      const code = await stage.codeOf(rp);
      expect(server.requests).not.toContain(keys);
      world.get(NameResolver).addressesOf = async () => [{ address, family: 4 }];
      const reply = await rp.redeem(code, {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await signAssertion(world, key, clientId),
      });
      server.resolveIn(world);
      return reply.status;
    };
    expect(await statusAt('127.0.0.1', '/keys-of-one')).toBe(200);
    expect(server.requests).toContain('/keys-of-one');
    const before = world.logText().length;
    expect(await statusAt('127.0.0.2', '/keys-of-two')).toBe(401);
    expect(world.logText().slice(before)).toContain('outbound.address_refused');
    expect(server.requests).not.toContain('/keys-of-two');
  });

  it('is told on the page what is wrong with its document', async () => {
    const clientId = server.describe(stage.newPath(), { client_secret: 'x' });
    expect(pageOf(await stage.rpOf(clientId).authorize()).text).toContain(
      'client_secret must not be in a public document.',
    );
  });

  it('is fetched five times a second from one host at most, and two hundred visits leave no rows [CMD-005]', async () => {
    const [stem, fetched, stored] = [stage.newPath(), server.requests.length, await world.contents()];
    for (const second of [1, 2]) {
      const ids = Array.from({ length: 100 }, (_, n) => server.describe(`${stem}/${second}/${n}`));
      const visits = ids.map(async (id) => (await send(world.origin, { path: stage.rpOf(id).authorizePath() })).status);
      expect((await Promise.all(visits)).sort()).toEqual([...Array(5).fill(200), ...Array(95).fill(429)]);
      expect(server.requests).toHaveLength(fetched + 5 * second);
      world.clock.advance('1s');
    }
    expect(await world.contents()).toBe(stored);
  });
});
