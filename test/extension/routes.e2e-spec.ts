import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  ConflictException,
  Controller,
  Delete,
  ForbiddenException,
  Get,
  GoneException,
  type HttpException,
  Injectable,
  InternalServerErrorException,
  Module,
  NotFoundException,
  Post,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { LazyGrpcServer } from '../../src/admin/grpc/lazy-grpc-server.js';
import { Parts, Text } from '../../src/admin/wire/fields.js';
import { ApiDocument } from '../../src/docs/api-document.js';
import { AdminRoutes } from '../../src/facade/admin/admin-routes.js';
import { Asking, type Caller, Message, OfOrg, Operation, Requires } from '../../src/facade/admin/operation.js';
import { Database } from '../../src/facade/database.js';
import { GatehouseServices } from '../../src/facade/gatehouse-services.js';
import { DomainError } from '../../src/foundation/error/domain-error.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { type Face, type Method, methodsById, overGrpc, overJson, overWeb } from '../grpc/faces.js';
import { GrpcClient } from '../grpc/grpc-clients.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { describedElsewhere, sendUnchecked } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const EMPLOYEES = '/management/v1/ext/hr/employees';

const employeeUnknown = (): DomainError =>
  new DomainError('NotFound', 'hr.employee_unknown', 'The employee does not exist in this organization.');

class Employee {
  @Text(1, { min: 1, max: 200, description: 'The ID of the user.', example: '123' })
  readonly userId!: string;

  @Text(2, { min: 1, max: 40, description: 'Where the costs go.', example: 'K-100' })
  readonly costCentre!: string;
}

class EmployeeId {
  @Text(1, { min: 1, max: 200, example: '123' })
  readonly userId!: string;
}

/** The product has a message of this name. */
class ListUsersResponse {
  @Parts(1, () => Employee)
  readonly result!: Employee[];
}

class Done {}

/** What the operations do next; usually their work. */
let instead: (() => Promise<never> | never | Promise<unknown>) | undefined;

@Controller('management/v1/ext/hr/employees')
@OfOrg()
@Injectable()
class EmployeeController {
  constructor(private readonly database: Database) {}

  @Post()
  @Requires('ext.hr.employee.write')
  @Operation({ id: 'AddEmployee', summary: 'Add an employee', request: Employee, returns: Done })
  async add(@Asking() caller: Caller, @Message() { userId, costCentre }: Employee): Promise<Done> {
    await this.database.query(
      'INSERT INTO ext_hr.employee (user_id, org_id, cost_centre) VALUES (:userId, :orgId, :costCentre)',
      { userId, orgId: caller.orgId, costCentre },
    );
    return {};
  }

  @Get()
  @Requires('ext.hr.employee.read')
  @Operation({ id: 'ListEmployees', summary: 'List the employees', returns: ListUsersResponse })
  async list(@Asking() { orgId }: Caller): Promise<ListUsersResponse> {
    if (instead) return (await instead()) as ListUsersResponse;
    const result = await this.database.query<Employee>(
      'SELECT user_id AS "userId", cost_centre AS "costCentre" FROM ext_hr.employee WHERE org_id = :orgId',
      { orgId },
    );
    return { result };
  }

  @Delete(':userId')
  @Requires('ext.hr.employee.write')
  @Operation({
    id: 'RemoveEmployee',
    summary: 'Remove an employee',
    request: EmployeeId,
    returns: Done,
    refuses: [employeeUnknown()],
  })
  async remove(@Asking() { orgId }: Caller, @Message() { userId }: EmployeeId): Promise<Done> {
    const removed = await this.database.query(
      'DELETE FROM ext_hr.employee WHERE user_id = :userId AND org_id = :orgId RETURNING user_id',
      { userId, orgId },
    );
    if (removed.length === 0) throw employeeUnknown();
    return {};
  }
}

@Controller('admin/v1/ext/hr')
class ReportController {
  @Get('report')
  @Requires('ext.hr.report.read')
  @Operation({ id: 'GetReport', summary: 'Get the report', returns: Done })
  get(): Done {
    return {};
  }
}

@Module({ imports: [GatehouseServices, AdminRoutes], controllers: [EmployeeController, ReportController] })
class HrModule {}

const hr = defineExtension({
  id: 'hr',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HrModule,
  permissions: [
    { name: 'ext.hr.employee.read', level: 'org', heldBy: ['ORG_OWNER', 'ORG_OWNER_VIEWER'] },
    { name: 'ext.hr.employee.write', level: 'org', heldBy: ['ORG_OWNER'] },
    { name: 'ext.hr.report.read', level: 'instance', heldBy: ['IAM_OWNER_VIEWER'] },
  ],
  roles: [{ name: 'EXT_HR_CLERK', level: 'org', permissions: ['ext.hr.employee.read', 'ext.hr.employee.write'] }],
  schemaChanges: [
    {
      name: '1-employee',
      up: `CREATE TABLE employee (
        user_id text PRIMARY KEY,
        org_id text NOT NULL,
        cost_centre text NOT NULL
      );
      CREATE INDEX employee_org_id_idx ON employee (org_id)`,
    },
  ],
});

