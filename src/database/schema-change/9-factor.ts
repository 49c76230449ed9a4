import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Second factors: what people hold, when it was checked, and who asks for it. */
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
    // Of these a person has one at most; of keys, which are to come, as many as they like.
    `CREATE UNIQUE INDEX auth_factor_user_kind_key ON auth_factor (user_id, kind) WHERE kind IN ('otp', 'otp_email', 'recovery_codes')`,
    `CREATE INDEX auth_factor_user_id_idx ON auth_factor (user_id)`,
    `CREATE INDEX auth_factor_pending_idx ON auth_factor (created_at) WHERE state = 'pending'`,
    `ALTER TABLE user_account ADD COLUMN failed_code_checks integer NOT NULL DEFAULT '0', ADD COLUMN factor_skipped_at timestamptz`,
    `ALTER TABLE session ADD COLUMN factor_checked_at timestamptz`,
    `ALTER TABLE auth_request ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false`,
    // They were kept with the person before there was a place of their own, and came before the first release as well.
    `ALTER TABLE user_account DROP COLUMN totp_secret, DROP COLUMN recovery_codes`,
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  /** Nobody has a database without these: they came before the first release. */
  down(): Promise<void> {
    return Promise.reject(new Error('This change came before the first release; there is no way back.'));
  }
}
