import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JWK } from 'jose';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { ClientService } from '../../src/project/client/client.service.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { type AssertionChanges, signAssertion } from '../support/assertion.js';
import { EDITOR, makeKey, type TestClient, type TestKey } from '../support/builders.js';
import { base64Of, CERTIFICATES, withUnreadableKey } from '../support/certificates.js';
import { forgedJwts } from '../support/forged-jwts.js';
import { type Reply, send } from '../support/http.js';
import { paths, RelyingParty } from '../support/relying-party.js';
import { openSink } from '../support/sink.js';
import { expectToken400, expectToken401 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let world: World;
/** The server on which applications publish their keys. */
let publisher: Server;
let publishes: RequestListener;
let asked: number;

beforeAll(async () => {
  world = await startWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  publisher = createServer((request, response) => {
    asked += 1;
    publishes(request, response);
  });
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  asked = 0;
});
afterAll(async () => {
  publisher.closeAllConnections();
  publisher.close();
  await world.close();
});

/** At a path of its own, since what is published is cached by its URL. */
function keysUrl(name: string): string {
  return `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/${name}`;
}

function publish(...keys: readonly JWK[]): void {
  publishes = (_, response) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys }));
}

async function makeClient(settings: Partial<ClientSettings> = {}): Promise<TestClient> {
  return world.add.client({ projectId: await world.cast.projectP, authMethod: 'private_key_jwt', ...settings });
}

/** A client with no other key than those that its settings name. */
async function makeKeyless(settings: Partial<ClientSettings>): Promise<TestClient> {
  const client = await makeClient(settings);
  await world.rows('DELETE FROM client_key WHERE client_row_id = $1', [client.id]);
  await change(client, {});
  return client;
}

async function change(client: TestClient, settings: Partial<ClientSettings>): Promise<void> {
  await world.transaction((tx) => world.get(ClientService).changeSettings(tx, client.id, settings, EDITOR));
}

/** Asks for tokens with a refresh token that does not exist: an authenticated client is told exactly that. */
async function post(assertion: string, at = world.origin, path: string = paths.token): Promise<Reply> {
  return send(at, {
    method: 'POST',
    path,
    body: {
      grant_type: 'refresh_token',
      refresh_token: 'gtr_none',
      token: 'none',
      client_assertion: assertion,
      client_assertion_type: ASSERTION_TYPE,
    },
  });
}

async function assertAs(client: TestClient, key: TestKey, changes: AssertionChanges = {}): Promise<Reply> {
  return post(await signAssertion(world, key, client.clientId, changes));
}

async function newKey(kid: string, alg = 'ES256'): Promise<{ key: TestKey; jwk: JWK }> {
  const made = await makeKey(alg);
  return { key: { ...made, kid }, jwk: { ...made.publicJwk, kid } };
}

const logged = (): string => world.logText();
const NO_KID = { header: { kid: undefined } } as const;
const expectAuthenticated = (reply: Reply): void => expectToken400(reply, 'invalid_grant');
const expectRefused = (reply: Reply): void => expectToken401(reply, false);

