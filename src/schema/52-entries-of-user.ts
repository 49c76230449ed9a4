import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['session', 'token_family'] as const;

/**
 * Users download their sessions and refresh tokens page by page. By the index of the user alone, each page read and
 * sorted all that the user has.
 */
export class EntriesOfUser1795219200052 implements MigrationInterface {
  readonly name = 'EntriesOfUser1795219200052';
  /**
   * Each statement by itself: dropping the old index locks the table, which then need not wait for the indexes of
   * others.
   */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(
        `CREATE INDEX IF NOT EXISTS ${table}_user_id_created_at_id_idx ON ${table} (user_id, created_at, id)`,
      );
      await runner.query(`DROP INDEX IF EXISTS ${table}_user_id_idx`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`CREATE INDEX ${table}_user_id_idx ON ${table} (user_id)`);
      await runner.query(`DROP INDEX ${table}_user_id_created_at_id_idx`);
    }
  }
}
