import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a sealed request carries with the pages. */
const CARRIED = [
  'browser_id',
  'response_type',
  'response_mode',
  'state',
  'prompts',
  'max_age_seconds',
  'ui_locales',
  'required_org_id',
  'required_user_id',
  'second_factor_required',
  'created_at',
  'expires_at',
  'login_name',
  'account_chosen',
  'consent_given',
  'external_login_id',
  'external_proved_at',
  'external_org_id',
  'registration_id',
  'password_expires_at',
  'password_change_wanted',
];
const OF_AN_ANSWER = ['user_id', 'session_id', 'auth_time', 'answered_at'];

/**
 * Authorization requests are sealed until they are answered: only answers have a row, and only browsers in which a user
 * has signed in. Columns go at once, since no released version uses them; sign-ins that are under way begin again.
 */
export class SealedRequest1795219200026 implements MigrationInterface {
  readonly name = 'SealedRequest1795219200026';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM auth_request WHERE answered_at IS NULL');
    await runner.query('DELETE FROM browser WHERE previous_key_hash IS NULL');
    // The indexes of these columns go with them.
    await runner.query(`ALTER TABLE auth_request ${CARRIED.map((column) => `DROP COLUMN ${column}`).join(', ')}`);
    await runner.query(
      `ALTER TABLE auth_request ${OF_AN_ANSWER.map((column) => `ALTER COLUMN ${column} SET NOT NULL`).join(', ')}`,
    );
    await runner.query('CREATE INDEX auth_request_answered_at_idx ON auth_request (answered_at)');
    await runner.query('DROP INDEX browser_never_signed_in_idx');
    await runner.query(
      `CREATE TABLE parked_request (
         id text NOT NULL,
         sealed text NOT NULL,
         expires_at timestamptz NOT NULL,
         CONSTRAINT parked_request_pkey PRIMARY KEY (id))`,
    );
    await runner.query('CREATE INDEX parked_request_expires_at_idx ON parked_request (expires_at)');
  }

  /** The requests themselves are gone; what had an answer keeps it. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE parked_request');
    await runner.query('CREATE INDEX browser_never_signed_in_idx ON browser (seen_at) WHERE previous_key_hash IS NULL');
    await runner.query('DROP INDEX auth_request_answered_at_idx');
    await runner.query(
      `ALTER TABLE auth_request ${OF_AN_ANSWER.map((column) => `ALTER COLUMN ${column} DROP NOT NULL`).join(', ')}`,
    );
    await runner.query(
      `ALTER TABLE auth_request
         ADD COLUMN browser_id text NOT NULL DEFAULT '',
         ADD COLUMN response_type text NOT NULL DEFAULT 'code',
         ADD COLUMN response_mode text NOT NULL DEFAULT 'query',
         ADD COLUMN state text,
         ADD COLUMN prompts text[] NOT NULL DEFAULT '{}',
         ADD COLUMN max_age_seconds integer,
         ADD COLUMN ui_locales text[] NOT NULL DEFAULT '{}',
         ADD COLUMN required_org_id text,
         ADD COLUMN required_user_id text,
         ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false,
         ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
         ADD COLUMN expires_at timestamptz NOT NULL DEFAULT now(),
         ADD COLUMN login_name text,
         ADD COLUMN account_chosen boolean NOT NULL DEFAULT false,
         ADD COLUMN consent_given boolean NOT NULL DEFAULT false,
         ADD COLUMN external_login_id text,
         ADD COLUMN external_proved_at timestamptz,
         ADD COLUMN external_org_id text,
         ADD COLUMN registration_id text,
         ADD COLUMN password_expires_at timestamptz,
         ADD COLUMN password_change_wanted boolean NOT NULL DEFAULT false`,
    );
    await runner.query(
      `ALTER TABLE auth_request
         ALTER COLUMN browser_id DROP DEFAULT,
         ALTER COLUMN response_type DROP DEFAULT,
         ALTER COLUMN response_mode DROP DEFAULT,
         ALTER COLUMN created_at DROP DEFAULT,
         ALTER COLUMN expires_at DROP DEFAULT`,
    );
    await runner.query('CREATE INDEX auth_request_created_at_idx ON auth_request (created_at)');
    await runner.query(
      'CREATE INDEX auth_request_unanswered_idx ON auth_request (expires_at) WHERE answered_at IS NULL',
    );
  }
}
