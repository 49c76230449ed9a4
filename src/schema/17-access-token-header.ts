import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The type of JWT access tokens: `at+jwt` as before, or `JWT` for resource servers that refuse anything else. */
export class AccessTokenHeader1795219200017 implements MigrationInterface {
  readonly name = 'AccessTokenHeader1795219200017';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['client', 'user_account']) {
      await queryRunner.query(
        `ALTER TABLE ${table} ADD COLUMN access_token_header_type text NOT NULL DEFAULT 'at+jwt'`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['client', 'user_account']) {
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN access_token_header_type`);
    }
  }
}
