import { constants } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import type { Headers } from '../support/http.js';
import { connectHttp2, sendHttp2 } from '../support/http2.js';
import { startWorld, type World } from '../support/world.js';
import { callByReflection } from './generated-client.js';
import { frame, GrpcClient, methodsOf, verdict } from './grpc-clients.js';

const management = methodsOf('service.management.v1.ManagementService');
const AddProject = management['AddProject']!;
const GetMyOrg = management['GetMyOrg']!;
const ListProjects = management['ListProjects']!;

let world: World;
let org: TestOrg;
let other: TestOrg;
let pat: string;
let token: Record<string, string>;
let client: GrpcClient;

beforeAll(async () => {
  world = await startWorld();
  [org, other] = [await world.add.org(), await world.add.org()];
  pat = (await callerWith(world, org, ['ORG_OWNER', 'IAM_OWNER'])).api.token;
  token = { authorization: `Bearer ${pat}` };
  client = new GrpcClient(world.origin);
});
afterAll(async () => {
  client.close();
  await world.close();
});

/** One call as a client without manners would send it: its status, or how else it ended. */
async function statusOf(
  body: Buffer | undefined,
  headers: Headers = {},
  { path = GetMyOrg.path, method = 'POST' } = {},
): Promise<string> {
  const { reply, trailers, reset } = await sendHttp2(world.origin, {
    method,
    path,
    headers: { 'content-type': 'application/grpc', te: 'trailers', ...token, ...headers },
    ...(body ? { body } : {}),
  });
  const status = trailers['grpc-status'] ?? reply.header('grpc-status');
  return String(status ?? (reset === 0 ? `HTTP ${reply.status}` : `reset ${reset}`));
}

describe('gRPC, on the port of everything else', () => {
  it('does the same as the operation in JSON, for the organization of the metadata', async () => {
    expect(await client.call(AddProject, { name: 'Proper' }, token)).toMatchObject({
      code: 0,
      answer: { details: { resourceOwner: org.id } },
    });
    expect(await client.call(GetMyOrg, {}, { ...token, 'x-service-orgid': other.id })).toMatchObject({
      code: 0,
      answer: { org: { id: other.id } },
    });
  });

  it('names what is wrong in the message and in the details', async () => {
    const outcome = await client.call(AddProject, { name: '', admins: [{}] }, token);
    expect(outcome).toMatchObject({ code: 3, fields: expect.arrayContaining(['name']) as unknown });
    expect(outcome.message).toContain('name: must have 1 to 200 characters');
  });
});

describe('Reflection and health', () => {
  it.each(['v1', 'v1alpha'])('lists and describes the services, %s', async (version) => {
    const method = reflectionOf(version);
    const [listed] = await client.ask(method, { listServices: '' });
    const { service } = listed!['listServicesResponse'] as { service: ReadonlyArray<{ name: string }> };
    expect(service.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'service.admin.v1.AdminService',
        'service.management.v1.ManagementService',
        'grpc.health.v1.Health',
      ]),
    );
    const [described] = await client.ask(method, {
      fileContainingSymbol: 'service.management.v1.ManagementService.AddProject',
    });
    const files = (described!['fileDescriptorResponse'] as { fileDescriptorProto: readonly Buffer[] })
      .fileDescriptorProto;
    expect(
      files.map((file) => file.toString('latin1')).filter((text) => text.includes('ManagementService')),
    ).not.toEqual([]);
    expect((await client.ask(method, { fileByFilename: 'google/api/annotations.proto' }))[0]).toHaveProperty(
      'fileDescriptorResponse',
    );
    expect((await client.ask(method, { fileContainingSymbol: 'nothing.Here' }))[0]).toMatchObject({
      errorResponse: { errorCode: 5 },
    });
  });

  it('gives a program without .proto files everything that it needs to call: names, files and types', async () => {
    expect(await callByReflection(world.origin, pat)).toContain('service.management.v1.ManagementService/AddProject');
    expect(
      await callByReflection(
        world.origin,
        pat,
        'service.management.v1.ManagementService/AddProject',
        '{"name":"By reflection"}',
      ),
    ).toContain('"id"');
    expect(await callByReflection(world.origin, pat, 'service.admin.v1.AdminService/ListOrgs')).toContain('"result"');
    await expect(
      callByReflection(world.origin, pat, 'service.management.v1.ManagementService/AddProject'),
    ).rejects.toThrow('must have 1 to 200 characters');
  });

  it('tells load balancers whether it is serving', async () => {
    const check = methodsOf('grpc.health.v1.Health')['Check']!;
    expect(await client.call(check, {})).toMatchObject({ code: 0, answer: { status: 'SERVING' } });
    expect(await client.call(check, { service: 'service.admin.v1.AdminService' })).toMatchObject({
      answer: { status: 'SERVING' },
    });
    expect(await client.call(check, { service: 'nobody' })).toMatchObject({ code: 5 });
  });
});

