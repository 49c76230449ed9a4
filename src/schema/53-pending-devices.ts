import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each new device counts how many others of its application wait for their users. By all that had not expired, a device
 * took as long as the application had signed in devices within the last minutes.
 */
export class PendingDevices1795219200053 implements MigrationInterface {
  readonly name = 'PendingDevices1795219200053';
  /** Each statement by itself: dropping the old index locks the table. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS device_authorization_pending_idx ON device_authorization (client_id, expires_at)
       WHERE state = 'pending'`,
    );
    await runner.query('DROP INDEX IF EXISTS device_authorization_client_id_expires_at_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX device_authorization_client_id_expires_at_idx ON device_authorization (client_id, expires_at)',
    );
    await runner.query('DROP INDEX device_authorization_pending_idx');
  }
}
