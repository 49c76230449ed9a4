import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageOf } from '../login/turns.js';
import type { Arrival } from '../support/browser.js';
import { makeKey, type TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { openSink, type Sink } from '../support/sink.js';
import { CLIENT_SECRET, type Claims, json, startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { certificate, key } from './certificate.js';
import { addOidc, comeBack, leave, link, OUTBOUND, startPath, visit } from './external.js';

let world: World;
let upstream: Upstream;
let alice: TestPerson;
let web1: RelyingParty;
let sink: Sink;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
  sink = await openSink();
  alice = await world.cast.alice;
});
afterAll(async () => {
  await sink.close();
  await world.close();
});
beforeEach(async () => {
  world.clock.advance('1m');
  upstream = await startUpstream(world); // whatever was known of the last one does not count
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => upstream.close());

/** A new provider, which knows alice. */
async function provider(issuer = upstream.issuer): Promise<string> {
  const id = await addOidc(world, issuer);
  await link(world, id, alice.id, alice.orgId, 'alice-there');
  return id;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const document = '/.well-known/openid-configuration';

/** The sign-in ends on a page that says that the provider cannot be used; the log says why. */
async function expectUnusable(start: Promise<unknown>, detail: string | RegExp): Promise<void> {
  const before = world.logText().length;
  await expect(start).rejects.toThrow(/answered 502/);
  expect(world.logText().slice(before)).toMatch(typeof detail === 'string' ? `"detail":"${detail}"` : detail);
}

/** The same, or on a page that says that the answer cannot be accepted. */
async function expectNobody(start: Promise<Arrival>): Promise<void> {
  const before = world.logText().length;
  const status = await start.then(
    ({ page }) => page?.status,
    (error: Error) => Number(/answered (\d+)/.exec(error.message)?.[1]),
  );
  expect([400, 502]).toContain(status);
  expect(world.logText().slice(before)).toMatch(/idp\.(provider_failed|answer_refused)/);
}

describe('The metadata of a provider [IDP-003, IDP-020]', () => {
  it.each<[string, (issuer: string) => Claims, string]>([
    ['another host as its issuer', () => ({ issuer: 'https://evil.test' }), 'issuer_differs'],
    ['its issuer with a slash', (issuer) => ({ issuer: `${issuer}/` }), 'issuer_differs'],
    ['its issuer with another scheme', (issuer) => ({ issuer: issuer.replace('http:', 'https:') }), 'issuer_differs'],
    ['its issuer in capitals', (issuer) => ({ issuer: issuer.toUpperCase() }), 'issuer_differs'],
    ['no issuer', () => ({ issuer: undefined }), 'issuer_differs'],
    ['no endpoint for tokens', () => ({ token_endpoint: undefined }), 'token_endpoint_missing'],
    ['a number for its keys', () => ({ jwks_uri: 7 }), 'jwks_uri_missing'],
    [
      'that browsers go to a script',
      () => ({ authorization_endpoint: 'javascript:x()' }),
      'authorization_endpoint_refused',
    ],
    [
      'that browsers go where nothing is encrypted',
      () => ({ authorization_endpoint: 'http://evil.test/authorize' }),
      'authorization_endpoint_refused',
    ],
    [
      'that browsers go to an internal address',
      () => ({ authorization_endpoint: 'https://10.9.0.9/authorize' }),
      'authorization_endpoint_refused',
    ],
    [
      'that tokens come from an internal address',
      () => ({ token_endpoint: 'https://10.9.0.9:9999/token' }),
      'token_endpoint_refused',
    ],
    [
      'that keys come from where clouds keep secrets',
      () => ({ jwks_uri: 'http://169.254.169.254/latest' }),
      'jwks_uri_refused',
    ],
    [
      'that people are described by a file',
      () => ({ userinfo_endpoint: 'file:///etc/passwd' }),
      'userinfo_endpoint_refused',
    ],
  ])('is of no use when it is %s', async (_, discovery, detail) => {
    upstream.lies = { discovery: discovery(upstream.issuer) };
    await expectUnusable(leave(web1, await provider()), detail);
    expect(upstream.asked).toEqual([document]);
  });

  it('is asked for below the issuer, whose slash is dropped for that alone', async () => {
    upstream.lies = { discovery: { issuer: `${upstream.issuer}/` } };
    expect(await leave(web1, await provider(`${upstream.issuer}/`))).toMatch(`${upstream.issuer}/authorize?`);
  });
});

describe('Addresses that are not to be called [IDP-018, IDP-019]', () => {
  it('are not called, be they this machine, a private network or one behind a name', async () => {
    const closed = await startWorld(); // without OUTBOUND_ALLOW
    const rp = new RelyingParty(closed, await closed.cast.web1);
    const port = new URL(sink.url).port;
    for (const issuer of [
      `http://127.0.0.1:${port}`,
      `http://[::1]:${port}`,
      `http://localhost:${port}`,
      `https://127.0.0.1:${port}`,
      'https://10.9.0.9:9999',
      'https://[fd00::9]',
      'https://169.254.169.254',
    ]) {
      await expect(leave(rp, await addOidc(closed, issuer))).rejects.toThrow(/answered 502/);
    }
    expect(sink.connections).toBe(0);
    expect(closed.logText()).toContain('outbound.address_refused');
    await closed.close();
  });

  it.each([302, 308])('are not called by a redirect (%i) from discovery, keys, token or userinfo', async (status) => {
    const redirect: Handler = (_, response) => response.writeHead(status, { Location: sink.url }).end();
    upstream.lies = { answer: { [document]: redirect } };
    await expectUnusable(leave(web1, await provider()), 'outbound.redirected');
    for (const path of ['/token', '/keys']) {
      upstream.lies = { answer: { [path]: redirect } };
      await expectUnusable(visit(web1, upstream, await provider(), { sub: 'alice-there' }), 'outbound.redirected');
    }
    upstream.lies = { answer: { '/userinfo': redirect } };
    const id = await addOidc(world, upstream.issuer, { autoRegister: true });
    const arrival = await visit(web1, upstream, id, {
      sub: `new-${status}`,
      email: 'new@mail.test',
      email_verified: true,
    });
    expect(web1.toAnswer(arrival).code).toBeDefined(); // it only describes: what the token says is enough
    expect(sink.connections).toBe(0);
  });
});

describe('An untrusted certificate [IDP-011]', () => {
  it('refuses the provider, and no setting of a provider changes that', async () => {
    const server: Server = createTlsServer({ cert: certificate, key }, (_, response) => json(response, 200, {}));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await expectUnusable(
      leave(web1, await provider(`https://localhost:${(server.address() as AddressInfo).port}`)),
      'outbound.certificate_refused',
    );
    server.closeAllConnections();
    server.close();
  });
});

describe('A provider that is down [IDP-021]', () => {
  it.each([
    [500, document],
    [503, '/token'],
    [404, '/keys'],
    [204, document],
    [304, '/token'],
    [418, '/keys'],
  ])('is given up at once when it answers %i at %s', async (status, path) => {
    const answer: Handler = (_, response) => response.writeHead(status, { 'Retry-After': '99999' }).end();
    upstream.lies = { answer: { [path]: answer } };
    await expectUnusable(visit(web1, upstream, await provider(), { sub: 'alice-there' }), /idp\.provider_failed/);
    upstream.lies = {};
    expect(web1.toAnswer(await visit(web1, upstream, await provider(), { sub: 'alice-there' })).code).toBeDefined();
  });
});

describe('A provider that sends too much, or something else [IDP-022, IDP-023]', () => {
  const page: Handler = (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>');
  const HUGE: Record<string, Handler> = {
    'two megabytes': (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"a":"${'x'.repeat(2_000_000)}"}`),
    'a body without end': (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const write = (): void =>
        void (response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(write)));
      write();
    },
    'a compressed one': (_, response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end(gzipSync('{"keys":[]}')),
    'a page': page,
    'JSON 10,000 levels deep': (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(`${'['.repeat(10_000)}${']'.repeat(10_000)}`),
    'no JSON': (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"keys":'),
  };

  it.each([
    ['two megabytes', document],
    ['a body without end', '/token'],
    ['a compressed one', '/keys'],
    ['a page', document],
    ['JSON 10,000 levels deep', '/token'],
    ['no JSON', '/keys'],
  ])('is given up when it is %s at %s', async (what, path) => {
    upstream.lies = { answer: { [path]: HUGE[what]! } };
    await expectNobody(visit(web1, upstream, await provider(), { sub: 'alice-there' }));
  });

  it.each<[string, unknown]>([
    ['no list', { keys: null }],
    ['100,000 keys', { keys: Array(5_000).fill({ kty: 'oct' }) }],
    ['secret ones alone', { keys: [{ kty: 'oct', k: 'AAAA' }] }],
    ['none', { keys: [] }],
  ])('signs no user in with keys that are %s', async (_, keys) => {
    upstream.lies = { keys };
    await expectUnusable(visit(web1, upstream, await provider(), { sub: 'alice-there' }), /no_key_set|no_usable_key/);
  });

  it('signs in by the one good key among others that are none', async () => {
    const weak = { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'weak' };
    upstream.lies = {
      keys: {
        keys: [
          null,
          {},
          { kty: 'oct' },
          weak,
          { ...(await makeKey()).publicJwk, kid: 'other', use: 'enc' },
          ...upstream.published,
        ],
      },
    };
    expect(web1.toAnswer(await visit(web1, upstream, await provider(), { sub: 'alice-there' })).code).toBeDefined();
  });
});

describe('The token endpoint of a provider [IDP-025]', () => {
  it('learns the secret in the Basic header, form-url-encoded, and never in the body', async () => {
    let body = '';
    const honest = upstream.handle.bind(upstream);
    upstream.handle = async (request, response) => {
      if (request.url === '/token') request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      return honest(request, response);
    };
    expect(web1.toAnswer(await visit(web1, upstream, await provider(), { sub: 'alice-there' })).code).toBeDefined();
    expect(new URLSearchParams(body).has('client_secret')).toBe(false);
    expect([...new URLSearchParams(body).keys()].sort()).toEqual([
      'code',
      'code_verifier',
      'grant_type',
      'redirect_uri',
    ]);
  });

  it('learns it in the body where it takes nothing else', async () => {
    let form = new URLSearchParams();
    upstream.lies = {
      discovery: { token_endpoint_auth_methods_supported: ['client_secret_post'] },
      answer: {
        '/token': (request, response) => {
          request.on('data', (chunk: Buffer) => (form = new URLSearchParams(chunk.toString())));
          request.on('end', () => json(response, 400, { error: 'invalid_grant' }));
        },
      },
    };
    const page = pageOf(await visit(web1, upstream, await provider(), { sub: 'alice-there' }));
    expect([page.status, form.get('client_id'), form.get('client_secret')]).toEqual([400, 'gatehouse', CLIENT_SECRET]);
  });

  it.each([
    [400, { error: 'invalid_client', error_description: 'the secret is wrong' }],
    [401, { error: 'invalid_client' }],
    [500, { error: 'server_error' }],
    [200, {}],
    [200, { access_token: 'x' }],
    [200, { access_token: 'x', token_type: 'mac', id_token: 'a.b.c' }],
  ])('that refuses or fails (%i %j) leaves no secret, code or token in the log', async (status, answer) => {
    upstream.lies = { answer: { '/token': (_, response) => json(response, status, answer) } };
    const id = await provider();
    const url = await leave(web1, id);
    const { code, state, iss } = upstream.answerTo(url, { sub: 'alice-there' });
    const before = world.logText().length;
    await comeBack(web1.browser, { code, state, iss }).catch((error: Error) =>
      expect(error.message).toMatch(/answered 502/),
    );
    const log = world.logText().slice(before);
    expect(log).toMatch(/idp\.(provider_failed|answer_refused)/);
    for (const secret of [
      code,
      state,
      CLIENT_SECRET,
      encodeURIComponent(CLIENT_SECRET),
      Buffer.from(CLIENT_SECRET).toString('base64'),
      'the secret is wrong',
    ])
      expect(log).not.toContain(secret);
    expect(world.secretsIn(log)).toEqual([]);
  });
});

describe('The page of a provider that fails', () => {
  it('leads back into the sign-in', async () => {
    upstream.lies = { answer: { [document]: (_, response) => response.writeHead(500).end() } };
    const { browser } = web1;
    const path = await startPath(web1, await provider());
    const failed: { text: string } = await browser.request('GET', path).then(
      (reply) => reply,
      (error: Error) => ({ text: error.message }),
    );
    expect(failed.text).toContain('The identity provider does not answer');
    expect(failed.text).not.toMatch(/127\.0\.0\.1:(?!\d+\/ui)|ECONN|outbound/);
  });
});
