import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether an application that authenticates with a secret is restricted to one method of sending it. */
export class StrictAuthMethod1795219200019 implements MigrationInterface {
  readonly name = 'StrictAuthMethod1795219200019';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE client ADD COLUMN strict_auth_method boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE client DROP COLUMN strict_auth_method');
  }
}
