import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Policies that exist keep the length that they have: 0 means no other one. */
export class PasswordAlone1795219200029 implements MigrationInterface {
  readonly name = 'PasswordAlone1795219200029';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE password_complexity_policy
         ADD COLUMN min_length_without_second_factor integer NOT NULL DEFAULT 0`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE password_complexity_policy DROP COLUMN min_length_without_second_factor');
  }
}
