import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import type { Pool, PoolClient } from 'pg';
import { sqlState, tooBusy, toFailure } from './database-failure.js';
import type { Queryable, SqlValue, Statement } from './statement.js';

/** Serialization failure and deadlock: nothing was done, and doing it again may succeed. */
const RETRYABLE = new Set(['40001', '40P01']);
/** Two changes of one aggregate met in the journal: the later one runs again on what the earlier one left. */
const RETRYABLE_CONSTRAINT = 'event_aggregate_type_aggregate_id_sequence_key';
const MAX_ATTEMPTS = 4;

/**
 * A transaction under way; the first parameter of whatever takes part. `entities` is TypeORM's manager within it,
 * `query` runs a prepared statement on the same connection.
 */
export class Transaction implements Queryable {
  readonly entities: EntityManager;
  private readonly afterCommit: Array<() => void> = [];

  constructor(
    private readonly client: PoolClient,
    runner: QueryRunner,
  ) {
    this.entities = runner.manager;
  }

  async query<Row>(statement: Statement, values: readonly SqlValue[]): Promise<Row[]> {
    return run<Row>(this.client, statement, values);
  }

  /** Runs once the work is durable, never when it is undone: for dropping what is cached in this process. */
  onCommit(reaction: () => void): void {
    this.afterCommit.push(reaction);
  }

  committed(): void {
    for (const reaction of this.afterCommit) reaction();
  }
}

/** The one door to PostgreSQL. A single statement is its own transaction; more than one go through `transaction`. */
export class Database implements Queryable {
  private readonly pool: Pool;

  constructor(readonly source: DataSource) {
    this.pool = (source.driver as unknown as { master: Pool }).master; // TypeORM and prepared statements share one pool
  }

  async query<Row>(statement: Statement, values: readonly SqlValue[]): Promise<Row[]> {
    try {
      return await run<Row>(this.pool, statement, values);
    } catch (error) {
      throw toFailure(error);
    }
  }

  /**
   * A single statement that writes several rows, above all an event beside a change: its own transaction, run again like
   * one when it collides with another.
   */
  async atomically<Row>(statement: Statement, values: readonly SqlValue[]): Promise<Row[]> {
    return retrying(() => run<Row>(this.pool, statement, values));
  }

  /** TypeORM outside a transaction: reads of single entities. Its failures arrive as they are. */
  get entities(): EntityManager {
    return this.source.manager;
  }

  /**
   * Runs `work` in a transaction. On a serialization failure or deadlock the whole of it runs again in a new one, so
   * it must touch nothing but `tx`. A throw undoes everything; a returned value commits.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return retrying(async () => {
      const runner = this.source.createQueryRunner();
      try {
        const client = (await runner.connect()) as PoolClient;
        await runner.startTransaction();
        const tx = new Transaction(client, runner);
        const result = await work(tx);
        await runner.commitTransaction();
        tx.committed();
        return result;
      } catch (error) {
        if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
        throw error;
      } finally {
        await runner.release();
      }
    });
  }
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

async function run<Row>(on: Pool | PoolClient, statement: Statement, values: readonly SqlValue[]): Promise<Row[]> {
  const result = await on.query({ name: statement.name, text: statement.text, values: values as unknown[] });
  return result.rows as Row[];
}

function isRetryable(error: unknown): boolean {
  const { code, constraint } = sqlState(error);
  return RETRYABLE.has(code ?? '') || (code === '23505' && constraint === RETRYABLE_CONSTRAINT);
}
