import { Module } from '@nestjs/common';
import { IdpModule } from '../../idp/idp.module.js';
import { PermissionModule } from '../../user/permission/permission.module.js';
import { IdentityProviders } from './identity-providers.js';

/** USE CASE: managing identity providers. */
@Module({
  imports: [IdpModule, PermissionModule],
  providers: [IdentityProviders],
  exports: [IdentityProviders],
})
export class IdpManagementModule {}
