import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { ConnectionSettings } from './connection-settings.js';
import { SCHEMA_CHANGES } from './schema-change/list.js';
import { SnakeNaming } from './snake-naming.js';

/** More connections than this make PostgreSQL slower, not faster; several processes share its limit of 100. */
const POOL_SIZE = 16;
/** A caller gets 503 rather than waiting forever for a connection or a lock. */
const POOL_WAIT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;

export function dataSourceOptions(settings: ConnectionSettings): PostgresDataSourceOptions {
  const { connectionString, ...parts } = settings.pg;
  return {
    type: 'postgres',
    ...(connectionString === undefined
      ? {
          host: parts.host!,
          port: parts.port!,
          username: parts.user!,
          database: parts.database!,
        }
      : { url: connectionString }),
    entities: [],
    migrations: [...SCHEMA_CHANGES],
    migrationsTableName: 'schema_change',
    namingStrategy: new SnakeNaming(),
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    logging: false,
    applicationName: 'gatehouse',
    extra: {
      max: POOL_SIZE,
      idleTimeoutMillis: 0, // Kept: a timer for each statement would cost more than an idle connection.
      connectionTimeoutMillis: POOL_WAIT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // Every statement is a look-up by index, whatever the values: planning it anew, or compiling it, would cost more
      // than running it. It must stay one: a plan made while a table is small is kept when it has grown.
      options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off',
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    },
  };
}
