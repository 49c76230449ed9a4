import { describe, expect, it } from '@jest/globals';
import {
  All,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Module,
  type NestInterceptor,
  type PipeTransform,
  Post,
  Query,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { routeMistakes } from '../../src/admin/kit/ext-routes.js';
import { Text } from '../../src/admin/kit/wire/fields.js';
import { AdminRoutes } from '../../src/extension/facade/admin/admin-routes.js';
import { Asking, Message, Operation, Requires } from '../../src/extension/facade/admin/operation.js';
import { defineExtension, type Extension } from '../../src/foundation/extension/extension.js';
import { declareAccess, Open } from '../../src/foundation/http/access.js';

class Employee {
  @Text(1)
  readonly id!: string;
}

class Numbered {
  @Text(1)
  readonly number!: string;
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

class OfficeHours implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

class Redacted implements NestInterceptor {
  intercept: NestInterceptor['intercept'] = (_, next) => next.handle();
}

class Trimmed implements PipeTransform {
  transform: PipeTransform['transform'] = (value: unknown) => value;
}

@Catch()
class Softened implements ExceptionFilter {
  catch(): void {}
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

  it('are refused if two have one path, whatever their parameters are called: the second would never be asked', async () => {
    const other = { ...GET, id: 'GetEmployeeByNumber', request: Numbered };
    const routes = hr(
      controller(ORG, Get('employees/:id'), READ, Operation(GET)),
      controller(ORG, Get('employees/:number'), READ, Operation(other)),
      controller(ORG, Post('employees/:id'), READ, Operation({ ...GET, id: 'UpdateEmployee' })),
    );
    expect(await routeMistakes([routes])).toEqual([
      'The extension hr has the route GET /management/v1/ext/hr/employees/:… several times: EmployeeController.work, ' +
        'EmployeeController.work. Give all but one another path.',
    ]);
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

  const ROUTE = 'The route GET /management/v1/ext/hr/employees (EmployeeController.work) of the extension hr has';

  it.each<[string, ClassDecorator & MethodDecorator, string]>([
    [
      'a guard',
      UseGuards(OfficeHours),
      'has @UseGuards(OfficeHours), which would hold in JSON, and not for calls over gRPC. Remove it, and let the operation check that itself and throw a DomainError, or declare a permission for it.',
    ],
    [
      'an interceptor',
      UseInterceptors(new Redacted()),
      'has @UseInterceptors(Redacted), which would hold in JSON, and not for calls over gRPC. Remove it, and let the operation do that itself.',
    ],
    [
      'a pipe',
      UsePipes(new Trimmed()),
      'has @UsePipes(Trimmed), which would hold in JSON, and not for calls over gRPC. Remove it, and let the operation check that itself and throw a DomainError; its request is read by the fields of the message.',
    ],
    [
      'a filter',
      UseFilters(Softened),
      'has @UseFilters(Softened), which would hold in JSON, and not for calls over gRPC. Remove it, and let the operation throw a DomainError.',
    ],
  ])(
    'are refused with %s of Nest, on the method or on its class: gRPC would not ask it',
    async (_, decorator, message) => {
      const onMethod = controller(ORG, Get('employees'), READ, Operation(LIST), decorator);
      expect(await routeMistakes([hr(onMethod)])).toEqual([`${ROUTE.slice(0, -4)} ${message}`]);
      class Base {}
      decorator(Base);
      const onClass = controller(ORG, Get('employees'), READ, Operation(LIST));
      decorator(onClass);
      const onBase = controller(ORG, Post('employees'), READ, Operation({ ...LIST, id: 'AddEmployee' }));
      Object.setPrototypeOf(onBase, Base);
      expect(await routeMistakes([hr(onClass, onBase)])).toEqual([
        `The controller EmployeeController of the extension hr ${message}`,
        `The controller EmployeeController of the extension hr ${message}`,
      ]);
    },
  );

  it.each<[string, ReadonlyArray<ParameterDecorator | undefined>, number | undefined]>([
    ['takes the caller and the request', [Asking(), Message()], undefined],
    ['takes the caller alone', [Asking()], undefined],
    ['takes the request first', [Message()], 1],
    ['takes them in the other order', [Message(), Asking()], 1],
    ['takes a parameter of the query', [Asking(), Query('name')], 2],
    ['takes a third one', [Asking(), Message(), Query('name')], 3],
    ['has a parameter without a decorator', [Asking(), undefined], 2],
  ])('that %s can be called over gRPC, or are refused', async (_, parameters, wrong) => {
    class EmployeeController {
      work(...given: unknown[]): unknown {
        return given;
      }
    }
    Object.defineProperty(EmployeeController.prototype.work, 'length', { value: parameters.length });
    parameters.forEach((decorator, index) => decorator?.(EmployeeController.prototype, 'work', index));
    const descriptor = Object.getOwnPropertyDescriptor(EmployeeController.prototype, 'work')!;
    for (const decorator of [Get('employees'), READ, Operation({ ...GET, id: 'GetEmployee' })])
      decorator(EmployeeController.prototype, 'work', descriptor);
    Controller(ORG)(EmployeeController);
    expect(await routeMistakes([hr(EmployeeController)])).toEqual(
      wrong === undefined
        ? []
        : [
            `${ROUTE} a parameter ${wrong} that a call over gRPC could not fill. The first one is @Asking(), the second one @Message(), and there are no others.`,
          ],
    );
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
