import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  ConflictException,
  ForbiddenException,
  GoneException,
  type HttpException,
  InternalServerErrorException,
  NotFoundException,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { LazyGrpcServer } from '../../src/admin/kit/grpc/lazy-grpc-server.js';
import { ApiDocument } from '../../src/docs/api-document.js';
import { type Face, type Method, methodsById, overGrpc, overJson, overWeb } from '../grpc/faces.js';
import { GrpcClient } from '../grpc/grpc-clients.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { sendUnchecked } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { EMPLOYEES, EmployeeController, startWithEmployees } from './employee-routes.js';

let world: World;
let org: TestOrg;
let owner: AdminApi;
let viewer: AdminApi;
let stranger: AdminApi;
let iamOwner: AdminApi;

beforeAll(async () => {
  world = await startWithEmployees();
  org = await world.cast.orgA;
  owner = (await callerWith(world, org, ['ORG_OWNER'])).api;
  viewer = (await callerWith(world, org, ['ORG_OWNER_VIEWER'])).api;
  stranger = (await callerWith(world, await world.cast.orgB, ['ORG_OWNER'])).api;
  iamOwner = (await callerWith(world, org, ['IAM_OWNER'])).api;
});
afterEach(() => {
  EmployeeController.instead = undefined;
});
afterAll(() => world.close());

