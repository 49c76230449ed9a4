import { type DynamicModule, type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Vault as ProductVault } from '../../foundation/crypto/vault.js';
import { Database as ProductDatabase } from '../../foundation/database/database.js';
import { EventCatalogue } from '../../foundation/event/event-catalogue.js';
import { Journal as ProductJournal } from '../../foundation/event/journal.js';
import { Logger } from '../../foundation/log/logger.js';
import { OutboundModule } from '../../foundation/outbound/outbound.module.js';
import { OutboundClient } from '../../foundation/outbound/outbound-client.js';
import { Applications } from '../../management/project/applications.js';
import { ProjectManagementModule } from '../../management/project/project-management.module.js';
import { UserGrants } from '../../management/project/user-grants.js';
import { Groups } from '../../management/user/groups.js';
import { ManagedUsers as ProductManagedUsers } from '../../management/user/managed-users.js';
import { Newcomers } from '../../management/user/newcomers.js';
import { UserManagementModule } from '../../management/user/user-management.module.js';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { OrgModule } from '../../org/org.module.js';
import { OrgService } from '../../org/org.service.js';
import { PageRenderer } from '../../page/page-renderer.js';
import { PageSettings } from '../../page/page-settings.js';
import { ClientModule } from '../../project/client/client.module.js';
import { ClientService } from '../../project/client/client.service.js';
import { AuthRequestModule } from '../../session/auth-request/auth-request.module.js';
import { ProtocolAnswers } from '../../session/auth-request/protocol-answers.js';
import { BrowserCookie } from '../../session/browser-cookie.js';
import { SessionModule } from '../../session/session.module.js';
import { SessionService } from '../../session/session.service.js';
import { GroupModule } from '../../user/group/group.module.js';
import { GroupService } from '../../user/group/group.service.js';
import { GroupDirectory } from '../../user/group/group-directory.js';
import { Memberships } from '../../user/permission/memberships.js';
import { PermissionModule } from '../../user/permission/permission.module.js';
import { PersonService } from '../../user/person.service.js';
import { UserModule } from '../../user/user.module.js';
import { UserService } from '../../user/user.service.js';
import { UserDirectory } from '../../user/user-directory.js';
import { Callers, SharedCallers } from './caller.js';
import { Database, SharedDatabase } from './database.js';
import { Journal, SharedJournal } from './journal.js';
import { Log, SharedLog } from './log.js';
import { ManagedApplications, SharedManagedApplications } from './managed-applications.js';
import { ManagedGrants, SharedManagedGrants } from './managed-grants.js';
import { ManagedGroups, SharedManagedGroups } from './managed-groups.js';
import { ManagedUsers, SharedManagedUsers } from './managed-users.js';
import { Organizations, SharedOrganizations } from './organizations.js';
import { Outbound, SharedOutbound } from './outbound.js';
import { Pages, SharedPages } from './pages.js';
import { SharedSignIns, SignIns } from './sign-ins.js';
import { SharedUsers, Users } from './users.js';
import { SharedVault, Vault } from './vault.js';

const SHARED = {
  Callers,
  Database,
  Journal,
  Log,
  ManagedApplications,
  ManagedGrants,
  ManagedGroups,
  ManagedUsers,
  Organizations,
  Outbound,
  Pages,
  SignIns,
  Users,
  Vault,
};

// Messages name them to the author of an extension, and a bundler gives two classes of one name in one file another.
for (const [name, type] of Object.entries(SHARED)) Object.defineProperty(type, 'name', { value: name });

/**
 * What extensions may inject: `Callers`, `Database`, `Journal`, `Log`, `ManagedApplications`, `ManagedGrants`,
 * `ManagedGroups`, `ManagedUsers`, `Organizations`, `Outbound`, `Pages`, `SignIns`, `Users`, `Vault`. An extension's
 * module imports it. `Clock` can be injected everywhere.
 * @public
 */
