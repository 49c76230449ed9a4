import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an export was not asked to include. */
export class JobLeftOut1795219200018 implements MigrationInterface {
  readonly name = 'JobLeftOut1795219200018';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE migration_job ADD COLUMN left_out text[] NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE migration_job DROP COLUMN left_out');
  }
}