describe('An operation of an extension', () => {
  it('serves who has its permission, in the organization of the call and in no other', async () => {
    expect(await owner.verdict('POST', EMPLOYEES, { userId: 'u1', costCentre: 'K-1' })).toBe('200');
    expect(await stranger.verdict('POST', EMPLOYEES, { userId: 'u2', costCentre: 'K-2' })).toBe('200');
    expect(await viewer.call('GET', EMPLOYEES)).toEqual({ result: [{ userId: 'u1', costCentre: 'K-1' }] });
    expect(await stranger.call('GET', EMPLOYEES)).toEqual({ result: [{ userId: 'u2', costCentre: 'K-2' }] });
    expect(await stranger.about(org.id).verdict('GET', EMPLOYEES)).toBe('403 permission.missing');
    expect(await iamOwner.about(org.id).call('GET', EMPLOYEES)).toEqual({
      result: [{ userId: 'u1', costCentre: 'K-1' }],
    });
    expect(await iamOwner.about('no-such').verdict('GET', EMPLOYEES)).toBe('404 org.not_found');
  });

  it('is denied by default', async () => {
    const nobody = (await callerWith(world, org, ['ORG_USER_MANAGER'])).api;
    expect(await nobody.verdict('GET', EMPLOYEES)).toBe('403 permission.missing');
    expect(await viewer.verdict('POST', EMPLOYEES, { userId: 'u9', costCentre: 'K-9' })).toBe('403 permission.missing');
    expect(await owner.verdict('GET', '/admin/v1/ext/hr/report')).toBe('403 permission.missing');
    expect(await iamOwner.verdict('GET', '/admin/v1/ext/hr/report')).toBe('200');
    for (const headers of [{}, bearer('no-token')])
      expect((await sendUnchecked(world.origin, { path: EMPLOYEES, headers })).status).toBe(401);
  });

  it('reads, validates and refuses like those of the product', async () => {
    expect(await owner.verdict('POST', EMPLOYEES, { userId: 'u3' })).toBe('400 costCentre');
    expect(await owner.verdict('POST', EMPLOYEES, { user_id: 7, costCentre: '' })).toMatch(/^400 /);
    expect(await owner.verdict('POST', EMPLOYEES, '{')).toMatch(/^400 /);
    expect(await owner.verdict('DELETE', `${EMPLOYEES}/nobody`)).toBe('404 hr.employee_unknown');
    expect((await owner.ask('PUT', EMPLOYEES)).status).toBe(405);
    expect((await owner.ask('GET', `${EMPLOYEES}/a/b`)).status).toBe(404);
  });

  it('is validated by the decorators of class-validator alone, where its messages have no others', async () => {
    const desk = `${EMPLOYEES}/u1/desk`;
    expect(await owner.call('PUT', desk, { floor: 3 })).toEqual({ userId: 'u1', floor: 3 });
    expect(await owner.call('PUT', desk, { floor: 3, room: 'B' })).toEqual({ userId: 'u1', floor: 3, room: 'B' });
    expect(await owner.verdict('PUT', desk, { floor: 91 })).toBe('400 floor');
    expect(await owner.verdict('PUT', desk, {})).toBe('400 floor, floor, floor');
    expect(await owner.verdict('PUT', desk, { floor: 3, room: 4 })).toBe('400 room');
  });

  it.each<[string, HttpException, string]>([
    ['ForbiddenException', new ForbiddenException('Not today.'), '403 hr.denied'],
    ['NotFoundException', new NotFoundException('No such list.'), '404 hr.not_found'],
    ['BadRequestException', new BadRequestException('Which list?'), '400 hr.invalid'],
    ['ConflictException', new ConflictException('Two lists.'), '409 hr.conflict'],
    ['UnauthorizedException', new UnauthorizedException('Who?'), '401 hr.unauthenticated'],
    ['GoneException', new GoneException('No more.'), '400 hr.refused'],
    ['ServiceUnavailableException', new ServiceUnavailableException('Later.'), '503 hr.unavailable'],
  ])(
    'refuses by %s of Nest as by a DomainError: with its status and its message, in JSON and gRPC, and it counts as no failure',
    async (_, exception, verdict) => {
      EmployeeController.instead = () => Promise.reject(exception);
      const lines = world.logText().length;
      const inJson = await sendUnchecked(world.origin, { path: EMPLOYEES, headers: bearer(owner.token) });
      expect(`${inJson.status} ${inJson.json<{ details: Array<{ id: string }> }>().details[0]!.id}`).toBe(verdict);
      expect(inJson.text).toContain(exception.message);
      const client = new GrpcClient(world.origin);
      try {
        const { rpc } = methodsById(world).get('ListEmployees')!;
        const overGrpc = await client.callBytes(`/${rpc.parent.typeName}/${rpc.name}`, Buffer.alloc(0), {
          authorization: `Bearer ${owner.token}`,
        });
        expect([overGrpc.code, overGrpc.id]).toEqual([inJson.json<{ code: number }>().code, verdict.slice(4)]);
      } finally {
        client.close();
      }
      expect(world.logText().slice(lines)).not.toContain('an extension failed');
    },
  );

  it.each<[string, () => Promise<never> | never | Promise<unknown>, number]>([
    ['throws', () => Promise.reject(new Error('a defect')), 500],
    ['fails by its own word', () => Promise.reject(new InternalServerErrorException('a defect')), 500],
    [
      'throws at once',
      () => {
        throw new TypeError('a defect');
      },
      500,
    ],
    ['answers nonsense', () => Promise.resolve(null), 500],
    ['hangs', () => new Promise(() => undefined), 504],
  ])('that %s fails alone: the log names it, and the caller learns nothing of the cause', async (_, broken, status) => {
    EmployeeController.instead = broken;
    const lines = world.logText().length;
    const reply = await sendUnchecked(world.origin, { path: EMPLOYEES, headers: bearer(owner.token) });
    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain('a defect');
    const line = world
      .logText()
      .slice(lines)
      .split('\n')
      .find((text) => text.includes('an extension failed'));
    expect(JSON.parse(line!)).toMatchObject({ extension: 'hr', seam: 'ROUTES', part: 'ListEmployees' });
    EmployeeController.instead = undefined;
    expect(await owner.verdict('GET', EMPLOYEES)).toBe('200');
  });
});

