import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts that were never set up can be deactivated and locked, and wait for their set-up again afterwards. */
export class AwaitsSetUp1795219200063 implements MigrationInterface {
  readonly name = 'AwaitsSetUp1795219200063';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE user_account ADD COLUMN awaits_set_up boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE user_account DROP COLUMN awaits_set_up');
  }
}
