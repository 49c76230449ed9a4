import { Module } from '@nestjs/common';
import { Database as ProductDatabase } from '../foundation/database/database.js';
import { Logger } from '../foundation/log/logger.js';
import { Database, SharedDatabase } from './database.js';
import { Log, SharedLog } from './log.js';
import { SharedUsers, Users } from './users.js';

/**
 * What extensions may inject: `Database`, `Log`, `Users`. An extension's module imports it. `Clock` can be injected
 * everywhere.
 * @public
 */
@Module({
  providers: [
    {
      provide: Database,
      inject: [ProductDatabase],
      useFactory: (database: ProductDatabase) => new SharedDatabase(database),
    },
    { provide: Log, inject: [Logger], useFactory: (log: Logger) => new SharedLog(log) },
    { provide: Users, inject: [ProductDatabase], useFactory: (database: ProductDatabase) => new SharedUsers(database) },
  ],
  exports: [Database, Log, Users],
})
export class GatehouseServices {}
