import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RouteTable } from '../../src/http/route-table.js';
import { sendBytes, sendUnchecked, type Headers, type Reply } from '../support/http.js';
import { RelyingParty, basicAuth, bearer } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { Callers, SYSTEM_AUDIENCE } from './callers.js';

/** A request to every route that demands a permission; a new route without a line here fails. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'GET /admin/v1/text/default/message/init/:language': '/admin/v1/text/default/message/init/en',
};

type Who = (callers: Callers) => Promise<Headers>;

const withToken = (find: (callers: Callers) => Promise<string>): Who => async (callers) => bearer(await find(callers));
const owner = (callers: Callers, scope: string) => callers.manager(['IAM_OWNER']).then((person) => callers.tokensOf(person, scope));

const STRANGERS: ReadonlyArray<readonly [string, Who]> = [
  ['nothing', async () => ({})],
  ['a random token', withToken(async () => 'not-a-token')],
  ['an empty token', async () => ({ Authorization: 'Bearer ' })],
  ['another scheme', async (callers) => ({ Authorization: `Token ${(await callers.service(['IAM_OWNER'])).pat}` })],
  ['the secret of a client', async (callers) => {
    const { clientId, secret = '' } = await callers.world.cast.web1;
    return basicAuth(clientId, secret);
  }],
  ['an ID token', withToken(async (callers) => (await owner(callers, `openid ${SYSTEM_AUDIENCE}`)).id_token)],
  ['a refresh token', withToken(async (callers) => (await owner(callers, `openid offline_access ${SYSTEM_AUDIENCE}`)).refresh_token)],
  ['an authorization code', withToken(async (callers) =>
    new RelyingParty(callers.world, await callers.world.cast.web1).code(await callers.manager(['IAM_OWNER']), { scope: `openid ${SYSTEM_AUDIENCE}` }))],
  ['a revoked token', withToken(async (callers) => {
    const { access_token: token } = await owner(callers, `openid ${SYSTEM_AUDIENCE}`);
    await callers.revoke(token);
    return token;
  })],
  ['a token without the audience of this API', withToken(async (callers) => (await owner(callers, 'openid profile')).access_token)],
  ['a token of a service user without the audience of this API', withToken(async (callers) =>
    callers.clientCredentials(await callers.service(['IAM_OWNER']), 'openid'))],
  ['the token of a deactivated owner', withToken(async (callers) => {
    const person = await callers.manager(['IAM_OWNER']);
    const { access_token: token } = await callers.tokensOf(person, `openid ${SYSTEM_AUDIENCE}`);
    await callers.deactivate(person.id);
    return token;
  })],
  ['a personal access token of a deactivated owner', withToken(async (callers) => {
    const service = await callers.service(['IAM_OWNER']);
    await callers.deactivate(service.id);
    return service.pat;
  })],
  ['a personal access token with one character changed', withToken(async (callers) => {
    const { pat } = await callers.service(['IAM_OWNER']);
    return `${pat.slice(0, -1)}${pat.endsWith('A') ? 'B' : 'A'}`;
  })],
  ['the session cookie of an owner: attacks ADM-003', async (callers) => {
    const rp = new RelyingParty(callers.world, await callers.world.cast.web1);
    await rp.signIn(await callers.manager(['IAM_OWNER']));
    return { Cookie: [...rp.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }],
];

const SUBORDINATES: ReadonlyArray<readonly [string, Who]> = [
  ['somebody without any role', withToken((callers) => callers.person([]))],
  ['the owner of an organization', withToken((callers) => callers.person(['ORG_OWNER']))],
  ['a service user without any role', withToken(async (callers) => (await callers.service([])).pat)],
  ['a service user without any role, by its secret', withToken(async (callers) => callers.clientCredentials(await callers.service([]), SYSTEM_AUDIENCE))],
];

const MANAGERS: ReadonlyArray<readonly [string, Who]> = [
  ['IAM_OWNER', withToken((callers) => callers.person(['IAM_OWNER']))],
  ['IAM_OWNER_VIEWER', withToken((callers) => callers.person(['IAM_OWNER_VIEWER']))],
  ['IAM_OWNER with a JWT access token', withToken(async (callers) =>
    (await callers.tokensOf(await callers.manager(['IAM_OWNER']), `openid ${SYSTEM_AUDIENCE}`, 'web4')).access_token)],
  ['IAM_OWNER with a personal access token', withToken(async (callers) => (await callers.service(['IAM_OWNER'])).pat)],
  ['IAM_OWNER by a secret', withToken(async (callers) => callers.clientCredentials(await callers.service(['IAM_OWNER']), SYSTEM_AUDIENCE))],
  ['IAM_OWNER with the scheme in lower case', async (callers) => ({ Authorization: `bearer ${(await callers.service(['IAM_OWNER'])).pat}` })],
];

let world: World;
let callers: Callers;

beforeAll(async () => {
  world = await startWorld();
  callers = new Callers(world);
});
afterAll(() => world.close());

function expectUnauthenticated(reply: Reply): void {
  expect([reply.status, reply.json()['code']]).toEqual([401, 16]);
  expect(reply.header('www-authenticate')).toMatch(/^Bearer realm="gatehouse"(, error="invalid_token")?$/);
  expectRefusal(reply);
}

function expectForbidden(reply: Reply, permission: string): void {
  expect([reply.status, reply.json()['code']]).toEqual([403, 7]);
  expect(reply.json()['message']).toContain(permission);
  expectRefusal(reply);
}

/** interface §7.1, and nothing that might be stored. */
function expectRefusal(reply: Reply): void {
  const { message, details, ...rest } = reply.json<{ code: number; message: string; details: Array<Record<string, unknown>> }>();
  expect(Object.keys(rest)).toEqual(['code']);
  expect(details).toEqual([{ '@type': 'type.googleapis.com/service.v1.ErrorDetail', id: expect.any(String), message: expect.any(String) }]);
  expect(message).toBe(`${String(details[0]!['message'])} (${String(details[0]!['id'])})`);
  expect(reply.header('cache-control')).toBe('no-store');
}

