import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which hash a password was brought with, once it is hashed anew: so that the document which brought it is known again. */
export class PasswordOrigin1795219200014 implements MigrationInterface {
  readonly name = 'PasswordOrigin1795219200014';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE user_account ADD COLUMN password_origin bytea');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE user_account DROP COLUMN password_origin');
  }
}
