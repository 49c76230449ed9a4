import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { DomainError } from '../error/domain-error.js';
import { ChangeChannel } from './change-channel.js';
import { ConnectionSettings } from './connection-settings.js';
import { type Access, dataSourceOptions, directOptions } from './data-source.js';
import { Database } from './database.js';
import { DirectDatabase } from './direct-database.js';
import { PoolLog } from './pool-log.js';
import type { ExtSchema } from './schema-change/ext-schema.js';
import { applySchemaChanges, type ProductSchema } from './schema-change/index.js';
import { checkServer } from './server-check.js';
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
  /**
   * Connects, and brings the schema up to date before anything else can ask for the database, unless that is to stay as
   * it is.
   * @param schema the tables of the program
   * @param own those of extensions
   * @throws DomainError Unavailable `database.unreachable`; FailedPrecondition `database.newer`, or what is wrong with
   * the tables of an extension
   */
  static of(
    settings: ConnectionSettings,
    schema: ProductSchema,
    access: Access = {},
    own: readonly ExtSchema[] = [],
  ): DynamicModule {
    // Nest keeps one source; the other one is made with it, because it needs the same entities.
    const made: { direct?: DataSource } = {};
    return {
      module: DatabaseModule,
      imports: [
        ConnectionModule.of(settings),
        TypeOrmModule.forRootAsync({
          useFactory: () => ({
            ...dataSourceOptions(settings, access),
            migrations: [...schema.changes],
            autoLoadEntities: true,
            retryAttempts: 1,
            toRetry: () => false,
          }),
          dataSourceFactory: async (options) => {
            if (access.isAbsent) return (made.direct = unconnected(options!));
            const source = await initialize(options!, 'DATABASE_URL');
            try {
              made.direct = settings.isPooled
                ? await initialize(
                    {
                      ...directOptions(settings, access),
                      migrations: [...schema.changes],
                      entities: options!.entities ?? [],
                    },
                    'DATABASE_DIRECT_URL',
                  )
                : source;
              await checkServer(made.direct, { mayOnlyRead: access.readsOnly === true });
              if (!access.keepsSchema) await applySchemaChanges(made.direct, schema, own);
              return source;
            } catch (error) {
              if (made.direct !== source) await made.direct?.destroy();
              await source.destroy();
              throw error;
            }
          },
        }),
      ],
      providers: [
        {
          provide: Database,
          inject: [DataSource],
          useFactory: (source: DataSource) => new Database(source, settings.isPooled),
        },
        {
          provide: DirectDatabase,
          inject: [DataSource],
          useFactory: (source: DataSource) => new DirectDatabase(made.direct!, source),
        },
        ChangeChannel,
        ...(access.isAbsent ? [] : [PoolLog]),
        Statistics,
      ],
      exports: [Database, DirectDatabase, ChangeChannel, Statistics],
    };
  }
}

/** Nest connects a source that has not connected itself. */
function unconnected(options: DataSourceOptions): DataSource {
  const source = new DataSource(options);
  source.initialize = async () => source;
  return source;
}

/** @throws DomainError Unavailable `database.unreachable`, in words for the operator */
async function initialize(options: DataSourceOptions, setting: string): Promise<DataSource> {
  try {
    return await new DataSource(options).initialize();
  } catch (error) {
    const why = error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
    // PgBouncer refuses the settings that every connection to a server begins with, in these words.
    const remedy = /startup parameter/.test(why)
      ? `${setting} leads to a pooler. Set DATABASE_DIRECT_URL to the URL of the server behind it.`
      : `Check that the server of ${setting} runs, that host, port and database name are right, and that user and password are accepted.`;
    throw new DomainError('Unavailable', 'database.unreachable', `The database cannot be reached: ${why}. ${remedy}`, {
      cause: error,
    });
  }
}
