import { Module } from '@nestjs/common';
import { GatehouseServices } from 'gatehouse';
import { AdminRoutes } from 'gatehouse/admin';
import { Bulk } from './bulk/bulk.js';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { ScimErrorFilter } from './error/scim-error.filter.js';
import { GroupsController } from './group/groups.controller.js';
import { MemberPlan } from './group/member-plan.js';
import { ProvisionedGroups } from './group/provisioned-groups.js';
import { ScimGroups } from './group/scim-groups.js';
import { Asks } from './protocol/asks.js';
import { Searches } from './protocol/searches.js';
import { Directories } from './provisioning/directories.js';
import { ProvisioningController } from './provisioning/provisioning.controller.js';
import { Provisioning } from './provisioning/provisioning.js';
import { TakeOver } from './provisioning/take-over.js';
import { ElsewhereController } from './root/elsewhere.controller.js';
import { RootController } from './root/root.controller.js';
import { SearchAll } from './root/search-all.js';
import { AccountChanges } from './user/account-changes.js';
import { EmailTrust } from './user/email-trust.js';
import { ProvisionedUsers } from './user/provisioned-users.js';
import { ScimUsers } from './user/scim-users.js';
import { Turns } from './user/turns.js';
import { UsersController } from './user/users.controller.js';

@Module({
  imports: [GatehouseServices, AdminRoutes],
  controllers: [
    UsersController,
    GroupsController,
    RootController,
    DiscoveryController,
    ProvisioningController,
    ElsewhereController, // last: it answers what is left
  ],
  providers: [
    AccountChanges,
    Asks,
    Bulk,
    Directories,
    EmailTrust,
    MemberPlan,
    ProvisionedGroups,
    ProvisionedUsers,
    Provisioning,
    ScimErrorFilter,
    ScimGroups,
    ScimUsers,
    Searches,
    SearchAll,
    TakeOver,
    Turns,
  ],
})
export class ScimModule {}
