import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A code says whether its request was signed. Of those of the version before nobody knows, and they are let pass. */
export class SignedRequest1795219200064 implements MigrationInterface {
  readonly name = 'SignedRequest1795219200064';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth_request ADD COLUMN is_signed boolean NOT NULL DEFAULT true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth_request DROP COLUMN is_signed');
  }
}
