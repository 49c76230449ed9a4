import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/foundation/database/database.js';
import { Readiness } from '../../src/foundation/health/readiness.js';
import { GrpcClient, type Method, methodsOf } from '../grpc/grpc-clients.js';
import { type Reply, send, sendUnchecked } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';

interface Connection {
  release(): void;
}

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const live = (): Promise<Reply> => send(world.origin, { path: '/health/live' });
const ready = (): Promise<Reply> => sendUnchecked(world.origin, { path: '/health/ready' });

describe('/health [OPS-021]', () => {
  it('is live and ready, for every caller, and not to be stored', async () => {
    for (const reply of [await live(), await ready()]) {
      expect([reply.status, reply.json(), reply.header('cache-control')]).toEqual([200, { status: 'ok' }, 'no-store']);
    }
  });

  it('is live but not ready while every connection to the database is busy', async () => {
    const pool = (
      world.get(Database).source.driver as unknown as {
        master: { connect(): Promise<Connection>; options: { max: number } };
      }
    ).master;
    const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    let isGivenUp = false;
    const patient = pool.connect().then(
      (connection) => connection.release(),
      () => (isGivenUp = true),
    );
    try {
      const [first, second] = await Promise.all([ready(), ready()]);
      expect([first.status, second.status, first.json()]).toEqual([503, 503, { status: 'no database' }]);
      expect(isGivenUp).toBe(false); // the probes do not wait for a connection as long as requests do
      expect((await live()).status).toBe(200);
    } finally {
      for (const connection of taken) connection.release();
    }
    await patient;
    expect((await ready()).status).toBe(200);
  });

  it('is live but not ready once the process is about to stop', async () => {
    const other = await startWorld({ replicaOf: world });
    other.get(Readiness).drain();
    const reply = await sendUnchecked(other.origin, { path: '/health/ready' });
    expect([reply.status, reply.json()]).toEqual([503, { status: 'draining' }]);
    expect((await send(other.origin, { path: '/health/live' })).status).toBe(200);
    await other.close();
  });

  it('tells watchers over gRPC that the process is about to stop, also if that begins while they are told that all is well', async () => {
    const other = await startWorld({ replicaOf: world });
    const readiness = other.get(Readiness);
    const condition = readiness.condition.bind(readiness);
    readiness.condition = async () => condition().finally(() => readiness.drain());
    const client = new GrpcClient(other.origin);
    const { Watch } = methodsOf('grpc.health.v1.Health') as Record<'Watch', Method>;
    const told = await client.ask(Watch, {});
    client.close();
    await other.close();
    expect(told.map(({ status }) => status)).toEqual(['SERVING', 'NOT_SERVING']);
  });
});

describe('what the public listener does not have [OPS-010]', () => {
  it.each([
    '/metrics',
    '/debug',
    '/debug/pprof',
    '/api',
    '/swagger',
    '/graphql',
    '/.env',
    '/.git/HEAD',
    '/.git/config',
    '/main.js.map',
    '/actuator',
    '/actuator/health',
    '/json',
    '/package.json',
    '/health',
    '/health/',
    '/.well-known/oauth-authorization-server',
    '/server-status',
  ])('%s', async (path) => {
    expect((await send(world.origin, { path })).status).toBe(404);
  });

  it('is answered to people by a page in their language, with nothing of the path in it', async () => {
    const reply = await send(world.origin, {
      path: '/%3Cscript%3Ealert(1)%3C/script%3E',
      headers: { 'Accept-Language': 'de' },
    });
    expect([reply.status, reply.header('content-type'), reply.header('content-language')]).toEqual([
      404,
      'text/html; charset=utf-8',
      'de',
    ]);
    expect(reply.text).toContain('<html lang="de"');
    expect(reply.text).not.toContain('alert');
  });

  it('is answered to programs in the form of the protocol', async () => {
    const reply = await send(world.origin, { path: '/oauth/v2/nothing' });
    expect([reply.status, reply.json()]).toEqual([
      404,
      { error: 'invalid_request', error_description: 'No endpoint exists at this path.' },
    ]);
  });
});

describe('a known path with another method [TOK-060, INT-036]', () => {
  it.each([
    ['/oauth/v2/token', 'POST'],
    ['/oauth/v2/introspect', 'POST'],
    ['/oauth/v2/revoke', 'POST'],
    ['/oauth/v2/keys', 'GET, HEAD'],
    ['/oidc/v1/userinfo', 'GET, HEAD, POST'],
    ['/oauth/v2/authorize', 'GET, HEAD, POST'],
    ['/.well-known/openid-configuration', 'GET, HEAD'],
    ['/docs', 'GET, HEAD'],
    ['/health/live', 'GET, HEAD'],
  ])('%s answers 405 and names %s', async (path, allow) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'].filter(
      (one) => !allow.split(', ').includes(one),
    )) {
      const reply = await send(world.origin, { method, path, headers: { 'X-Echo': 'never' } });
      expect([method, reply.status, reply.header('allow')]).toEqual([method, 405, allow]);
      expect(reply.text).not.toContain('never');
    }
  });

  it('stays what it is for a path with a broken escape', async () => {
    for (const path of ['/docs/%zz', '/ui/login/%zz', '/%zz', '/oauth/v2/%zz'])
      expect([400, 404]).toContain((await send(world.origin, { path })).status);
  });
});
