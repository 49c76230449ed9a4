import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Signing in through identity providers: pending and returned logins, and when users authenticated there. */
export class IdpLogin1795219200010 implements MigrationInterface {
  readonly name = 'IdpLogin1795219200010';

  private readonly statements = [
    `CREATE TABLE idp_login (
      id text NOT NULL,
      idp_id text NOT NULL,
      auth_request_id text NOT NULL,
      browser_id text NOT NULL,
      state_hash bytea NOT NULL,
      nonce text NOT NULL DEFAULT '',
      code_verifier text NOT NULL DEFAULT '',
      proved_after timestamptz,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      taken_at timestamptz,
      identity jsonb,
      CONSTRAINT idp_login_pkey PRIMARY KEY (id),
      CONSTRAINT idp_login_idp_id_fkey FOREIGN KEY (idp_id) REFERENCES idp(id) ON DELETE CASCADE)`,
    `CREATE UNIQUE INDEX idp_login_state_hash_key ON idp_login (state_hash)`,
    `CREATE INDEX idp_login_idp_id_idx ON idp_login (idp_id)`,
    `CREATE INDEX idp_login_expires_at_idx ON idp_login (expires_at)`,
    `ALTER TABLE auth_request ADD COLUMN external_login_id text`,
    `ALTER TABLE auth_request ADD COLUMN external_proved_at timestamptz`,
    `ALTER TABLE auth_request ADD COLUMN external_org_id text`,
    `ALTER TABLE session ADD COLUMN external_checked_at timestamptz`,
    `ALTER TABLE session ADD COLUMN external_idp_id text`,
    `DROP INDEX session_password_checked_at_idx`,
    `CREATE INDEX session_proved_at_idx ON session (greatest(password_checked_at, external_checked_at)) WHERE ended_at IS NULL`,
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  /** No released version has a database without these. */
  down(): Promise<void> {
    return Promise.reject(new Error('This change came before the first release; there is no way back.'));
  }
}
