import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { begin } from '../login/turns.js';
import { RelyingParty } from '../support/relying-party.js';
import { openSink } from '../support/sink.js';
import { startWorld, type World } from '../support/world.js';
import { type IdpApi, LEVELS, type Level, ownerOf, refusalIn } from './idp-api.js';

interface Part {
  readonly part: string;
  readonly ok: boolean;
  readonly detail: string;
}

const KEY = {
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  kid: 'a',
  use: 'sig',
};

/** May call this machine. */
let world: World;
const owners = {} as Record<Level, IdpApi>;
const servers: Server[] = [];

beforeAll(async () => {
  world = await startWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' }, timeouts: new Timeouts(4_000) });
  for (const level of LEVELS) owners[level] = await ownerOf(world, level);
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => world.close());

/** A provider on this machine; `answers` by path, the documents that it needs by default. */
async function provider(answers: Record<string, object | RequestListener> = {}): Promise<string> {
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`;
    const known: Record<string, object | RequestListener> = {
      '/.well-known/openid-configuration': discovery(issuer),
      '/keys': { keys: [KEY] },
      ...answers,
    };
    const answer = known[request.url ?? ''];
    if (typeof answer === 'function') (answer as RequestListener)(request, response);
    else if (answer) response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
    else response.writeHead(404).end('secret-inside');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function discovery(issuer: string, change: object = {}): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    ...change,
  };
}

async function test(api: IdpApi, id: string): Promise<{ ok: boolean; parts: Part[] }> {
  const reply = await api.ask('POST', `idps/${id}/_test`);
  expect(reply.status).toBe(200);
  const answer = reply.json<{ ok: boolean; parts: Part[] }>();
  expect(answer.ok).toBe(answer.parts.every(({ ok }) => ok));
  return answer;
}

const failing = ({ parts }: { parts: Part[] }): string[] => parts.filter(({ ok }) => !ok).map(({ part }) => part);
const detailOf = ({ parts }: { parts: Part[] }, part: string): string =>
  parts.find((one) => one.part === part)?.detail ?? '';

describe.each(LEVELS)('Testing a provider, %s', (level) => {
  let api: IdpApi;

  beforeAll(() => {
    api = owners[level];
  });

  it('reports for each part that an OIDC provider works, and changes nothing', async () => {
    const id = await api.addOidc({ issuer: await provider() });
    const before = await world.contents();
    const answer = await test(api, id);
    expect(answer).toEqual({
      ok: true,
      parts: [
        'discovery',
        'issuer',
        'authorization_endpoint',
        'token_endpoint',
        'response_type',
        'keys',
        'signature',
      ].map((part) => ({ part, ok: true, detail: expect.any(String) })),
    });
    expect(detailOf(answer, 'keys')).toMatch(/ has 1 usable key\.$/);
    expect(await world.contents()).toBe(before);
  });

  it('reports that the keys of a JWT provider are usable', async () => {
    const issuer = await provider();
    const id = await api.addJwt({ issuer, keysEndpoint: `${issuer}/keys` });
    expect(await test(api, id)).toEqual({
      ok: true,
      parts: [{ part: 'keys', ok: true, detail: `${issuer}/keys has 1 usable key.` }],
    });
  });

  it('answers 404 for a provider of another owner', async () => {
    const other = owners[level === 'admin' ? 'management' : 'admin'];
    expect(refusalIn(await api.ask('POST', `idps/${await other.addOidc()}/_test`))).toEqual([404, 5, 'idp.not_found']);
  });
});

describe('Testing a provider reports what fails', () => {
  const oidcAt = async (
    answers: Record<string, object | RequestListener>,
    path = '',
  ): Promise<{ ok: boolean; parts: Part[] }> =>
    test(owners.admin, await owners.admin.addOidc({ issuer: (await provider(answers)) + path }));
  const withDiscovery = (change: object): Record<string, RequestListener> => ({
    '/.well-known/openid-configuration': (request, response) => {
      const document = discovery(`http://${request.headers.host}`, change);
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(document));
    },
  });

  it.each<[string, RequestListener | object, RegExp]>([
    ['does not exist', (_, response) => response.writeHead(404).end('secret-inside'), /status 404/],
    ['fails', (_, response) => response.writeHead(500).end('secret-inside'), /status 500/],
    [
      'is HTML',
      (_, response) => response.setHeader('Content-Type', 'text/html').end('<p>secret-inside'),
      /is not a JSON object/,
    ],
    ['is a list', ['secret-inside'], /is not a JSON object/],
    [
      'stands elsewhere',
      (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/secret-inside' }).end(),
      /redirect \(302\)/,
    ],
    [
      'is too large',
      (_, response) => response.setHeader('Content-Type', 'application/json').end('"'.padEnd(1_100_000, 'a')),
      /larger than/,
    ],
    ['breaks off', (request) => request.socket.destroy(), /was lost/],
  ])('when its discovery document %s', async (_, answer, detail) => {
    const tested = await oidcAt({ '/.well-known/openid-configuration': answer });
    expect(tested.parts).toEqual([{ part: 'discovery', ok: false, detail: expect.stringMatching(detail) }]);
    expect(JSON.stringify(tested)).not.toContain('secret-inside');
  });

  it.each<[string, object, string[]]>([
    ['another issuer [IDP-003]', { issuer: 'https://accounts.example.com' }, ['issuer']],
    ['no issuer', { issuer: undefined }, ['issuer']],
    ['an issuer that is no text', { issuer: { 'secret-inside': 1 } }, ['issuer']],
    ['an issuer that is no URL', { issuer: '<b>secret-inside</b>' }, ['issuer']],
    [
      'no endpoints',
      { authorization_endpoint: undefined, token_endpoint: 1 },
      ['authorization_endpoint', 'token_endpoint'],
    ],
    [
      'endpoints that are no web addresses [IDP-020]',
      { authorization_endpoint: 'javascript:alert(1)', token_endpoint: 'http://evil.test/token' },
      ['authorization_endpoint', 'token_endpoint'],
    ],
    ['an endless endpoint', { token_endpoint: `https://a.test/${'a'.repeat(100_000)}` }, ['token_endpoint']],
    ['no code flow', { response_types_supported: ['id_token'] }, ['response_type']],
    ['no keys', { jwks_uri: undefined }, ['keys']],
    ['keys at an address that is not called [IDP-020]', { jwks_uri: 'https://10.9.0.9/keys' }, ['keys']],
    ['keys in a file', { jwks_uri: 'file:///etc/passwd' }, ['keys']],
  ])('when it names %s', async (_, change, parts) => {
    const tested = await oidcAt(withDiscovery(change));
    expect(failing(tested)).toEqual(parts);
    expect(JSON.stringify(tested)).not.toContain('secret-inside');
    expect(JSON.stringify(tested).length).toBeLessThan(5_000);
  });

  it.each<[string, unknown, boolean, RegExp]>([
    ['none', undefined, true, /does not say how ID tokens are signed; RS256, PS256, /],
    ['one of ours', ['ES256'], true, /^ID tokens signed with ES256 are accepted\.$/],
    ['one of ours besides others', ['none', 'HS256', 'ES256'], true, /Tokens signed with none, HS256 are refused/],
    ['others alone', ['HS256', 'ES256K'], false, /signs ID tokens with HS256, ES256K alone\. Let it sign with one of/],
    ['nothing that is one', ['<b>secret-inside</b>', 7], false, /something unknown alone/],
    ['one for which it has no key', ['RS384', 'ES512'], false, /RS384, ES512, and publishes no key for that/],
  ])('when the algorithms that it names are %s', async (_, announced, isOk, detail) => {
    const tested = await oidcAt(withDiscovery({ id_token_signing_alg_values_supported: announced }));
    expect([failing(tested), detailOf(tested, 'signature')]).toEqual([
      isOk ? [] : ['signature'],
      expect.stringMatching(detail),
    ]);
    expect(JSON.stringify(tested)).not.toContain('secret-inside');
  });

  it('when the issuer differs by a slash, to the letter [IDP-003]', async () => {
    const tested = await oidcAt({}, '/');
    expect(failing(tested)).toEqual(['issuer']);
    expect(detailOf(tested, 'issuer')).toMatch(
      /names "http:\/\/127\.0\.0\.1:\d+" as its issuer instead of "http:\/\/127\.0\.0\.1:\d+\/"/,
    );
  });

  it.each<[string, object | RequestListener, RegExp]>([
    ['null', { keys: null }, /is not a key set/],
    ['none', { keys: [] }, /None of the 0 keys .* can verify/],
    ['too many [IDP-022]', { keys: Array(101).fill(KEY) }, /more than 100/],
    ['for nothing', { keys: [{ kty: 'oct', k: 'AAAA' }, null, {}] }, /None of the 3 keys .* can verify/],
    ['away', (_, response) => response.writeHead(503, { 'Retry-After': '99999' }).end(), /status 503/],
  ])('when the keys are %s', async (_, answer, detail) => {
    const tested = await oidcAt({ '/keys': answer });
    expect(failing(tested)).toEqual(['keys']);
    expect(detailOf(tested, 'keys')).toMatch(detail);
  });

  it('counts the keys that it ignores', async () => {
    const tested = await oidcAt({ '/keys': { keys: [KEY, { kty: 'oct', k: 'AAAA' }, KEY, null] } });
    expect([tested.ok, detailOf(tested, 'keys')]).toEqual([
      true,
      expect.stringMatching(/has 2 usable keys, and 2 that are ignored\.$/),
    ]);
  });

  it('within the timeout for a server that does not respond, and serves others meanwhile [IDP-021]', async () => {
    let isGivenUp = false;
    const silent = oidcAt({ '/.well-known/openid-configuration': () => undefined }).finally(() => (isGivenUp = true));
    expect((await oidcAt({})).ok).toBe(true);
    expect(isGivenUp).toBe(false);
    const tested = await silent;
    expect(tested.parts).toEqual([
      {
        part: 'discovery',
        ok: false,
        detail: expect.stringContaining('did not send a complete response within 4 seconds'),
      },
    ]);
  });
});

