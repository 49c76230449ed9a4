import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';
import { Transaction } from '../../foundation/database/database.js';
import {
  isOutcomeUnknown,
  isRefused,
  outcomeUnknown,
  sqlState,
  toFailure,
} from '../../foundation/database/database-failure.js';
import { DirectDatabase } from '../../foundation/database/direct-database.js';
import { giveUp } from '../../foundation/database/service-client.js';
import { statement } from '../../foundation/database/statement.js';
import { Clock } from '../../foundation/time/clock.js';
import { timedOut, tooManyAtOnce } from '../document/migration.errors.js';
import { queryOnce, type Values } from './unprepared-query.js';

/**
 * A connection for bulk work: its statements read whole tables, take as long as the caller allows, and may wait for a
 * slow reader in the middle of a transaction. All settings are reset before the connection returns to the pool.
 */
const BEGIN = 'SET enable_seqscan = on; SET plan_cache_mode = auto; SET idle_in_transaction_session_timeout = 0';
const END = [
  'enable_seqscan',
  'plan_cache_mode',
  'idle_in_transaction_session_timeout',
  'statement_timeout',
  'work_mem',
  'client_connection_check_interval',
]
  .map((setting) => `RESET ${setting}`)
  .join('; ');
/**
 * Ends statements, and releases their locks, soon after their process is gone. Not every operating system supports
 * this.
 */
const WATCH_CLIENT = `SET client_connection_check_interval = '1s'`;
/** Asked before anything runs: while a statement does, nothing can be asked. */
const PROCESS_ID = statement('migration.process_id', 'SELECT pg_backend_pid() AS process_id').rows<{
  process_id: number;
}>();
const CANCEL = statement('migration.cancel', 'SELECT pg_cancel_backend(:processId::int)');
/** Few enough that most are no longer needed when V8 next collects its young objects. */
const FETCH_ROWS = 200;
const CANCELED = '57014';

/** A long limit, for clients that read the answer of an import slowly. */
const REPORTING_MS = 1_800_000;
/** Connections are few, and sign-ins need them as well. */
const MAX_CONNECTIONS = 4;

/** Opens such connections, a few at a time. */
@Injectable()
export class BulkConnections {
  private open = 0;

  constructor(
    private readonly database: DirectDatabase,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller must dispose of the connection.
   * @param cleanUp statements that undo at its end what would remain on the connection
   * @throws DomainError ResourceExhausted `migration.busy`
   */
  async begin(timeoutMs: number, cleanUp: readonly string[] = []): Promise<BulkConnection> {
    if (this.open >= MAX_CONNECTIONS) throw tooManyAtOnce();
    this.open += 1;
    try {
      return await BulkConnection.open(this.database, this.clock, timeoutMs, cleanUp, () => {
        this.open -= 1;
      });
    } catch (error) {
      this.open -= 1;
      throw error;
    }
  }
}

export class BulkConnection implements AsyncDisposable {
  readonly tx: Transaction;
  private deadline: number;
  private isOpen = false;
  private signal: AbortSignal | undefined;
  private canceling: Promise<unknown> | undefined;
  private processId = 0;

  private constructor(
    private readonly database: DirectDatabase,
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
    private readonly clock: Clock,
    timeoutMs: number,
    private readonly cleanUp: readonly string[],
    private readonly closed: () => void,
  ) {
    this.tx = new Transaction(client, runner, database.isPooled);
    this.deadline = clock.elapsedMs() + timeoutMs;
  }

  static async open(
    database: DirectDatabase,
    clock: Clock,
    timeoutMs: number,
    cleanUp: readonly string[],
    closed: () => void,
  ): Promise<BulkConnection> {
    const runner = database.source.createQueryRunner();
    try {
      const connection = new BulkConnection(
        database,
        runner,
        (await runner.connect()) as PoolClient,
        clock,
        timeoutMs,
        cleanUp,
        closed,
      );
      await connection.run(BEGIN);
      await connection.run(WATCH_CLIENT).catch(() => undefined);
      const [row] = await connection.tx.query(PROCESS_ID);
      connection.processId = row!.process_id;
      return connection;
    } catch (error) {
      await runner.release();
      throw toFailure(error);
    }
  }

  /** Cancels the current statement when the signal aborts; its reason is thrown. */
  cancelOn(signal: AbortSignal): void {
    this.signal = signal;
    signal.throwIfAborted();
    signal.addEventListener('abort', this.cancel, { once: true });
  }

