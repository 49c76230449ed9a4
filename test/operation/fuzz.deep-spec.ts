import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { random } from '../migration/varied.js';
import { sendUnchecked } from '../support/http.js';
import { headerBlock, http2Frame, sendHttp2 } from '../support/http2.js';
import { ServiceProcess, startProcess } from '../support/service-process.js';

/** Another number tries other bytes; the same number, the same ones. */
const SEED = 20_261_122;
const AT_ONCE = 16;
const WAIT_MS = 150;
/** Fewer would say nothing about what is answered. */
const FEWEST_ANSWERS = 20;
const MOST_ROUNDS = 10;

let service: ServiceProcess;
let next: () => number;

beforeAll(async () => {
  service = await startProcess();
});
afterAll(() => service.close());

const below = (limit: number): number => Math.floor(next() * limit);
const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
const some = <Value>(most: number, make: () => Value): Value[] => Array.from({ length: below(most + 1) }, make);
const noise = (most: number): Buffer => Buffer.from(some(most, () => below(256)));

interface Conversation {
  readonly pieces: readonly Buffer[];
  readonly farewell: 'wait' | 'end' | 'destroy' | 'reset';
}

/** Made before the first is held: which bytes are sent must not hang on what is answered when. */
function conversations(count: number, bytes: () => Buffer): Conversation[] {
  return Array.from({ length: count }, () => ({
    pieces: inPieces(bytes()),
    farewell: oneOf(['wait', 'end', 'destroy', 'reset'] as const),
  }));
}

/** Sends the pieces one after another, goes in one of four ways, and answers what came back. */
async function hold({ pieces, farewell }: Conversation): Promise<Buffer> {
  const socket = connect({ port: Number(new URL(service.origin).port), host: '127.0.0.1', allowHalfOpen: true });
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise(setImmediate);
  }
  if (farewell === 'end') socket.end();
  if (farewell === 'reset') setTimeout(() => socket.resetAndDestroy(), 5);
  const limit = setTimeout(() => socket.destroy(), farewell === 'destroy' ? 5 : WAIT_MS);
  socket.once('end', () => socket.destroy());
  await closed;
  clearTimeout(limit);
  return Buffer.concat(received);
}

async function holdAll(all: Conversation[]): Promise<Buffer[]> {
  const answers: Buffer[] = [];
  const lane = async (): Promise<void> => {
    for (let one = all.pop(); one; one = all.pop()) answers.push(await hold(one));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return answers;
}

function inPieces(bytes: Buffer): Buffer[] {
  if (next() < 0.6) return [bytes];
  const cut = below(bytes.length);
  return [bytes.subarray(0, cut), bytes.subarray(cut)];
}

/** Changes, doubles or takes away some bytes. */
function bent(bytes: Buffer): Buffer {
  if (next() < 0.5 || bytes.length === 0) return bytes;
  const at = below(bytes.length);
  const middle = oneOf([
    () => noise(4),
    () => bytes.subarray(at, at + below(40)),
    () => Buffer.alloc(0),
    () => Buffer.from(oneOf(['\r', '\n', '\r\n\r\n', '\0', ' ', ':'])),
  ])();
  return Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(at + below(3))]);
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PRI',
  'M-SEARCH',
  'QUERY',
  'get',
  'G E T',
  '',
];
const TARGETS = [
  '/',
  '/health/live',
  '/oauth/v2/token',
  '/.well-known/openid-configuration',
  '/oauth/v2/authorize?client_id=a&client_id=b',
  '/ui/login/password',
  '/management/v1/orgs/me',
  '/admin/v1/import',
  '/service.admin.v1.AdminService/Healthz',
  '/grpc.health.v1.Health/Check',
  '/docs',
  '/assets/v1/x',
  '*',
  'http://a/health/live',
  'http://[',
  'a:1',
  '//',
  '/%',
  '/%00',
  '/\u00ff',
  '/..%2f',
  '?',
  '/x?%',
  '',
];
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/0.9',
  'HTTP/1.2',
  'HTTP/3.0',
  'HTTP/11',
  'RTSP/1.0',
  'http/1.1',
  '',
];
const HEADERS = [
  'Host: a',
  'Host: b',
  'Host:',
  'Host: a b',
  'Connection: close',
  'Connection: keep-alive, Upgrade',
  'Upgrade: h2c',
  'Upgrade: websocket',
  'HTTP2-Settings: AAMAAABkAAQAAP__',
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Expect: 100-continue',
  'Expect: 200-ok',
  'Content-Type: application/json',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Type: application/grpc',
  'Content-Type: application/grpc-web+proto',
  'Content-Type: application/grpc-web-text',
  'Content-Type: multipart/form-data',
  'Content-Encoding: gzip',
  'Grpc-Timeout: 1n',
  'Grpc-Timeout: x',
  'Grpc-Encoding: gzip',
  'Authorization: Bearer x',
  'Authorization: Basic !!',
  'Authorization: ',
  'Cookie: a=b; a=c; =; \u00e9',
  'Origin: null',
  'Trailer: X',
  'TE: trailers',
  'Range: bytes=0-',
  'If-None-Match: *',
  'Accept-Language: \u00ff;q=9',
  'X-Forwarded-For: ,',
  'Forwarded: for=',
  ' folded: x',
  'X: \u0001',
  ': x',
  'X'.repeat(20_000),
];
const BODIES = [
  '',
  'a=b',
  '{}',
  '{"a":',
  '5\r\nhello\r\n0\r\n\r\n',
  'ffffffffff\r\n',
  '0\r\nX: y\r\nHost: z\r\n\r\n',
  '1;x=\u00ff\r\na\r\n0\r\n\r\n',
  '\0\0\0\0\0',
  '\x01\x00\x00\x00\x05hello',
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
];

