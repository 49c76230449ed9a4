import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { send } from '../support/http.js';
import { sendHttp2 } from '../support/http2.js';
import { bearer } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { callWeb, frame, GrpcClient, methodsOf, postWeb, verdict, webOutcome, webTrailers } from './grpc-clients.js';

const management = methodsOf('service.management.v1.ManagementService');
const admin = methodsOf('service.admin.v1.AdminService');
const { AddProject, GetMyOrg, GetProjectByID, AddProjectRole } = management as Record<
  string,
  (typeof management)[string]
> as Required<typeof management>;

/** The field goes on beyond the end. */
const UNREADABLE = frame(Buffer.from([0x0a, 0x7f, 65]));
const PACKED = frame(gzipSync(Buffer.alloc(0)), 1);

let world: World;
let org: TestOrg;
let token: Record<string, string>;

beforeAll(async () => {
  world = await startWorld();
  org = await world.add.org();
  const owner = await callerWith(world, org, ['ORG_OWNER']);
  token = bearer(owner.api.token) as Record<string, string>;
});
afterAll(() => world.close());

describe('gRPC-web over HTTP/1.1', () => {
  it('does what the same operation does in JSON', async () => {
    const added = await callWeb(world.origin, AddProject!, { name: 'Web' }, token);
    expect(added).toMatchObject({
      code: 0,
      answer: { id: expect.stringMatching(/^\d+$/), details: { resourceOwner: org.id } },
    });
    const read = await callWeb(world.origin, GetProjectByID!, { id: added.answer!['id'] }, token);
    expect(read).toMatchObject({ code: 0, answer: { project: { name: 'Web' } } });
  });

  it('ends a watch of the health with its deadline', async () => {
    const watch = methodsOf('grpc.health.v1.Health')['Watch']!;
    expect(
      webTrailers(await postWeb(world.origin, watch.path, frame(Buffer.alloc(0)), { 'grpc-timeout': '200m' })),
    ).toMatchObject({ code: 4 });
  });

  it('refuses as JSON refuses, with the same details', async () => {
    expect(verdict(await callWeb(world.origin, GetMyOrg!, {}))).toBe('16 token.missing');
    expect(verdict(await callWeb(world.origin, GetMyOrg!, {}, { authorization: 'Bearer x' }))).toBe('16 token.dead');
    expect(verdict(await callWeb(world.origin, AddProject!, { name: '' }, token))).toBe('3 name');
    expect(
      verdict(
        await callWeb(world.origin, AddProjectRole!, { projectId: 'none', roleKey: 'a', displayName: 'A' }, token),
      ),
    ).toBe('5 project.not_found');
    expect(verdict(await callWeb(world.origin, admin['ListOrgs']!, {}, token))).toBe('7 permission.missing');
  });
});

describe('What is refused before it is a message', () => {
  it.each<[string, string, Buffer, Record<string, string>]>([
    ['8 message.too_large', 'a message that is too large', frame(Buffer.alloc(0), 0, 0xffffffff), {}],
    ['3 message.malformed', 'a message that cannot be read', frame(Buffer.from([0x0a, 0x7f, 65])), {}],
    ['3 timeout.unreadable', 'a timeout that cannot be read', frame(Buffer.alloc(0)), { 'grpc-timeout': 'x' }],
  ])('names its stable id in the details, as everything else does: %s', async (expected, _, body, headers) => {
    expect(
      verdict(webOutcome(await postWeb(world.origin, AddProject!.path, body, { ...token, ...headers }), AddProject!)),
    ).toBe(expected);
  });

  it('does so in the trailers of gRPC', async () => {
    const client = new GrpcClient(world.origin);
    expect(
      verdict(
        await client.callBytes(AddProject!.path, Buffer.from([0x0a, 0x7f, 65]), {
          authorization: token['Authorization']!,
        }),
      ),
    ).toBe('3 message.malformed');
    client.close();
  });
});

describe('gRPC-web over HTTP/2, as a proxy may send it', () => {
  it.each<[string, { path?: string; body?: Buffer; headers?: Record<string, string> }]>([
    ['an answer', {}],
    ['a refusal', { headers: { 'x-service-orgid': '1' } }],
    ['an unknown operation', { path: '/service.management.v1.ManagementService/Nothing' }],
    ['a timeout that cannot be read', { headers: { 'grpc-timeout': 'x' } }],
    ['a message that is too large', { body: frame(Buffer.alloc(0), 0, 0xffffffff) }],
    ['a message that cannot be read', { path: AddProject!.path, body: frame(Buffer.from([0x0a, 0x7f, 65])) }],
    ['the text variant', { headers: { 'Content-Type': 'application/grpc-web-text' } }],
  ])(
    'gets the very answer that HTTP/1.1 gets: %s',
    async (_, { path = GetMyOrg!.path, body = frame(Buffer.alloc(0)), headers = {} }) => {
      const older = await postWeb(world.origin, path, body, { ...token, ...headers });
      const { reply, trailers, reset } = await sendHttp2(world.origin, {
        method: 'POST',
        path,
        body,
        headers: lowerCase({ 'Content-Type': 'application/grpc-web+proto', 'X-Grpc-Web': '1', ...token, ...headers }),
      });
      const names = [
        'content-type',
        'grpc-status',
        'grpc-message',
        'access-control-allow-origin',
        'access-control-expose-headers',
      ];
      expect({
        trailers,
        reset,
        status: reply.status,
        headers: names.map((name) => reply.header(name)),
        text: reply.text,
      }).toEqual({
        trailers: {},
        reset: 0,
        status: older.status,
        headers: names.map((name) => older.headers[name]),
        text: older.body.toString(),
      });
    },
  );
});

