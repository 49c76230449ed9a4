import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { DomainError } from '../error/domain-error.js';
import { ChangeChannel } from './change-channel.js';
import { ConnectionSettings } from './connection-settings.js';
import { dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { applySchemaChanges } from './schema-change/index.js';
import { Statistics } from './statistics.js';

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
          useFactory: () => ({
            ...dataSourceOptions(settings),
            autoLoadEntities: true,
            retryAttempts: 1,
            toRetry: () => false,
          }),
          dataSourceFactory: async (options) => {
            const source = await initialize(options!);
            await applySchemaChanges(source);
            return source;
          },
        }),
      ],
      providers: [
        { provide: Database, inject: [DataSource], useFactory: (source: DataSource) => new Database(source) },
        ChangeChannel,
        Statistics,
      ],
      exports: [Database, ChangeChannel, Statistics],
    };
  }
}

/** @throws DomainError Unavailable `database.unreachable`, in words for the operator */
async function initialize(options: DataSourceOptions): Promise<DataSource> {
  try {
    return await new DataSource(options).initialize();
  } catch (error) {
    const why = error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
    throw new DomainError(
      'Unavailable',
      'database.unreachable',
      `The database cannot be reached: ${why}. Check that the server of DATABASE_URL runs, that host, port and database name are ` +
        'right, and that user and password are accepted.',
      { cause: error },
    );
  }
}
