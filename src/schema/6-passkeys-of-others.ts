import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What passkeys have that another service made: its name for their user, and perhaps no word on whether they can be
 * synchronized. The version before writes neither, and refuses keys that have one of them.
 */
const CHANGE = `ALTER TABLE auth_key
  ADD COLUMN user_handle text,
  ALTER COLUMN backup_eligible DROP NOT NULL`;

export class PasskeysOfOthers1796032800600 implements MigrationInterface {
  readonly name = 'PasskeysOfOthers1796032800600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CHANGE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE auth_key SET backup_eligible = false WHERE backup_eligible IS NULL');
    await runner.query(`ALTER TABLE auth_key
      DROP COLUMN user_handle,
      ALTER COLUMN backup_eligible SET NOT NULL`);
  }
}
