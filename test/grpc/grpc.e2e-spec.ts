import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import type { Headers } from '../support/http.js';
import { sendHttp2 } from '../support/http2.js';
import { startWorld, type World } from '../support/world.js';
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
async function statusOf(body: Buffer | undefined, headers: Headers = {}, { path = GetMyOrg.path, method = 'POST' } = {}): Promise<string> {
  const { reply, trailers, reset } = await sendHttp2(world.origin, { method, path, headers: { 'content-type': 'application/grpc', 'te': 'trailers', ...token, ...headers }, ...(body ? { body } : {}) });
  const status = trailers['grpc-status'] ?? reply.header('grpc-status');
  return String(status ?? (reset === 0 ? `HTTP ${reply.status}` : `reset ${reset}`));
}

describe('gRPC, on the port of everything else', () => {
  it('does what the same operation does in JSON, for the organization of the metadata', async () => {
    expect(await client.call(AddProject, { name: 'Proper' }, token)).toMatchObject({ code: 0, answer: { details: { resourceOwner: org.id } } });
    expect(await client.call(GetMyOrg, {}, { ...token, 'x-service-orgid': other.id })).toMatchObject({ code: 0, answer: { org: { id: other.id } } });
  });

  it('names what is wrong in the message and in the details', async () => {
    const outcome = await client.call(AddProject, { name: '', admins: [{}] }, token);
    expect(outcome).toMatchObject({ code: 3, fields: expect.arrayContaining(['name']) as unknown });
    expect(outcome.message).toContain('name: must have 1 to 200 characters');
  });

  it('sends to JSON whoever asks for what no message holds', async () => {
    const exported = methodsOf('service.admin.v1.AdminService')['ExportData'];
    if (exported) expect(await client.call(exported, {}, token)).toMatchObject({ code: 8, id: 'operation.streams', message: expect.stringContaining('POST /admin/v1/export') as unknown });
  });
});

describe('Reflection and health', () => {
  it.each(['v1', 'v1alpha'])('lists and describes the services, %s', async (version) => {
    const method = methodsOf(`grpc.reflection.${version}.ServerReflection`)['ServerReflectionInfo']!;
    const [listed] = await client.ask(method, { listServices: '' });
    const { service } = listed!['listServicesResponse'] as { service: ReadonlyArray<{ name: string }> };
    expect(service.map(({ name }) => name)).toEqual(expect.arrayContaining(['service.admin.v1.AdminService', 'service.management.v1.ManagementService', 'grpc.health.v1.Health']));
    const [described] = await client.ask(method, { fileContainingSymbol: 'service.management.v1.ManagementService.AddProject' });
    const files = (described!['fileDescriptorResponse'] as { fileDescriptorProto: readonly Buffer[] }).fileDescriptorProto;
    expect(files.map((file) => file.toString('latin1')).filter((text) => text.includes('ManagementService'))).not.toEqual([]);
    expect((await client.ask(method, { fileByFilename: 'google/api/annotations.proto' }))[0]).toHaveProperty('fileDescriptorResponse');
    expect((await client.ask(method, { fileContainingSymbol: 'nothing.Here' }))[0]).toMatchObject({ errorResponse: { errorCode: 5 } });
  });

  it('tells balancers whether it serves', async () => {
    const check = methodsOf('grpc.health.v1.Health')['Check']!;
    expect(await client.call(check, {})).toMatchObject({ code: 0, answer: { status: 'SERVING' } });
    expect(await client.call(check, { service: 'service.admin.v1.AdminService' })).toMatchObject({ answer: { status: 'SERVING' } });
    expect(await client.call(check, { service: 'nobody' })).toMatchObject({ code: 5 });
  });
});

