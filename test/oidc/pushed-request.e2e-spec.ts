import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ClientService } from '../../src/project/client/client.service.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { Browser } from '../support/browser.js';
import { EDITOR, type TestClient, type TestPerson } from '../support/builders.js';
import { type Headers, type Parameters, type Reply, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { answerOf, newPkce, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { signRequest } from '../support/request-object.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';

const PAR = '/oauth/v2/par';

let world: World;
let alice: TestPerson;
let rp: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance('1m');
  rp = new RelyingParty(world, await makeClient());
});

async function makeClient(settings: Partial<ClientSettings> = {}): Promise<TestClient> {
  return world.add.client({ projectId: await world.cast.projectP, ...settings });
}

async function change(client: TestClient, settings: Partial<ClientSettings>): Promise<void> {
  await world.transaction((tx) => world.get(ClientService).changeSettings(tx, client.id, settings, EDITOR));
  await world.changesToArrive();
}

async function push(by: RelyingParty, over: Parameters = {}): Promise<Reply> {
  return by.post(PAR, by.parameters(over));
}

/** The `request_uri` of a request that was pushed. */
async function pushed(by: RelyingParty, over: Parameters = {}): Promise<string> {
  const reply = await push(by, over);
  if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
  return reply.json<{ request_uri: string }>().request_uri;
}

const visitPath = (by: RelyingParty, requestUri: string, over: Record<string, string> = {}): string =>
  `${paths.authorize}?${new URLSearchParams({ client_id: by.client.clientId, request_uri: requestUri, ...over })}`;

async function visit(by: RelyingParty, requestUri: string, over: Record<string, string> = {}) {
  return by.browser.get(visitPath(by, requestUri, over));
}

const errorOf = (reply: Reply): string => `${reply.status} ${reply.json<{ error: string }>().error}`;

