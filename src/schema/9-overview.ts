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

/** All names and addresses of a user in one text, where there are trigrams (see tables/search.ts). */
const MENTIONED = `CREATE INDEX user_account_mentioned_idx ON user_account USING gin (
     ((' ' || user_name_key || ' ' || email_key || ' ' || lower(first_name || ' ' || last_name
       || ' ' || nick_name || ' ' || display_name || ' ' || service_name)) COLLATE "C") gin_trgm_ops)`;

const REVERSED = [
  'DROP INDEX IF EXISTS user_account_mentioned_idx',
  'DROP INDEX client_self_signed_idx, client_key_expires_at_idx, personal_access_token_expires_at_idx, machine_key_expires_at_idx',
  'DROP TABLE idp_test',
];

/** What the overview of administrators looks for: what ends soon, and how the last test of a provider went. */
export class Overview1796032800900 implements MigrationInterface {
  readonly name = 'Overview1796032800900';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    const [trigrams] = (await runner.query(`SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'`)) as unknown[];
    if (trigrams !== undefined) await runner.query(MENTIONED);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of REVERSED) await runner.query(statement);
  }
}