function olderRequest(): Buffer {
  const line = [oneOf(METHODS), oneOf(TARGETS), oneOf(VERSIONS)].join(oneOf([' ', ' ', ' ', '  ', '\t']));
  const headers = [...(next() < 0.7 ? ['Host: a'] : []), ...some(4, () => oneOf(HEADERS))];
  return bent(
    Buffer.from(`${[line, ...headers].join(oneOf(['\r\n', '\r\n', '\r\n', '\n']))}\r\n\r\n${oneOf(BODIES)}`, 'latin1'),
  );
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const FIELDS: ReadonlyArray<readonly [string, string]> = [
  [':method', 'CONNECT'],
  [':path', '/'],
  [':path', '*'],
  [':path', ''],
  [':scheme', 'x'],
  [':authority', ''],
  [':authority', 'a b'],
  [':status', '200'],
  [':protocol', 'websocket'],
  ['host', 'b'],
  ['Host', 'b'],
  ['connection', 'close'],
  ['te', 'gzip'],
  ['content-length', '5'],
  ['content-length', '-1'],
  ['transfer-encoding', 'chunked'],
  ['expect', '100-continue'],
  ['content-type', 'application/grpc'],
  ['content-type', 'application/json'],
  ['grpc-timeout', '1n'],
  ['cookie', 'a=b'],
  ['authorization', 'Bearer x'],
  ['', 'x'],
  ['x', '\r\n'],
  ['x', '\0'],
  ['\u00e9', 'x'],
];

function block(): Buffer {
  const proper: Array<readonly [string, string]> = [
    [':method', oneOf(['GET', 'POST', 'HEAD', 'OPTIONS'])],
    [':scheme', 'http'],
    [':path', oneOf(TARGETS)],
    [':authority', 'a'],
  ];
  if (next() < 0.2) proper.splice(below(proper.length), 1);
  return next() < 0.1 ? noise(60) : headerBlock([...proper, ...some(3, () => oneOf(FIELDS))]);
}

function frame(): Buffer {
  const stream = oneOf([0, 1, 1, 3, 3, 5, 2, 7, 2 ** 31 - 1]);
  const flags = oneOf([0, 1, 4, 4, 5, 5, 8, 32, 255]);
  return oneOf([
    () => http2Frame(1, block(), { stream, flags }),
    () => http2Frame(1, block(), { stream, flags: 5 }),
    () => http2Frame(1, block(), { stream, flags: 4 }),
    () => http2Frame(0, noise(100), { stream, flags }),
    () => http2Frame(3, Buffer.from([0, 0, 0, below(20)]), { stream }),
    () =>
      http2Frame(4, Buffer.from(some(3, () => [0, below(8), 0, 0, below(256), below(256)]).flat()), {
        flags: flags & 1,
      }),
    () => http2Frame(6, noise(9), { flags: flags & 1 }),
    () => http2Frame(7, noise(20)),
    () => http2Frame(8, Buffer.from([below(256), 0, 0, below(256)]), { stream }),
    () => http2Frame(9, block(), { stream, flags }),
    () => http2Frame(oneOf([2, 5, 10, 12, 16, 200]), noise(30), { stream, flags }),
  ])();
}

function newerConversation(): Buffer {
  return bent(Buffer.concat([PREFACE, http2Frame(4, Buffer.alloc(0)), ...some(12, frame)]));
}

function statusesIn(answer: Buffer): number[] {
  return [...answer.toString('latin1').matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

/** It answers both versions, and is the process that was started. */
async function expectAlive(): Promise<void> {
  expect((await sendUnchecked(service.origin, { path: '/health/live' })).status).toBe(200);
  expect((await sendHttp2(service.origin, { path: '/health/live' })).reply.status).toBe(200);
  expect(service.text().match(/Ready in/g)).toHaveLength(1);
  expect(
    service
      .text()
      .split('\n')
      .filter((line) => line.includes('defect')),
  ).toEqual([]);
}

describe(`After conversations with random bytes (seed ${SEED}) the service answers as before`, () => {
  it('of HTTP/1, which it has answered without a fault of its own', async () => {
    next = random(SEED);
    const statuses: number[] = [];
    // On a slow machine most conversations end before their answer: then it takes more of them.
    for (let round = 1; round <= MOST_ROUNDS && statuses.length <= FEWEST_ANSWERS; round += 1) {
      const answers = await holdAll(
        conversations(600, () => Buffer.concat([olderRequest(), ...some(2, olderRequest)])),
      );
      statuses.push(...answers.flatMap(statusesIn));
    }
    expect(statuses.length).toBeGreaterThan(FEWEST_ANSWERS);
    expect(statuses.filter((status) => status >= 500 && status !== 505)).toEqual([]);
    await expectAlive();
  });

  it('over HTTP/2', async () => {
    next = random(SEED + 1);
    await holdAll(conversations(600, newerConversation));
    await expectAlive();
  });

  it('that begin like either protocol and continue like none', async () => {
    next = random(SEED + 2);
    await holdAll(
      conversations(200, () =>
        Buffer.concat([oneOf([PREFACE.subarray(0, below(24)), PREFACE, Buffer.from('GET ')]), noise(300)]),
      ),
    );
    await expectAlive();
  });
});
