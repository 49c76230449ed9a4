import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '../instance/instance.module.js';
import { OrgModule } from '../org/org.module.js';
import { PolicyModule } from '../policy/policy.module.js';
import { LockoutService } from './lockout.service.js';
import { MachineKey } from './machine-key.entity.js';
import { NameScopeService } from './name-scope.service.js';
import { PasswordPolicyService } from './password-policy.service.js';
import { ServiceUserService } from './service-user.service.js';
import { UserMetadata } from './user-metadata.entity.js';
import { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { UserService } from './user.service.js';

@Module({
  imports: [InstanceModule, OrgModule, PolicyModule, TypeOrmModule.forFeature([User, MachineKey, UserMetadata])],
  providers: [UserRepository, UserService, ServiceUserService, NameScopeService, LockoutService, PasswordPolicyService],
  exports: [UserService, ServiceUserService, LockoutService, PasswordPolicyService],
})
export class UserModule {}