@Module({
  imports: [
    AuthRequestModule,
    ClientModule,
    GroupModule,
    InstanceModule,
    OrgModule,
    OutboundModule,
    PermissionModule,
    ProjectManagementModule,
    SessionModule,
    UserManagementModule,
    UserModule,
  ],
  providers: [
    {
      provide: Callers,
      inject: [Memberships, Users, OrgService],
      useFactory: (memberships: Memberships, users: Users, orgs: OrgService) =>
        new SharedCallers(memberships, users, orgs),
    },
    {
      provide: ManagedApplications,
      inject: [ProductDatabase, Applications, ClientService],
      useFactory: (database: ProductDatabase, applications: Applications, clients: ClientService) =>
        new SharedManagedApplications(database, applications, clients),
    },
    {
      provide: ManagedGrants,
      inject: [ProductDatabase, UserGrants],
      useFactory: (database: ProductDatabase, grants: UserGrants) => new SharedManagedGrants(database, grants),
    },
    {
      provide: ManagedGroups,
      inject: [ProductDatabase, Groups, GroupService, GroupDirectory],
      useFactory: (database: ProductDatabase, groups: Groups, service: GroupService, directory: GroupDirectory) =>
        new SharedManagedGroups(database, groups, service, directory),
    },
    {
      provide: ManagedUsers,
      inject: [ProductDatabase, ProductManagedUsers, Newcomers, UserService, PersonService, UserDirectory],
      useFactory: (
        ...given: [ProductDatabase, ProductManagedUsers, Newcomers, UserService, PersonService, UserDirectory]
      ) => new SharedManagedUsers(...given),
    },
    {
      provide: Database,
      inject: [ProductDatabase, Logger],
      useFactory: (database: ProductDatabase, log: Logger) => new SharedDatabase(database, log),
    },
    {
      provide: Journal,
      inject: [ProductJournal, EventCatalogue, InstanceService],
      useFactory: (journal: ProductJournal, catalogue: EventCatalogue, instances: InstanceService) =>
        new SharedJournal(journal, catalogue, instances),
    },
    { provide: Log, inject: [Logger], useFactory: (log: Logger) => new SharedLog(log) },
    {
      provide: Organizations,
      inject: [ProductDatabase],
      useFactory: (database: ProductDatabase) => new SharedOrganizations(database),
    },
    { provide: Outbound, inject: [OutboundClient], useFactory: (client: OutboundClient) => new SharedOutbound(client) },
    {
      provide: Pages,
      inject: [PageRenderer, PageSettings],
      useFactory: (renderer: PageRenderer, settings: PageSettings) => new SharedPages(renderer, settings),
    },
    {
      provide: SignIns,
      inject: [IssuerConfig, ProtocolAnswers, ClientService, SessionService, BrowserCookie],
      useFactory: (...given: [IssuerConfig, ProtocolAnswers, ClientService, SessionService, BrowserCookie]) =>
        new SharedSignIns(...given),
    },
    { provide: Vault, inject: [ProductVault], useFactory: (vault: ProductVault) => new SharedVault(vault) },
    { provide: Users, inject: [ProductDatabase], useFactory: (database: ProductDatabase) => new SharedUsers(database) },
  ],
  exports: Object.values(SHARED),
})
export class GatehouseServices {
  /**
   * The services of this module for another Nest application of the process, whose modules import them. They are those
   * of a running Gatehouse, and work until it stops. `SignIns` and `ManagedApplications` act for the extension that
   * asks them, and refuse any other caller.
   * @param gatehouse what `createGatehouse` has answered
   */
  static async of({ app }: { readonly app: INestApplicationContext }): Promise<DynamicModule> {
    const services = await app.get(LazyModuleLoader).load(() => servicesModule());
    const types = Object.values(SHARED) as unknown as ReadonlyArray<Type<unknown>>;
    return {
      module: ServicesElsewhere,
      providers: types.map((type) => ({ provide: type, useValue: services.get<unknown>(type) })),
      exports: [...types],
    };
  }
}

/** Of another Nest application: without what makes them. */
@Module({})
class ServicesElsewhere {}

/** Not named within itself, where the compiler would give the class another name. */
function servicesModule(): Type<GatehouseServices> {
  return GatehouseServices;
}
