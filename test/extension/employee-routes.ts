import { Controller, Delete, Get, Injectable, Module, Post, Put } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { Parts, Text } from '../../src/admin/kit/wire/fields.js';
import { AdminRoutes } from '../../src/extension/facade/admin/admin-routes.js';
import { Asking, Message, OfOrg, Operation, Requires } from '../../src/extension/facade/admin/operation.js';
import type { Caller } from '../../src/extension/facade/caller.js';
import { Database } from '../../src/extension/facade/database.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { DomainError } from '../../src/foundation/error/domain-error.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { describedElsewhere } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';

export const EMPLOYEES = '/management/v1/ext/hr/employees';

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

/** Without our decorators, as anywhere in Nest. */
class Desk {
  @ApiProperty({ description: 'The ID of the user.', example: '123' })
  @IsString()
  @Length(1, 200)
  readonly userId!: string;

  @ApiProperty({ description: 'The floor, from the ground.', example: 3 })
  @IsInt()
  @Min(0)
  @Max(90)
  readonly floor!: number;

  @IsOptional()
  @IsString()
  readonly room?: string;
}

class Done {}

@Controller('management/v1/ext/hr/employees')
@OfOrg()
@Injectable()
export class EmployeeController {
  /** What the list does next; usually its work. */
  static instead: (() => Promise<never> | never | Promise<unknown>) | undefined;

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
    if (EmployeeController.instead) return (await EmployeeController.instead()) as ListUsersResponse;
    const result = await this.database.query<Employee>(
      'SELECT user_id AS "userId", cost_centre AS "costCentre" FROM ext_hr.employee WHERE org_id = :orgId',
      { orgId },
    );
    return { result };
  }

  @Put(':userId/desk')
  @Requires('ext.hr.employee.write')
  @Operation({ id: 'SeatEmployee', summary: 'Seat an employee', request: Desk, returns: Desk })
  seat(@Asking() _: Caller, @Message() desk: Desk): Desk {
    return desk;
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

/** Employees with their cost centres, and a report. */
export const hr = defineExtension({
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

/** A service whose operations of extensions may take 2 s: those that work need less, also on a busy machine. */
export async function startWithEmployees(): Promise<World> {
  const world = await startWorld({ extensions: [hr], timeouts: new Timeouts(10_000, 2_000) });
  describedElsewhere.add(world.origin); // the committed document has no extension
  return world;
}
