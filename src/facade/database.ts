import { createHash } from 'node:crypto';
import {
  Database as ProductDatabase,
  type Transaction as ProductTransaction,
} from '../foundation/database/database.js';
import {
  type Queryable,
  type SqlValue,
  type Statement,
  statement,
  unprepared,
} from '../foundation/database/statement.js';

/** Values by the names of parameters. @public */
export type SqlValues = Readonly<
  Record<string, string | number | boolean | Date | Buffer | bigint | null | readonly string[] | object>
>;

/** Whatever runs SQL: the database, or a transaction. @public */
export interface Sql {
  /**
   * Runs one statement, whose parameters are written `:name`. It is prepared once for each connection, so the text should
   * be constant. Sequential scans are off: each query needs an index.
   */
  query<Row extends object = Record<string, unknown>>(sql: string, values?: SqlValues): Promise<Row[]>;
}

/** A running transaction; what takes part in it gets it as a parameter. @public */
export interface Transaction extends Sql {
  /** Runs after the commit, never after a rollback. */
  onCommit(reaction: () => void): void;
}

/**
 * The database of the product, on its connections. Inject it by this class.
 * @public
 */
export abstract class Database implements Sql {
  /** The statement is its own transaction. */
  abstract query<Row extends object = Record<string, unknown>>(sql: string, values?: SqlValues): Promise<Row[]>;

  /**
   * Runs `work` in a transaction: returning commits, throwing rolls back. After a serialization failure or a deadlock all
   * of it runs again, so it must have no effects outside of it.
   */
  abstract transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** So many texts are prepared; what composes its SQL at run time must not fill the memory. */
const MAX_PREPARED = 1_000;

/** The façade over the product's own database. */
export class SharedDatabase extends Database {
  private readonly prepared = new Map<string, Statement<Record<string, SqlValue>, unknown>>();

  constructor(private readonly database: ProductDatabase) {
    super();
  }

  override async query<Row extends object>(sql: string, values: SqlValues = {}): Promise<Row[]> {
    return this.run<Row>(this.database, sql, values);
  }

  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx: ProductTransaction) =>
      work({
        query: <Row extends object>(sql: string, values: SqlValues = {}) => this.run<Row>(tx, sql, values),
        onCommit: (reaction) => tx.onCommit(reaction),
      }),
    );
  }

  private async run<Row extends object>(on: Queryable, sql: string, values: SqlValues): Promise<Row[]> {
    return (await on.query(this.statementOf(sql), values)) as Row[];
  }

  private statementOf(sql: string): Statement<Record<string, SqlValue>, unknown> {
    const known = this.prepared.get(sql);
    if (known) return known;
    if (this.prepared.size >= MAX_PREPARED) return unprepared<Record<string, SqlValue>>(sql);
    const name = `ext.${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
    const added = statement<Record<string, SqlValue>>(name, sql);
    this.prepared.set(sql, added);
    return added;
  }
}
