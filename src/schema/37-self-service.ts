import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What users may change about their own account, and the accounts that their users have deleted. */
export class SelfService1795219200037 implements MigrationInterface {
  readonly name = 'SelfService1795219200037';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE self_service_policy (
         owner_id text NOT NULL,
         edit_profile boolean NOT NULL DEFAULT true,
         change_email boolean NOT NULL DEFAULT true,
         change_phone boolean NOT NULL DEFAULT true,
         change_password boolean NOT NULL DEFAULT true,
         manage_factors boolean NOT NULL DEFAULT true,
         link_providers boolean NOT NULL DEFAULT true,
         download_data boolean NOT NULL DEFAULT true,
         delete_account boolean NOT NULL DEFAULT false,
         account_deletion_grace_days integer NOT NULL DEFAULT '14',
         sequence bigint NOT NULL DEFAULT '0',
         creation_date timestamptz NOT NULL DEFAULT now(),
         change_date timestamptz NOT NULL DEFAULT now(),
         CONSTRAINT self_service_policy_pkey PRIMARY KEY (owner_id))`,
    );
    // An instance that exists already gets the defaults; a new one gets its policies when it is set up.
    await runner.query('INSERT INTO self_service_policy (owner_id) SELECT id FROM instance');
    await runner.query(
      `CREATE TABLE account_removal (
         user_id text PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
         code_hash text NOT NULL,
         due_at timestamptz NOT NULL
       )`,
    );
    await runner.query('CREATE INDEX ON account_removal (due_at)');
    // From when on tokens of an application count again that its user has removed (TokenEnd.issuedUntil).
    await runner.query('ALTER TABLE token_end ADD COLUMN issued_until bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE token_end DROP COLUMN issued_until');
    await runner.query('DROP TABLE account_removal');
    await runner.query('DROP TABLE self_service_policy');
  }
}