describe('In gRPC and gRPC-web', () => {
  let methods: Map<string, Method>;
  let client: GrpcClient;

  beforeAll(() => {
    methods = methodsById(world);
    client = new GrpcClient(world.origin);
  });
  afterAll(() => client.close());

  it('the operations of an extension are in a package of its own, and none of them in those of the product', () => {
    expect(methods.get('ListEmployees')!.rpc.parent.typeName).toBe('service.ext.hr.management.v1.ManagementService');
    expect(methods.get('GetReport')!.rpc.parent.typeName).toBe('service.ext.hr.admin.v1.AdminService');
    const product = methods.get('ListUsers')!.rpc.parent;
    expect(product.typeName).toBe('service.management.v1.ManagementService');
    expect(product.methods.map(({ name }) => name)).not.toContain('ListEmployees');
    expect(world.get(LazyGrpcServer).services).toEqual(
      expect.arrayContaining([
        'service.management.v1.ManagementService',
        'service.ext.hr.management.v1.ManagementService',
      ]),
    );
  });

  it('they answer, refuse and fail as in JSON', async () => {
    const faces: Face[] = [overJson(world.origin), overGrpc(client), overWeb(world.origin)];
    const seen = async (
      id: string,
      http: { method: string; path: string },
      message: Record<string, string | number>,
      api: AdminApi,
    ) => {
      const call = { rpc: methods.get(id)!.rpc, http, message, metadata: { authorization: `Bearer ${api.token}` } };
      const all = [];
      for (const face of faces) all.push(await face(call));
      expect(all[1]).toEqual(all[0]);
      expect(all[2]).toEqual(all[0]);
      return all[0]!;
    };
    const list = { method: 'GET', path: EMPLOYEES };
    expect((await seen('ListEmployees', list, {}, owner)).answer).toEqual({
      result: [{ userId: 'u1', costCentre: 'K-1' }],
    });
    expect((await seen('ListEmployees', list, {}, (await callerWith(world, org, [])).api)).verdict).toContain(
      'permission.missing',
    );
    const remove = { method: 'DELETE', path: `${EMPLOYEES}/nobody` };
    expect((await seen('RemoveEmployee', remove, { userId: 'nobody' }, owner)).verdict).toContain(
      'hr.employee_unknown',
    );
    const seat = { method: 'PUT', path: `${EMPLOYEES}/u1/desk`, body: JSON.stringify({ floor: 91 }) };
    expect((await seen('SeatEmployee', seat, { userId: 'u1', floor: 91 }, owner)).verdict).toContain('floor');
  });

  it('an operation that hangs ends at its limit', async () => {
    EmployeeController.instead = () => new Promise(() => undefined);
    const { rpc } = methods.get('ListEmployees')!;
    const outcome = await client.callBytes(`/${rpc.parent.typeName}/${rpc.name}`, Buffer.alloc(0), {
      authorization: `Bearer ${owner.token}`,
    });
    expect([outcome.code, outcome.id]).toEqual([4, 'extension.too_slow']);
  });
});

describe('The document of the API', () => {
  interface Described {
    readonly operationId: string;
    readonly tags: readonly string[];
    readonly description: string;
    readonly responses: Readonly<Record<string, { content: Record<string, { schema: { $ref: string } }> }>>;
  }

  it('contains the operations of an extension under its id, with their permissions, apart from the names of the product', async () => {
    const document = await world.get(ApiDocument).get();
    const list = document.paths[EMPLOYEES]!.get as unknown as Described;
    expect(list).toMatchObject({
      operationId: 'hr.ListEmployees',
      tags: ['Extension hr'],
      description: expect.stringContaining('`ext.hr.employee.read`'),
    });
    expect(list.responses['200']!.content['application/json']!.schema.$ref).toBe(
      '#/components/schemas/hr.ListUsersResult',
    );
    const schemas = document.components!.schemas as Record<string, { properties: object; required?: string[] }>;
    expect(Object.keys(schemas['hr.ListUsersResult']!.properties)).toEqual(['result']);
    expect(schemas['ListUsersResult']!.properties).toHaveProperty('details');
    expect(schemas['hr.ListUsersResult']!.required).toEqual(['result']);
    const remove = document.paths[`${EMPLOYEES}/{userId}`]!.delete as unknown as Described;
    expect(JSON.stringify(remove.responses['404'])).toContain('hr.employee_unknown');
    expect(document.tags!.map(({ name }) => name)).toContain('Extension hr');
    expect(schemas['hr.Desk']).toMatchObject({
      properties: { floor: { description: 'The floor, from the ground.', example: 3 }, room: { type: 'string' } },
      required: ['userId', 'floor'],
    });
    const groups = (document as unknown as { 'x-tagGroups': Array<{ name: string; tags: string[] }> })['x-tagGroups'];
    expect(groups.find(({ name }) => name === 'Extensions')!.tags).toEqual(['Extension hr']);
  });
});
