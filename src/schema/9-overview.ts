import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE idp_test (
     idp_id text PRIMARY KEY REFERENCES idp ON DELETE CASCADE,
     at timestamptz NOT NULL,
     is_good boolean NOT NULL)`,
  `CREATE INDEX machine_key_expires_at_idx ON machine_key (expires_at)`,
  `CREATE INDEX personal_access_token_expires_at_idx ON personal_access_token (expires_at)`,
  `CREATE INDEX client_key_expires_at_idx ON client_key (expires_at)`,
  `CREATE INDEX client_self_signed_idx ON client (id) WHERE auth_method = 'self_signed_tls_client_auth'`,
];

const REVERSED = [
  'DROP INDEX client_self_signed_idx, client_key_expires_at_idx, personal_access_token_expires_at_idx, machine_key_expires_at_idx',
  'DROP TABLE idp_test',
];

/** What the overview of administrators looks for: what ends soon, and how the last test of a provider went. */
export class Overview1796032800900 implements MigrationInterface {
  readonly name = 'Overview1796032800900';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of REVERSED) await runner.query(statement);
  }
}
