import type { Pool, PoolClient } from 'pg';
import type { EntityManager, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { send } from './named-query.js';
import { allowStatements } from './service-client.js';
import type { Given, Queryable, Statement } from './statement.js';
import { beginStatement, endFailed } from './statement-span.js';

/** What a part of a transaction may have set until its end (listing.ts, long-work.ts). */
const FORGET_SETTINGS = ['statement_timeout', 'lock_timeout', 'plan_cache_mode', 'enable_seqscan']
  .map((name) => `RESET ${name}`)
  .join('; ');

/** Runs work in a transaction: the database in one of its own, a running transaction within itself. */
export interface Transactional {
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/**
 * A running transaction; the first parameter of everything that takes part. `of` gives an injected repository within
 * it, `query` runs a prepared statement on the same connection, and `entities` is TypeORM's manager within it.
 */
export class Transaction implements Queryable, Transactional {
  readonly entities: EntityManager;
  private afterCommit: Array<() => void> = [];
  private depth = 0;

  /** `isPooled`: a pooler may run the next transaction of this connection on another one of the server. */
  constructor(
    private readonly client: PoolClient,
    runner: QueryRunner,
    private readonly isPooled: boolean,
  ) {
    this.entities = runner.manager;
  }

  async query<Values extends object, Row>(statement: Statement<Values, Row>, ...values: Given<Values>): Promise<Row[]> {
    return run(this.client, statement, values, this.isPooled);
  }

  /** The work becomes a part of this transaction: what it throws rolls back all of it, unless it is caught. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work(this);
  }

  /**
   * Runs a part of the transaction that may fail alone: what it throws undoes this part, and leaves the rest. The
   * settings of this part end with it.
   */
  async part<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const reactions = this.afterCommit.length;
    this.depth += 1;
    const name = `part_${this.depth}`;
    try {
      await this.client.query(`SAVEPOINT ${name}`);
      const result = await work(this);
      await this.client.query(`RELEASE SAVEPOINT ${name}; ${FORGET_SETTINGS}`);
      return result;
    } catch (error) {
      this.afterCommit = this.afterCommit.slice(0, reactions);
      await this.client.query(`ROLLBACK TO SAVEPOINT ${name}`);
      throw error;
    } finally {
      this.depth -= 1;
    }
  }

  /** The rows of an injected repository as this transaction sees and changes them. */
  of<Row extends ObjectLiteral>(rows: Repository<Row>): Repository<Row> {
    return this.entities.withRepository(rows);
  }

  /** The server was told to let a statement run so long. */
  allowStatements(ms: number): void {
    allowStatements(this.client, ms);
  }

  /** Runs after the commit, never after a rollback: for dropping what this process has cached. */
  onCommit(reaction: () => void): void {
    this.afterCommit.push(reaction);
  }

  committed(): void {
    for (const reaction of this.afterCommit) reaction();
  }
}

/** Runs a prepared statement on a pool or a connection. */
export async function run<Values extends object, Row>(
  on: Pool | PoolClient,
  statement: Statement<Values, Row>,
  // The compiler has checked that a statement with parameters has values.
  [values = {} as Values]: Given<Values>,
  isPooled: boolean,
): Promise<Row[]> {
  // A pooler may run it where its name is not known (PgBouncer before 1.21), or is that of another one.
  const name = isPooled ? '' : statement.name;
  const span = beginStatement(statement.name, statement.text);
  try {
    const { rows } = await send(on, name, statement.text, statement.bind(values));
    span?.end();
    return rows as Row[];
  } catch (error) {
    if (span) endFailed(span, error);
    // Keeps the stack, as pg does for promises of its own: it would end at the socket, and not say who has asked.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
