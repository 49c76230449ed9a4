import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { HousekeepingService } from '../../src/housekeeping/housekeeping.service.js';
import { ProjectService } from '../../src/project/project.service.js';
import { pageOf } from '../login/turns.js';
import { AdminApi } from '../support/admin-api.js';
import { signAssertion } from '../support/assertion.js';
import { Browser, type Page } from '../support/browser.js';
import { EDITOR, makeKey, type TestClient, type TestPerson } from '../support/builders.js';
import { CERTIFICATES, keyWith } from '../support/certificates.js';
import { DocumentServer } from '../support/document-server.js';
import { type Parameters, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { answerOf, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { expectToken400 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const FILES = 'https://files.example.test/mcp';

let server: DocumentServer;
let world: World;
let alice: TestPerson;
let count = 0;

beforeAll(async () => {
  server = await DocumentServer.start();
  world = await startWorld({ env: server.env, loginLimits: 'on' });
  server.resolveIn(world);
  alice = await world.cast.alice;
  const projectId = await world.cast.projectP;
  await world.transaction((tx) => world.get(ProjectService).setResources(tx, projectId, [FILES], EDITOR));
});
afterAll(async () => {
  await world.close();
  await server.close();
});

function newPath(): string {
  world.clock.advance('2s'); // the rate of a host is not what most tests are about
  return `/client-${(count += 1)}.json`;
}

function rpOf(clientId: string, redirectUri = `${server.origin}/callback`): RelyingParty {
  const client: TestClient = {
    id: clientId,
    clientId,
    authMethod: 'none',
    redirectUri,
    responseType: 'code',
    secret: undefined,
    key: undefined,
  };
  return new RelyingParty(world, client, new Browser(world));
}

/** Signs in and consents; ends at the application. */
async function codeOf(rp: RelyingParty, over: Parameters = {}): Promise<string> {
  const page = pageOf(await rp.enter(await rp.authorize(over), alice));
  const asked = page.find('button[name="factor"]') ? pageOf(await rp.browser.submit(page, { factor: 'skip' })) : page;
  return rp.toAnswer(await rp.browser.submit(asked, { decision: 'continue' }))['code']!;
}

async function rowsOf(clientId: string): Promise<Array<{ id: string; origin: string; redirect_uris: string[] }>> {
  return world.rows('SELECT id, origin, redirect_uris FROM client WHERE client_id = $1', [clientId]);
}

async function statusOf(clientId: string, redirectUri?: string): Promise<number | string> {
  const arrival = await rpOf(clientId, redirectUri).authorize();
  return arrival.page?.status ?? arrival.redirect ?? '';
}

describe('An application whose client ID is the address of a document', () => {
  it('signs a user in who consents to what it says of itself, with PKCE and a refresh token', async () => {
    const clientId = server.describe(newPath(), { grant_types: ['authorization_code', 'refresh_token'] });
    const rp = rpOf(clientId);
    const page = pageOf(await rp.enter(await rp.authorize({ scope: 'openid offline_access', resource: FILES }), alice));
    for (const shown of ['Shop assistant', 'This has not been verified.', `Described by${server.host}`, FILES])
      expect(page.text).toContain(shown);
    expect(page.text).not.toContain('another program');
    expect(await rowsOf(clientId)).toEqual([]);
    const { code, iss } = rp.toAnswer(await rp.browser.submit(page, { decision: 'continue' }));
    expect(iss).toBe(world.issuer);
    expect(await rowsOf(clientId)).toMatchObject([{ origin: 'document' }]);
    const tokens = tokensOf(await rp.redeem(code!));
    expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: [FILES], client_id: clientId, sub: alice.id });
    expect((await rp.userinfo(tokens.access_token)).json()).toMatchObject({ sub: alice.id });
    expect(tokensOf(await rp.refresh(tokens.refresh_token)).access_token).toBeDefined();
  });

  it('is unknown unless the operator names its host, and nothing is fetched [CMD-001]', async () => {
    const off = await startWorld({ replicaOf: world, env: { OUTBOUND_ALLOW: '127.0.0.1' } });
    server.resolveIn(off);
    const path = newPath();
    const rp = rpOf(server.describe(path)).goTo(off);
    expect(pageOf(await rp.authorize()).status).toBe(400);
    expect(server.requests).not.toContain(path);
    const discovery = async (at: World) => (await at.discovery())['client_id_metadata_document_supported'];
    expect([await discovery(off), await discovery(world)]).toEqual([undefined, true]);
    await off.close();
  });

  it('is refused before any connection for an address that is none of a document [CMD-002]', async () => {
    const before = server.requests.length;
    for (const path of ['/a/../b.json', '/a/%2e%2e/b.json', '/b.json?x=1', '/b.json#x', '/'])
      expect(await statusOf(server.origin + path)).toBe(400);
    expect(await statusOf(`https://user@${server.host}/b.json`)).toBe(400);
    expect(await statusOf('https://127.0.0.1/b.json')).toBe(400);
    expect(await statusOf(`${server.origin}/${'a'.repeat(2_000)}`)).toBe(400);
    expect(server.requests).toHaveLength(before);
  });

  it.each<[string, (path: string) => string]>([
    ['no document', (path) => server.publish(path, { status: 404, body: '{}' })],
    ['a page', (path) => server.publish(path, { headers: { 'Content-Type': 'text/html' }, body: '{}' })],
    ['5,001 bytes', (path) => server.describe(path, { x: 'x'.repeat(5_001) })],
    ['no JSON', (path) => server.publish(path, { body: 'client' })],
    ['another client ID', (path) => server.describe(path, { client_id: `${server.origin}/other.json` })],
    ['a secret', (path) => server.describe(path, { client_secret: 'x' })],
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
    ['a redirect URI of another host', (path) => server.describe(path, { redirect_uris: ['https://evil.test/cb'] })],
    [
      'a redirect URI of another port',
      (path) => server.describe(path, { redirect_uris: ['https://provider.test/cb'] }),
    ],
    ['a private scheme', (path) => server.describe(path, { redirect_uris: ['com.example.app:/cb'] })],
    ['no redirect URI', (path) => server.describe(path, { redirect_uris: [] })],
    ['an unreadable name', (path) => server.describe(path, { client_name: '\u202e\u0000' })],
  ])('is refused with a page for %s, leaves no row, and is read again [CMD-003]', async (_, publish) => {
    const path = newPath();
    const clientId = publish(path);
    expect(await statusOf(clientId)).toBe(400);
    expect(await rowsOf(clientId)).toEqual([]);
    server.describe(path);
    expect(await statusOf(clientId)).toBe(200);
  });

  it('is refused for a redirect, which is not followed to a good document [CMD-003]', async () => {
    const [path, target] = [newPath(), newPath()];
    const good = { client_id: server.origin + path };
    server.describe(target, good);
    server.publish(path, { status: 302, headers: { Location: target }, body: JSON.stringify(good) });
    expect(await statusOf(server.origin + path)).toBe(400);
    expect(server.requests).toContain(path);
    expect(server.requests).not.toContain(target);
    expect(await rowsOf(server.origin + path)).toEqual([]);
    expect(await statusOf(server.describe(path))).toBe(200);
  });

  it('is refused for a private key, which a document must not contain, and is read again [CMD-003]', async () => {
    const pair = await generateKeyPair('EdDSA', { extractable: true });
    const path = newPath();
    const describeWith = async (key: CryptoKey): Promise<string> =>
      server.describe(path, {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ ...(await exportJWK(key)), kid: 'one' }] },
      });
    const clientId = await describeWith(pair.privateKey);
    const page = pageOf(await rpOf(clientId).authorize());
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('this one is private')]);
    expect(await rowsOf(clientId)).toEqual([]);
    expect(await statusOf(await describeWith(pair.publicKey))).toBe(200);
  });

  it('may name a logo of a private host, which is neither fetched nor shown [CMD-004]', async () => {
    const logo = `https://127.0.0.1:${new URL(server.origin).port}/logo.png`;
    const rp = rpOf(server.describe(newPath(), { logo_uri: logo }));
    const page = pageOf(await rp.enter(await rp.authorize(), alice));
    expect(page.text).toContain('Shop assistant');
    expect(page.reply.text).not.toContain('/logo.png');
    expect(server.requests).not.toContain('/logo.png');
  });

  it('is refused when the name of its keys has become one of a private network, which is not called [CMD-004]', async () => {
    const key = { ...(await makeKey('ES256')), kid: 'one' };
    const statusAt = async (address: string, keys: string): Promise<number> => {
      server.publish(keys, { body: JSON.stringify({ keys: [{ ...key.publicJwk, kid: key.kid }] }) });
      const clientId = server.describe(newPath(), {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: server.origin + keys,
      });
      const rp = rpOf(clientId);
      const code = await codeOf(rp);
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
    const clientId = server.describe(newPath(), { client_secret: 'x' });
    expect(pageOf(await rpOf(clientId).authorize()).text).toContain('client_secret must not be in a public document.');
  });

  it('is fetched five times a second from one host at most, and a thousand visits leave no rows [CMD-005]', async () => {
    const [stem, fetched, stored] = [newPath(), server.requests.length, await world.contents()];
    for (const second of [1, 2]) {
      const ids = Array.from({ length: 500 }, (_, n) => server.describe(`${stem}/${second}/${n}`));
      const visits = ids.map(async (id) => (await send(world.origin, { path: rpOf(id).authorizePath() })).status);
      expect((await Promise.all(visits)).sort()).toEqual([...Array(5).fill(200), ...Array(495).fill(429)]);
      expect(server.requests).toHaveLength(fetched + 5 * second);
      world.clock.advance('1s');
    }
    expect(await world.contents()).toBe(stored);
  });

  it('may have new redirect URIs once its document has left the cache, and asks again [CMD-006]', async () => {
    const path = newPath();
    const clientId = server.describe(path, {}, { 'Cache-Control': 'max-age=120' });
    await codeOf(rpOf(clientId));
    const moved = `${server.origin}/moved`;
    server.describe(path, { redirect_uris: [moved] });
    expect(await statusOf(clientId, moved)).toBe(400);
    world.clock.advance('121s');
    const rp = rpOf(clientId, moved);
    expect(tokensOf(await rp.redeem(await codeOf(rp))).access_token).toBeDefined();
    expect(await statusOf(clientId)).toBe(400);
    expect(await rowsOf(clientId)).toMatchObject([{ redirect_uris: [moved] }]);
  });

  it('asks for consent each time, and never answers prompt=none', async () => {
    const rp = rpOf(server.describe(newPath()));
    await codeOf(rp);
    const again = await rp.authorize();
    expect(again.page?.title).toContain('Continue to Shop assistant?');
    expect(answerOf((await rp.authorize({ prompt: 'none' })).redirect!)['error']).toBe('interaction_required');
    const cancelled = await rp.browser.submit(pageOf(again), { decision: 'cancel' });
    expect(answerOf(cancelled.redirect!)['error']).toBe('access_denied');
  });

  it('has one row after twenty first consents at once [CMD-007]', async () => {
    const clientId = server.describe(newPath());
    const others = Array.from({ length: 20 }, () => rpOf(clientId));
    const pages: Page[] = [];
    for (const rp of others) pages.push(pageOf(await rp.enter(await rp.authorize(), alice)));
    const ends = await Promise.all(others.map((rp, n) => rp.browser.submit(pages[n]!, { decision: 'continue' })));
    expect(await rowsOf(clientId)).toHaveLength(1);
    for (const [n, rp] of others.entries()) expect((await rp.redeem(rp.toAnswer(ends[n]!)['code']!)).status).toBe(200);
  });

  it('may have pushed its requests before the first user consented [PAR-010]', async () => {
    const rp = rpOf(server.describe(newPath()));
    const pushed = async (): Promise<string> => {
      const reply = await rp.post('/oauth/v2/par', rp.parameters());
      return `${paths.authorize}?${new URLSearchParams({ client_id: rp.client.clientId, request_uri: reply.json<{ request_uri: string }>().request_uri })}`;
    };
    const [first, second] = [await pushed(), await pushed()];
    const page = pageOf(await rp.enter(await rp.browser.get(first), alice));
    tokensOf(await rp.redeem(rp.toAnswer(await rp.browser.submit(page, { decision: 'continue' }))['code']!));
    await world.changesToArrive();
    const again = pageOf(await rp.browser.get(second));
    expect(again.status).toBe(200);
    tokensOf(await rp.redeem(rp.toAnswer(await rp.browser.submit(again, { decision: 'continue' }))['code']!));
    await world.rows('DELETE FROM client WHERE client_id = $1', [rp.client.clientId]);
  });

  it('is held to what its document demands (RFC 9449 §5.2, RFC 9126 §6)', async () => {
    const demands = { dpop_bound_access_tokens: true, require_pushed_authorization_requests: true };
    const rp = rpOf(server.describe(newPath(), demands));
    expect(answerOf((await rp.authorize()).redirect!)['error']).toBe('invalid_request');
    const path = newPath();
    const bound = rpOf(server.describe(path, { dpop_bound_access_tokens: true }));
    const code = await codeOf(bound);
    expect((await bound.redeem(code)).json()).toMatchObject({ error: 'invalid_dpop_proof' });
    const prover = await Prover.make(world);
    expect(tokensOf(await bound.redeem(code, {}, world, await prover.forTokens())).token_type).toBe('DPoP');
    const elsewhere = { backchannel_logout_uri: 'https://evil.test/logout' };
    expect(await statusOf(server.describe(newPath(), elsewhere))).toBe(400);
  });

  it('that only returns to the device may use any port, and the user is warned [CMD-008]', async () => {
    const clientId = server.describe(newPath(), {
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/cb'],
    });
    const rp = rpOf(clientId, 'http://127.0.0.1:49152/callback');
    const page = pageOf(await rp.enter(await rp.authorize(), alice));
    expect(page.text).toContain('another program could pretend to be it');
    expect(page.text).toContain('Returns to127.0.0.1:49152');
    expect(await statusOf(clientId, 'http://127.0.0.1:49152/other')).toBe(400);
  });

  it('refreshes its tokens after its document is gone, until it is blocked [CMD-009]', async () => {
    const path = newPath();
    const clientId = server.describe(path, { grant_types: ['authorization_code', 'refresh_token'] });
    const rp = rpOf(clientId);
    const code = await codeOf(rp, { scope: 'openid offline_access' });
    const first = tokensOf(await rp.redeem(code));
    server.publish(path, { status: 410, body: '' });
    world.clock.advance('2h');
    const second = tokensOf(await rp.refresh(first.refresh_token));
    expect(await statusOf(clientId)).toBe(400);
    const admin = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
    const [{ id, project_id: projectId }] = (await world.rows<{ id: string; project_id: string }>(
      'SELECT id, project_id FROM client WHERE client_id = $1',
      [clientId],
    )) as [{ id: string; project_id: string }];
    const app = `/management/v1/projects/${projectId}/apps/${id}`;
    expect((await admin.ask('GET', app)).json()).toMatchObject({
      app: { name: clientId, oidcConfig: { origin: 'APP_ORIGIN_DOCUMENT', clientId, consentPage: true } },
    });
    expect(await admin.verdict('PUT', app, { name: 'Renamed' })).toBe('400 client.described_elsewhere');
    expect(await admin.verdict('PUT', `${app}/oidc_config`, {})).toBe('400 client.described_elsewhere');
    expect((await admin.ask('POST', `${app}/_deactivate`, {})).status).toBe(200);
    await world.changesToArrive();
    expect((await rp.refresh(second.refresh_token)).json()).toMatchObject({ error: 'invalid_client' });
    expect((await rp.userinfo(second.access_token)).status).toBe(401);
    server.describe(path);
    expect(await statusOf(clientId)).toBe(400);
  });

  it('gets no roles, no audience of others and no implicit answer, and must use PKCE', async () => {
    const clientId = server.describe(newPath());
    const rp = rpOf(clientId);
    const scope =
      'openid email urn:service:iam:org:project:id:service:aud urn:service:iam:org:projects:roles urn:service:iam:user:metadata';
    const tokens = tokensOf(await rp.redeem(await codeOf(rp, { scope })));
    expect(tokens.scope).toBe('openid email');
    expect(decodeJwt(tokens.access_token).aud).toEqual([clientId]);
    expect(answerOf((await rp.authorize({ response_type: 'id_token' })).redirect!)['error']).toBe(
      'unauthorized_client',
    );
    const without = await rp.authorize({ code_challenge: undefined, code_challenge_method: undefined });
    expect(answerOf(without.redirect!)['error']).toBe('invalid_request');
  });

  it('cannot redeem before anybody has consented', async () => {
    const rp = rpOf(server.describe(newPath()));
    expectToken400(await rp.redeem('gtc_none'), 'invalid_grant');
  });

  it('costs no statement beyond those of any application once its document is cached', async () => {
    const rp = rpOf(server.describe(newPath()));
    await codeOf(rp);
    await world.changesToArrive();
    await rp.authorizeOnce();
    const statements = await statementsDuring(async () => rp.authorizeOnce());
    expect(statements.filter((text) => /\bclient\b|project|instance/.test(text.split(':')[0] ?? ''))).toEqual([]);
  });

  it('is removed after 30 days without use, with its tokens', async () => {
    const [used, unused] = [server.describe(newPath()), server.describe(newPath())];
    const rp = rpOf(used);
    tokensOf(await rp.redeem(await codeOf(rp)));
    const other = rpOf(unused);
    tokensOf(await other.redeem(await codeOf(other)));
    world.clock.advance('20d');
    tokensOf(await rp.redeem(await codeOf(rp)));
    world.clock.advance('12d');
    await world.get(HousekeepingService).run();
    expect([await rowsOf(used), await rowsOf(unused)]).toMatchObject([[{ origin: 'document' }], []]);
    expect(
      await world.rows(`SELECT 1 FROM event WHERE type = 'client.unused.removed' AND payload->>'clientId' = $1`, [
        unused,
      ]),
    ).toHaveLength(1);
    tokensOf(await other.redeem(await codeOf(other)));
  });
});

describe('An application that an administrator has registered under an address', () => {
  it('stays what it is: no document is read', async () => {
    const path = newPath();
    server.describe(path);
    const clientId = server.origin + path;
    const client = await world.add.client({ projectId: await world.cast.projectP, clientId });
    const rp = new RelyingParty(world, client);
    expect(tokensOf(await rp.redeem(await rp.code(alice))).access_token).toBeDefined();
    expect(server.requests).not.toContain(path);
    expect((await send(world.origin, { path: paths.discovery })).status).toBe(200);
  });
});
