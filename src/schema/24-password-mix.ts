import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many users of each organization have password hashes with which setting, to give unknown names decoys. The two
 * indexes contain everything that the count reads.
 */
export class PasswordMix1795219200024 implements MigrationInterface {
  readonly name = 'PasswordMix1795219200024';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE password_mix (
      org_id text NOT NULL,
      setting text NOT NULL,
      brought integer NOT NULL,
      remaining integer NOT NULL,
      CONSTRAINT password_mix_pkey PRIMARY KEY (org_id, setting))`);
    await runner.query(`CREATE TABLE password_mix_count (
      is_only boolean NOT NULL DEFAULT true CHECK (is_only),
      decoy_key bytea NOT NULL,
      counted_at timestamptz NOT NULL,
      took_ms double precision NOT NULL,
      CONSTRAINT password_mix_count_pkey PRIMARY KEY (is_only))`);
    await runner.query(`CREATE INDEX user_account_password_idx ON user_account (org_id)
      WHERE kind = 'human' AND password_hash IS NOT NULL`);
    await runner.query(`CREATE INDEX user_account_foreign_password_idx ON user_account (org_id, password_hash)
      WHERE kind = 'human' AND password_hash NOT LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX user_account_foreign_password_idx');
    await runner.query('DROP INDEX user_account_password_idx');
    await runner.query('DROP TABLE password_mix_count');
    await runner.query('DROP TABLE password_mix');
  }
}
