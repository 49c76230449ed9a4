import { Database as ProductDatabase } from '../../foundation/database/database.js';
import { HANDLE_KEPT } from '../../foundation/extension/loan.js';
import {
  inTransaction,
  runSql,
  type Sql,
  type SqlTransaction,
  type SqlValues,
} from '../../foundation/extension/sql.js';
import type { Logger } from '../../foundation/log/logger.js';
import { runningExtension } from '../../foundation/log/running-extension.js';

/**
 * The database of the product, on its connections. Inject it by this class.
 * @public
 */
export abstract class Database implements Sql {
  /** Runs a statement in a transaction of its own. */
  abstract query<Row extends object = Record<string, unknown>>(sql: string, values?: SqlValues): Promise<Row[]>;

  /**
   * Runs `work` in a transaction: returning commits, throwing rolls back. After a serialization failure or a deadlock
   * all of it runs again, so it must have no effects outside of it.
   */
  abstract transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
}

/** The façade over the product's own database. */
export class SharedDatabase extends Database {
  constructor(
    private readonly database: ProductDatabase,
    private readonly log: Logger,
  ) {
    super();
  }

  override async query<Row extends object>(sql: string, values?: SqlValues): Promise<Row[]> {
    return runSql<Row>(this.database, sql, values);
  }

  override async transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    // The extension that keeps it; a later use may come from another context.
    const extension = runningExtension();
    return inTransaction(this.database, work, (error) =>
      this.log.error(
        { err: error, reason: 'extension.handle_kept', ...(extension !== undefined && { extension }) },
        HANDLE_KEPT,
      ),
    );
  }
}
