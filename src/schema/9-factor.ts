import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Second factors: which ones users have, when they were checked, and which policies require them. */
export class Factor1795219200009 implements MigrationInterface {
  readonly name = 'Factor1795219200009';

  private readonly statements = [
    `CREATE TABLE auth_factor (
      id text NOT NULL,
      user_id text NOT NULL,
      kind text NOT NULL,
      state text NOT NULL DEFAULT 'pending',
      session_id text,
      secret text,
      last_step bigint,
      code_hash text,
      code_expires_at timestamptz,
      code_tries integer NOT NULL DEFAULT '0',
      recovery_hashes text[] NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL,
      CONSTRAINT auth_factor_pkey PRIMARY KEY (id),
      CONSTRAINT auth_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE)`,
    // A user has at most one of these; of keys, which are to come, any number.
    `CREATE UNIQUE INDEX auth_factor_user_kind_key ON auth_factor (user_id, kind) WHERE kind IN ('otp', 'otp_email', 'recovery_codes')`,
    `CREATE INDEX auth_factor_user_id_idx ON auth_factor (user_id)`,
    `CREATE INDEX auth_factor_pending_idx ON auth_factor (created_at) WHERE state = 'pending'`,
    `ALTER TABLE user_account ADD COLUMN failed_code_checks integer NOT NULL DEFAULT '0', ADD COLUMN factor_skipped_at timestamptz`,
    `ALTER TABLE session ADD COLUMN factor_checked_at timestamptz`,
    `ALTER TABLE auth_request ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false`,
    // Formerly stored with the user, also before the first release.
    `ALTER TABLE user_account DROP COLUMN totp_secret, DROP COLUMN recovery_codes`,
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  /** No released version has a database without these. */
  down(): Promise<void> {
    return Promise.reject(new Error('This change came before the first release; there is no way back.'));
  }
}
