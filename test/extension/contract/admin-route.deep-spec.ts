import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Post } from '@nestjs/common';
import { Parts, Text } from '../../../src/admin/kit/wire/fields.js';
import { AdminRoutes } from '../../../src/extension/facade/admin/admin-routes.js';
import { Asking, Message, OfOrg, Operation, Requires } from '../../../src/extension/facade/admin/operation.js';
import type { Caller } from '../../../src/extension/facade/caller.js';
import { Database } from '../../../src/extension/facade/database.js';
import { GatehouseServices } from '../../../src/extension/facade/gatehouse-services.js';
import { adminRouteContract } from '../../../src/extension/testing/contract/admin-route.contract.js';
import { DomainError } from '../../../src/foundation/error/domain-error.js';
import { defineExtension } from '../../../src/foundation/extension/extension.js';
import { describedElsewhere } from '../../support/http.js';
import { startWorld } from '../../support/world.js';
import { brokenIn } from './broken.js';

class Employee {
  @Text(1, { min: 1, max: 200, description: 'The name.', example: 'anna' })
  readonly name!: string;
}

class Employees {
  @Parts(1, () => Employee)
  readonly result!: Employee[];
}

class Note {
  @Text(1, { max: 200, description: 'What is to be noted.', example: '' })
  readonly text!: string;
}

class Done {}

/** What the operations do instead of their work. */
let instead: ((database: Database) => Promise<Employee[]>) | undefined;

@Controller('management/v1/ext/hr/employees')
@OfOrg()
class EmployeeController {
  constructor(private readonly database: Database) {}

  @Post()
  @Requires('ext.hr.write')
  @Operation({ id: 'AddEmployee', summary: 'Add an employee', request: Employee, returns: Done })
  async add(@Asking() { orgId }: Caller, @Message() { name }: Employee): Promise<Done> {
    await this.database.query('INSERT INTO ext_hr.employee (org_id, name) VALUES (:orgId, :name)', { orgId, name });
    return {};
  }

  @Get()
  @Requires('ext.hr.read')
  @Operation({ id: 'ListEmployees', summary: 'List the employees', returns: Employees })
  async list(@Asking() { orgId }: Caller): Promise<Employees> {
    if (instead) return { result: await instead(this.database) };
    return {
      result: await this.database.query<Employee>('SELECT name FROM ext_hr.employee WHERE org_id = :orgId', { orgId }),
    };
  }
}

@Controller('admin/v1/ext/hr')
class ReportController {
  @Get('report')
  @Requires('ext.hr.report')
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
    { name: 'ext.hr.read', level: 'org', heldBy: ['ORG_OWNER', 'ORG_OWNER_VIEWER'] },
    { name: 'ext.hr.write', level: 'org', heldBy: ['ORG_OWNER'] },
    { name: 'ext.hr.report', level: 'instance', heldBy: ['IAM_OWNER_VIEWER'] },
  ],
  roles: [{ name: 'EXT_HR_CLERK', level: 'org', permissions: ['ext.hr.read', 'ext.hr.write'] }],
  schemaChanges: [
    {
      name: '1-employee',
      up: 'CREATE TABLE employee (org_id text NOT NULL, name text NOT NULL); CREATE INDEX employee_org_id_idx ON employee (org_id)',
    },
  ],
});

@Controller('management/v1/ext/bad/notes')
@OfOrg()
class NoteController {
  @Post()
  @Requires('ext.bad.write')
  @Operation({ id: 'AddNote', summary: 'Add a note', request: Employee, example: { name: '' }, returns: Done })
  async add(@Asking() _: Caller, @Message() __: Note): Promise<Done> {
    return {};
  }
}

@Module({ imports: [AdminRoutes], controllers: [NoteController] })
class BadModule {}

/** Its example is refused by its own fields. */
const bad = defineExtension({
  id: 'bad',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: BadModule,
  permissions: [{ name: 'ext.bad.write', level: 'org', heldBy: ['ORG_OWNER'] }],
});

/**
 * Whether a call is the first, third, fifth … of an operation: of three calls, those in JSON and not the one over gRPC
 * between them.
 */
class Turns {
  private count = 0;

  next(): boolean {
    this.count += 1;
    return this.count % 2 === 1;
  }
}

