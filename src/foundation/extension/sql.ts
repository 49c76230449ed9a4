import { createHash } from 'node:crypto';
import type { ObjectLiteral, Repository } from 'typeorm';
import type { Condition } from '../database/condition.js';
import type { Database, Transaction } from '../database/database.js';
import { withParameters } from '../database/named-sql.js';
import { type Queryable, type SqlValue, type Statement, undeclared, unprepared } from '../database/statement.js';
import { runningExtension } from '../log/running-extension.js';
import { Loan } from './loan.js';

/** Values by the names of parameters. @public */
export type SqlValues = Readonly<
  Record<string, string | number | boolean | Date | Buffer | bigint | null | readonly string[] | object>
>;

/** Whatever runs SQL of an extension: the database, or a transaction. @public */
export interface Sql {
  /**
   * Runs one statement, whose parameters are written `:name`. It is prepared once for each connection, so the text
   * should be constant. Sequential scans are off: each query needs an index.
   */
  query<Row extends object = Record<string, unknown>>(sql: string, values?: SqlValues): Promise<Row[]>;
}

/** A running transaction; what takes part in it gets it as a parameter. @public */
export interface SqlTransaction extends Sql {
  /** Runs after the commit, never after a rollback. */
  onCommit(reaction: () => void): void;
  /** The rows of an injected repository of TypeORM as this transaction sees and changes them. */
  of<Row extends ObjectLiteral>(rows: Repository<Row>): Repository<Row>;
}

/** How many texts are prepared: a caller that composes its SQL at run time must not fill the memory. */
const MAX_PREPARED = 1_000;
const prepared = new Map<string, Statement<Record<string, SqlValue>, unknown>>();

/** Runs SQL of an extension. */
export async function runSql<Row extends object>(on: Queryable, sql: string, values: SqlValues = {}): Promise<Row[]> {
  return (await on.query(statementOf(sql), values)) as Row[];
}

/**
 * A transaction in the hands of an extension. Once it has ended, its connection belongs to others: what an extension
 * still asks then, because it was too slow or forgot to wait, is refused.
 */
export class EndingTransaction implements SqlTransaction {
  private readonly loan: Loan;

  /** @param report for the log: it is used after its end */
  constructor(
    private readonly tx: Transaction,
    report: (error: Error) => void,
  ) {
    this.loan = new Loan('transaction', report);
  }

  async query<Row extends object = Record<string, unknown>>(sql: string, values?: SqlValues): Promise<Row[]> {
    return runSql<Row>(this.behind(), sql, values);
  }

  onCommit(reaction: () => void): void {
    this.behind().onCommit(reaction);
  }

  of<Row extends ObjectLiteral>(rows: Repository<Row>): Repository<Row> {
    return this.behind().of(rows);
  }

  /** @throws Error after its end */
  behind(): Transaction {
    this.loan.check();
    return this.tx;
  }

  end(): void {
    this.loan.end();
  }
}

/**
 * The transaction of the product behind one that an extension was given.
 * @throws Error if it is another object, or has ended
 */
export function transactionBehind(given: SqlTransaction): Transaction {
  if (given instanceof EndingTransaction) return given.behind();
  throw new Error(
    'This is no transaction of Gatehouse. Give the one that it has given, such as that of Database.transaction.',
  );
}

/**
 * What a call of an extension runs on: the transaction that it gave, or the database if it gave none.
 * @throws Error if what it gave is no transaction of the product, or has ended
 */
export function transactionOrDatabase(given: SqlTransaction | undefined, database: Database): Transaction | Database {
  return given === undefined ? database : transactionBehind(given);
}

/**
 * Runs `work` of an extension in a transaction.
 * @param report for the log: the transaction is used after its end
 */
export async function inTransaction<T>(
  database: Database,
  work: (tx: SqlTransaction) => Promise<T>,
  report: (error: Error) => void,
): Promise<T> {
  return database.transaction(async (tx) => {
    const given = new EndingTransaction(tx, report);
    try {
      return await work(given);
    } finally {
      given.end();
    }
  });
}

/**
 * A SELECT of an extension as a part of a query of the product.
 * @throws Error if it is malformed, or a value is missing
 */
export function selectionOf(sql: string, values: SqlValues = {}): Condition {
  return (bind) =>
    withParameters('of an extension', sql, (name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`The selection has no value for ${name}.`);
      return bind(value);
    });
}

/** The log of PostgreSQL shows names, and so do its lists of prepared statements: whose a slow one is must be seen. */
function statementOf(sql: string): Statement<Record<string, SqlValue>, unknown> {
  const extension = runningExtension();
  const prefix = extension === undefined ? 'ext' : `ext.${extension}`;
  const key = `${prefix} ${sql}`; // the text itself: hashing it at each query would cost more than finding it
  const known = prepared.get(key);
  if (known) return known;
  if (prepared.size >= MAX_PREPARED) return unprepared<Record<string, SqlValue>>(sql);
  const name = `${prefix}.${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
  const added = undeclared<Record<string, SqlValue>>(name, sql);
  prepared.set(key, added);
  return added;
}
