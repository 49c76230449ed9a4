import { Controller, Get } from '@nestjs/common';
import { Database } from 'gatehouse';
import { Asking, type Caller, OfOrg, Operation, Parts, Requires, Text } from 'gatehouse/admin';

class Employee {
  @Text(1, { description: 'The ID of the user.' })
  readonly userId!: string;

  @Text(2, { description: 'Where their costs go.', example: 'ACME-anna' })
  readonly costCentre!: string;
}

class Employees {
  @Parts(1, () => Employee)
  readonly result!: Employee[];
}

/** Lists employees, in JSON, gRPC and the documentation. */
@Controller('management/v1/ext/hr/employees')
@OfOrg()
export class HrController {
  constructor(private readonly database: Database) {}

  @Get()
  @Requires('ext.hr.employee.read')
  @Operation({ id: 'ListEmployees', summary: 'List the employees of the organization', returns: Employees })
  async list(@Asking() { orgId }: Caller): Promise<Employees> {
    const result = await this.database.query<Employee>(
      `SELECT user_id AS "userId", cost_centre AS "costCentre"
       FROM ext_hr.employee JOIN user_account ON id = user_id WHERE org_id = :orgId ORDER BY id LIMIT 1000`,
      { orgId },
    );
    return { result };
  }
}
