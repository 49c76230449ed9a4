import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Database } from '../../src/foundation/database/database.js';
import { statement } from '../../src/foundation/database/statement.js';
import { frame, type Method, methodsOf } from '../grpc/grpc-clients.js';
import { callerWith } from '../support/admin-api.js';
import { type Reply, sendUnchecked } from '../support/http.js';
import { sendHttp2 } from '../support/http2.js';
import { settingsBeside } from '../support/processes.js';
import { bearer, RelyingParty } from '../support/relying-party.js';
import { beginProcess, type ServiceProcess, startProcess } from '../support/service-process.js';
import { startWorld, type World } from '../support/world.js';

const { AddProject } = methodsOf('service.management.v1.ManagementService') as Record<'AddProject', Method>;
const HOLD = statement('test.hold', 'SELECT pg_sleep(:seconds::float8)');

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await Promise.all([world.cast.web1, world.cast.alice]);
});
afterAll(() => world.close());

/** On another database of the server: the one under test may refuse. */
async function elsewhere(...statements: string[]): Promise<void> {
  const client = new pg.Client({ ...world.database.connection, options: '-c default_transaction_read_only=off' });
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}

const named = (): string => new URL(world.database.url).pathname.slice(1);
const setReadOnly = async (value: 'on' | 'off'): Promise<void> =>
  elsewhere(`ALTER DATABASE "${named()}" SET default_transaction_read_only = ${value}`);
