import { Module } from '@nestjs/common';
import { FactorModule } from '../factor/factor.module.js';
import { IdpModule } from '../idp/idp.module.js';
import { InstanceModule } from '../instance/instance.module.js';
import { PermissionModule } from '../permission/permission.module.js';
import { SessionModule } from '../session/session.module.js';
import { TokenModule } from '../token/token.module.js';
import { UserModule } from '../user/user.module.js';
import { ManagedUsers } from './managed-users.js';
import { Newcomers } from './newcomers.js';
import { OwnData } from './own-data.js';
import { ServiceKeys } from './service-keys.js';

/** USE CASE: managing users, from creation to removal. */
@Module({
  imports: [FactorModule, IdpModule, InstanceModule, PermissionModule, SessionModule, TokenModule, UserModule],
  providers: [ManagedUsers, Newcomers, OwnData, ServiceKeys],
  exports: [FactorModule, ManagedUsers, Newcomers, OwnData, ServiceKeys],
})
export class UserManagementModule {}
