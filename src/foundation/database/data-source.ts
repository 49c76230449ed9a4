import pg from 'pg';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { ConnectionSettings } from './connection-settings.js';
import type { ServerAddress } from './server-address.js';
import { ServicePool, type ServicePoolOptions } from './service-pool.js';
import { SnakeNaming } from './snake-naming.js';

/** A caller gets 503 rather than waiting forever for a connection or a lock. */
const POOL_WAIT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/** Exports and imports, as many as there may be at once, and the cancellation of one. */
const DIRECT_POOL_SIZE = 5;
const DIRECT_IDLE_MS = 10_000;

/** Parameters of every session. */
const SESSION = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
};
/**
 * The plans of statements. Every statement is a look-up by index, whatever the values: planning it anew, or compiling
 * it, would cost more than running it. It must stay one: a plan made while a table is small is kept when it has grown.
 */
const PLANS = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off';
const READ_ONLY = '-c default_transaction_read_only=on';

export interface Access {
  /** The schema stays as it is: for commands, which run beside processes of the service. */
  readonly keepsSchema?: boolean;
  /** The server refuses to write anything: for examinations. Not enforced through a pooler. */
  readonly readsOnly?: boolean;
  /** Nothing connects and every question to the database fails: shows what an application is made of without one. */
  readonly isAbsent?: boolean;
}

/**
 * The pool that everything uses. A pooler refuses parameters of a session (PgBouncer: `ignore_startup_parameters`), and
 * would give them to others: through one, those of the role apply.
 */
export function dataSourceOptions(settings: ConnectionSettings, access: Access = {}): PostgresDataSourceOptions {
  return {
    ...common(settings.pg),
    extra: {
      ...watched(settings.pg),
      max: settings.poolSize,
      idleTimeoutMillis: 0, // Kept: a timer for each statement would cost more than an idle connection.
      connectionTimeoutMillis: POOL_WAIT_MS,
      ...(settings.isPooled ? {} : sessionParameters(access)),
    },
  };
}

/** Connections past the pooler, which are open only while they are needed. */
export function directOptions(settings: ConnectionSettings, access: Access = {}): PostgresDataSourceOptions {
  return {
    ...common(settings.direct),
    extra: {
      ...watched(settings.direct),
      max: DIRECT_POOL_SIZE,
      idleTimeoutMillis: DIRECT_IDLE_MS,
      connectionTimeoutMillis: POOL_WAIT_MS,
      ...sessionParameters(access),
    },
  };
}

function sessionParameters({ readsOnly = false }: Access): object {
  return { ...SESSION, options: readsOnly ? `${PLANS} ${READ_ONLY}` : PLANS };
}

function watched(address: ServerAddress): Pick<ServicePoolOptions, 'address' | 'statementMs'> {
  return { address, statementMs: STATEMENT_TIMEOUT_MS };
}

function common({ connectionString, ...parts }: ServerAddress): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    // TypeORM might find another copy of pg, whose errors are not instances of ours.
    driver: { ...pg, Pool: ServicePool },
    nativeDriver: false, // which TypeORM would prefer wherever it is installed
    ...(connectionString === undefined
      ? {
          host: parts.host!,
          port: parts.port!,
          username: parts.user!,
          database: parts.database!,
        }
      : { url: connectionString }),
    entities: [],
    migrationsTableName: 'schema_change',
    namingStrategy: new SnakeNaming(),
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    logging: false,
    applicationName: 'gatehouse',
  };
}