describe('The key of an assertion', () => {
  it('is the only one that fits the algorithm when the header has no kid [CAU-001]', async () => {
    const [ec, rsa, otherEc] = [await newKey('ec'), await newKey('rsa', 'RS256'), await newKey('ec-2')];
    const one = await makeKeyless({ jwks: { keys: [ec.jwk, rsa.jwk] } });
    expectAuthenticated(await assertAs(one, ec.key, NO_KID));
    expectAuthenticated(await assertAs(one, rsa.key, NO_KID));
    const two = await makeKeyless({ jwks: { keys: [ec.jwk, otherEc.jwk] } });
    expectRefused(await assertAs(two, ec.key, NO_KID));
    expectAuthenticated(await assertAs(two, ec.key));
    expectAuthenticated(await assertAs(two, otherEc.key));
  });

  it('may be one that was added by itself, beside a registered set', async () => {
    const set = await newKey('in-the-set', 'RS256');
    const client = await makeClient({ jwks: { keys: [set.jwk] } });
    expectAuthenticated(await assertAs(client, client.key!));
    expectAuthenticated(await assertAs(client, set.key));
    expectRefused(await assertAs(client, set.key, NO_KID)); // Two RSA keys.
  });

  it('decides about the algorithm, whatever the header says [CAU-003]', async () => {
    const { key, jwk } = await newKey('ec');
    const client = await makeKeyless({ jwks: { keys: [jwk] } });
    const good = await signAssertion(world, key, client.clientId);
    const payload = Buffer.from(good.split('.')[1]!, 'base64url').toString();
    for (const path of [paths.token, paths.introspect])
      for (const assertion of forgedJwts(key, payload)) expectRefused(await post(assertion, world.origin, path));
    expectAuthenticated(await post(good));
  });

  it("is never another client's [CAU-005]", async () => {
    const { key, jwk } = await newKey('shared-name');
    const other = await newKey('shared-name');
    const client = await makeKeyless({ jwks: { keys: [jwk] } });
    const stranger = await makeKeyless({ jwks: { keys: [other.jwk] } });
    expectRefused(await assertAs(client, other.key));
    expectRefused(await assertAs(stranger, key));
    const assertion = await signAssertion(world, key, client.clientId);
    const reply = await send(world.origin, {
      method: 'POST',
      path: paths.token,
      body: {
        grant_type: 'refresh_token',
        refresh_token: 'gtr_none',
        client_id: stranger.clientId,
        client_assertion: assertion,
        client_assertion_type: ASSERTION_TYPE,
      },
    });
    expectRefused(reply);
  });
});

describe('The claims of an assertion', () => {
  it('name the issuer as one string where the application requires it [CAU-004]', async () => {
    const { key, jwk } = await newKey('key');
    const client = await makeKeyless({ jwks: { keys: [jwk] }, assertionAudience: 'issuer_only' });
    const refused = [
      [world.issuer],
      [world.issuer, 'https://other.test'],
      world.issuer + paths.token,
      world.issuer + paths.introspect,
      `${world.issuer}/`,
    ];
    for (const aud of refused) expectRefused(await assertAs(client, key, { claims: { aud } }));
    expectAuthenticated(await assertAs(client, key, { claims: { aud: world.issuer } }));
  });

  it('contain a jti where the application requires one, which a new one does', async () => {
    const { key, jwk } = await newKey('key');
    const client = await makeKeyless({ jwks: { keys: [jwk] } });
    expectRefused(await assertAs(client, key, { claims: { jti: undefined } }));
    await change(client, { requireAssertionId: false });
    expectAuthenticated(await assertAs(client, key, { claims: { jti: undefined } }));
  });

  it('may be up to a minute ahead, and must be complete [CAU-009]', async () => {
    const { key, jwk } = await newKey('key');
    const client = await makeKeyless({ jwks: { keys: [jwk] } });
    const now = world.now();
    expectAuthenticated(await assertAs(client, key, { claims: { nbf: now + 8, iat: now + 8 } }));
    const refused = [{ nbf: now + 62 }, { iat: now + 62, exp: now + 120 }, { sub: undefined }, { exp: undefined }];
    for (const claims of refused) expectRefused(await assertAs(client, key, { claims }));
  });

  it('are those of an assertion, not of a token that we have issued [CAU-008]', async () => {
    const { key, jwk } = await newKey('key');
    const client = await makeKeyless({ jwks: { keys: [jwk] } });
    const { id_token: idToken } = await new RelyingParty(world, await world.cast.web1).tokens(await world.cast.alice);
    expectRefused(await post(idToken));
    for (const typ of ['at+jwt', 'logout+jwt', 'oauth-authz-req+jwt', 'dpop+jwt'])
      expectRefused(await assertAs(client, key, { header: { typ } }));
    for (const typ of ['JWT', 'client-authentication+jwt'])
      expectAuthenticated(await assertAs(client, key, { header: { typ } }));
  });

  it('count once, at whatever endpoint and in whatever process [CAU-002]', async () => {
    const { key, jwk } = await newKey('key');
    const client = await makeKeyless({ jwks: { keys: [jwk] } });
    const replica = await startWorld({ replicaOf: world });
    const assertion = await signAssertion(world, key, client.clientId);
    const endpoints = [paths.token, paths.introspect, paths.revoke];
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        post(assertion, n % 2 === 0 ? world.origin : replica.origin, endpoints[n % 3]),
      ),
    );
    await replica.close();
    expect(replies.filter(({ status }) => status !== 401)).toHaveLength(1);
  });
});

