import { Module } from '@nestjs/common';
import { IdpModule } from '../../idp/idp.module.js';
import { TenancyModule } from '../../management/org/tenancy.module.js';
import { ProjectManagementModule } from '../../management/project/project-management.module.js';
import { UserManagementModule } from '../../management/user/user-management.module.js';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { OrgModule } from '../../org/org.module.js';
import { PolicyModule } from '../../org/policy/policy.module.js';
import { ClientModule } from '../../project/client/client.module.js';
import { ProjectModule } from '../../project/project.module.js';
import { UserGrantModule } from '../../project/user-grant/user-grant.module.js';
import { TextModule } from '../../text/text.module.js';
import { KeyModule } from '../../token/key/key.module.js';
import { TokenModule } from '../../token/token.module.js';
import { GroupModule } from '../../user/group/group.module.js';
import { PermissionModule } from '../../user/permission/permission.module.js';
import { UserModule } from '../../user/user.module.js';
import { AdminModule } from '../admin.module.js';
import { AdministratorV2Controller } from './administrator/administrator-v2.controller.js';
import { ApplicationKeyV2Controller } from './application/application-key-v2.controller.js';
import { ApplicationV2Controller } from './application/application-v2.controller.js';
import { AuthorizationV2Controller } from './authorization/authorization-v2.controller.js';
import { FeatureV2Controller } from './feature/feature-v2.controller.js';
import { PlaceFeatureV2Controller } from './feature/place-feature-v2.controller.js';
import { GroupV2Controller } from './group/group-v2.controller.js';
import { IdpV2Controller } from './idp/idp-v2.controller.js';
import { InstanceDomainV2Controller } from './instance/instance-domain-v2.controller.js';
import { InstanceV2Controller } from './instance/instance-v2.controller.js';
import { WebKeyV2Controller } from './key/web-key-v2.controller.js';
import { Reach } from './kit/reach.js';
import { OrganizationDomainV2Controller } from './org/organization-domain-v2.controller.js';
import { OrganizationMetadataV2Controller } from './org/organization-metadata-v2.controller.js';
import { OrganizationV2Controller } from './org/organization-v2.controller.js';
import { ProjectGrantV2Controller } from './project/project-grant-v2.controller.js';
import { ProjectRoleV2Controller } from './project/project-role-v2.controller.js';
import { ProjectV2Controller } from './project/project-v2.controller.js';
import { HostedLoginV2Controller } from './settings/hosted-login-v2.controller.js';
import { SettingsV2Controller } from './settings/settings-v2.controller.js';
import { FactorV2Controller } from './user/factor/factor-v2.controller.js';
import { IdpLinkV2Controller } from './user/factor/idp-link-v2.controller.js';
import { InvitationV2Controller } from './user/factor/invitation-v2.controller.js';
import { OwnFactorV2Controller } from './user/factor/own-factor-v2.controller.js';
import { OwnKeyV2Controller } from './user/factor/own-key-v2.controller.js';
import { PasskeyV2Controller } from './user/factor/passkey-v2.controller.js';
import { userDetailControllersV2 } from './user/user-detail-controllers.js';
import { UserStateV2Controller } from './user/user-state-v2.controller.js';
import { UserV2Controller } from './user/user-v2.controller.js';

/** EDGE: the second generation of the administrative API. */
@Module({
  imports: [
    AdminModule,
    ClientModule,
    GroupModule,
    IdpModule,
    InstanceModule,
    KeyModule,
    OrgModule,
    PermissionModule,
    PolicyModule,
    ProjectManagementModule,
    ProjectModule,
    TenancyModule,
    TextModule,
    TokenModule,
    UserGrantModule,
    UserManagementModule,
    UserModule,
  ],
  controllers: [
    OrganizationV2Controller,
    OrganizationDomainV2Controller,
    OrganizationMetadataV2Controller,
    SettingsV2Controller,
    HostedLoginV2Controller,
    IdpV2Controller,
    UserV2Controller,
    UserStateV2Controller,
    GroupV2Controller,
    ...userDetailControllersV2,
    IdpLinkV2Controller,
    FactorV2Controller,
    // Its words for a link and a search come before the ids of passkeys.
    PasskeyV2Controller,
    InvitationV2Controller,
    OwnFactorV2Controller,
    OwnKeyV2Controller,
    ProjectV2Controller,
    ProjectRoleV2Controller,
    ProjectGrantV2Controller,
    ApplicationV2Controller,
    ApplicationKeyV2Controller,
    WebKeyV2Controller,
    AuthorizationV2Controller,
    AdministratorV2Controller,
    FeatureV2Controller,
    PlaceFeatureV2Controller,
    InstanceV2Controller,
    InstanceDomainV2Controller,
  ],
  providers: [Reach],
})
export class SecondGenerationModule {}
