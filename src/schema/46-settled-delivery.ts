import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['logout_notice', 'webhook_delivery'] as const;

/**
 * What was delivered is kept for a day, and what was given up for a week or a month: one index for both let each purge,
 * and a list of what was given up to one application, walk past everything else.
 */
export class SettledDelivery1795219200046 implements MigrationInterface {
  readonly name = 'SettledDelivery1795219200046';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(
        `CREATE INDEX ${table}_done_idx ON ${table} (settled_at) WHERE state IN ('delivered', 'withdrawn')`,
      );
      await runner.query(`CREATE INDEX ${table}_dead_idx ON ${table} (settled_at) WHERE state = 'dead'`);
      await runner.query(`DROP INDEX ${table}_settled_at_idx`);
    }
    await runner.query(
      `CREATE INDEX logout_notice_dead_of_client_idx ON logout_notice (client_id, id) WHERE state = 'dead'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX logout_notice_dead_of_client_idx');
    for (const table of TABLES) {
      await runner.query(`DROP INDEX ${table}_dead_idx`);
      await runner.query(`DROP INDEX ${table}_done_idx`);
      await runner.query(`CREATE INDEX ${table}_settled_at_idx ON ${table} (settled_at) WHERE settled_at IS NOT NULL`);
    }
  }
}
