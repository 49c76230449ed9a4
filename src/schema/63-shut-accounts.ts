import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts that were never set up can be deactivated and locked, and wait for their set-up again afterwards. Refused
 * sign-ins, which are aggregates of their own, are found by their user.
 */
export class ShutAccounts1795219200063 implements MigrationInterface {
  readonly name = 'ShutAccounts1795219200063';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE user_account ADD COLUMN awaits_set_up boolean NOT NULL DEFAULT false');
    await runner.query(
      `CREATE INDEX event_refused_sign_in_idx ON event ((payload->>'userId'), position)
       WHERE aggregate_type = 'sign_in'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX event_refused_sign_in_idx');
    await runner.query('ALTER TABLE user_account DROP COLUMN awaits_set_up');
  }
}
