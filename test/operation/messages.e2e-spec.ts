import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { sendBytes, sendUnchecked } from '../support/http.js';
import { bareHttp2, FRAME, headerBlock, http2Frame, sendHttp2 } from '../support/http2.js';
import { ServiceProcess, startProcess } from '../support/service-process.js';

let service: ServiceProcess;
/** Beside its own. */
let ports: number[];

beforeAll(async () => {
  ports = [await freePort(), await freePort()];
  service = await startProcess({ METRICS_PORT: String(ports[0]), DEMO_PORT: String(ports[1]) });
});
afterAll(() => service.close());

/** The status of the answer to a head of HTTP/1. */
async function statusOf(head: string, at = service.origin): Promise<number> {
  const answer = await sendBytes(at, `${head}\r\nConnection: close\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}

/** The status of the answer to a request of HTTP/2 with these fields; 0 where its stream is reset without one. */
async function statusOfStream(fields: ReadonlyArray<readonly [string, string]>): Promise<number> {
  const socket = await bareHttp2(service.origin);
  const block = headerBlock([[':method', 'GET'], [':path', '/health/live'], [':scheme', 'http'], ...fields]);
  socket.write(http2Frame(FRAME.headers, block, { stream: 1, flags: 5 }));
  return statusFrom(socket);
}

/** The first status that comes, or 0 for a reset stream. */
async function statusFrom(socket: Socket): Promise<number> {
  const status = await firstFrom(socket, (bytes) => STATUS_OF_INDEX[headersIn(bytes) ?? -1]);
  socket.destroy();
  return status;
}

/** What `find` finds in the bytes that have come, as soon as it does. */
async function firstFrom<T>(socket: Socket, find: (bytes: Buffer) => T | undefined): Promise<T> {
  let bytes = Buffer.alloc(0);
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const found = find(bytes);
      if (found !== undefined) resolve(found);
    });
  });
}

/** RFC 7541 Appendix A: the commonest statuses are one byte. */
const STATUS_OF_INDEX: Readonly<Record<number, number>> = { 0: 0, 0x88: 200, 0x8c: 400, 0x8e: 500 };

/** The first byte of the first header block, or 0 for a reset stream. */
function headersIn(bytes: Buffer): number | undefined {
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    if (bytes[at + 3] === FRAME.reset) return 0;
    if (bytes[at + 3] === FRAME.headers) return bytes[at + 9];
  }
  return undefined;
}

async function expectAlive(): Promise<void> {
  expect((await sendUnchecked(service.origin, { path: '/health/live' })).status).toBe(200);
  expect(service.text().match(/Ready in/g)).toHaveLength(1);
}

const PATHS = [
  'GET /',
  'GET /health/live',
  'GET /.well-known/openid-configuration',
  'GET /oauth/v2/keys',
  'POST /oauth/v2/token',
  'POST /service.admin.v1.AdminService/Healthz',
];

describe('A connection of HTTP/1', () => {
  it.each(PATHS)(
    'speaks HTTP/1.0 and HTTP/1.1 only, regardless of the request line "%s" (RFC 9110 §15.6.6)',
    async (target) => {
      for (const version of ['HTTP/2.0', 'HTTP/1.2', 'HTTP/3.0', 'HTTP/0.9', 'HTTP/2', 'HTTP/9.9', '']) {
        const expected = version === 'HTTP/2.0' ? 505 : 400;
        expect([
          version,
          await statusOf(`${target} ${version}\r\nHost: localhost\r\nContent-Type: application/grpc-web`),
        ]).toEqual([version, expected]);
      }
      await expectAlive();
    },
  );

  it('speaks them on every port', async () => {
    for (const port of ports) {
      const at = `http://127.0.0.1:${port}`;
      expect(await statusOf('GET / HTTP/2.0\r\nHost: localhost', at)).toBe(505);
      expect(await statusOf('GET / HTTP/1.1\r\nHost: a\r\nHost: b', at)).toBe(400);
    }
    await expectAlive();
  });

  it('takes one host (RFC 9112 §3.2)', async () => {
    for (const target of PATHS)
      expect(await statusOf(`${target} HTTP/1.1\r\nHost: localhost\r\nHost: localhost`)).toBe(400);
    expect(await statusOf('GET /health/live HTTP/1.1')).toBe(400);
    expect(await statusOf('GET /health/live HTTP/1.1\r\nHost: user@localhost')).toBe(400);
    expect(await statusOf('GET /health/live HTTP/1.0')).toBe(200);
    expect(await statusOf('GET /health/live HTTP/1.1\r\nHost: localhost')).toBe(200);
  });

  it('is refused with an explanation and the usual headers, and ends', async () => {
    const answer = await sendBytes(
      service.origin,
      'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\nGET /health/live HTTP/1.1\r\nHost: a\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*\r\nConnection: close\r\n/s);
    expect(answer).toMatch(/X-Content-Type-Options: nosniff/i);
    expect(answer).toMatch(/The request has more than one Host header\.\n$/);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

describe('A request of HTTP/2', () => {
  it.each<[number, ReadonlyArray<readonly [string, string]>]>([
    [200, [[':authority', 'a.test']]],
    [200, [['host', 'a.test']]],
    [
      200,
      [
        [':authority', 'a.test'],
        ['host', 'A.test:80'],
      ],
    ],
    [0, []],
    [
      400,
      [
        [':authority', 'a.test'],
        ['host', 'b.test'],
      ],
    ],
    [
      400,
      [
        [':authority', 'a.test'],
        ['host', 'a.test:443'],
      ],
    ],
    [
      0,
      [
        [':authority', 'a.test'],
        ['host', 'a.test'],
        ['host', 'a.test'],
      ],
    ],
    [0, [[':authority', 'user@a.test']]],
  ])('is answered %i with the authority %j (RFC 9113 §8.3.1)', async (status, fields) => {
    expect(await statusOfStream(fields)).toBe(status);
    await expectAlive();
  });

  it.each([
    ['GET', 200],
    ['get', 501],
    ['Get', 501],
    ['NONSENSE', 501],
  ])('has a method in this very spelling: %s (RFC 9110 §9.1)', async (method, status) => {
    expect((await sendHttp2(service.origin, { method, path: '/health/live' })).reply.status).toBe(status);
  });

  it('may be withdrawn before the server asks to continue', async () => {
    const socket = await bareHttp2(service.origin);
    const block = headerBlock([
      [':method', 'POST'],
      [':path', '/oauth/v2/token'],
      [':scheme', 'http'],
      [':authority', 'a'],
      ['expect', '100-continue'],
    ]);
    const taken = [1, 3, 5].flatMap((stream) => [
      http2Frame(FRAME.headers, block, { stream, flags: 4 }),
      http2Frame(FRAME.reset, Buffer.from([0, 0, 0, 8]), { stream }),
    ]);
    const kept = headerBlock([
      [':method', 'GET'],
      [':path', '/health/live'],
      [':scheme', 'http'],
      [':authority', 'a'],
    ]);
    socket.write(Buffer.concat([...taken, http2Frame(FRAME.headers, kept, { stream: 7, flags: 5 })]));
    expect(await statusFrom(socket)).toBe(200);
    expect(service.text()).not.toContain('defect');
  });
});

describe('Limits and the log know where a request came from whose sender has gone', () => {
  const BODY_TO_COME = [
    ['content-type', 'application/x-www-form-urlencoded'],
    ['content-length', '50'],
    // What asks to continue has read the head: a reset would take away what has not been read yet.
    ['expect', '100-continue'],
  ] as const;

  /** The addresses in the log lines about bodies that ended too early. */
  function addresses(): string[] {
    return [...service.text().matchAll(/"reason":"body.unreadable".*"address":"([^"]*)"/g)].map(([, one]) => one!);
  }

  it.each<[string, () => Promise<Socket>]>([
    [
      'HTTP/1',
      async () => {
        const { hostname, port } = new URL(service.origin);
        const socket = connect(Number(port), hostname).on('error', () => undefined);
        const fields = BODY_TO_COME.map(([name, value]) => `${name}: ${value}\r\n`).join('');
        socket.write(`POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\n${fields}\r\ngrant`);
        await firstFrom(socket, (bytes) => bytes.includes('HTTP/1.1 100 ') || undefined);
        return socket;
      },
    ],
    [
      'HTTP/2',
      async () => {
        const socket = await bareHttp2(service.origin);
        const head = [
          [':method', 'POST'],
          [':path', '/oauth/v2/token'],
          [':scheme', 'http'],
          [':authority', 'a.test'],
        ];
        const block = headerBlock([...(head as Array<[string, string]>), ...BODY_TO_COME]);
        socket.write(http2Frame(FRAME.headers, block, { stream: 1, flags: 4 }));
        await firstFrom(socket, headersIn);
        return socket;
      },
    ],
  ])('over %s', async (_, begin) => {
    const before = addresses().length;
    (await begin()).resetAndDestroy();
    for (let n = 0; n < 500 && addresses().length === before; n += 1) await sleep(20);
    expect(addresses().slice(before)).toEqual(['127.0.0.1']);
  });
});
