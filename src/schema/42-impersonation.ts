import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether users may act for others by exchanging tokens (RFC 8693). */
export class Impersonation1795219200042 implements MigrationInterface {
  readonly name = 'Impersonation1795219200042';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE instance ADD COLUMN enable_impersonation boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE instance DROP COLUMN enable_impersonation');
  }
}