describe('The path of a procedure', () => {
  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'TRACE', 'PROPFIND'])(
    'takes no %s, and says what it takes',
    async (method) => {
      for (const path of [GetMyOrg!.path, '/grpc.health.v1.Health/Check']) {
        const reply = await send(world.origin, { method, path });
        expect([path, reply.status, reply.header('allow')]).toEqual([path, 405, 'OPTIONS, POST']);
      }
    },
  );
});

describe('gRPC-web [ADM-031]', () => {
  it('lets any origin call, without its cookies and only with a token', async () => {
    const preflight = await postWeb(
      world.origin,
      GetMyOrg!.path,
      Buffer.alloc(0),
      { Origin: 'https://evil.test', 'Access-Control-Request-Method': 'POST' },
      'OPTIONS',
    );
    expect(preflight).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'POST' },
    });
    expect(preflight.headers['access-control-allow-headers']).toContain('x-service-orgid');
    expect(
      await postWeb(
        world.origin,
        '/grpc.health.v1.Health/Check',
        Buffer.alloc(0),
        { Origin: 'https://evil.test', 'Access-Control-Request-Method': 'POST' },
        'OPTIONS',
      ),
    ).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': '*' } });
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    const answered = await postWeb(world.origin, GetMyOrg!.path, frame(Buffer.alloc(0)), {
      ...token,
      Origin: 'https://evil.test',
    });
    expect(answered.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('grpc-status-details-bin'),
    });
    expect(verdict(await callWeb(world.origin, GetMyOrg!, {}, { Cookie: `session=${token['Authorization']}` }))).toBe(
      '16 token.missing',
    );
  });

  it.each<[string, Buffer, Record<string, string>?]>([
    ['a flag that is not known', frame(Buffer.alloc(0), 0x40)],
    ['a body that was cut', frame(Buffer.from([10, 3, 65]), 0, 9)],
    ['trailers where a message should be', frame(Buffer.from('grpc-status: 0\r\n'), 0x80)],
    ['nothing', Buffer.alloc(0)],
    ['two messages', Buffer.concat([frame(Buffer.alloc(0)), frame(Buffer.alloc(0))])],
    ['two messages that cannot be read', Buffer.concat([UNREADABLE, UNREADABLE])],
    ['a message, and another one that cannot be read', Buffer.concat([frame(Buffer.alloc(0)), UNREADABLE])],
    ['a message and half a prefix', Buffer.concat([frame(Buffer.alloc(0)), Buffer.alloc(2)])],
    ['a compressed message without saying how', frame(Buffer.from([1, 2, 3]), 1)],
    ['a compressed message that says it is not', frame(Buffer.from([1, 2, 3]), 1), { 'grpc-encoding': 'identity' }],
    ['a compressed message of another kind', frame(Buffer.from([1, 2, 3]), 1), { 'grpc-encoding': 'zstd' }],
    ['two compressed messages', Buffer.concat([PACKED, PACKED]), { 'grpc-encoding': 'gzip' }],
  ])('blames the caller for %s, and never itself', async (_, body, headers = {}) => {
    const web = webTrailers(await postWeb(world.origin, GetMyOrg!.path, body, { ...token, ...headers }));
    expect([3, 12]).toContain(web.code);
    const { reply, trailers } = await sendHttp2(world.origin, {
      method: 'POST',
      path: GetMyOrg!.path,
      body,
      headers: lowerCase({ 'Content-Type': 'application/grpc', TE: 'trailers', ...token, ...headers }),
    });
    expect(Number(trailers['grpc-status'] ?? reply.header('grpc-status'))).toBe(web.code);
  });

  it.each([
    ['a wrong wire type', Buffer.from([0x08, 1])],
    ['invalid UTF-8', Buffer.from([0x0a, 2, 0xc3, 0x28])],
    ['a length beyond the end', Buffer.from([0x0a, 0x7f, 65])],
    ['groups nested 10,000 deep', Buffer.alloc(20_000, 0x0b)],
    ['a NUL', Buffer.from([0x0a, 2, 0, 65])],
  ])('refuses %s [ADM-030]', async (_, message) => {
    expect(webOutcome(await postWeb(world.origin, AddProject!.path, frame(message), token), AddProject!).code).toBe(3);
  });

  it('answers the text variant, other media types and other methods with a status of HTTP', async () => {
    expect(
      (
        await postWeb(world.origin, GetMyOrg!.path, Buffer.from('AAAAAAA='), {
          ...token,
          'Content-Type': 'application/grpc-web-text',
        })
      ).status,
    ).toBe(415);
    expect(
      (
        await postWeb(world.origin, GetMyOrg!.path, frame(Buffer.alloc(0)), {
          ...token,
          'Content-Type': 'application/grpc-unknown',
        })
      ).status,
    ).toBe(415);
    expect(
      (
        await postWeb(world.origin, GetMyOrg!.path, frame(Buffer.alloc(0)), {
          ...token,
          'Content-Type': 'application/grpc',
        })
      ).status,
    ).toBe(505);
  });
});

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