describe('A pushed request (RFC 9126)', () => {
  it.each([
    ['a secret', { authMethod: 'client_secret_basic' }],
    ['a secret in the form', { authMethod: 'client_secret_post' }],
    ['a key', { authMethod: 'private_key_jwt' }],
    ['no credentials', { authMethod: 'none' }],
  ] as const)('of a client with %s leads to a code [PAR-001]', async (_, settings) => {
    const by = new RelyingParty(world, await makeClient(settings));
    const reply = await push(by, { state: 'S7' });
    expect([reply.status, reply.header('cache-control')]).toEqual([201, 'no-store']);
    const { request_uri: requestUri, expires_in: expiresIn } = reply.json<{
      request_uri: string;
      expires_in: number;
    }>();
    expect([requestUri.slice(0, 38), expiresIn]).toEqual(['urn:ietf:params:oauth:request_uri:gtu_', 90]);
    const { redirect } = await by.enter(await visit(by, requestUri), alice);
    const answer = answerOf(redirect!);
    expect(answer['state']).toBe('S7');
    expect(tokensOf(await by.redeem(answer['code']!)).id_token).toBeTruthy();
  });

  it('contains no other one, and comes from who has authenticated [PAR-002]', async () => {
    expect(errorOf(await push(rp, { request_uri: 'urn:ietf:params:oauth:request_uri:x' }))).toBe('400 invalid_request');
    const other = await makeClient();
    const inNameOf = { ...rp.parameters({ client_id: other.clientId }) };
    expect(errorOf(await rp.post(PAR, inNameOf))).toBe('400 invalid_request');
    const nobody = await send(world.origin, { method: 'POST', path: PAR, body: rp.parameters() });
    expect(errorOf(nobody)).toBe('401 invalid_client');
    const api = new RelyingParty(world, await world.add.api({ projectId: await world.cast.projectP }));
    expect(errorOf(await push(api))).toBe('400 invalid_request');
  });

  it('passes the checks of the authorization endpoint at once, and is refused in JSON', async () => {
    const refused: ReadonlyArray<[Parameters, string]> = [
      [{ redirect_uri: 'https://evil.test/' }, '400 invalid_request'],
      [{ redirect_uri: undefined }, '400 invalid_request'],
      [{ response_type: 'id_token' }, '400 unauthorized_client'],
      [{ scope: 'email' }, '400 invalid_scope'],
      [{ resource: 'urn:example:unknown' }, '400 invalid_target'],
      [{ prompt: 'none login' }, '400 invalid_request'],
    ];
    for (const [over, error] of refused) expect([over, errorOf(await push(rp, over))]).toEqual([over, error]);
  });

  it('is of no use to another client [PAR-003]', async () => {
    const other = new RelyingParty(world, await makeClient());
    const requestUri = await pushed(rp);
    for (const clientId of [other.client.clientId, 'unknown', '']) {
      const { page, redirect } = await visit(rp, requestUri, { client_id: clientId });
      expect([redirect, page!.status]).toEqual([undefined, 400]);
      expect(page!.text).toContain('invalid_request_uri');
    }
  });

  it('is what counts, whatever the address says besides [PAR-004]', async () => {
    const requestUri = await pushed(rp, { state: 'pushed', nonce: 'pushed', resource: undefined });
    const over = { scope: 'openid email', redirect_uri: 'https://evil.test/', state: 'other', nonce: 'other' };
    const { redirect } = await rp.enter(await visit(rp, requestUri, over), alice);
    expect(redirect).toMatch(`${rp.client.redirectUri}?`);
    const answer = answerOf(redirect!);
    expect(answer['state']).toBe('pushed');
    const tokens = tokensOf(await rp.redeem(answer['code']!));
    expect([(await rp.verify(tokens.id_token))['nonce'], tokens.scope]).toEqual(['pushed', 'openid']);
  });

  it('may be opened again, and in another browser, until it is answered once [PAR-005, PAR-006, PAR-007]', async () => {
    const requestUri = await pushed(rp);
    const elsewhere = new RelyingParty(world, rp.client, new Browser(world));
    const here = await visit(rp, requestUri);
    expect((await visit(rp, requestUri)).page!.status).toBe(200);
    const there = await visit(elsewhere, requestUri);
    const arrivals = await Promise.all([rp.enter(here, alice), elsewhere.enter(there, alice)]);
    const redirects = arrivals.flatMap(({ redirect }) => (redirect === undefined ? [] : [redirect]));
    expect(redirects).toHaveLength(1);
    expect(arrivals.map(({ page }) => page?.status).filter((status) => status !== undefined)).toEqual([410]);
    // Both are signed in, so that a request that was not answered would be answered at once.
    expect((await visit(rp, requestUri)).page!.status).toBe(410);
    tokensOf(await rp.redeem(answerOf(redirects[0]!)['code']!));
  });

  it('is answered once, also by tokens without a code, though six browsers ask at once in two processes [PAR-006]', async () => {
    const replica = await startWorld({ replicaOf: world });
    const browsers = Array.from({ length: 6 }, (_, n) => new Browser(world, n % 2 === 0 ? world : replica));
    await Promise.all(browsers.map(async (browser) => new RelyingParty(world, rp.client, browser).signIn(alice)));
    const implicit = await makeClient({
      authMethod: 'none',
      clientType: 'user_agent',
      responseTypes: ['id_token'],
      grantTypes: ['implicit'],
    });
    for (const own of [rp, new RelyingParty(world, implicit)]) {
      const path = visitPath(own, await pushed(own));
      const arrivals = await Promise.all(browsers.map(async (browser) => browser.get(path)));
      const pages = arrivals.flatMap(({ page }) => (page === undefined ? [] : [`${page.status} ${page.heading}`]));
      expect(new Set(pages).size).toBe(1);
      expect([pages.length, pages[0]]).toEqual([5, expect.stringMatching(/^410 /)]);
      expect(arrivals.find(({ page }) => page)?.page?.text).toContain('the request_uri was used already');
    }
    await replica.close();
  });

  it('must be opened within 90 seconds; then its pages have their own time [PAR-008]', async () => {
    const [late, early] = [await pushed(rp), await pushed(rp)];
    world.clock.advance('89s');
    const arrival = await visit(rp, early);
    world.clock.advance('1s');
    const tooLate = (await visit(rp, late)).page!;
    expect([tooLate.status, tooLate.text]).toEqual([400, expect.stringContaining('the request_uri has expired')]);
    world.clock.advance('10m');
    expect((await rp.enter(arrival, alice)).redirect).toMatch(/code=/);
  });

  it('is checked again when it is opened: redirect URI, application, client id [PAR-009, PAR-010]', async () => {
    const [first, second] = [await pushed(rp), await pushed(rp)];
    await change(rp.client, { redirectUris: ['https://elsewhere.test/cb'] });
    expect((await visit(rp, first)).page!.status).toBe(400);
    await world.transaction((tx) => world.get(ClientService).remove(tx, rp.client.id, EDITOR));
    const { clientId, redirectUri } = rp.client;
    await world.add.client({ projectId: await world.cast.projectP, clientId, redirectUris: [redirectUri] });
    await world.changesToArrive();
    expect((await visit(rp, second)).page!.text).toContain('invalid_request_uri');
  });

  it('that was changed, or is something else, is refused, and is not logged [PAR-011]', async () => {
    const requestUri = await pushed(rp);
    const { access_token: token } = await rp.tokens(alice);
    const last = requestUri.endsWith('A') ? 'B' : 'A';
    const code = await rp.code(alice);
    const { pat } = await world.add.service({ orgId: alice.orgId });
    const disguised = [token, code, pat].map((other) => `gtu_${other.slice(4)}`);
    const others = [requestUri.slice(0, -1) + last, requestUri.slice(0, -9), `${requestUri}x`];
    const behindUrn = [token, code, ...disguised, pat, ''].map((other) => `urn:ietf:params:oauth:request_uri:${other}`);
    for (const other of [...others, ...behindUrn]) {
      const value = other.slice(34);
      world.plant(value);
      const before = world.logText().length;
      const { page } = await visit(rp, other);
      expect([page!.status, page!.text.includes('invalid_request_uri')]).toEqual([400, true]);
      const logged = world.logText().slice(before);
      expect(logged).toContain('invalid_request_uri');
      expect(logged).not.toContain(value === '' ? other : value);
    }
    tokensOf(await rp.redeem(code));
  });

  it('comes 300 times a minute at most from one network, of all public clients; who authenticates is not counted [PAR-013]', async () => {
    const limited = await startWorld({ replicaOf: world, loginLimits: 'on' });
    const publics = [
      new RelyingParty(world, await makeClient({ authMethod: 'none' })),
      new RelyingParty(world, await makeClient({ authMethod: 'none' })),
    ];
    const pushAt = async (by: RelyingParty): Promise<Reply> => by.post(PAR, by.parameters(), limited);
    const replies = await Promise.all(Array.from({ length: 302 }, async (_, n) => pushAt(publics[n % 2]!)));
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused.map((reply) => [errorOf(reply), reply.header('retry-after')])).toEqual(
      Array(2).fill(['429 temporarily_unavailable', '60']),
    );
    expect((await pushAt(rp)).status).toBe(201);
    world.clock.advance('60s');
    expect((await pushAt(publics[0]!)).status).toBe(201);
    await limited.close();
  });

  it('holds neither the credentials nor the object with which it was pushed', async () => {
    const by = new RelyingParty(world, await makeClient({ authMethod: 'client_secret_post' }));
    const long = await pushed(by);
    const short = await pushed(new RelyingParty(world, await makeClient({ authMethod: 'none' })));
    expect(Math.abs(long.length - short.length)).toBeLessThan(200); // a code challenge, and no secret
  });

  it('is limited in its size; other methods and bodies are refused [PAR-013]', async () => {
    const spare = (length: number): Parameters => ({ state: 'x'.repeat(length) });
    const rest = new URLSearchParams(Object.entries(rp.parameters({ state: '' })) as Array<[string, string]>);
    const longest = 4_000 - rest.toString().length;
    expect((await push(rp, spare(longest))).status).toBe(201);
    expect(errorOf(await push(rp, spare(longest + 1)))).toBe('413 invalid_request');
    for (const method of ['GET', 'PUT'] as const)
      expect((await send(world.origin, { method, path: PAR })).status).toBe(405);
  });

  it.each([PAR, paths.token, paths.introspect, paths.revoke, '/oauth/v2/device_authorization'])(
    'is a form, as at every endpoint that reads one: %s (RFC 6749 §5.2) [PAR-013]',
    async (path) => {
      const { headers, parameters } = await rp.credentials();
      const asked = { ...rp.parameters(), ...parameters };
      for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x'])
        expect(
          errorOf(
            await send(world.origin, {
              method: 'POST',
              path,
              headers: { ...headers, 'Content-Type': type },
              body: JSON.stringify(asked),
            }),
          ),
        ).toBe('400 invalid_request');
    },
  );

  it('binds its code to the key that it proves, or names [PAR-014]', async () => {
    const [own, other] = [await Prover.make(world), await Prover.make(world)];
    const { headers, parameters } = await rp.credentials();
    const pushWith = async (prover: Prover, over: Parameters = {}): Promise<Reply> =>
      send(world.origin, {
        method: 'POST',
        path: PAR,
        headers: { ...headers, DPoP: await prover.proof('POST', PAR) },
        body: { ...parameters, ...rp.parameters(over) },
      });
    const differs = await pushWith(own, { dpop_jkt: other.thumbprint });
    expect(errorOf(differs)).toBe('400 invalid_dpop_proof');
    await rp.signIn(alice);
    for (const reply of [await pushWith(own), await push(rp, { dpop_jkt: own.thumbprint })]) {
      const { redirect } = await visit(rp, reply.json<{ request_uri: string }>().request_uri);
      const form = {
        grant_type: 'authorization_code',
        code: answerOf(redirect!)['code']!,
        redirect_uri: rp.client.redirectUri,
      };
      const redeem = async (more: Headers): Promise<Reply> =>
        send(world.origin, {
          method: 'POST',
          path: paths.token,
          headers: { ...headers, ...more },
          body: { ...parameters, ...form },
        });
      expect(errorOf(await redeem({}))).toBe('400 invalid_dpop_proof');
      expect(errorOf(await redeem(await other.forTokens()))).toBe('400 invalid_dpop_proof');
      const tokens = await redeem(await own.forTokens());
      expect([tokens.status, tokens.json<{ token_type: string }>().token_type]).toEqual([200, 'DPoP']);
    }
  });

  it('of a stranger in the name of a public client reaches that client alone, who cannot redeem its code [PAR-015]', async () => {
    const spa = new RelyingParty(world, await makeClient({ authMethod: 'none', clientType: 'native' }));
    const strangers = newPkce();
    const asSpa = { ...spa.parameters(), code_challenge: strangers.challenge, state: 'stranger' };
    const pushAs = async (over: Parameters): Promise<Reply> =>
      send(world.origin, { method: 'POST', path: PAR, body: { ...asSpa, ...over } });
    expect(errorOf(await pushAs({ redirect_uri: 'https://evil.test/' }))).toBe('400 invalid_request');
    expect(errorOf(await pushAs({ code_challenge: undefined, code_challenge_method: undefined }))).toBe(
      '400 invalid_request',
    );
    const reply = await pushAs({});
    expect(reply.status).toBe(201);
    const { redirect } = await spa.enter(await visit(spa, reply.json<{ request_uri: string }>().request_uri), alice);
    expect(redirect).toMatch(`${spa.client.redirectUri}?`);
    expect(errorOf(await spa.redeem(answerOf(redirect!)['code']!))).toBe('400 invalid_grant');
  });

  it('costs no statement besides an assertion, and its visit as many as without', async () => {
    await rp.signIn(alice);
    const own = async (work: () => Promise<unknown>): Promise<number> => {
      await world.changesToArrive();
      const texts = await statementsDuring(work);
      return texts.filter((text) => !/^(?:(?:outbox|logout_notice)\.claim|purge\.)/.test(text)).length;
    };
    for (const [authMethod, count] of [
      ['none', 0],
      ['client_secret_basic', 0],
      ['private_key_jwt', 1], // its assertion, which is used once
    ] as const) {
      const by = new RelyingParty(world, await makeClient({ authMethod }));
      await world.changesToArrive(); // that of the application itself would make it be read again
      await pushed(by);
      expect([authMethod, await own(() => pushed(by))]).toEqual([authMethod, count]);
    }
    await pushed(rp);
    let requestUri = '';
    expect(await own(async () => (requestUri = await pushed(rp)))).toBe(0);
    expect(await own(() => rp.browser.request('GET', visitPath(rp, requestUri)))).toBe(
      await own(() => rp.authorizeOnce()),
    );
  });
});

