import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Dynamic registration (RFC 7591): initial access tokens, and what a registered application may change of itself. */
export class Registration1795219200041 implements MigrationInterface {
  readonly name = 'Registration1795219200041';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE client ADD COLUMN registration jsonb');
    await runner.query(
      `CREATE TABLE registration_token (
         id text PRIMARY KEY,
         project_id text NOT NULL REFERENCES project (id) ON DELETE CASCADE,
         token_hash bytea NOT NULL,
         uses_left integer NOT NULL,
         expires_at timestamptz NOT NULL,
         redirect_hosts text[] NOT NULL DEFAULT '{}',
         device_code boolean NOT NULL DEFAULT false,
         sequence bigint NOT NULL DEFAULT '0',
         creation_date timestamptz NOT NULL DEFAULT now(),
         change_date timestamptz NOT NULL DEFAULT now()
       )`,
    );
    await runner.query('CREATE UNIQUE INDEX registration_token_hash_key ON registration_token (token_hash)');
    await runner.query('CREATE INDEX ON registration_token (project_id)');
    await runner.query('CREATE INDEX ON registration_token (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE registration_token');
    await runner.query('ALTER TABLE client DROP COLUMN registration');
  }
}
