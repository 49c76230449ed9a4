import { Module } from '@nestjs/common';
import { Vault as ProductVault } from '../../foundation/crypto/vault.js';
import { Database as ProductDatabase } from '../../foundation/database/database.js';
import { EventCatalogue } from '../../foundation/event/event-catalogue.js';
import { Journal as ProductJournal } from '../../foundation/event/journal.js';
import { Logger } from '../../foundation/log/logger.js';
import { OutboundModule } from '../../foundation/outbound/outbound.module.js';
import { OutboundClient } from '../../foundation/outbound/outbound-client.js';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { Database, SharedDatabase } from './database.js';
import { Journal, SharedJournal } from './journal.js';
import { Log, SharedLog } from './log.js';
import { Organizations, SharedOrganizations } from './organizations.js';
import { Outbound, SharedOutbound } from './outbound.js';
import { SharedUsers, Users } from './users.js';
import { SharedVault, Vault } from './vault.js';

const SHARED = { Database, Journal, Log, Organizations, Outbound, Users, Vault };

// Messages name them to the author of an extension, and a bundler gives two classes of one name in one file another.
for (const [name, type] of Object.entries(SHARED)) Object.defineProperty(type, 'name', { value: name });

/**
 * What extensions may inject: `Database`, `Journal`, `Log`, `Organizations`, `Outbound`, `Users`, `Vault`. An
 * extension's module imports it. `Clock` can be injected everywhere.
 * @public
 */
@Module({
  imports: [InstanceModule, OutboundModule],
  providers: [
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
    { provide: Vault, inject: [ProductVault], useFactory: (vault: ProductVault) => new SharedVault(vault) },
    { provide: Users, inject: [ProductDatabase], useFactory: (database: ProductDatabase) => new SharedUsers(database) },
  ],
  exports: Object.values(SHARED),
})
export class GatehouseServices {}
