import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The imported hash of a password that has been rehashed, so that the same document is recognized. */
export class PasswordOrigin1795219200014 implements MigrationInterface {
  readonly name = 'PasswordOrigin1795219200014';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE user_account ADD COLUMN password_origin bytea');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE user_account DROP COLUMN password_origin');
  }
}
