import type { PoolClient } from 'pg';
import { DataSource, type EntityManager, type ObjectLiteral, type QueryRunner, type Repository } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { DomainError } from '../error/domain-error.js';
import {
  isRefused,
  isUnwritable,
  outcomeUnknown,
  sqlState,
  toFailure,
  toFailureOf,
  tooBusy,
} from './database-failure.js';
import type { ServicePool } from './service-pool.js';
import { SharedTransaction, sharedTransaction, sharing } from './shared-transaction.js';
import type { Given, Queryable, Statement } from './statement.js';
import { run, Transaction, type Transactional } from './transaction.js';

export { Transaction, type Transactional } from './transaction.js';

/** Serialization failure and deadlock: nothing was done, and a retry may succeed. */
const RETRYABLE = new Set(['40001', '40P01']);
/**
 * Constraints that only two changes at the same moment violate; the later one runs again after the earlier one. Two
 * changes of one aggregate collide in the journal. A form that is sent twice inserts the same browser twice: ON
 * CONFLICT resolves that for its id, but not where the other unique value is met first.
 */
const RETRYABLE_CONSTRAINTS = new Set(['event_aggregate_type_aggregate_id_sequence_key', 'browser_key_hash_key']);
const MAX_ATTEMPTS = 4;

/** The only way to PostgreSQL. A single statement is its own transaction; several go through `transaction`. */
export class Database implements Queryable, Transactional {
  readonly pool: ServicePool;
  /** Whether a change has failed since this was last reset, of a server that answers questions. */
  isUnwritable = false;

  constructor(
    readonly source: DataSource,
    readonly isPooled = false,
  ) {
    // TypeORM and prepared statements share one pool.
    this.pool = (source.driver as PostgresDriver).master as ServicePool;
  }

  /** The connections of the pool: how many there are, how many of them are idle, and how many requests wait for one. */
  get connections(): { readonly total: number; readonly idle: number; readonly waiting: number } {
    return { total: this.pool.totalCount, idle: this.pool.idleCount, waiting: this.pool.waitingCount };
  }

  async query<Values extends object, Row>(statement: Statement<Values, Row>, ...values: Given<Values>): Promise<Row[]> {
    const shared = sharedTransaction();
    if (shared) return shared.inTurn(() => shared.tx.query(statement, ...values));
    try {
      return await run(this.pool, statement, values, this.isPooled);
    } catch (error) {
      this.look(error);
      throw toFailureOf(statement, error);
    }
  }

  /**
   * A single statement that writes several rows, usually an event beside a change: its own transaction, and retried
   * like one after a collision.
   */
  async atomically<Values extends object, Row>(
    statement: Statement<Values, Row>,
    ...values: Given<Values>
  ): Promise<Row[]> {
    const shared = sharedTransaction();
    if (shared) return shared.inTurn(() => shared.tx.query(statement, ...values));
    return retrying(async () => {
      try {
        return await run(this.pool, statement, values, this.isPooled);
      } catch (error) {
        this.look(error);
        throw isRetryable(error) ? error : toFailureOf(statement, error);
      }
    });
  }

  /** TypeORM outside a transaction. Errors are not translated. */
  get entities(): EntityManager {
    return this.source.manager;
  }

  /** The rows as in a transaction, for code that takes either; each statement runs by itself. */
  of<Row extends ObjectLiteral>(rows: Repository<Row>): Repository<Row> {
    return this.entities.withRepository(rows);
  }

  /**
   * Runs `work` in a transaction. After a serialization failure or deadlock all of it runs again in a new one, so it
   * must have no effects outside `tx`. Throwing rolls back; returning commits.
   * @throws DomainError Unavailable `database.unavailable`: nothing was done; `database.outcome_unknown`: the commit
   * was sent and never answered
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return sharedTransaction()?.tx.part(work) ?? this.ownTransaction(work);
  }

  /**
   * Runs `work` in one transaction together with all that it calls (shared-transaction.ts): use cases, which begin
   * transactions of their own, become parts of it. It sees the database as it was at its beginning; a change that
   * another transaction has made meanwhile to what it changes has all of it run again.
   */
  async sharedTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.ownTransaction(
      (tx, client) => sharing(new SharedTransaction(tx, client), () => work(tx)),
      'REPEATABLE READ',
    );
  }

  private async ownTransaction<T>(
    work: (tx: Transaction, client: PoolClient) => Promise<T>,
    isolation?: 'REPEATABLE READ',
  ): Promise<T> {
    return retrying(async () => {
      const runner = this.source.createQueryRunner();
      const connection = new WatchedConnection();
      try {
        const client = connection.watch((await runner.connect()) as PoolClient);
        await runner.startTransaction(isolation);
        const tx = new Transaction(client, runner, this.isPooled);
        const result = await work(tx, client);
        await connection.commit(runner);
        tx.committed();
        return result;
      } catch (error) {
        this.look(error, connection.client);
        if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
        throw connection.toFailure(error);
      } finally {
        connection.unwatch();
        await runner.release();
      }
    });
  }

  /** Learns from an error how the server is. */
  private look(error: unknown, client?: PoolClient): void {
    if (isUnwritable(error)) this.isUnwritable = true;
    if (client) this.pool.note(client, error);
  }
}

/**
 * Notices when the connection of a transaction is lost: between two statements there is no notice, and TypeORM's later
 * errors do not mention it.
 */
class WatchedConnection {
  client: PoolClient | undefined;
  private loss: Error | undefined;

  watch(client: PoolClient): PoolClient {
    this.client = client.on('error', this.lose);
    return client;
  }

  unwatch(): void {
    this.client?.off('error', this.lose);
  }

  /** @throws DomainError Unavailable `database.outcome_unknown` if it is not known whether the server has done it */
  async commit(runner: QueryRunner): Promise<void> {
    if (this.loss) throw this.loss;
    try {
      await runner.commitTransaction();
    } catch (error) {
      throw isRefused(error) ? error : outcomeUnknown(error);
    }
  }

  /** A lost connection is the cause of every other error, except for our own refusals. */
  toFailure(error: unknown): unknown {
    return this.loss && !(error instanceof DomainError) ? tooBusy(this.loss) : error;
  }

  private readonly lose = (error: Error): void => {
    this.loss ??= error;
  };
}

async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error)) throw toFailure(error);
      if (count >= MAX_ATTEMPTS) throw tooBusy(error);
    }
  }
}

function isRetryable(error: unknown): boolean {
  const { code, constraint } = sqlState(error);
  return RETRYABLE.has(code ?? '') || (code === '23505' && RETRYABLE_CONSTRAINTS.has(constraint ?? ''));
}
