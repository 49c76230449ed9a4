import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../log/logger.js';
import { Database } from './database.js';
import { statement, unprepared } from './statement.js';

/** Fewer rows are read quickly, whatever the plan. */
const LEAST_ROWS = 1_000;
/** Smaller changes do not affect a table's statistics. PostgreSQL itself uses a tenth. */
const LEAST_SHARE = 0.05;

const KNOWN_ROWS = statement(
  'statistics.known_rows',
  `SELECT t.name, greatest(c.reltuples, 0) AS rows
   FROM unnest(:tables::text[]) AS t(name)
   JOIN pg_class c ON c.oid = t.name::regclass`,
).rows<{ name: string; rows: number }>();

/**
 * Updates the planner's statistics of tables into which one statement has put thousands of rows. PostgreSQL does so
 * itself, but only after a minute or more; until then prepared statements keep plans made for an almost empty table,
 * and a plan that read ten rows reads a hundred thousand.
 */
@Injectable()
export class Statistics implements OnModuleDestroy {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {}

  /** Nest closes the database after this hook. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /**
   * Analyzes tables that have grown considerably: `written` is the number of rows. Nobody waits for it, and failures do
   * not matter.
   */
  renew(written: ReadonlyMap<string, number>): void {
    const work = this.analyze(written)
      .catch((error: unknown) => this.log.warn({ err: error }, 'cannot renew statistics: PostgreSQL will, later'))
      .finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  private async analyze(written: ReadonlyMap<string, number>): Promise<void> {
    const grown = [...written].filter(([, rows]) => rows >= LEAST_ROWS).map(([name]) => name);
    if (grown.length === 0) return;
    const known = await this.database.query(KNOWN_ROWS, { tables: grown });
    for (const { name, rows } of known) {
      if (written.get(name)! < rows * LEAST_SHARE) continue;
      // A table that is locked is being analyzed already. Without the permission, because the table belongs to another
      // user, there is only a warning.
      await this.database.query(unprepared<object>(`ANALYZE (SKIP_LOCKED) ${name}`));
    }
  }
}
