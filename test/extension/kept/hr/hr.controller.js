var __decorate =
  (this && this.__decorate) ||
  function (decorators, target, key, desc) {
    var c = arguments.length,
      r = c < 3 ? target : desc === null ? (desc = Object.getOwnPropertyDescriptor(target, key)) : desc,
      d;
    if (typeof Reflect === 'object' && typeof Reflect.decorate === 'function')
      r = Reflect.decorate(decorators, target, key, desc);
    else
      for (var i = decorators.length - 1; i >= 0; i--)
        if ((d = decorators[i])) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
  };
var __metadata =
  (this && this.__metadata) ||
  function (k, v) {
    if (typeof Reflect === 'object' && typeof Reflect.metadata === 'function') return Reflect.metadata(k, v);
  };
var __param =
  (this && this.__param) ||
  function (paramIndex, decorator) {
    return function (target, key) {
      decorator(target, key, paramIndex);
    };
  };

import { Controller, Get } from '@nestjs/common';
import { Database } from 'gatehouse';
import { Asking, OfOrg, Operation, Parts, Requires, Text } from 'gatehouse/admin';

class Employee {
  userId;
  costCentre;
}
__decorate(
  [Text(1, { description: 'The ID of the user.' }), __metadata('design:type', String)],
  Employee.prototype,
  'userId',
  void 0,
);
__decorate(
  [Text(2, { description: 'Where their costs go.', example: 'ACME-anna' }), __metadata('design:type', String)],
  Employee.prototype,
  'costCentre',
  void 0,
);
class ListEmployeesResponse {
  result;
}
__decorate(
  [Parts(1, () => Employee), __metadata('design:type', Array)],
  ListEmployeesResponse.prototype,
  'result',
  void 0,
);
/** Lists employees, in JSON, gRPC and the documentation. */
let HrController = class HrController {
  database;
  constructor(database) {
    this.database = database;
  }
  async list({ orgId }) {
    const result = await this.database.query(
      `SELECT e.user_id AS "userId", e.cost_centre AS "costCentre"
       FROM user_account u
       JOIN ext_hr.employee e ON e.user_id = u.id
       WHERE u.org_id = :orgId
       ORDER BY u.id
       LIMIT 1000`,
      { orgId },
    );
    return { result };
  }
};
__decorate(
  [
    Get(),
    Requires('ext.hr.employee.read'),
    Operation({
      id: 'ListEmployees',
      summary: 'List the employees of the organization',
      returns: ListEmployeesResponse,
    }),
    __param(0, Asking()),
    __metadata('design:type', Function),
    __metadata('design:paramtypes', [Object]),
    __metadata('design:returntype', Promise),
  ],
  HrController.prototype,
  'list',
  null,
);
HrController = __decorate(
  [Controller('management/v1/ext/hr/employees'), OfOrg(), __metadata('design:paramtypes', [Database])],
  HrController,
);

export { HrController };
