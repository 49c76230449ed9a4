import { UseGuards, applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { declareAccess } from '../../http/access.js';
import type { Permission } from '../../permission/role.js';
import { documentRefusals } from '../operation.js';
import { permissionMissing, tokenDead, tokenMissing } from './admin-guard.errors.js';
import { AdminGuard } from './admin.guard.js';

/** The permission that an operation demands. It brings the guard that asks for it: neither stands without the other. */
export function Requires(permission: Permission): MethodDecorator {
  return applyDecorators(
    declareAccess({ kind: 'permission', permission }),
    UseGuards(AdminGuard),
    ApiExtension('x-permission', permission),
    ...documentRefusals([tokenMissing(), tokenDead(), permissionMissing(permission)]),
  );
}
