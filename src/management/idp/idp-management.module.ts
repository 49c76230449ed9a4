import { Module } from '@nestjs/common';
import { IdpModule } from '../../idp/idp.module.js';
import { GroupModule } from '../../user/group/group.module.js';
import { PermissionModule } from '../../user/permission/permission.module.js';
import { DecidedGroups } from './decided-groups.js';
import { IdentityProviders } from './identity-providers.js';

/** USE CASE: managing identity providers. */
@Module({
  imports: [GroupModule, IdpModule, PermissionModule],
  providers: [DecidedGroups, IdentityProviders],
  exports: [IdentityProviders],
})
export class IdpManagementModule {}
