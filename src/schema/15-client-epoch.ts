import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Distinguishes applications that have the same client id one after another: access tokens name the one that they
 * belong to.
 */
export class ClientEpoch1795219200015 implements MigrationInterface {
  readonly name = 'ClientEpoch1795219200015';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE client ADD COLUMN token_epoch BIGSERIAL NOT NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE client DROP COLUMN token_epoch');
  }
}