const endConnections = async (): Promise<void> =>
  elsewhere(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
const ready = (): Promise<Reply> => sendUnchecked(world.origin, { path: '/health/ready' });

async function untilReady(): Promise<void> {
  for (const deadline = Date.now() + 5_000; (await ready()).status !== 200; await sleep(50))
    expect(Date.now()).toBeLessThan(deadline);
}

async function signIn(): Promise<number> {
  const client = new RelyingParty(world, await world.cast.web1);
  await client.signIn(await world.cast.alice);
  return 200;
}

describe('A server that only reads, as after a failover [OPS-051]', () => {
  it('is one that the service is not ready on, until another takes changes', async () => {
    await setReadOnly('on');
    await endConnections();
    for (
      const deadline = Date.now() + 5_000;
      (await ready()).json<{ status: string }>().status !== 'read-only database';
    ) {
      expect(Date.now()).toBeLessThan(deadline);
      await sleep(20);
    }
    expect((await ready()).status).toBe(503);
    await expect(signIn()).rejects.toThrow(/503/);
    await setReadOnly('off');
    await untilReady();
    expect(await signIn()).toBe(200);
  });

  it('is refused at the start in a sentence, with exit code 1', async () => {
    await setReadOnly('on');
    const refused = await beginProcess(settingsBeside(world));
    expect(await refused.exit).toEqual({ code: 1, signal: null });
    expect(refused.text()).toContain('The database takes no changes');
    expect(refused.text()).not.toContain(' at ');
    await refused.close();
    await setReadOnly('off');
  });

  it('is left by every connection of a busy pool, once one of them was refused', async () => {
    const database = world.get(Database);
    const { total } = database.connections;
    const write = (): Promise<unknown> =>
      database.transaction((tx) => tx.query(statement('test.write', 'UPDATE org SET name = name')));
    let refusal: unknown;
    // Work of the service itself may be refused first, and its connections left before this test comes to write.
    for (let count = 0; count < 5 && !refusal; count += 1) {
      await setReadOnly('on');
      await endConnections();
      await sleep(50);
      // As many connections as there may be, all of them read-only.
      await Promise.all(Array.from({ length: 16 }, () => database.query(HOLD, { seconds: 0.2 })));
      expect(database.connections.total).toBeGreaterThanOrEqual(total);
      await setReadOnly('off');
      const busy = Array.from({ length: 12 }, () => database.query(HOLD, { seconds: 0.5 }));
      refusal = await write().then(
        () => undefined,
        (error: unknown) => error,
      );
      await Promise.all(busy);
    }
    expect(refusal).toMatchObject({ reason: 'database.unavailable' });
    await sleep(1_500); // connections are made anew once a second at most
    await Promise.all(
      Array.from({ length: 16 }, () =>
        database.transaction(async (tx) => {
          await tx.query(HOLD, { seconds: 0.1 });
          await tx.query(statement('test.touch', 'UPDATE instance SET id = id'));
        }),
      ),
    );
    await untilReady();
  });
});

describe('A server that does not let the service in, or denies it what it needs [OPS-053]', () => {
  const role = `t_limited_${process.pid}`;
  let service: ServiceProcess;
  let token: string;

  beforeAll(async () => {
    await world.rows(`CREATE ROLE ${role} LOGIN`);
    for (const kind of ['TABLES', 'SEQUENCES'])
      await world.rows(`GRANT ALL ON ALL ${kind} IN SCHEMA public TO ${role}`);
    const url = new URL(world.database.url);
    url.username = role;
    service = await startProcess({ ...settingsBeside(world), DATABASE_URL: url.href });
    token = (await callerWith(world, await world.add.org(), ['ORG_OWNER'])).api.token;
  });
  afterAll(async () => {
    await service.close();
    await world.rows(`DROP OWNED BY ${role}`);
    await world.rows(`DROP ROLE ${role}`);
  });

  const ask = async (path: string, more: Partial<Parameters<typeof sendUnchecked>[1]> = {}): Promise<Reply> =>
    sendUnchecked(service.origin, { path, ...more });
  const status = async (): Promise<unknown> => (await ask('/health/ready')).json<{ status: string }>().status;

  async function until(condition: string): Promise<void> {
    for (const deadline = Date.now() + 5_000; (await status()) !== condition; await sleep(20))
      expect(Date.now()).toBeLessThan(deadline);
  }

  it('is not ready while it may not write, without a request that fails first', async () => {
    await world.rows(`REVOKE INSERT ON session FROM ${role}`);
    await until('read-only database');
    await world.rows(`GRANT INSERT ON session TO ${role}`);
    await until('ok');
  });

  it('is answered by every edge with 503 in its own form, and the log says that it is the login', async () => {
    await world.rows(`ALTER ROLE ${role} NOLOGIN`);
    await world.rows('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
    await until('no database');
    for (const path of ['/oauth/v2/authorize?client_id=nobody', '/ui/account']) {
      const page = await ask(path, { headers: { Cookie: `account=${'a'.repeat(43)}` } });
      expect([path, page.status, page.header('content-type')]).toEqual([path, 503, 'text/html; charset=utf-8']);
    }
    const form = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x', scope: 'openid' };
    const refused = await ask('/oauth/v2/token', { method: 'POST', body: form });
    expect([refused.status, refused.json()]).toMatchObject([503, { error: 'temporarily_unavailable' }]);
    const json = await ask('/management/v1/projects/1', { headers: bearer(token) });
    expect([json.status, json.json()]).toMatchObject([503, { code: 14 }]);
    const { reply, trailers } = await sendHttp2(service.origin, {
      method: 'POST',
      path: AddProject.path,
      headers: { ...bearer(token), 'content-type': 'application/grpc', te: 'trailers' },
      body: frame(AddProject.requestSerialize({ name: 'Perhaps' })),
    });
    expect({ ...reply.headers, ...trailers }).toMatchObject({ 'grpc-status': '14' });
    const lineWith = (words: string): unknown =>
      JSON.parse(
        service
          .text()
          .split('\n')
          .find((line) => line.includes(words)) ?? 'null',
      );
    expect(lineWith('refuses the login')).toMatchObject({
      setting: 'DATABASE_URL',
      cause: expect.stringContaining(role),
      code: '28000',
    });
    expect(lineWith('"path":"/oauth/v2/token"')).toMatchObject({
      reason: 'database.unavailable',
      cause: expect.stringContaining(role),
    });
    expect(service.text()).not.toContain('defect');
    await world.rows(`ALTER ROLE ${role} LOGIN`);
    await until('ok');
  });
});

it.each(['SQL_ASCII', 'LATIN1'])(
  'A database in %s is refused at the start, before anything is made in it',
  async (encoding) => {
    const name = `t_encoding_${process.pid}`;
    const url = new URL(world.database.url);
    await elsewhere(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' LOCALE 'C'`);
    url.pathname = `/${name}`;
    const refused = await beginProcess({ DATABASE_URL: url.href });
    expect(await refused.exit).toEqual({ code: 1, signal: null });
    expect(refused.text()).toContain(`The database has the encoding ${encoding}, and must have UTF8.`);
    await refused.close();
    await elsewhere(`DROP DATABASE ${name} WITH (FORCE)`);
  },
);
