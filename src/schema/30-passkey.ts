import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passkeys and security keys, the challenges that they have answered, and when a session was proved by one. */
export class Passkey1795219200030 implements MigrationInterface {
  readonly name = 'Passkey1795219200030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE auth_key (
         factor_id text NOT NULL,
         credential_id text NOT NULL,
         public_key bytea NOT NULL,
         rp_id text NOT NULL,
         sign_count bigint NOT NULL,
         transports text[] NOT NULL DEFAULT '{}',
         aaguid text NOT NULL DEFAULT '',
         backup_eligible boolean NOT NULL,
         backed_up boolean NOT NULL,
         name text NOT NULL,
         last_used_at timestamptz,
         CONSTRAINT auth_key_pkey PRIMARY KEY (factor_id),
         CONSTRAINT auth_key_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth_factor(id) ON DELETE CASCADE)`,
    );
    await runner.query('CREATE UNIQUE INDEX auth_key_credential_id_key ON auth_key (credential_id)');
    await runner.query('CREATE INDEX auth_key_rp_id_idx ON auth_key (rp_id)');
    await runner.query(
      `CREATE TABLE spent_challenge (
         hash bytea NOT NULL,
         key_hash bytea,
         expires_at timestamptz NOT NULL,
         CONSTRAINT spent_challenge_pkey PRIMARY KEY (hash))`,
    );
    await runner.query('CREATE INDEX spent_challenge_expires_at_idx ON spent_challenge (expires_at)');
    // Null: codes, as all second factors were so far.
    await runner.query('ALTER TABLE session ADD COLUMN passkey_checked_at timestamptz, ADD COLUMN factor_kind text');
    await runner.query('DROP INDEX session_proved_at_idx');
    await runner.query(
      `CREATE INDEX session_proved_at_idx
         ON session (greatest(password_checked_at, external_checked_at, passkey_checked_at)) WHERE ended_at IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX session_proved_at_idx');
    await runner.query(
      `CREATE INDEX session_proved_at_idx
         ON session (greatest(password_checked_at, external_checked_at)) WHERE ended_at IS NULL`,
    );
    await runner.query('ALTER TABLE session DROP COLUMN passkey_checked_at, DROP COLUMN factor_kind');
    await runner.query('DROP TABLE spent_challenge');
    await runner.query('DROP TABLE auth_key');
    await runner.query("DELETE FROM auth_factor WHERE kind IN ('passkey', 'u2f')");
  }
}