describe('Testing a provider where nothing private is allowed [IDP-018]', () => {
  it('never connects to this machine or a private network, and says how to allow it', async () => {
    const strict = await startWorld();
    const sink = await openSink();
    try {
      const api = await ownerOf(strict, 'admin');
      const { port } = new URL(sink.url);
      for (const issuer of [
        `http://127.0.0.1:${port}`,
        `http://localhost:${port}`,
        `http://[::1]:${port}`,
        `https://2130706433:${port}`,
        `https://0x7f.1:${port}`,
        `https://[::ffff:7f00:1]:${port}`,
        'https://10.9.0.9',
        'https://169.254.169.254',
        'https://[fd00::9]',
      ]) {
        const { parts } = await test(api, await api.addOidc({ issuer }));
        expect(parts).toEqual([{ part: 'discovery', ok: false, detail: expect.stringContaining('OUTBOUND_ALLOW') }]);
      }
      const { parts } = await test(api, await api.addJwt({ keysEndpoint: `http://127.0.0.1:${port}/keys` }));
      expect(parts).toEqual([{ part: 'keys', ok: false, detail: expect.stringContaining('OUTBOUND_ALLOW') }]);
      expect(sink.connections).toBe(0);
    } finally {
      await sink.close();
      await strict.close();
    }
  });
});