describe('the administrative API knows who may do what: attacks ADM-001', () => {
  it('has a line in this test for each operation', () => {
    const demanding = world.get(RouteTable).routes.filter(({ access }) => access?.kind === 'permission');
    expect(demanding.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(OPERATIONS).sort());
  });

  describe.each(Object.entries(OPERATIONS))('%s', (route, path) => {
    const [method = 'GET'] = route.split(' ');

    it.each(STRANGERS)('answers 401 to %s', async (_, who) => {
      expectUnauthenticated(await callers.ask(path, await who(callers), method));
    });

    it('answers 401 to an expired token, and to an expired personal access token', async () => {
      const token = await callers.person(['IAM_OWNER']);
      world.clock.advance('13h');
      expectUnauthenticated(await callers.ask(path, bearer(token), method));
      const pat = await callers.expiringPat(await callers.service(['IAM_OWNER']), '61s', 60_000);
      expectUnauthenticated(await callers.ask(path, bearer(pat), method));
    });

    it.each(SUBORDINATES)('answers 403 to %s, and names the permission', async (_, who) => {
      const { access } = world.get(RouteTable).routes.find((known) => `${known.method} ${known.path}` === route)!;
      expectForbidden(await callers.ask(path, await who(callers), method), access?.kind === 'permission' ? access.permission : 'none');
    });

    it.each(MANAGERS)('serves %s', async (_, who) => {
      expect((await callers.ask(path, await who(callers), method)).status).toBe(200);
    });

    it('answers 401 to a good token in the query, and to one of two Authorization headers', async () => {
      const { pat } = await callers.service(['IAM_OWNER']);
      expectUnauthenticated(await callers.ask(`${path}?access_token=${pat}`, {}, method));
      const raw = await sendBytes(world.origin, `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${pat}\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n`);
      expect(raw).toMatch(/^HTTP\/1\.1 401 /);
    });

    it('refuses with the next request, also of a replica, whom the role was taken from: attacks ADM-006', async () => {
      const replica = await startWorld({ replicaOf: world });
      try {
        const { id, pat } = await callers.service(['IAM_OWNER']);
        expect((await new Callers(replica).ask(path, bearer(pat), method)).status).toBe(200);
        await callers.dismiss(id);
        expect((await new Callers(replica).ask(path, bearer(pat), method)).status).toBe(403);
      } finally {
        await replica.close();
      }
    });
  });

  it('authenticates, then authorizes, then validates', async () => {
    const bad = '/admin/v1/text/default/message/init/..%2f';
    expectUnauthenticated(await callers.ask(bad));
    expectForbidden(await callers.ask(bad, bearer(await callers.person([]))), 'iam.policy.read');
    expect((await callers.ask(bad, bearer(await callers.person(['IAM_OWNER'])))).status).toBe(400);
  });

  it('writes a line for each refusal, with who it was and without the token', async () => {
    const { id, pat } = await callers.service([]);
    await callers.ask(OPERATIONS['GET /admin/v1/text/default/message/init/:language']!, bearer(pat));
    const lines = world.logText().split('\n').filter((line) => line.includes('permission.missing'));
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ reason: 'permission.missing', status: 403, userId: id, address: '127.0.0.1' });
  });
});

