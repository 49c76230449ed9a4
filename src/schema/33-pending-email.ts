import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PendingEmail1795219200033 implements MigrationInterface {
  readonly name = 'PendingEmail1795219200033';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE pending_email (
         user_id text PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
         email text NOT NULL,
         code_hash text NOT NULL,
         expires_at timestamptz NOT NULL,
         tries integer NOT NULL DEFAULT 0
       )`,
    );
    await runner.query('CREATE INDEX ON pending_email (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pending_email');
  }
}