describe.each(LEVELS)('A provider that is added on the level %s by the operation that tests it', (level) => {
  const generic = (issuer: string, name: string, more: object = {}): object => ({
    name,
    issuer,
    clientId: 'gatehouse',
    clientSecret: 'a-secret-of-the-provider-2b7',
    scopes: ['openid'],
    providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
    ...more,
  });
  const add = async (kind: string, body: object) =>
    (await owners[level].ask('POST', `idps/${kind}`, body)).json<{
      id: string;
      state: string;
      parts: Part[];
      callbackUrl: string;
    }>();

  /** Whether people see a button for it. */
  const isOffered = async (name: string): Promise<boolean> => {
    await world.changesToArrive();
    const { ownerId } = owners[level];
    const scope = level === 'management' ? `openid urn:service:iam:org:id:${ownerId}` : 'openid';
    const page = await begin(new RelyingParty(world, await world.cast.web1), { scope });
    return page.all('.providers button').some(({ text }) => text.endsWith(`Continue with ${name}`));
  };

  it('is on the login page only once its configuration works and the manager has reactivated it', async () => {
    let isDown = true;
    const issuer = await provider({
      '/.well-known/openid-configuration': (request, response) => {
        if (isDown) response.writeHead(503).end();
        else
          response
            .setHeader('Content-Type', 'application/json')
            .end(JSON.stringify(discovery(`http://${request.headers.host}`)));
      },
    });
    const name = `Later ${level}`;
    const { id } = await add('generic_oidc', generic(issuer, name));
    expect(await isOffered(name)).toBe(false);
    isDown = false;
    expect((await test(owners[level], id)).ok).toBe(true);
    expect(await isOffered(name)).toBe(false);
    expect((await owners[level].ask('POST', `idps/${id}/_reactivate`)).status).toBe(200);
    expect(await isOffered(name)).toBe(true);
  });

  it('is on the login page at once if it works, or if the manager insists, be it by the deprecated operation', async () => {
    await add('generic_oidc', generic(await provider(), `Good ${level}`));
    expect(await isOffered(`Good ${level}`)).toBe(true);
    const nowhere = 'https://127.0.0.1:1';
    await add('generic_oidc', generic(nowhere, `Forced ${level}`, { offerUntested: true }));
    expect(await isOffered(`Forced ${level}`)).toBe(true);
    await owners[level].addOidc({ issuer: nowhere, name: `Deprecated ${level}` });
    expect(await isOffered(`Deprecated ${level}`)).toBe(true);
  });

  it('is active if its configuration works', async () => {
    const added = await add('generic_oidc', generic(await provider(), `Works ${level}`));
    expect([added.state, added.parts.every(({ ok }) => ok)]).toEqual(['IDP_STATE_ACTIVE', true]);
    expect(await owners[level].get(added.id)).toMatchObject({
      state: 'IDP_STATE_ACTIVE',
      autoRegister: true,
      oidcConfig: { clientId: 'gatehouse' },
    });
  });

  it('is stored inactive if it does not, and offered once it was corrected', async () => {
    const added = await add('generic_oidc', generic('https://127.0.0.1:1', `Fails ${level}`));
    expect([added.state, added.parts.some(({ ok }) => !ok)]).toEqual(['IDP_STATE_INACTIVE', true]);
    expect(await owners[level].get(added.id)).toMatchObject({ state: 'IDP_STATE_INACTIVE' });
    expect((await owners[level].ask('POST', `idps/${added.id}/_reactivate`)).status).toBe(200);
  });

  it('is active untested if the manager insists', async () => {
    const body = generic('https://127.0.0.1:1', `Insisted ${level}`, { offerUntested: true });
    expect((await add('generic_oidc', body)).state).toBe('IDP_STATE_ACTIVE');
  });

  it('may be one that sends a JWT', async () => {
    const origin = await provider();
    const added = await add('generic_jwt', {
      name: `Proxy ${level}`,
      issuer: origin,
      jwtEndpoint: `${origin}/sign-in`,
      keysEndpoint: `${origin}/keys`,
      headerName: 'x-jwt',
    });
    expect(added.state).toBe('IDP_STATE_ACTIVE');
    expect(await owners[level].get(added.id)).toMatchObject({
      jwtConfig: { headerName: 'x-jwt' },
      autoRegister: false,
    });
  });

  it('leaves nothing behind when its name is taken', async () => {
    const body = generic(await provider(), `Twice ${level}`);
    await add('generic_oidc', body);
    const again = await owners[level].ask('POST', 'idps/generic_oidc', body);
    expect(refusalIn(again)).toEqual([409, 6, 'idp.name_taken']);
  });
});