describe('Where pushed requests are required', () => {
  it('by the application, any other is refused at its redirect URI if that is registered [PAR-012]', async () => {
    const by = new RelyingParty(
      world,
      await makeClient({ authMethod: 'private_key_jwt', requirePushedRequests: true }),
    );
    const request = await signRequest(world, by.client.key!, by.client.clientId, by.parameters());
    for (const over of [{}, { request }]) {
      const { redirect } = await by.authorize(over);
      expect(answerOf(redirect!)).toMatchObject({ error: 'invalid_request', state: 'S1' });
    }
    const { page, redirect: elsewhere } = await by.authorize({ redirect_uri: 'https://evil.test/' });
    expect([page?.status, elsewhere]).toEqual([400, undefined]);
    expect((await visit(by, await pushed(by))).page!.status).toBe(200);
  });

  it('by the instance, the metadata say so', async () => {
    const strict = await startWorld({ replicaOf: world, env: { REQUIRE_PUSHED_REQUESTS: 'on' } });
    expect(await strict.discovery()).toMatchObject({ require_pushed_authorization_requests: true });
    const at = new RelyingParty(strict, rp.client);
    at.goTo(strict);
    expect(answerOf((await at.authorize()).redirect!)).toMatchObject({ error: 'invalid_request' });
    await strict.close();
    const document = await world.discovery();
    expect(document['pushed_authorization_request_endpoint']).toBe(world.issuer + PAR);
    expect(document).not.toHaveProperty('require_pushed_authorization_requests');
  });
});
