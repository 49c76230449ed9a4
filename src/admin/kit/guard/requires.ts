import { applyDecorators, UseGuards } from '@nestjs/common';
import { declareAccess } from '../../../foundation/http/access.js';
import { tokenDead } from '../../../management/user/my-account.errors.js';
import { permissionMissing } from '../../../user/permission/permission.errors.js';
import { documentRefusals } from '../operation.js';
import { documented } from '../wire/documentation.js';
import { AdminGuard } from './admin.guard.js';
import { tokenMissing, tooManyRequests } from './admin-guard.errors.js';
import { AUTHENTICATED, type Demanded, declareReach, type ReachFields, type SomeObject } from './demand.js';

/** The default of `ADMIN_RATE`, shown in examples. */
const DOCUMENTED_RATE = 500;

/** The permission that an operation demands. It also adds the guard that checks it. */
export function Requires(permission: Demanded, reach: ReachFields = {}): MethodDecorator {
  const levels = levelsWithin(reach);
  return applyDecorators(
    declareAccess({ kind: 'permission', permission }),
    declareReach(reach),
    UseGuards(AdminGuard),
    documented(({ ApiExtension }) =>
      applyDecorators(
        ApiExtension('x-permission', permission),
        ...(levels.length === 0 ? [] : [ApiExtension('x-permission-reach', levels)]),
        ...(reach.others ? [ApiExtension('x-permission-others', [...reach.others])] : []),
      ),
    ),
    documentRefusals(() => [
      tokenMissing(),
      tokenDead(),
      ...(permission === AUTHENTICATED ? [] : [permissionMissing(permission)]),
      tooManyRequests(DOCUMENTED_RATE),
    ]),
  );
}

/** The levels at which a role on one object suffices. */
function levelsWithin({ project, grant, some = [] }: ReachFields): SomeObject[] {
  const levels: SomeObject[] = [
    ...(project === undefined ? [] : ['project' as const]),
    ...(grant === undefined ? [] : ['project_grant' as const]),
    ...some,
  ];
  return [...new Set(levels)];
}