describe('Bad input', () => {
  it('ADM-026: refuses what is too long before it is there, and what is compressed beyond it', async () => {
    expect(await statusOf(frame(Buffer.alloc(0), 0, 0xffffffff))).toBe('8');
    expect(await statusOf(frame(Buffer.alloc(5_000_000)))).toMatch(/^8$|^reset/);
    expect(await statusOf(frame(gzipSync(Buffer.alloc(50_000_000)), 1), { 'grpc-encoding': 'gzip' })).toBe('8');
    expect(await statusOf(frame(gzipSync(Buffer.alloc(0)), 1), { 'grpc-encoding': 'gzip' })).toBe('0');
    expect(await statusOf(frame(Buffer.alloc(0), 1), { 'grpc-encoding': 'zstd' })).toBe('12');
  });

  it('ADM-027: asks no two callers, and reads no more metadata than fits', async () => {
    expect(await statusOf(frame(Buffer.alloc(0)), { authorization: [`Bearer ${pat}`, 'Bearer x'] })).toMatch(/^16$|^reset|^HTTP/);
    expect(verdict(await client.call(GetMyOrg, {}, { ...token, 'x-service-orgid': [org.id, other.id] }))).toBe('3 org_header.repeated');
    expect(await statusOf(frame(Buffer.alloc(0)), { ':authority': 'evil.test' })).toBe('0');
    expect(await statusOf(frame(Buffer.alloc(0)), { ':authority': 'a b/c' })).toMatch(/^3$|^reset/);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'v']));
    expect(await statusOf(frame(Buffer.alloc(0)), many)).toMatch(/^reset|^HTTP 431/);
    expect(await client.call(GetMyOrg, {}, token)).toMatchObject({ code: 0 });
  });

  it('ADM-028: does not know what it does not have', async () => {
    expect(await client.call(GetMyOrg, {}, token, {}, '/service.management.v1.ManagementService/Nothing')).toMatchObject({ code: 12 });
    expect(await client.call(GetMyOrg, {}, token, {}, '/other.v1.Service/GetMyOrg')).toMatchObject({ code: 12 });
    expect(await statusOf(frame(Buffer.alloc(0)), { 'content-type': 'application/grpc+json' })).toBe('HTTP 415');
    expect(await statusOf(undefined, {}, { method: 'GET' })).toMatch(/^HTTP 405$|^3$|^12$|^13$/);
  });

  it('ADM-029: keeps to deadlines, and stores nothing for whoever has gone', async () => {
    expect(await statusOf(frame(Buffer.alloc(0)), { 'grpc-timeout': '1n' })).toBe('4');
    for (const timeout of ['99999999H', 'x', '-1S', '999999999S']) expect(await statusOf(frame(Buffer.alloc(0)), { 'grpc-timeout': timeout })).toBe('3');
    expect((await client.call(AddProject, { name: 'Too late' }, token, { deadline: new Date(1) })).code).toBe(4);
    expect(JSON.stringify((await client.call(ListProjects, {}, token)).answer)).not.toContain('Too late');
  });

  it.each([
    ['unknown fields', Buffer.from([0xf8, 0x07, 1]), '3'],
    ['a wrong wire type', Buffer.from([0x08, 1]), '3'],
    ['invalid UTF-8', Buffer.from([0x0a, 2, 0xc3, 0x28]), '3'],
    ['a length beyond the end', Buffer.from([0x0a, 0x7f, 65]), '3'],
    ['groups, nested 10,000 deep', Buffer.alloc(20_000, 0x0b), '3'],
    ['a NUL', Buffer.from([0x0a, 2, 0, 65]), '3'],
  ])('ADM-030: refuses %s, or overlooks it and then what is missing', async (_, body, status) => {
    expect(await statusOf(frame(body), {}, { path: AddProject.path })).toBe(status);
  });
});

describe('URN_WORD', () => {
  it('names the packages, the metadata and the details', async () => {
    const acme = await startWorld({ replicaOf: world, env: { URN_WORD: 'acme' } });
    const another = new GrpcClient(acme.origin);
    try {
      expect(await another.call(GetMyOrg, {}, { ...token, 'x-acme-orgid': other.id }, {}, '/acme.management.v1.ManagementService/GetMyOrg')).toMatchObject({ code: 0, answer: { org: { id: other.id } } });
      expect(await another.call(GetMyOrg, {}, token)).toMatchObject({ code: 12 });
      expect(verdict(await another.call(GetMyOrg, {}, {}, {}, '/acme.management.v1.ManagementService/GetMyOrg'))).toBe('16 token.missing');
      expect((await another.callBytes('/acme.auth.v1.AuthService/ListMyAcmePermissions', Buffer.alloc(0), token)).code).toBe(0);
    } finally {
      another.close();
      await acme.close();
    }
  });
});
