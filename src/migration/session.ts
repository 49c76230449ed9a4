import type { QueryRunner } from 'typeorm';
import type { PoolClient } from 'pg';
import { sqlState, toFailure } from '../database/database-failure.js';
import { Transaction, type Database } from '../database/database.js';
import type { SqlValue } from '../database/statement.js';
import type { Clock } from '../time/clock.js';
import { timedOut } from './migration.errors.js';

/**
 * A connection for bulk work: statements here read whole tables, take as long as the caller allows, and wait for slow readers
 * in the middle of a transaction. Everything that was set is taken back before others get the connection.
 */
const BEGIN = 'SET enable_seqscan = on; SET plan_cache_mode = auto; SET idle_in_transaction_session_timeout = 0';
const END = 'RESET enable_seqscan; RESET plan_cache_mode; RESET idle_in_transaction_session_timeout; RESET statement_timeout; RESET work_mem';
const FETCH_ROWS = 1_000;
const CANCELED = '57014';

export class BulkSession {
  readonly tx: Transaction;
  private deadline: number;
  private isOpen = false;

  private constructor(private readonly runner: QueryRunner, private readonly client: PoolClient, private readonly clock: Clock, timeoutMs: number) {
    this.tx = new Transaction(client, runner);
    this.deadline = clock.elapsedMs() + timeoutMs;
  }

  static async open(database: Database, clock: Clock, timeoutMs: number): Promise<BulkSession> {
    const runner = database.source.createQueryRunner();
    try {
      const session = new BulkSession(runner, (await runner.connect()) as PoolClient, clock, timeoutMs);
      await session.run(BEGIN);
      return session;
    } catch (error) {
      await runner.release();
      throw toFailure(error);
    }
  }

  /** From the moment at which the session was opened. */
  allow(timeoutMs: number, startedAt: number): void {
    this.deadline = startedAt + timeoutMs;
  }

  /** @throws DomainError DeadlineExceeded `migration.timeout` */
  checkTime(): void {
    if (this.clock.elapsedMs() >= this.deadline) throw timedOut();
  }

  /** A statement with what is left of the time. @throws DomainError DeadlineExceeded `migration.timeout` */
  async query<Row = Record<string, unknown>>(text: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    this.checkTime();
    try {
      return await this.tx.query<Row>({ name: '', text }, values);
    } catch (error) {
      throw sqlState(error).code === CANCELED ? timedOut() : error;
    }
  }

  async limit(): Promise<void> {
    await this.run(`SET statement_timeout = ${Math.max(1, Math.floor(this.deadline - this.clock.elapsedMs()))}`);
  }

  async begin(how = ''): Promise<void> {
    await this.limit();
    await this.run(`BEGIN ${how}`);
    this.isOpen = true;
  }

  async commit(): Promise<void> {
    this.checkTime();
    await this.run('COMMIT');
    this.isOpen = false;
    this.tx.committed();
  }

  async rollback(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.run('ROLLBACK').catch(() => undefined);
  }

  /** The rows of a query, as many at a time as fit into memory whatever their number. Within a transaction. */
  async *rows<Row>(text: string, values: readonly SqlValue[] = []): AsyncGenerator<Row[]> {
    await this.query(`DECLARE migration_rows NO SCROLL CURSOR FOR ${text}`, values);
    for (;;) {
      const rows = await this.query<Row>(`FETCH ${FETCH_ROWS} FROM migration_rows`);
      if (rows.length > 0) yield rows;
      if (rows.length < FETCH_ROWS) break;
    }
    await this.query('CLOSE migration_rows');
  }

  /** Undoes what was not committed. */
  async close(cleanUp: readonly string[] = []): Promise<void> {
    await this.rollback();
    try {
      for (const statement of [...cleanUp, END]) await this.run(statement);
    } catch {
      // Such a connection must not be given to anybody: the pool throws away the one that is ended.
      await (this.client as unknown as { end: () => Promise<void> }).end().catch(() => undefined);
    }
    await this.runner.release();
  }

  private async run(text: string): Promise<void> {
    await this.client.query(text);
  }
}
