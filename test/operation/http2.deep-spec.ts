import { constants, type Http2ServerRequest } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import * as grpc from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { frame, GrpcClient, methodsOf } from '../grpc/grpc-clients.js';
import { authority, certificate, key } from '../idp/certificate.js';
import { callerWith } from '../support/admin-api.js';
import { freePort } from '../support/free-port.js';
import { type Reply, send, sendBytes } from '../support/http.js';
import { type Asked, askOver, bareHttp2, connectHttp2, FRAME, http2Frame, sendHttp2 } from '../support/http2.js';
import { paths } from '../support/relying-party.js';
import { collectGarbage } from '../support/runner/garbage.mjs';
import { startWorld, type World } from '../support/world.js';

/** What concerns a connection of HTTP/1.1, or changes from answer to answer. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'date', 'content-length'];
const GetMyOrg = methodsOf('service.management.v1.ManagementService')['GetMyOrg']!;

let world: World;
let token: Record<string, string>;

beforeAll(async () => {
  world = await startWorld({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const { api } = await callerWith(world, await world.add.org(), ['ORG_OWNER']);
  token = { authorization: `Bearer ${api.token}` };
});
afterAll(() => world.close());

function essence({ status, headers, text }: Reply): unknown {
  const kept = Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name));
  return {
    status,
    headers: Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1))),
    text: text.replace(/[\w-]{40,}/g, '…'),
  };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const REQUESTS: ReadonlyArray<readonly [string, () => Asked]> = [
  ['discovery', () => ({ path: paths.discovery })],
  ['the head of it', () => ({ method: 'HEAD', path: paths.discovery })],
  ['the keys', () => ({ path: '/oauth/v2/keys' })],
  ['a page', () => ({ path: '/docs' })],
  ['a page of an error', () => ({ path: '/oauth/v2/authorize?client_id=nobody' })],
  [
    'a form',
    () => ({
      method: 'POST',
      path: paths.token,
      headers: FORM,
      body: 'grant_type=client_credentials&client_id=nobody&client_secret=x',
    }),
  ],
  [
    'JSON',
    () => ({
      method: 'POST',
      path: '/management/v1/projects',
      headers: { ...token, 'content-type': 'application/json' },
      body: '{"name":""}',
    }),
  ],
  ['a refusal', () => ({ path: '/management/v1/orgs/me' })],
  ['a path that is not there', () => ({ path: '/nothing/here' })],
  ['a method that is not', () => ({ method: 'DELETE', path: paths.discovery })],
  ['a path that cannot be read', () => ({ path: '/%' })],
  [
    'a preflight',
    () => ({
      method: 'OPTIONS',
      path: paths.token,
      headers: { origin: 'https://app.test', 'access-control-request-method': 'POST' },
    }),
  ],
  [
    'a body that is too large',
    () => ({
      method: 'POST',
      path: '/management/v1/projects',
      headers: { ...token, 'content-type': 'application/json' },
      body: `{"name":"${'x'.repeat(1_100_000)}"}`,
    }),
  ],
];

describe('HTTP/2 without TLS, on the port of HTTP/1.1', () => {
  it.each(REQUESTS)('answers %s as HTTP/1.1 does', async (_, asked) => {
    const { reply } = await sendHttp2(world.origin, asked());
    expect(essence(reply)).toEqual(essence(await send(world.origin, asked())));
  });

  it('reads a body of undeclared length', async () => {
    const { reply } = await sendHttp2(world.origin, {
      method: 'POST',
      path: '/management/v1/projects',
      headers: { ...token, 'content-type': 'application/json' },
      body: '{"name":"Over HTTP/2"}',
    });
    expect([reply.status, Object.keys(reply.json())]).toEqual([200, ['id', 'details']]);
  });

  it('never reads what follows a request as another', async () => {
    const smuggled = `POST /management/v1/projects HTTP/1.1\r\nHost: a\r\nAuthorization: ${token['authorization']}\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n{"name":"Smuggled"}`;
    await sendHttp2(world.origin, { path: paths.discovery, body: smuggled });
    const listed = await send(world.origin, {
      method: 'POST',
      path: '/management/v1/projects/_search',
      headers: { ...token, 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(listed.text).not.toContain('Smuggled');
  });

  it("believes a trusted proxy about the caller's address", async () => {
    await sendHttp2(world.origin, { path: '/management/v1/orgs/me', headers: { 'x-forwarded-for': '203.0.113.7' } });
    await sendHttp2(world.origin, {
      method: 'POST',
      path: GetMyOrg.path,
      headers: { 'content-type': 'application/grpc', 'x-forwarded-for': '203.0.113.8' },
      body: frame(Buffer.alloc(0)),
    });
    expect(world.logText()).toContain('203.0.113.7');
    expect(world.logText()).toContain('203.0.113.8');
  });

  it('keeps many requests of one connection apart', async () => {
    const session = connectHttp2(world.origin);
    const ends = await Promise.all(
      Array.from({ length: 80 }, (_, index) => askOver(session, { path: `/nothing/${index}` })),
    );
    session.destroy();
    expect(ends.map(({ reply }) => reply.status)).toEqual(ends.map(() => 404));
  });

  it('recognizes bytes that belong to neither protocol', async () => {
    expect(await sendBytes(world.origin, 'PRI * HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/^HTTP\/1\.1 4/);
    expect(await sendBytes(world.origin, Buffer.from([0x16, 3, 1, 2, 0, 1]))).toMatch(/^HTTP\/1\.1 400/);
    expect(
      await sendBytes(world.origin, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nGET / HTTP/1.1\r\n\r\n', 2_000),
    ).not.toContain('HTTP/1.1');
  });
});

describe('Behind a proxy that ends TLS', () => {
  it('serves whichever protocol the client chose', async () => {
    const proxy = createTlsServer({ key, cert: certificate, ALPNProtocols: ['h2', 'http/1.1'] }, (outside) => {
      const inside = connect(Number(new URL(world.origin).port), '127.0.0.1');
      for (const socket of [outside, inside])
        socket.on('error', () => [outside, inside].forEach((one) => one.destroy()));
      outside.pipe(inside).pipe(outside);
    });
    const port = await freePort();
    await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
    const client = new GrpcClient(
      `https://127.0.0.1:${port}`,
      { 'grpc.ssl_target_name_override': 'provider.test' },
      grpc.credentials.createSsl(Buffer.from(authority)),
    );
    try {
      expect(await client.call(GetMyOrg, {}, token)).toMatchObject({ code: 0 });
      const older = connectTls({
        port,
        host: '127.0.0.1',
        servername: 'provider.test',
        ca: authority,
        ALPNProtocols: ['http/1.1'],
      });
      older.write('GET /health/live HTTP/1.1\r\nHost: provider.test\r\nConnection: close\r\n\r\n');
      const text = await new Promise<string>((resolve) => {
        let received = '';
        older.on('data', (chunk: Buffer) => (received += chunk.toString()));
        older.on('end', () => resolve(received));
      });
      expect(text).toMatch(/^HTTP\/1\.1 200/);
    } finally {
      client.close();
      await new Promise((resolve) => proxy.close(resolve));
    }
  });
});

describe('Limits of HTTP/2', () => {
  it('refuses headers beyond those of HTTP/1.1, and serves the connection on', async () => {
    const session = connectHttp2(world.origin);
    await new Promise((resolve) => session.once('remoteSettings', resolve));
    const large = await askOver(session, { path: paths.discovery, headers: { 'x-large': 'v'.repeat(40_000) } });
    const many = await askOver(session, {
      path: paths.discovery,
      headers: Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-${index}`, 'v'])),
    });
    expect([large, many].map(({ reply, reset }) => reply.status === 431 || reset !== 0)).toEqual([true, true]);
    session.destroy();
    expect(
      (await sendHttp2(world.origin, { path: paths.discovery, headers: { 'x-large': 'v'.repeat(8_000) } })).reply
        .status,
    ).toBe(200);
  });

  it('takes 100 requests at a time on one connection', async () => {
    const session = connectHttp2(world.origin);
    const settings = await new Promise<{ maxConcurrentStreams?: number }>((resolve) =>
      session.once('remoteSettings', resolve),
    );
    session.destroy();
    expect(settings.maxConcurrentStreams).toBe(100);
  });

  it('ends a connection that opens streams and resets them at once: CVE-2023-44487', async () => {
    const session = connectHttp2(world.origin);
    const ended = new Promise<number>((resolve) => session.once('goaway', resolve));
    for (let round = 0; round < 3_000 && !session.closed; round += 1) {
      const stream = session.request({ ':method': 'POST', ':path': GetMyOrg.path, 'content-type': 'application/grpc' });
      stream.on('error', () => undefined);
      stream.close(constants.NGHTTP2_CANCEL);
      if (round % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await ended).not.toBe(constants.NGHTTP2_NO_ERROR);
    session.destroy();
    await expectServed();
  });

  it.each([
    ['settings', http2Frame(FRAME.settings, Buffer.from([0, 1, 0, 0, 16, 0]))],
    ['pings', http2Frame(FRAME.ping, Buffer.alloc(8))],
    [
      'settings of a thousand entries',
      http2Frame(FRAME.settings, Buffer.concat(Array.from({ length: 1_000 }, () => Buffer.from([0, 1, 0, 0, 16, 0])))),
    ],
    [
      'continuations without end',
      Buffer.concat([
        http2Frame(FRAME.headers, Buffer.alloc(0), { stream: 1 }),
        ...Array.from({ length: 50 }, () =>
          http2Frame(FRAME.continuation, Buffer.from([0x40, 1, 0x78, 1, 0x79]), { stream: 1 }),
        ),
      ]),
    ],
  ])('survives a flood of %s from a client that reads nothing', async (_, bytes) => {
    const socket = await bareHttp2(world.origin);
    socket.pause();
    const before = process.memoryUsage().rss;
    const flood = Buffer.concat(Array.from({ length: Math.ceil(65_536 / bytes.length) }, () => bytes));
    await pour(socket, flood, 500);
    await expectServed();
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    socket.destroy();
  });

  it('holds nothing in memory of a connection that has ended', async () => {
    const sessions: Array<WeakRef<object>> = [];
    const remember = (request: Http2ServerRequest): void => void sessions.push(new WeakRef(request.stream.session!));
    world.application.getHttpServer().on('request', remember);
    for (let index = 0; index < 10; index += 1) await sendHttp2(world.origin, { path: paths.discovery });
    world.application.getHttpServer().off('request', remember);
    expect(sessions).toHaveLength(10);
    await sleep(100); // the server hears of their end
    collectGarbage();
    expect(sessions.filter((session) => session.deref()).length).toBeLessThan(3);
  });

  it('holds a thousand idle connections and a thousand with only half of the preface, and serves others', async () => {
    const idle = await Promise.all(Array.from({ length: 1_000 }, () => bareHttp2(world.origin)));
    const { hostname, port } = new URL(world.origin);
    const undecided = Array.from({ length: 1_000 }, () =>
      connect(Number(port), hostname, function (this: Socket) {
        this.write('PRI * HT');
      }),
    );
    for (const socket of undecided) socket.on('error', () => undefined);
    await expectServed();
    for (const socket of [...idle, ...undecided]) socket.destroy();
    await expectServed();
  });
});

/** Writes until the service ends the connection, takes no more, or has it all. */
async function pour(socket: Socket, bytes: Buffer, times: number): Promise<void> {
  let ended = false;
  socket.once('close', () => (ended = true));
  for (let sent = 0; sent < times && !ended; sent += 1) {
    if (socket.write(bytes)) continue;
    const isTaken = await Promise.race([
      new Promise<boolean>((resolve) => socket.once('drain', () => resolve(true)).once('close', () => resolve(false))),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 500)),
    ]);
    if (!isTaken) return;
  }
}

async function expectServed(): Promise<void> {
  expect((await sendHttp2(world.origin, { path: paths.discovery })).reply.status).toBe(200);
  expect((await send(world.origin, { path: '/management/v1/orgs/me', headers: token })).status).toBe(200);
}
