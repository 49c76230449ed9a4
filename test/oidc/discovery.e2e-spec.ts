import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Headers, type Reply, send, sendBytes } from '../support/http.js';
import { paths, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const ISSUER = 'https://id.test';

let world: World;
/** Behind a proxy that speaks https. */
let proxied: World;

beforeAll(async () => {
  world = await startWorld();
  proxied = await startWorld({ publicUrl: ISSUER, env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(async () => {
  await proxied.close();
  await world.close();
});

describe('GET /.well-known/openid-configuration', () => {
  it('contains what is true of this service, and nothing else', async () => {
    const reply = await send(proxied.origin, { path: paths.discovery });
    expect(reply.header('content-type')).toMatch(/^application\/json/);
    expect(reply.header('cache-control')).toMatch(/max-age=300/);
    expect(reply.header('set-cookie')).toBeUndefined();
    const document = reply.json<Record<string, string[] | string | boolean>>();
    expect(document).toMatchObject({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/oauth/v2/authorize`,
      token_endpoint: `${ISSUER}/oauth/v2/token`,
      device_authorization_endpoint: `${ISSUER}/oauth/v2/device_authorization`,
      introspection_endpoint: `${ISSUER}/oauth/v2/introspect`,
      userinfo_endpoint: `${ISSUER}/oidc/v1/userinfo`,
      revocation_endpoint: `${ISSUER}/oauth/v2/revoke`,
      end_session_endpoint: `${ISSUER}/oidc/v1/end_session`,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      jwks_uri: `${ISSUER}/oauth/v2/keys`,
      scopes_supported: ['openid', 'profile', 'email', 'phone', 'address', 'offline_access', 'groups'],
      response_types_supported: ['code', 'id_token', 'id_token token'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:ietf:params:oauth:grant-type:token-exchange',
        'implicit',
      ],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      userinfo_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
      claims_parameter_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect(document['ui_locales_supported']).toEqual([
      'ar',
      'bg',
      'cs',
      'de',
      'en',
      'es',
      'fr',
      'he',
      'hu',
      'id',
      'it',
      'ja',
      'ko',
      'mk',
      'nl',
      'pl',
      'pt',
      'ro',
      'ru',
      'sv',
      'tr',
      'uk',
      'zh',
      'zh-TW',
    ]);
    for (const name of [
      'registration_endpoint',
      'check_session_iframe',
      'require_pushed_authorization_requests',
      'require_request_uri_registration',
      'userinfo_encryption_alg_values_supported',
    ])
      expect(document).not.toHaveProperty(name);
  });

  it('names endpoints that exist', async () => {
    const document = (await send(world.origin, { path: paths.discovery })).json<Record<string, string>>();
    const endpoints = Object.entries(document).filter(([name]) => name.endsWith('_endpoint') || name === 'jwks_uri');
    expect(endpoints).toHaveLength(9);
    for (const [, url] of endpoints)
      expect((await send(world.origin, { path: new URL(url).pathname })).status).not.toBe(404);
  });

  it('is the only metadata: the path of RFC 8414 answers 404 [INT-034]', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration/',
      '/.well-known/',
      '/.well-known/oauth-authorization-server/x',
    ]) {
      expect([404, 200]).toContain((await send(world.origin, { path })).status);
    }
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'the path of RFC 8414 is like any unknown one for %s unless the operator turns it on',
    async (method) => {
      const [hidden, unknown] = [
        await send(world.origin, { method, path: '/.well-known/oauth-authorization-server' }),
        await send(world.origin, { method, path: '/.well-known/unknown' }),
      ];
      expect([hidden.status, hidden.text, hidden.header('allow')]).toEqual([
        404,
        unknown.text,
        unknown.header('allow'),
      ]);
    },
  );
});

describe('With OAUTH_METADATA=on', () => {
  it('the path of RFC 8414 has the same document, with the same issuer (RFC 8414 §3.3)', async () => {
    const open = await startWorld({ replicaOf: world, env: { OAUTH_METADATA: 'on' } });
    const path = '/.well-known/oauth-authorization-server';
    const [oauth, openid] = [await send(open.origin, { path }), await send(open.origin, { path: paths.discovery })];
    expect(oauth.status).toBe(200);
    expect(oauth.json()).toEqual(openid.json());
    for (const name of ['cache-control', 'access-control-allow-origin', 'content-type'])
      expect([name, oauth.header(name)]).toEqual([name, openid.header(name)]);
    await open.close();
  });
});

describe('The issuer is configured, never taken from the request [INT-032]', () => {
  it.each<Headers>([
    { Host: 'evil.test' },
    { Host: 'id.test:8443' },
    { 'X-Forwarded-Host': 'evil.test' },
    { 'X-Forwarded-Proto': 'http' },
    { Forwarded: 'host=evil.test;proto=http' },
    { 'X-Original-Host': 'evil.test' },
    { 'X-Forwarded-Server': 'evil.test' },
    { 'X-Original-URL': 'https://evil.test/' },
    { 'X-Rewrite-URL': '/evil' },
    { 'X-Forwarded-Prefix': '/evil' },
    { Origin: 'https://evil.test', Referer: 'https://evil.test/' },
  ])('regardless of %j', async (headers) => {
    const discovery = await send(proxied.origin, { path: paths.discovery, headers });
    expect(discovery.text).not.toContain('evil');
    expect(discovery.json()['issuer']).toBe(ISSUER);
    const rp = new RelyingParty(proxied, await proxied.cast.web1);
    const begun = await send(proxied.origin, { path: rp.authorizePath(), headers });
    expect(begun.status).toBe(200);
    expect(begun.text).toContain('action="/ui/login/');
    const refused = await send(proxied.origin, { path: rp.authorizePath({ prompt: 'none' }), headers });
    expect(refused.location).toContain(`iss=${encodeURIComponent(ISSUER)}`);
    expect(begun.text + refused.location!).not.toMatch(/evil\.test|\/evil/); // a sealed request has neither sign
    // Nothing was kept under the other name.
    expect((await send(proxied.origin, { path: paths.discovery })).json()['issuer']).toBe(ISSUER);
  });

  it('nor by the absolute form of the request line', async () => {
    const answer = await sendBytes(
      proxied.origin,
      `GET http://evil.test${paths.discovery} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (200|400|404|421) /);
    expect(answer).not.toContain('evil.test');
  });

  it('and an absolute form that is not a URL is refused with a page and our headers', async () => {
    for (const target of [
      'http://[::bad/',
      'http://',
      'http://[::1',
      'http://id.test:99999/',
      'ftp://id.test/',
      'x:y',
      'http:///oauth/v2/keys',
    ]) {
      for (const method of ['GET', 'POST']) {
        const answer = await sendBytes(
          proxied.origin,
          `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
        );
        expect(answer).toMatch(/^HTTP\/1\.1 400 /);
        // What is no request at all ends before any page; whatever has a page has all of our headers.
        if (!/content-type: text\/plain/i.test(answer)) {
          expect(answer).toMatch(/<html lang="en"/);
          for (const header of [
            'Content-Security-Policy',
            'Strict-Transport-Security',
            'X-Frame-Options',
            'Referrer-Policy',
          ])
            expect(answer).toContain(header);
        }
        expect(answer).toMatch(/Cache-Control: no-store/i);
        expect(answer).not.toMatch(/Cannot (GET|POST)/);
      }
    }
    const page = await sendBytes(proxied.origin, 'GET http://[::bad/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(page).toMatch(/<html lang="en"/);
  });

  it('and an absolute form that is one reaches the same endpoints, query and all', async () => {
    const rp = new RelyingParty(proxied, await proxied.cast.web1);
    const ask = (target: string): Promise<string> =>
      sendBytes(proxied.origin, `GET ${target} HTTP/1.1\r\nHost: id.test\r\nConnection: close\r\n\r\n`);
    expect(await ask(`https://id.test${paths.keys}`)).toMatch(/^HTTP\/1\.1 200 [^]*"keys"/);
    expect(await ask(`https://id.test${rp.authorizePath({ prompt: 'none', state: 'é&=' })}`)).toContain(
      `state=${encodeURIComponent('é&=')}`,
    );
    for (const bare of ['https://id.test', 'https://id.test?x=1'])
      expect(await ask(bare)).not.toMatch(/^HTTP\/1\.1 400 /);
  });

  it('and cookies are those of https where the issuer is https', async () => {
    const rp = new RelyingParty(proxied, await proxied.cast.web1);
    const reply = await rp.authorizeOnce();
    expect(reply.header('set-cookie')).toMatch(/^__Host-[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    expect(reply.header('strict-transport-security')).toMatch(/^max-age=\d{7,}/);
    expect((await rp.tokens(await proxied.cast.alice)).access_token).toBeDefined();
  });
});

describe('Requests that are not HTTP [INT-035]', () => {
  const line = `POST ${paths.token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n`;

  it.each<[string, string]>([
    [
      'Content-Length beside Transfer-Encoding',
      `${line}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `${line}Content-Length: 5\r\nContent-Length: 6\r\n\r\nx=1&y=`],
    ['a folded header', `${line}X-Folded: a\r\n b\r\nContent-Length: 0\r\n\r\n`],
    ['bare line feeds', `POST ${paths.token} HTTP/1.1\nHost: x\nContent-Length: 0\n\n`],
    ['a space before the colon', `${line}Content-Length : 0\r\n\r\n`],
    ['a length that is no number', `${line}Content-Length: 0x5\r\n\r\nx=1&y`],
    ['an unknown transfer coding', `${line}Transfer-Encoding: x\r\n\r\n`],
    ['NUL in a header', `${line}X-Nul: a\u0000b\r\nContent-Length: 0\r\n\r\n`],
    ['a request line of its own kind', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
  ])('get 400 and a closed connection: %s', async (_, bytes) => {
    // What follows on the connection must not be taken for another request.
    const answer = await sendBytes(world.origin, `${bytes}GET ${paths.discovery} HTTP/1.1\r\nHost: x\r\n\r\n`, 3000);
    expect(answer).toMatch(/^HTTP\/1\.1 (400|501|505) |^$/);
    expect(answer).not.toContain('issuer');
  });
});

describe('Other methods [INT-036]', () => {
  const routes = [
    ...Object.values(paths),
    '/ui/login/login',
    '/ui/login/password',
    '/health/live',
    '/admin/v1/text/default/message/init/en',
    '/',
    '/nowhere',
  ];

  it.each(['TRACE', 'PROPFIND', 'DELETE', 'PUT', 'LINK', 'SEARCH'])('%s is answered nowhere', async (method) => {
    for (const path of routes) {
      const reply = await send(world.origin, { method, path, headers: { 'X-Secret': 'planted-for-trace' } });
      expect([401, 403, 404, 405, 501]).toContain(reply.status);
      expect(reply.text).not.toContain('planted-for-trace');
      if (reply.status === 405) expect(reply.header('allow')).toMatch(/^[A-Z, ]+$/);
    }
  });

  it('OPTIONS is answered with 204, 404 or 405', async () => {
    for (const path of routes)
      expect([204, 401, 404, 405]).toContain((await send(world.origin, { method: 'OPTIONS', path })).status);
  });

  it.each(['CONNECT', 'FOOBAR', 'get'])('%s is not a supported method', async (method) => {
    const answer = await sendBytes(
      world.origin,
      `${method} ${paths.discovery} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      2000,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (400|404|405|501) |^$/);
  });

  it.each([paths.keys, paths.discovery])('is the same answer, prepared or not: %s', async (path) => {
    for (const origin of [world.origin, proxied.origin]) {
      await send(origin, { path }); // after which the keys are known
      const [prepared, made] = [await send(origin, { path }), await send(origin, { path: `${path}?made` })];
      expect([prepared.status, prepared.text]).toEqual([made.status, made.text]);
      const headersOf = (reply: Reply): object => ({ ...reply.headers, date: undefined });
      expect(headersOf(prepared)).toEqual(headersOf(made));
    }
  });

  it.each([paths.keys, paths.discovery, paths.userinfo])('HEAD is GET without a body: %s', async (path) => {
    const [head, get] = [await send(world.origin, { method: 'HEAD', path }), await send(world.origin, { path })];
    expect([head.status, head.text]).toEqual([get.status, '']);
  });
});
