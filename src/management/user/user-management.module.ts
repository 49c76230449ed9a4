import { Module } from '@nestjs/common';
import { AttemptModule } from '../../foundation/attempt/attempt.module.js';
import { IdpModule } from '../../idp/idp.module.js';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { PolicyModule } from '../../org/policy/policy.module.js';
import { UserGrantModule } from '../../project/user-grant/user-grant.module.js';
import { SessionModule } from '../../session/session.module.js';
import { TokenModule } from '../../token/token.module.js';
import { FactorModule } from '../../user/factor/factor.module.js';
import { GroupModule } from '../../user/group/group.module.js';
import { PermissionModule } from '../../user/permission/permission.module.js';
import { UserModule } from '../../user/user.module.js';
import { FollowedAccount } from './followed-account.js';
import { FollowedProfile } from './followed-profile.js';
import { Groups } from './groups.js';
import { MailedProofs } from './mailed-proofs.js';
import { ManagedUsers } from './managed-users.js';
import { MyAccount } from './my-account.js';
import { MyData } from './my-data.js';
import { MyRemoval } from './my-removal.js';
import { Newcomers } from './newcomers.js';
import { OtherWays } from './other-ways.js';
import { PasskeyLinks } from './passkey-links.js';
import { ProviderLinks } from './provider-links.js';
import { ServiceKeys } from './service-keys.js';
import { SignInChanges } from './sign-in-changes.js';
import { UserChanges } from './user-changes.js';
import { UserRemoval } from './user-removal.js';

/** USE CASE: managing users, from creation to removal. */
@Module({
  imports: [
    AttemptModule,
    FactorModule,
    GroupModule,
    IdpModule,
    InstanceModule,
    PermissionModule,
    PolicyModule,
    SessionModule,
    TokenModule,
    UserGrantModule,
    UserModule,
  ],
  providers: [
    FollowedAccount,
    FollowedProfile,
    Groups,
    MailedProofs,
    ManagedUsers,
    Newcomers,
    MyAccount,
    MyData,
    MyRemoval,
    OtherWays,
    PasskeyLinks,
    ProviderLinks,
    ServiceKeys,
    SignInChanges,
    UserChanges,
    UserRemoval,
  ],
  exports: [
    FactorModule,
    FollowedAccount,
    FollowedProfile,
    GroupModule,
    Groups,
    MailedProofs,
    ManagedUsers,
    Newcomers,
    MyAccount,
    MyData,
    MyRemoval,
    OtherWays,
    PasskeyLinks,
    ProviderLinks,
    ServiceKeys,
    SignInChanges,
    UserChanges,
  ],
})
export class UserManagementModule {}
