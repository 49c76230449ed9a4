import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Headers, type Reply, send, sendBytes, sendUnchecked } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { Callers, SYSTEM_AUDIENCE } from './callers.js';

const TEXT = '/admin/v1/text/default/message/init/en';
const SYSTEM_SCOPE = `openid ${SYSTEM_AUDIENCE}`;

type Who = (callers: Callers) => Promise<Headers>;

const withToken =
  (find: (callers: Callers) => Promise<string>): Who =>
  async (callers) =>
    bearer(await find(callers));

let world: World;
let callers: Callers;

beforeAll(async () => {
  world = await startWorld();
  callers = new Callers(world);
});
afterAll(() => world.close());

function expectUnauthenticated(reply: Reply): void {
  expect([reply.status, reply.json()['code']]).toEqual([401, 16]);
}

describe('the guard', () => {
  const MANAGERS: ReadonlyArray<readonly [string, Who]> = [
    ['IAM_OWNER', withToken((all) => all.person(['IAM_OWNER']))],
    ['IAM_OWNER_VIEWER', withToken((all) => all.person(['IAM_OWNER_VIEWER']))],
    [
      'IAM_OWNER with a JWT access token',
      withToken(
        async (all) => (await all.tokensOf(await all.manager(['IAM_OWNER']), SYSTEM_SCOPE, 'jwtConsole')).access_token,
      ),
    ],
    ['IAM_OWNER with a personal access token', withToken(async (all) => (await all.service(['IAM_OWNER'])).pat)],
    [
      'IAM_OWNER by a secret',
      withToken(async (all) => all.clientCredentials(await all.service(['IAM_OWNER']), SYSTEM_AUDIENCE)),
    ],
    [
      'IAM_OWNER with the scheme in lower case',
      async (all) => ({ Authorization: `bearer ${(await all.service(['IAM_OWNER'])).pat}` }),
    ],
  ];

  it.each(MANAGERS)('lets %s pass', async (_, who) => {
    expect((await callers.ask(TEXT, await who(callers))).status).toBe(200);
  });

  it('takes no token from the query, nor one of two Authorization headers: RFC 6750 §2', async () => {
    const { pat: token } = await callers.service(['IAM_OWNER']);
    expectUnauthenticated(await callers.ask(`${TEXT}?access_token=${token}`));
    const raw = await sendBytes(
      world.origin,
      `GET ${TEXT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n`,
    );
    expect(raw).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('refuses a caller from the next request after a role is removed, also on a replica [ADM-006]', async () => {
    const replica = await startWorld({ replicaOf: world });
    try {
      const { id, pat: token } = await callers.service(['IAM_OWNER']);
      expect((await new Callers(replica).ask(TEXT, bearer(token))).status).toBe(200);
      await callers.dismiss(id);
      expect((await new Callers(replica).ask(TEXT, bearer(token))).status).toBe(403);
    } finally {
      await replica.close();
    }
  });

  it('authenticates each of many concurrent callers as themselves', async () => {
    const services = await Promise.all(
      Array.from({ length: 12 }, (_, index) => callers.service(index % 3 === 0 ? ['IAM_OWNER'] : [])),
    );
    const asked = Array.from({ length: 120 }, (_, index) => services[index % services.length]!);
    const replies = await Promise.all(
      asked.map(({ pat: token }, index) => callers.ask(TEXT, index % 10 === 9 ? bearer('gh_pat_x') : bearer(token))),
    );
    expect(replies.map(({ status }) => status)).toEqual(
      asked.map((service, index) => (index % 10 === 9 ? 401 : services.indexOf(service) % 3 === 0 ? 200 : 403)),
    );
  });

  it('authenticates, then authorizes, then validates', async () => {
    const bad = '/admin/v1/text/default/message/init/..%2f';
    expectUnauthenticated(await callers.ask(bad));
    expect((await callers.ask(bad, bearer(await callers.person([])))).status).toBe(403);
    expect((await callers.ask(bad, bearer(await callers.person(['IAM_OWNER'])))).status).toBe(400);
  });

  it('reveals only to callers who may read all organizations that an organization of the header does not exist [ADM-004]', async () => {
    const path = '/management/v1/orgs/me';
    const { id: orgB } = await world.cast.orgB;
    for (const [roles, missing, foreign] of [
      [[], 403, 403],
      [['ORG_OWNER'], 403, 403],
      [['IAM_OWNER'], 404, 200],
    ] as const) {
      const { pat: token } = await callers.service(roles);
      expect((await callers.ask(path, { ...bearer(token), 'x-service-orgid': '404' })).status).toBe(missing);
      expect((await callers.ask(path, { ...bearer(token), 'x-service-orgid': orgB })).status).toBe(foreign);
    }
  });

  it.each([['\u00e9'], ['..'], ['1 OR 1=1'], ['x'.repeat(5_000)], ['%00']])(
    'takes %j as the header of an organization for one that does not exist',
    async (orgId) => {
      const headers = { ...bearer((await callers.service(['IAM_OWNER'])).pat), 'x-service-orgid': orgId };
      expect((await callers.ask('/management/v1/orgs/me', headers)).status).toBe(404);
    },
  );

  it('takes an empty header of an organization for none, and refuses two', async () => {
    const { pat: token } = await callers.service(['ORG_OWNER']);
    expect((await callers.ask('/management/v1/orgs/me', { ...bearer(token), 'x-service-orgid': '' })).status).toBe(200);
    const { id } = await world.cast.orgA;
    const reply = await callers.ask('/management/v1/orgs/me', { ...bearer(token), 'x-service-orgid': [id, id] });
    expect([reply.status, reply.json()['code']]).toEqual([400, 3]);
  });

  it('writes a line for each refusal, with who it was and without the token', async () => {
    const { id, pat: token } = await callers.service([]);
    await callers.ask(TEXT, bearer(token));
    const lines = world
      .logText()
      .split('\n')
      .filter((line) => line.includes('permission.missing'));
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({
      reason: 'permission.missing',
      status: 403,
      userId: id,
      address: '127.0.0.1',
    });
  });
});

describe('a personal access token [ADM-009]', () => {
  it('is stored as a digest, and dead as soon as it is removed', async () => {
    const { pat: token, id } = await callers.service(['IAM_OWNER']);
    expect((await callers.ask(TEXT, bearer(token))).status).toBe(200);
    const [row] = await world.rows<Record<string, unknown>>(
      'SELECT t::text AS text FROM personal_access_token t WHERE user_id = $1',
      [id],
    );
    expect(String(row?.['text'])).not.toContain(token.slice(4));
    await world.rows('DELETE FROM personal_access_token WHERE user_id = $1', [id]);
    expectUnauthenticated(await callers.ask(TEXT, bearer(token)));
  });
});

describe('what the administrative API answers to everything else', () => {
  it.each(['/admin/v1/healthz', '/management/v1/healthz', '/auth/v1/healthz'])('is open at %s', async (path) => {
    const reply = await callers.ask(path);
    expect([reply.status, reply.text]).toEqual([200, '{}']);
  });

  it.each([
    '/admin',
    '/admin/v1',
    '/admin/v1/nothing',
    '/management/v1/nothing',
    '/auth/v1/nothing',
    '/ADMIN/v1/x',
    '/admin/v1/text/default/message/init/',
    '/admin/v1/text/default/message/init/en/more',
    '/management/v1/__proto__',
    '/management/v1/projects/1/constructor',
  ])('answers 404 with code 5 at %s', async (path) => {
    const reply = await callers.ask(path);
    expect([reply.status, reply.json()]).toEqual([404, { code: 5, message: 'Not Found', details: [] }]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'answers 405 with code 12 to %s, and names the supported method [INT-036]',
    async (method) => {
      const reply = await callers.ask(TEXT, { 'X-Echo': 'never' }, method);
      expect([reply.status, reply.json()]).toEqual([405, { code: 12, message: 'Method Not Allowed', details: [] }]);
      expect(reply.header('allow')).toBe('GET, HEAD');
      expect(reply.text).not.toContain('never');
    },
  );

  it.each([
    ['/auth/v1/users/me/tokens/refresh/_search', 'POST'],
    ['/management/v1/users/HUMAN/', 'POST'],
    ['/assets/1/logo', 'GET, HEAD'],
  ])('names the methods of the path itself, and not those of a path beside it: %s [INT-036]', async (path, methods) => {
    const reply = await callers.ask(path, {}, 'TRACE');
    expect([reply.status, reply.header('allow'), reply.json<{ code: number }>().code]).toEqual([405, methods, 12]);
  });

  it('answers HEAD as GET, without a body', async () => {
    const reply = await callers.ask(TEXT, bearer(await callers.person(['IAM_OWNER'])), 'HEAD');
    expect([reply.status, reply.text]).toEqual([200, '']);
  });

  it.each(['https://evil.test', 'null', 'https://id.test.evil.test', 'http://127.0.0.1:3001'])(
    'may be called by the origin %s with a token, and grants it nothing of the browser [ADM-037]',
    async (origin) => {
      const { pat: token } = await callers.service(['IAM_OWNER']);
      const asked: ReadonlyArray<readonly [string, string, Headers, number]> = [
        ['GET', TEXT, bearer(token), 200],
        ['GET', TEXT, {}, 401],
        ['GET', TEXT, bearer('x'), 401],
        ['GET', '/management/v1/orgs/me', bearer((await callers.service([])).pat), 403],
        ['GET', '/management/v1/users/404', bearer(token), 404],
        ['GET', '/admin/v1/nothing', {}, 404],
        ['GET', '/admin/v1/text/default/message/init/..%2f', bearer(token), 400],
        ['POST', '/management/v1/projects', bearer(token), 400],
        ['GET', '/auth/v1/healthz', {}, 200],
      ];
      for (const [method, path, headers, status] of asked) {
        const reply = await callers.ask(
          path,
          { Origin: origin, 'Access-Control-Request-Method': 'GET', ...headers },
          method,
        );
        expect([method, path, reply.status]).toEqual([method, path, status]);
        expect(reply.header('access-control-allow-origin')).toBe('*');
        expect(reply.header('access-control-allow-credentials')).toBeUndefined();
        expect(reply.header('cache-control')).toBe('no-store');
        expect(reply.header('content-type')).toBe('application/json; charset=utf-8');
      }
      const asking = { Origin: origin, 'Access-Control-Request-Method': 'PUT', Cookie: 'session=x' };
      const preflight = await callers.ask(TEXT, asking, 'OPTIONS');
      expect([preflight.status, preflight.header('access-control-allow-headers')]).toEqual([
        204,
        'Authorization, Content-Type, DPoP, x-service-orgid, Prefer',
      ]);
      expect(preflight.header('access-control-allow-credentials')).toBeUndefined();
    },
  );

  it.each<Headers>([
    { Accept: 'image/png' },
    { Accept: 'text/html' },
    { 'Content-Type': 'application/xml' },
    { 'Content-Type': 'application/json; charset=utf-16' },
  ])('stays JSON for %p [ADM-018]', async (headers) => {
    const { pat: token } = await callers.service(['IAM_OWNER']);
    const reply = await callers.ask(TEXT, { ...headers, ...bearer(token) });
    expect([reply.status, reply.header('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });

  it.each(['/admin/v1/text/default/message/init/en', '/auth/v1/memberships/me/_search'])(
    'reveals only to the log what a defect at %s was [ADM-036]',
    async (path) => {
      const { pat: token } = await callers.service(['IAM_OWNER']);
      await world.rows('ALTER TABLE member RENAME TO member_away');
      try {
        const reply = await sendUnchecked(world.origin, {
          path,
          method: path.startsWith('/auth') ? 'POST' : 'GET',
          headers: bearer(token),
        });
        const { code, message, details } = reply.json<{
          code: number;
          message: string;
          details: Array<{ id: string }>;
        }>();
        expect([reply.status, code, details[0]!.id]).toEqual([500, 13, 'internal']);
        expect(reply.header('cache-control')).toBe('no-store');
        expect(reply.text).not.toMatch(/member|relation|SELECT/i);
        const [, reference = ''] = /Reference (\S+)/.exec(message) ?? [];
        const line = world
          .logText()
          .split('\n')
          .find((text) => text.includes(reference));
        expect(line).toContain('member');
      } finally {
        await world.rows('ALTER TABLE member_away RENAME TO member');
      }
    },
  );
});

describe('a token that asks too often [ADM-035]', () => {
  it('is answered 429 and when to come back; others are served, and the same one a moment later', async () => {
    const slow = await startWorld({ replicaOf: world, env: { ADMIN_RATE: '5' } });
    try {
      const here = new Callers(slow);
      const [busy, quiet] = [await callers.service(['IAM_OWNER']), await callers.service(['IAM_OWNER'])];
      const replies = await Promise.all(Array.from({ length: 60 }, () => here.ask(TEXT, bearer(busy.pat))));
      const served = replies.filter(({ status }) => status === 200).length;
      expect(served).toBeGreaterThanOrEqual(10);
      expect(served).toBeLessThan(40);
      const refused = replies.find(({ status }) => status !== 200)!;
      expect([refused.status, refused.header('retry-after'), refused.json()['code']]).toEqual([429, '1', 8]);
      expect(refused.json()['details']).toEqual([
        {
          '@type': 'type.googleapis.com/service.v1.ErrorDetail',
          id: 'token.too_many_requests',
          message: expect.any(String),
        },
      ]);
      expect((await here.ask(TEXT, bearer(quiet.pat))).status).toBe(200);
      await sleep(1_100);
      expect((await here.ask(TEXT, bearer(busy.pat))).status).toBe(200);
    } finally {
      await slow.close();
    }
  });

  it('never limits callers without a valid token: they get 401, however often', async () => {
    const slow = await startWorld({ replicaOf: world, env: { ADMIN_RATE: '5' } });
    try {
      const replies = await Promise.all(
        Array.from({ length: 60 }, () => send(slow.origin, { path: TEXT, headers: bearer('not-a-token') })),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
    } finally {
      await slow.close();
    }
  });
});