const reads = new Turns();
const writes = new Turns();

@Controller('admin/v1/ext/half')
class HalfController {
  @Get('employee')
  @Requires('ext.half.read')
  @Operation({ id: 'GetHalf', summary: 'Get the employee', returns: Employee })
  get(): Employee {
    return { name: reads.next() ? 'redacted' : 'anna' };
  }

  @Post('notes')
  @Requires('ext.half.write')
  @Operation({ id: 'AddHalf', summary: 'Add a note', request: Note, example: { text: 'a' }, returns: Done })
  async add(@Asking() _: Caller, @Message() __: Note): Promise<Done> {
    if (writes.next()) throw new DomainError('FailedPrecondition', 'half.closed', 'The office is closed today.');
    return {};
  }
}

@Module({ imports: [AdminRoutes], controllers: [HalfController] })
class HalfModule {}

/** It answers other things over gRPC. */
const half = defineExtension({
  id: 'half',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HalfModule,
  permissions: [
    { name: 'ext.half.write', level: 'instance', heldBy: [] },
    { name: 'ext.half.read', level: 'instance', heldBy: [] },
  ],
});

const world = await startWorld({ extensions: [hr, bad, half] });
describedElsewhere.add(world.origin); // the committed document has no extension
afterAll(() => world.close());

const given = async ({ id }: { readonly id: string }): Promise<string> => {
  await world.sql`INSERT INTO ext_hr.employee VALUES (${id}, ${`of-${id}`})`;
  return `of-${id}`;
};

describe('Operations on a table keep the contract', () => {
  for (const { name, run } of adminRouteContract(world, { extension: 'hr', given })) it(name, run);
});

describe('The contract tells what is wrong with operations', () => {
  afterEach(() => {
    instead = undefined;
  });

  it.each<[string, (database: Database) => Promise<Employee[]>, RegExp, RegExp]>([
    [
      'answers with everybody',
      (database) => database.query<Employee>('SELECT name FROM ext_hr.employee'),
      /data of another/,
      /^ListEmployees answers with data of another organization: "of-\d+"$/,
    ],
    [
      'throws',
      () => Promise.reject(new Error('no table')),
      /example/,
      /^ListEmployees \(GET \/management\/v1\/ext\/hr\/employees\) answers 500: /,
    ],
    [
      'answers nonsense',
      async () => 7 as never,
      /example/,
      /^ListEmployees \(GET \/management\/v1\/ext\/hr\/employees\) answers 500: /,
    ],
  ])('of which one %s', async (_, does, only, message) => {
    instead = does;
    const found = await brokenIn(adminRouteContract(world, { extension: 'hr', given }), only);
    expect(Object.values(found)).toEqual([expect.stringMatching(message)]);
  });

  it('of which none shows what was stored', async () => {
    const unseen = async (): Promise<string> => 'stored nowhere';
    const found = await brokenIn(adminRouteContract(world, { extension: 'hr', given: unseen }), /data of another/);
    expect(Object.values(found)).toEqual([
      'No operation shows "stored nowhere", which "given" has stored, to its own organization: this proves nothing.',
    ]);
  });

  it('whose example is refused', async () => {
    const found = await brokenIn(adminRouteContract(world, { extension: 'bad' }), /example/);
    expect(Object.values(found)).toEqual([
      expect.stringMatching(/^The example of AddNote in the documentation is refused: /),
    ]);
  });

  it('whose answers or refusals are others over gRPC', async () => {
    const found = await brokenIn(adminRouteContract(world, { extension: 'half' }), /gRPC/);
    expect(found).toEqual({
      'gRPC serves and refuses the same callers as JSON':
        'Asked by IAM_OWNER, what GetHalf answers over gRPC, and not in JSON, is {"name":"anna"} instead of {"name":"redacted"}.',
      'gRPC refuses the same broken fields as JSON':
        'AddHalf answers a request without text with 9 half.closed in JSON, and with 0 over gRPC.',
    });
  });

  it('of an extension that has none', async () => {
    const found = await brokenIn(adminRouteContract(world, { extension: 'none' }), /example/);
    expect(Object.values(found)).toEqual(['The extension none has no operations in this world.']);
  });
});
