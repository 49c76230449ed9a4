import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests of devices (RFC 8628). Rows live for minutes; clients and users are checked when one is used. */
export class DeviceAuthorization1795219200032 implements MigrationInterface {
  readonly name = 'DeviceAuthorization1795219200032';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE device_authorization (
         id text PRIMARY KEY,
         user_code_hash bytea NOT NULL,
         client_id text NOT NULL,
         scopes text[] NOT NULL,
         required_org_id text,
         network text NOT NULL,
         created_at timestamptz NOT NULL,
         expires_at timestamptz NOT NULL,
         state text NOT NULL DEFAULT 'pending',
         user_id text,
         session_id text,
         auth_time timestamptz,
         amr text[] NOT NULL DEFAULT '{}',
         token_epoch integer NOT NULL DEFAULT 0,
         redeemed_at timestamptz
       )`,
    );
    await runner.query(
      'CREATE UNIQUE INDEX device_authorization_user_code_hash_key ON device_authorization (user_code_hash)',
    );
    await runner.query('CREATE INDEX ON device_authorization (client_id, expires_at)');
    await runner.query('CREATE INDEX ON device_authorization (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE device_authorization');
  }
}
