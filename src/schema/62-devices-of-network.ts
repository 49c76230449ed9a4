import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each new device counts how many others of its application and its network wait for their users. */
export class DevicesOfNetwork1795219200062 implements MigrationInterface {
  readonly name = 'DevicesOfNetwork1795219200062';
  /** Each statement by itself: dropping the old index locks the table. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS device_authorization_network_idx ON device_authorization (client_id, network, expires_at)
       WHERE state = 'pending'`,
    );
    await runner.query('DROP INDEX IF EXISTS device_authorization_pending_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX device_authorization_pending_idx ON device_authorization (client_id, expires_at)
       WHERE state = 'pending'`,
    );
    await runner.query('DROP INDEX device_authorization_network_idx');
  }
}