describe('a personal access token: attacks ADM-009', () => {
  it('is stored as a digest, and dead as soon as it is removed', async () => {
    const { pat, id } = await callers.service(['IAM_OWNER']);
    const path = Object.values(OPERATIONS)[0]!;
    expect((await callers.ask(path, bearer(pat))).status).toBe(200);
    const [row] = await world.rows<Record<string, unknown>>('SELECT t::text AS text FROM personal_access_token t WHERE user_id = $1', [id]);
    expect(String(row?.['text'])).not.toContain(pat.slice(4));
    await world.rows('DELETE FROM personal_access_token WHERE user_id = $1', [id]);
    expectUnauthenticated(await callers.ask(path, bearer(pat)));
  });
});

describe('what the administrative API answers to everything else', () => {
  it('is open at /admin/v1/healthz', async () => {
    const reply = await callers.ask('/admin/v1/healthz');
    expect([reply.status, reply.text]).toEqual([200, '{}']);
  });

  it.each(['/admin', '/admin/v1', '/admin/v1/nothing', '/management/v1/nothing', '/ADMIN/v1/x', '/admin/v1/text/default/message/init/', '/admin/v1/text/default/message/init/en/more'])(
    'answers 404 with code 5 at %s', async (path) => {
      const reply = await callers.ask(path);
      expect([reply.status, reply.json()]).toEqual([404, { code: 5, message: 'Not Found', details: [] }]);
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])('answers 405 with code 12 to %s, and says what would do: attacks INT-036', async (method) => {
    const reply = await callers.ask('/admin/v1/text/default/message/init/en', { 'X-Echo': 'never' }, method);
    expect([reply.status, reply.json()]).toEqual([405, { code: 12, message: 'Method Not Allowed', details: [] }]);
    expect(reply.header('allow')).toBe('GET, HEAD');
    expect(reply.text).not.toContain('never');
  });

  it('answers HEAD as GET, without a body', async () => {
    const reply = await callers.ask('/admin/v1/text/default/message/init/en', bearer(await callers.person(['IAM_OWNER'])), 'HEAD');
    expect([reply.status, reply.text]).toEqual([200, '']);
  });

  it.each(['https://evil.test', 'null', 'https://id.test.evil.test'])('grants the origin %s nothing: attacks ADM-037', async (origin) => {
    const { pat } = await callers.service(['IAM_OWNER']);
    for (const method of ['GET', 'OPTIONS']) {
      const reply = await callers.ask('/admin/v1/text/default/message/init/en', { Origin: origin, ...bearer(pat), 'Access-Control-Request-Method': 'GET' }, method);
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(reply.header('cache-control')).toBe('no-store');
    }
  });

  it.each<Headers>([{ Accept: 'image/png' }, { Accept: 'text/html' }, { 'Content-Type': 'application/xml' }, { 'Content-Type': 'application/json; charset=utf-16' }])(
    'stays JSON for %p: attacks ADM-018', async (headers) => {
      const { pat } = await callers.service(['IAM_OWNER']);
      const reply = await callers.ask('/admin/v1/text/default/message/init/en', { ...headers, ...bearer(pat) });
      expect([reply.status, reply.header('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    },
  );

  it('tells nobody but the log what a defect was: attacks ADM-036', async () => {
    const { pat } = await callers.service(['IAM_OWNER']);
    await world.rows('ALTER TABLE member RENAME TO member_away');
    try {
      const reply = await sendUnchecked(world.origin, { path: '/admin/v1/text/default/message/init/en', headers: bearer(pat) });
      const { code, message } = reply.json<{ code: number; message: string }>();
      expect([reply.status, code]).toEqual([500, 13]);
      expect(reply.text).not.toMatch(/member|relation|SELECT/i);
      const [, reference = ''] = /Reference (\S+)/.exec(message) ?? [];
      const line = world.logText().split('\n').find((text) => text.includes(reference));
      expect(line).toContain('member');
    } finally {
      await world.rows('ALTER TABLE member_away RENAME TO member');
    }
  });
});