describe('The keys that an application publishes (RFC 7591 §2, jwks_uri)', () => {
  it('are fetched once, kept for five minutes, and again for an unknown kid [CAU-007]', async () => {
    const [first, second] = [await newKey('first'), await newKey('second')];
    publish(first.jwk);
    const client = await makeKeyless({ jwksUri: keysUrl('rotating') });
    expectAuthenticated(await assertAs(client, first.key));
    expectAuthenticated(await assertAs(client, first.key));
    expect(asked).toBe(1);
    publish(second.jwk);
    world.clock.advance('31s');
    expectAuthenticated(await assertAs(client, second.key));
    expect(asked).toBe(2);
    expectRefused(await assertAs(client, first.key)); // Removed by its owner.
    expect(asked).toBe(2); // Asked a moment ago.
  });

  it('that were removed are refused after five minutes at the latest [CAU-007]', async () => {
    const [old, other] = [await newKey('old'), await newKey('other')];
    publish(old.jwk);
    const client = await makeKeyless({ jwksUri: keysUrl('removed') });
    expectAuthenticated(await assertAs(client, old.key));
    publish(other.jwk);
    world.clock.advance('301s');
    expectRefused(await assertAs(client, old.key));
  });

  it('count for an hour while their server is down, and not longer', async () => {
    const { key, jwk } = await newKey('key');
    publish(jwk);
    const client = await makeKeyless({ jwksUri: keysUrl('down') });
    expectAuthenticated(await assertAs(client, key));
    publishes = (_, response) => response.writeHead(500).end();
    world.clock.advance('3000s');
    expectAuthenticated(await assertAs(client, key));
    world.clock.advance('700s');
    expectRefused(await assertAs(client, key));
  });

  it.each<[string, RequestListener]>([
    ['a page', (_, response) => response.setHeader('Content-Type', 'text/html').end('<p>MARK-OF-BODY</p>')],
    ['no key set', (_, response) => response.setHeader('Content-Type', 'application/json').end('{"a":"MARK-OF-BODY"}')],
    [
      'more than 64 kB',
      (_, response) =>
        response.setHeader('Content-Type', 'application/json').end(`{"keys":[],"x":"${'MARK-OF-BODY'.repeat(6_000)}"}`),
    ],
    [
      'a document that never ends',
      (_, response) => {
        response.setHeader('Content-Type', 'application/json').write('{"keys":[],"x":"');
        const more = (): void => void (response.destroyed || response.write('MARK-OF-BODY'.repeat(6_000), more));
        more();
      },
    ],
    [
      'more than 20 keys',
      (_, response) =>
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys: Array(21).fill({}) })),
    ],
  ])('are not taken from %s, of which nothing is answered or logged [CAU-006]', async (what, listener) => {
    const { key } = await newKey('key');
    publishes = listener;
    const client = await makeKeyless({ jwksUri: keysUrl(encodeURIComponent(what)) });
    const reply = await assertAs(client, key);
    expectRefused(reply);
    expect(reply.text + logged()).not.toContain('MARK-OF-BODY');
    expect(logged()).toContain('client.key_set_unusable');
  });

  it.each([301, 302, 303, 307, 308])(
    'are not taken from where a redirect leads, nor from its body: %i [CAU-006]',
    async (status) => {
      const { key, jwk } = await newKey('key');
      const visited: Array<string | undefined> = [];
      const target = `/target-${status}`;
      publishes = ({ url }, response) => {
        visited.push(url);
        response.setHeader('Content-Type', 'application/json');
        if (url !== target) response.writeHead(status, { Location: target });
        response.end(JSON.stringify({ keys: [jwk] }));
      };
      const moved = `moved-${status}`;
      expectRefused(await assertAs(await makeKeyless({ jwksUri: keysUrl(moved) }), key));
      expect(visited).toEqual([`/${moved}`]);
      expect(logged()).toContain(`"detail":"outbound.redirected","url":"${keysUrl(moved)}"`);
      expectAuthenticated(await assertAs(await makeKeyless({ jwksUri: keysUrl(target.slice(1)) }), key));
    },
  );

  it('are not used with a certificate of another key, and the others of the set are [MTL-005]', async () => {
    const [sound, forged] = [await newKey('sound'), await newKey('forged')];
    publish(sound.jwk, { ...forged.jwk, x5c: [base64Of(CERTIFICATES.selfA)] });
    const client = await makeKeyless({ jwksUri: keysUrl('forged') });
    expectRefused(await assertAs(client, forged.key));
    expectAuthenticated(await assertAs(client, sound.key));
    publish({ ...forged.jwk, x5c: [base64Of(CERTIFICATES.selfA)] });
    const without = await makeKeyless({ jwksUri: keysUrl('forged-alone') });
    expectRefused(await assertAs(without, forged.key));
    expect(logged()).toContain('no_usable_key');
  });

  it('are not used with a certificate whose key cannot be read, and the others of the set are', async () => {
    const [sound, odd] = [await newKey('sound'), await newKey('odd')];
    publish(sound.jwk, { ...odd.jwk, x5c: [withUnreadableKey(CERTIFICATES.selfA)] });
    const client = await makeKeyless({ jwksUri: keysUrl('odd') });
    expectRefused(await assertAs(client, odd.key));
    expectAuthenticated(await assertAs(client, sound.key));
  });

  it.each(['https://10.1.2.3/jwks', 'https://169.254.169.254/jwks', 'https://[fd00::1]/jwks'])(
    'are not fetched from a private network: %s [CAU-006]',
    async (jwksUri) => {
      const { key } = await newKey('key');
      expectRefused(await assertAs(await makeKeyless({ jwksUri }), key));
      expect(logged()).toContain(`"detail":"outbound.address_refused","url":"${jwksUri}"`);
    },
  );

  it('are not fetched from this machine, by whatever name: nothing is even connected [CAU-006]', async () => {
    const { key } = await newKey('key');
    const strict = await startWorld({ replicaOf: world });
    const sink = await openSink();
    const { port } = new URL(sink.url);
    const names = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433'];
    for (const name of names) {
      const client = await makeKeyless({ jwksUri: `https://${name}:${port}/jwks` });
      expectRefused(await post(await signAssertion(world, key, client.clientId), strict.origin));
    }
    expect(sink.connections).toBe(0);
    expect(strict.logText()).not.toContain('"level":50');
    await sink.close();
    await strict.close();
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    [
      'sends one byte after the other',
      (_, response) => {
        response.setHeader('Content-Type', 'application/json').write('{"keys":[],"x":"');
        const drip = (): void => void (response.destroyed || response.write('x', () => setTimeout(drip, 20)));
        drip();
      },
    ],
  ])('are given up when their server %s, after one request for all who wait [CAU-006]', async (what, listener) => {
    const { key } = await newKey('key');
    const hasty = await startWorld({
      replicaOf: world,
      env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
      timeouts: new Timeouts(300),
    });
    publishes = listener;
    const client = await makeKeyless({ jwksUri: keysUrl(encodeURIComponent(what)) });
    const replies = await Promise.all(
      Array.from({ length: 20 }, async () => post(await signAssertion(world, key, client.clientId), hasty.origin)),
    );
    for (const reply of replies) expectRefused(reply);
    expect(asked).toBe(1);
    expect(hasty.logText().match(/"detail":"outbound.too_slow"/g)).toHaveLength(1);
    expect(hasty.logText()).not.toContain('"level":50');
    await hasty.close();
  });

  it('are asked for every 30 seconds at most, however many assertions strangers send', async () => {
    const { key } = await newKey('key');
    publishes = (_, response) => response.writeHead(404).end();
    const client = await makeKeyless({ jwksUri: keysUrl('flooded') });
    for (let n = 0; n < 10; n += 1) expectRefused(await assertAs(client, key));
    expect(asked).toBe(1);
    world.clock.advance('31s');
    expectRefused(await assertAs(client, key));
    expect(asked).toBe(2);
  });

  it('leave the keys that were added by themselves usable while their server is down', async () => {
    publishes = (_, response) => response.writeHead(503).end();
    const client = await makeClient({ jwksUri: keysUrl('beside') });
    expectAuthenticated(await assertAs(client, client.key!));
  });
});