describe('Bad input', () => {
  it('refuses what is too long before it is there, and what is compressed beyond it [ADM-026]', async () => {
    expect(await statusOf(frame(Buffer.alloc(0), 0, 0xffffffff))).toBe('8');
    expect(await statusOf(frame(Buffer.alloc(5_000_000)))).toMatch(/^8$|^reset/);
    expect(await statusOf(frame(gzipSync(Buffer.alloc(50_000_000)), 1), { 'grpc-encoding': 'gzip' })).toBe('8');
    expect(await statusOf(frame(gzipSync(Buffer.alloc(0)), 1), { 'grpc-encoding': 'gzip' })).toBe('0');
    expect(await statusOf(frame(Buffer.alloc(0), 1), { 'grpc-encoding': 'zstd' })).toBe('12');
  });

  it('decodes no message of a caller without a token: that takes far longer than refusing it [ADM-026]', async () => {
    const unreadable = frame(Buffer.from([0x0a, 0x7f, 65]));
    expect(await statusOf(unreadable)).toBe('3');
    for (const authorization of ['', 'Bearer x', 'Basic x'])
      expect([authorization, await statusOf(unreadable, { authorization })]).toEqual([authorization, '16']);
  });

  it('decodes no message of more fields than any request needs, even from an administrator [ADM-026]', async () => {
    const unknownFields = (count: number): Buffer => frame(Buffer.alloc(2 * count, Buffer.from([0x50, 1])));
    expect(await statusOf(unknownFields(10_000))).toBe('0');
    expect(await statusOf(unknownFields(10_001))).toBe('3');
    expect(await statusOf(unknownFields(500_000))).toBe('3');
  });

  it('reads only short messages of an operation that needs no token [ADM-026]', async () => {
    const unknownFields = (count: number): Buffer => Buffer.alloc(2 * count, Buffer.from([0x50, 1]));
    for (const path of ['/grpc.health.v1.Health/Check', '/service.admin.v1.AdminService/Healthz']) {
      expect([path, (await client.callBytes(path, unknownFields(2_000))).code]).toEqual([path, 0]);
      expect([path, (await client.callBytes(path, unknownFields(3_000))).code]).toEqual([path, 8]);
    }
  });

  it('asks no two callers, and reads no more metadata than fits [ADM-027]', async () => {
    expect(await statusOf(frame(Buffer.alloc(0)), { authorization: [`Bearer ${pat}`, 'Bearer x'] })).toMatch(
      /^16$|^reset|^HTTP/,
    );
    expect(verdict(await client.call(GetMyOrg, {}, { ...token, 'x-service-orgid': [org.id, other.id] }))).toBe(
      '3 org_header.repeated',
    );
    expect(await statusOf(frame(Buffer.alloc(0)), { ':authority': 'evil.test' })).toBe('0');
    expect(await statusOf(frame(Buffer.alloc(0)), { 'x-data-bin': '%%%' })).toBe('0');
    expect(
      await statusOf(frame(Buffer.alloc(0)), {
        authorization: '',
        'authorization-bin': Buffer.from(`Bearer ${pat}`).toString('base64'),
      }),
    ).toBe('16');
    expect(await statusOf(frame(Buffer.alloc(0)), { authorization: '', cookie: `authorization=Bearer ${pat}` })).toBe(
      '16',
    );
    expect(await statusOf(frame(Buffer.alloc(0)), { ':authority': 'a b/c' })).toMatch(/^3$|^reset/);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'v']));
    expect(await statusOf(frame(Buffer.alloc(0)), many)).toMatch(/^reset|^HTTP 431/);
    expect(await client.call(GetMyOrg, {}, token)).toMatchObject({ code: 0 });
  });

  it('does not know what it does not have [ADM-028]', async () => {
    expect(
      await client.call(GetMyOrg, {}, token, {}, '/service.management.v1.ManagementService/Nothing'),
    ).toMatchObject({ code: 12 });
    expect(await client.call(GetMyOrg, {}, token, {}, '/other.v1.Service/GetMyOrg')).toMatchObject({ code: 12 });
    expect(await statusOf(frame(Buffer.alloc(0)), { 'content-type': 'application/grpc+json' })).toBe('HTTP 415');
    expect(await statusOf(undefined, {}, { method: 'GET' })).toMatch(/^HTTP 405$|^3$|^12$|^13$/);
  });

  it('keeps deadlines, and stores nothing for callers that have disconnected [ADM-029]', async () => {
    expect(await statusOf(frame(Buffer.alloc(0)), { 'grpc-timeout': '1n' })).toBe('4');
    for (const timeout of ['99999999H', 'x', '-1S', '999999999S'])
      expect(await statusOf(frame(Buffer.alloc(0)), { 'grpc-timeout': timeout })).toBe('3');
    expect((await client.call(AddProject, { name: 'Too late' }, token, { deadline: new Date(1) })).code).toBe(4);
    expect(JSON.stringify((await client.call(ListProjects, {}, token)).answer)).not.toContain('Too late');
  });

  it('waits no longer for the rest of a message than its sender would for the answer [ADM-026]', async () => {
    const half = frame(Buffer.from([10, 5, 65]), 0, 7);
    const { reply, trailers } = await sendHttp2(world.origin, {
      method: 'POST',
      path: AddProject.path,
      headers: { 'content-type': 'application/grpc', 'grpc-timeout': '300m', ...token },
      body: half,
      halfOpen: true,
    });
    expect([reply.status, trailers['grpc-status']]).toEqual([200, '4']);
  });

  it.each(['cancels', 'has a deadline that passes'])(
    'stores all or nothing for a caller who %s while it is stored [ADM-029]',
    async (how) => {
      const name = `Given up: ${how}`;
      const blocker = new pg.Client(world.database.url);
      await blocker.connect();
      await blocker.query('BEGIN; LOCK TABLE project IN ACCESS EXCLUSIVE MODE');
      const session = connectHttp2(world.origin);
      const timeout = how === 'cancels' ? {} : { 'grpc-timeout': '300m' };
      const stream = session.request({
        ':method': 'POST',
        ':path': AddProject.path,
        'content-type': 'application/grpc',
        ...token,
        ...timeout,
      });
      const ended = new Promise<string>((resolve) => {
        stream.on('trailers', (trailers) => resolve(String(trailers['grpc-status'])));
        stream
          .on('error', () => undefined)
          .on('close', () => resolve('closed'))
          .resume();
      });
      stream.end(frame(AddProject.requestSerialize({ name })));
      await untilWaiting();
      if (how === 'cancels') stream.close(constants.NGHTTP2_CANCEL);
      expect(await ended).toBe(how === 'cancels' ? 'closed' : '4');
      await blocker.query('COMMIT');
      await blocker.end();
      expect(await client.call(AddProject, { name: `${name}, the next` }, token)).toMatchObject({ code: 0 });
      const [counted] = await world.rows<{
        projects: string;
        events: string;
      }>(`SELECT count(DISTINCT p.id) AS projects, count(e.position) AS events
      FROM project p LEFT JOIN event e ON e.aggregate_type = 'project' AND e.aggregate_id = p.id AND e.type = 'project.added' WHERE p.name LIKE 'Given up: ${how}%'`);
      expect(counted!.events).toBe(counted!.projects);
      session.destroy();
    },
  );

  it.each([
    ['unknown fields', Buffer.from([0xf8, 0x07, 1]), '3'],
    ['a wrong wire type', Buffer.from([0x08, 1]), '3'],
    ['invalid UTF-8', Buffer.from([0x0a, 2, 0xc3, 0x28]), '3'],
    ['a length beyond the end', Buffer.from([0x0a, 0x7f, 65]), '3'],
    ['groups, nested 10,000 deep', Buffer.alloc(20_000, 0x0b), '3'],
    ['a NUL', Buffer.from([0x0a, 2, 0, 65]), '3'],
  ])('refuses %s, or overlooks it and then what is missing [ADM-030]', async (_, body, status) => {
    expect(await statusOf(frame(body), {}, { path: AddProject.path })).toBe(status);
  });
});

function reflectionOf(version: string): (typeof management)[string] {
  return methodsOf(`grpc.reflection.${version}.ServerReflection`)['ServerReflectionInfo']!;
}

/** Until a session waits for a lock on the table of projects. */
async function untilWaiting(): Promise<void> {
  for (;;) {
    const waiting = await world.rows(`SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE d.datname = current_database() AND relation = 'project'::regclass AND NOT granted`);
    if (waiting.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