  /** `startedAt`: when the work began, which may be before the connection was opened. */
  allow(timeoutMs: number, startedAt: number): void {
    this.deadline = startedAt + timeoutMs;
  }

  /** @throws DomainError DeadlineExceeded `migration.timeout` */
  checkTime(): void {
    this.signal?.throwIfAborted();
    if (this.clock.elapsedMs() >= this.deadline) throw timedOut();
  }

  /**
   * Runs a statement within the remaining time.
   * @throws DomainError DeadlineExceeded `migration.timeout`
   */
  async query<Row = Record<string, unknown>>(sql: string, values: Values = {}): Promise<Row[]> {
    this.checkTime();
    try {
      return await queryOnce<Row>(this.tx, sql, values);
    } catch (error) {
      throw this.cutOff(error) ?? error;
    }
  }

  /**
   * Runs statements without parameters in one transaction, so that all of them together wait for the disk once.
   * @throws DomainError DeadlineExceeded `migration.timeout`
   */
  async runTogether(statements: readonly string[]): Promise<void> {
    this.checkTime();
    try {
      await this.run(statements.join('; '));
    } catch (error) {
      throw this.cutOff(error) ?? error;
    }
  }

  /** The meaning of an error here: a cancelled statement was cancelled by the signal or by the deadline. */
  toFailure(error: unknown): unknown {
    // The commit may have succeeded, whatever ended the work.
    return isOutcomeUnknown(error) ? error : (this.cutOff(error) ?? toFailure(error));
  }

  private cutOff(error: unknown): unknown {
    if (this.signal?.aborted === true) return this.signal.reason;
    return sqlState(error).code === CANCELED ? timedOut() : undefined;
  }

  async limit(): Promise<void> {
    const leftMs = Math.max(1, Math.floor(this.deadline - this.clock.elapsedMs()));
    await this.run(`SET statement_timeout = ${leftMs}`);
    this.tx.allowStatements(leftMs);
  }

  async begin(how = ''): Promise<void> {
    await this.limit();
    await this.run(`BEGIN ${how}`);
    this.isOpen = true;
  }

  async commit(): Promise<void> {
    this.checkTime();
    await this.run('COMMIT').catch((error: unknown) => {
      throw isRefused(error) ? error : outcomeUnknown(error);
    });
    this.isOpen = false;
    // What is committed must be reported, even beyond the allowed time: no caller may believe that it was not stored.
    this.stopCancelling();
    this.deadline = this.clock.elapsedMs() + REPORTING_MS;
    this.tx.committed();
  }

  async rollback(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.run('ROLLBACK').catch(() => undefined);
  }

  /**
   * The rows of a query, in batches that fit into memory: one is fetched while the caller works on that before. Within
   * a transaction.
   */
  async *rows<Row>(sql: string, values: Values = {}, atOnce = FETCH_ROWS): AsyncGenerator<Row[]> {
    await this.query(`DECLARE migration_rows NO SCROLL CURSOR FOR ${sql}`, values);
    const fetch = async (): Promise<Row[]> => this.query<Row>(`FETCH ${atOnce} FROM migration_rows`);
    let ahead = fetch();
    try {
      for (;;) {
        const rows = await ahead;
        const isLast = rows.length < atOnce;
        if (!isLast) {
          ahead = fetch();
          ahead.catch(() => undefined); // the caller hears of it with its next batch
        }
        if (rows.length > 0) yield rows;
        if (isLast) break;
      }
    } finally {
      await ahead.catch(() => undefined); // a caller that wants no more must not leave rows under way
    }
    await this.query('CLOSE migration_rows');
  }

  /** Rolls back what was not committed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stopCancelling();
    await this.canceling; // Otherwise the cancellation would hit the next user of the connection.
    await this.rollback();
    try {
      await this.run([...this.cleanUp, END].join('; '));
    } catch {
      giveUp(this.client); // it still has settings of this work
    }
    await this.runner.release();
    this.closed();
  }

  private stopCancelling(): void {
    this.signal?.removeEventListener('abort', this.cancel);
    this.signal = undefined;
  }

  private readonly cancel = (): void => {
    this.canceling = this.database.query(CANCEL, { processId: this.processId }).catch(() => undefined);
  };

  private async run(text: string): Promise<void> {
    await this.client.query(text);
  }
}
