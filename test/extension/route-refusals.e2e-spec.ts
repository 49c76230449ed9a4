import { describe, expect, it } from '@jest/globals';
import { All, Controller, Get, Module, Post, type Type } from '@nestjs/common';
import { routeMistakes } from '../../src/admin/own-routes.js';
import { Text } from '../../src/admin/wire/fields.js';
import { AdminRoutes } from '../../src/facade/admin/admin-routes.js';
import { Operation, Requires } from '../../src/facade/admin/operation.js';
import { defineExtension, type Extension } from '../../src/foundation/extension/extension.js';
import { declareAccess, Open } from '../../src/foundation/http/access.js';

class Employee {
  @Text(1)
  readonly id!: string;
}

class Empty {}

const LIST = { id: 'ListEmployees', summary: 'List employees', returns: Empty };
const GET = { id: 'GetEmployee', summary: 'Get an employee', request: Employee, returns: Employee };

/** An extension with these controllers. */
function hr(...controllers: Array<Type<unknown>>): Extension {
  class HrModule {}
  Module({ imports: [AdminRoutes], controllers })(HrModule);
  return defineExtension({
    id: 'hr',
    version: '1.0.0',
    gatehouse: '*',
    module: HrModule,
    permissions: [
      { name: 'ext.hr.employee.read', level: 'org' },
      { name: 'ext.hr.report.read', level: 'instance' },
    ],
  });
}

/** A controller with one route. */
function controller(base: string, route: MethodDecorator, ...others: MethodDecorator[]): Type<unknown> {
  class EmployeeController {
    work(): void {}
  }
  const descriptor = Object.getOwnPropertyDescriptor(EmployeeController.prototype, 'work')!;
  for (const decorator of [route, ...others]) decorator(EmployeeController.prototype, 'work', descriptor);
  Controller(base)(EmployeeController);
  return EmployeeController;
}

const ORG = 'management/v1/ext/hr';
const READ = Requires('ext.hr.employee.read');

describe('Routes of an extension', () => {
  it('are accepted below its own paths, with a permission of its own and an operation', async () => {
    const routes = hr(
      controller(ORG, Get('employees'), READ, Operation(LIST)),
      controller(ORG, Get('employees/:id'), READ, Operation(GET)),
      controller(
        'admin/v1/ext/hr',
        Get('report'),
        Requires('ext.hr.report.read'),
        Operation({ ...LIST, id: 'GetReport' }),
      ),
    );
    expect(await routeMistakes([routes])).toEqual([]);
  });

  it.each<[string, Type<unknown>, string]>([
    [
      'below a path of the product',
      controller('management/v1', Get('users/all'), READ, Operation(LIST)),
      'is outside of its own paths.',
    ],
    [
      'below those of another extension',
      controller('management/v1/ext/crm', Get('all'), READ, Operation(LIST)),
      'is outside of its own paths.',
    ],
    [
      'at an id that only begins like its own',
      controller('management/v1/ext/hrx', Get('all'), READ, Operation(LIST)),
      'is outside of its own paths.',
    ],
    ['anywhere else', controller('', Get('pay-roll'), READ, Operation(LIST)), 'is outside of its own paths.'],
    [
      'with a pattern',
      controller(ORG, Get('*all'), READ, Operation(LIST)),
      'may consist of lower-case words and :parameters only.',
    ],
    ['with several paths', controller(ORG, Get(['a', 'b']), READ, Operation(LIST)), 'has several paths.'],
    ['for every method', controller(ORG, All('a'), READ, Operation(LIST)), 'must be one of GET, POST, PUT and DELETE.'],
    ['without a permission', controller(ORG, Post('a'), Operation(LIST)), 'requires no permission.'],
    ['open to everybody', controller(ORG, Get('a'), Open(), Operation(LIST)), 'is open to everybody.'],
    [
      'with a permission of the product',
      controller(ORG, Get('a'), declareAccess({ kind: 'permission', permission: 'user.read' }), Operation(LIST)),
      'requires user.read, which is not among the permissions of the extension.',
    ],
    [
      'for every valid token',
      controller(ORG, Get('a'), declareAccess({ kind: 'permission', permission: 'authenticated' }), Operation(LIST)),
      'requires authenticated, which is not among the permissions of the extension.',
    ],
    [
      'with a permission that it does not declare',
      controller(ORG, Get('a'), Requires('ext.hr.pay.read'), Operation(LIST)),
      'requires ext.hr.pay.read,',
    ],
    [
      'on the whole instance with a permission of organizations',
      controller('admin/v1/ext/hr', Get('a'), READ, Operation(LIST)),
      'whose level is org. Below admin/v1 it must be instance.',
    ],
    ['that are no operation', controller(ORG, Get('a'), READ), 'is no operation.'],
    [
      'with an id of another form',
      controller(ORG, Get('a'), READ, Operation({ ...LIST, id: 'list employees' })),
      'has the id "list employees".',
    ],
    [
      'with a parameter that the request has no field for',
      controller(ORG, Get('employees/:employeeId'), READ, Operation(GET)),
      'has the parameter :employeeId, for which its request has no field.',
    ],
  ])('are refused %s', async (_, route, message) => {
    const mistakes = await routeMistakes([hr(route)]);
    expect(mistakes).toEqual([expect.stringContaining(message)]);
    expect(mistakes[0]).toMatch(/^The route [A-Z]+ .* \(EmployeeController\.work\) of the extension hr /);
  });

  it('are refused if two operations or two messages have one name', async () => {
    class Other {
      @Text(1)
      readonly name!: string;
    }
    Object.defineProperty(Other, 'name', { value: 'Employee' });
    const mistakes = await routeMistakes([
      hr(
        controller(ORG, Get('a/:id'), READ, Operation(GET)),
        controller(ORG, Get('b'), READ, Operation({ ...GET, request: Empty, returns: Other })),
      ),
    ]);
    expect(mistakes).toEqual([
      'The extension hr has several operations GetEmployee. Rename all but one.',
      'The extension hr has several messages Employee. Rename all but one.',
    ]);
  });
});