let world: World;
let org: TestOrg;
let owner: AdminApi;
let viewer: AdminApi;
let stranger: AdminApi;
let iamOwner: AdminApi;

beforeAll(async () => {
  world = await startWorld({ extensions: [hr], timeouts: new Timeouts(10_000, 200) });
  describedElsewhere.add(world.origin); // the committed document has no extension
  org = await world.cast.orgA;
  owner = (await callerWith(world, org, ['ORG_OWNER'])).api;
  viewer = (await callerWith(world, org, ['ORG_OWNER_VIEWER'])).api;
  stranger = (await callerWith(world, await world.cast.orgB, ['ORG_OWNER'])).api;
  iamOwner = (await callerWith(world, org, ['IAM_OWNER'])).api;
});
afterEach(() => {
  instead = undefined;
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
      instead = () => Promise.reject(exception);
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
    instead = broken;
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
    instead = undefined;
    expect(await owner.verdict('GET', EMPLOYEES)).toBe('200');
  });
});

describe('A role of an extension', () => {
  it('is offered at its level, granted like any other, and ends with its removal', async () => {
    const { result } = await owner.call<{ result: string[] }>('POST', '/management/v1/orgs/members/roles/_search', {});
    expect(result).toContain('EXT_HR_CLERK');
    const clerk = await callerWith(world, org, []);
    expect(await clerk.api.verdict('GET', EMPLOYEES)).toBe('403 permission.missing');
    const member = { userId: clerk.service.id, roles: ['EXT_HR_CLERK'] };
    expect(await owner.verdict('POST', '/management/v1/orgs/me/members', member)).toBe('200');
    expect(await clerk.api.verdict('GET', EMPLOYEES)).toBe('200');
    expect(await clerk.api.verdict('POST', '/management/v1/users/_search', {})).toBe('403 permission.missing');
    expect(await owner.verdict('DELETE', `/management/v1/orgs/me/members/${clerk.service.id}`)).toBe('200');
    expect(await clerk.api.verdict('GET', EMPLOYEES)).toBe('403 permission.missing');
  });

  it('is not granted by callers who hold less, nor at another level', async () => {
    const { service } = await callerWith(world, org, []);
    const settings = (await callerWith(world, org, ['IAM_ORG_MANAGER'])).api;
    const member = { userId: service.id, roles: ['EXT_HR_CLERK'] };
    expect(await settings.about(org.id).verdict('POST', '/management/v1/orgs/me/members', member)).toBe(
      '403 permission.role_too_strong',
    );
    expect(await iamOwner.verdict('POST', '/admin/v1/members', member)).toBe('400 roles');
  });
});

describe('A document for an import', () => {
  it('keeps roles of extensions that are loaded, and leaves others out with a note', async () => {
    const user = {
      userName: 'clerk@imported.test',
      profile: { firstName: 'C', lastName: 'C' },
      email: { email: 'clerk@imported.test', isEmailVerified: true },
    };
    const orgs = [
      {
        orgId: 'org-imported',
        org: { name: 'Imported' },
        humanUsers: [{ userId: 'clerk-imported', state: 'USER_STATE_ACTIVE', user }],
        orgMembers: [{ userId: 'clerk-imported', roles: ['EXT_HR_CLERK', 'EXT_CRM_SELLER', 'ORG_OWNER_VIEWER'] }],
      },
    ];
    const answer = await iamOwner.call('POST', '/admin/v1/import', { data_orgs: { orgs } });
    expect(answer['errors']).toEqual([
      expect.objectContaining({ message: expect.stringContaining('EXT_CRM_SELLER has no counterpart here') }),
    ]);
    expect(await world.rows("SELECT roles FROM member WHERE user_id = 'clerk-imported'")).toEqual([
      { roles: ['EXT_HR_CLERK', 'ORG_OWNER_VIEWER'] },
    ]);
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
      message: Record<string, string>,
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
  });

  it('an operation that hangs ends at its limit', async () => {
    instead = () => new Promise(() => undefined);
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
    const groups = (document as unknown as { 'x-tagGroups': Array<{ name: string; tags: string[] }> })['x-tagGroups'];
    expect(groups.find(({ name }) => name === 'Extensions')!.tags).toEqual(['Extension hr']);
  });
});
