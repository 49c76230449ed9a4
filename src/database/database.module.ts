import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ChangeChannel } from './change-channel.js';
import { ConnectionSettings } from './connection-settings.js';
import { dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { applySchemaChanges } from './schema-change/index.js';

@Module({})
class ConnectionModule {
  static of(settings: ConnectionSettings): DynamicModule {
    return {
      module: ConnectionModule,
      global: true,
      providers: [{ provide: ConnectionSettings, useValue: settings }],
      exports: [ConnectionSettings],
    };
  }
}

@Global()
@Module({})
export class DatabaseModule {
  /** Connects, and brings the schema up to date before anybody else can ask for the database. */
  static of(settings: ConnectionSettings): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        ConnectionModule.of(settings),
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...dataSourceOptions(settings), autoLoadEntities: true, retryAttempts: 0 }),
          dataSourceFactory: async (options) => {
            const source = await new DataSource(options!).initialize();
            await applySchemaChanges(source);
            return source;
          },
        }),
      ],
      providers: [
        { provide: Database, inject: [DataSource], useFactory: (source: DataSource) => new Database(source) },
        ChangeChannel,
      ],
      exports: [Database, ChangeChannel],
    };
  }
}
