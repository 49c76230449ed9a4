import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '../org/instance/instance.module.js';
import { OrgModule } from '../org/org.module.js';
import { PolicyModule } from '../org/policy/policy.module.js';
import { AccountCodes } from './account-codes.js';
import { AccountRemoval } from './account-removal.entity.js';
import { AccountRemovals } from './account-removals.js';
import { AddressOwners } from './address-owners.js';
import { ClaimedNames } from './claimed-names.js';
import { FailedChecks } from './failed-checks.js';
import { MachineKey } from './machine-key.entity.js';
import { MachineKeys } from './machine-keys.js';
import { NameScopeService } from './name-scope.service.js';
import { PasswordAgeService } from './password-age.service.js';
import { PasswordMixCount, PasswordMixRow } from './password-mix.entity.js';
import { PasswordMixes } from './password-mixes.js';
import { PasswordPolicyService } from './password-policy.service.js';
import { PendingEmail } from './pending-email.entity.js';
import { PendingEmails } from './pending-emails.js';
import { PersonService } from './person.service.js';
import { Registration } from './registration.entity.js';
import { Registrations } from './registrations.js';
import { ServiceUserService } from './service-user.service.js';
import { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { UserService } from './user.service.js';
import { UserCode } from './user-code.entity.js';
import { UserCodes } from './user-codes.js';
import { UserDirectory } from './user-directory.js';
import { UserMails } from './user-mails.js';
import { UserMetadata } from './user-metadata.entity.js';
import { UserMetadataService } from './user-metadata.service.js';
import { UserRules } from './user-rules.js';

const services = [
  AccountCodes,
  AccountRemovals,
  AddressOwners,
  ClaimedNames,
  FailedChecks,
  MachineKeys,
  NameScopeService,
  PasswordAgeService,
  PasswordMixes,
  PasswordPolicyService,
  PendingEmails,
  PersonService,
  Registrations,
  ServiceUserService,
  UserCodes,
  UserDirectory,
  UserMails,
  UserMetadataService,
  UserService,
];

@Module({
  imports: [
    InstanceModule,
    OrgModule,
    PolicyModule,
    TypeOrmModule.forFeature([
      User,
      AccountRemoval,
      MachineKey,
      Registration,
      UserCode,
      UserMetadata,
      PasswordMixCount,
      PendingEmail,
      PasswordMixRow,
    ]),
  ],
  providers: [...services, UserRepository, UserRules],
  exports: [...services, UserRules],
})
export class UserModule {}
