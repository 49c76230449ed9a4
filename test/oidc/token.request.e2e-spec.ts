import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpuMsOf } from '../support/effort.js';
import { WEB1_SECRET } from '../support/fixtures.js';
import { type Headers, type Parameters, type Reply, send, toQuery } from '../support/http.js';
import { basicAuth, paths } from '../support/relying-party.js';
import { expectToken400 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const FORM = 'application/x-www-form-urlencoded';
/** Authenticated, the client would hear that this token is not valid. */
const REFRESH = { grant_type: 'refresh_token', refresh_token: 'gtr_none' };

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.cast.web1;
});
afterAll(() => world.close());

async function post(headers: Headers, body: Parameters): Promise<Reply> {
  return send(world.origin, { method: 'POST', path: paths.token, headers, body });
}

const expectAuthenticated = (reply: Reply): void => expectToken400(reply, 'invalid_grant');

describe('grant_type', () => {
  it.each<[unknown, string]>([
    [undefined, 'invalid_request'],
    ['', 'invalid_request'],
    [['refresh_token', 'refresh_token'], 'invalid_request'],
    ['password', 'unsupported_grant_type'],
    ['urn:ietf:params:oauth:grant-type:token-exchange', 'unauthorized_client'],
    ['implicit', 'unsupported_grant_type'],
    ['REFRESH_TOKEN', 'unsupported_grant_type'],
    ['__proto__', 'unsupported_grant_type'],
  ])('%j is %s [TOK-057]', async (grantType, error) => {
    expectToken400(await post(basicAuth('web1', WEB1_SECRET), { ...REFRESH, grant_type: grantType as string }), error);
  });
});

describe('The parameters', () => {
  it.each([
    'code',
    'redirect_uri',
    'refresh_token',
    'scope',
    'assertion',
    'client_id',
    'client_secret',
    'code_verifier',
    'foo',
  ])('are not repeated: %s [TOK-058]', async (name) => {
    const headers = name.startsWith('client_') ? {} : basicAuth('web1', WEB1_SECRET);
    expectToken400(await post(headers, { ...REFRESH, [name]: ['x', 'x'] }), 'invalid_request');
  });

  it.each(['%00', '%FF', '%ED%A0%80', '%zz'])('are refused with %s, which is no text [TOK-062]', async (bytes) => {
    for (const name of [
      'grant_type',
      'code',
      'redirect_uri',
      'refresh_token',
      'scope',
      'assertion',
      'client_id',
      'code_verifier',
      'foo',
    ]) {
      const rest = toQuery(Object.fromEntries(Object.entries(REFRESH).filter(([key]) => key !== name)));
      const headers = { ...basicAuth('web1', WEB1_SECRET), 'Content-Type': FORM };
      expectToken400(
        await send(world.origin, { method: 'POST', path: paths.token, headers, body: `${rest}&${name}=${bytes}` }),
        'invalid_request',
      );
    }
    expect(world.logText()).toMatch(/parameter_malformed/);
  });
});

describe('A parameter without a value counts as omitted (RFC 6749 §3.1, §3.2)', () => {
  it.each(['client_secret', 'client_assertion', 'client_assertion_type', 'client_id', 'scope', 'resource', 'foo'])(
    'at the token endpoint, also twice, and beside a value: %s',
    async (name) => {
      expectAuthenticated(await post(basicAuth('web1', WEB1_SECRET), { ...REFRESH, [name]: ['', ''] }));
      expectAuthenticated(
        await post(basicAuth('web1', WEB1_SECRET), { ...REFRESH, refresh_token: ['', 'gtr_none'], [name]: '' }),
      );
    },
  );

  it.each<[string, string, Parameters, number]>([
    ['introspection', paths.introspect, { token: 'gta_none', token_type_hint: ['', ''] }, 200],
    ['revocation', paths.revoke, { token: ['', 'gta_none'], token_type_hint: '' }, 200],
    [
      'the push of a request',
      '/oauth/v2/par',
      { response_type: 'code', scope: ['', 'openid'], request_uri: '', request: '' },
      201,
    ],
  ])('at %s', async (_, path, body, status) => {
    const redirectUri = 'https://rp1.test/cb';
    const sent = { ...body, client_secret: '', client_assertion: '', redirect_uri: redirectUri, prompt: ['', ''] };
    const headers = basicAuth('web1', WEB1_SECRET);
    expect((await send(world.origin, { method: 'POST', path, headers, body: sent })).status).toBe(status);
  });
});

describe('The body', () => {
  const body = toQuery(REFRESH);

  it.each<[string, Headers, string | Buffer]>([
    ['JSON', { 'Content-Type': 'application/json' }, JSON.stringify(REFRESH)],
    [
      'multipart',
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      `--x\r\nContent-Disposition: form-data; name="grant_type"\r\n\r\nrefresh_token\r\n--x--\r\n`,
    ],
    ['of no type', {}, body],
    ['UTF-16', { 'Content-Type': `${FORM}; charset=utf-16` }, Buffer.from(body, 'utf16le')],
    ['of a type that is none', { 'Content-Type': ';;' }, body],
    ['compressed', { 'Content-Type': FORM, 'Content-Encoding': 'gzip' }, gzipSync(Buffer.alloc(10_000_000))],
  ])('is a form: not %s [TOK-059]', async (_, headers, content) => {
    const before = process.memoryUsage().heapUsed;
    const reply = await send(world.origin, {
      method: 'POST',
      path: paths.token,
      headers: { ...basicAuth('web1', WEB1_SECRET), ...headers },
      body: content,
    });
    expect(reply.status).toBe(400);
    expect(reply.json()['error']).toBe('invalid_request');
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
  });

  it('may have charset=UTF-8', async () => {
    expectAuthenticated(
      await send(world.origin, {
        method: 'POST',
        path: paths.token,
        headers: { ...basicAuth('web1', WEB1_SECRET), 'Content-Type': `${FORM};charset=UTF-8` },
        body,
      }),
    );
  });

  it.each<[string, string]>([
    ['2 MB', `x=${'x'.repeat(2_000_000)}`],
    ['20,000 parameters', Array.from({ length: 20_000 }, (_, i) => `p${i}=1`).join('&')],
    ['a name of 100 kB', `${'n'.repeat(100_000)}=1`],
    ['201 parameters', Array.from({ length: 201 }, (_, i) => `p${i}=1`).join('&')],
  ])('of %s is refused with little work [TOK-061]', async (_, content) => {
    const cpuMs = await cpuMsOf(async () => {
      const reply = await send(world.origin, {
        method: 'POST',
        path: paths.token,
        headers: { ...basicAuth('web1', WEB1_SECRET), 'Content-Type': FORM },
        body: content,
      });
      expect([400, 413]).toContain(reply.status);
    });
    expect(cpuMs).toBeLessThan(200);
  });
});

describe('The method', () => {
  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE'])(
    'is POST: %s is not allowed [TOK-060]',
    async (method) => {
      for (const path of [paths.token, paths.introspect, paths.revoke]) {
        const reply = await send(world.origin, { method, path });
        expect(reply.status).toBe(405);
        expect(reply.header('allow')).toMatch(/POST/);
      }
    },
  );
});
