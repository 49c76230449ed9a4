import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Applications that describe themselves, when they were used last, and the project that they belong to. */
export class SelfDescribedClient1795219200036 implements MigrationInterface {
  readonly name = 'SelfDescribedClient1795219200036';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE client
         ADD COLUMN origin text NOT NULL DEFAULT 'administrator',
         ADD COLUMN about jsonb`,
    );
    await runner.query(
      `CREATE INDEX client_self_described_idx ON client (creation_date) WHERE origin <> 'administrator'`,
    );
    await runner.query(
      `CREATE TABLE client_use (
         client_row_id text PRIMARY KEY REFERENCES client (id) ON DELETE CASCADE,
         day date NOT NULL
       )`,
    );
    await runner.query('ALTER TABLE instance ADD COLUMN registered_project_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE instance DROP COLUMN registered_project_id');
    await runner.query('DROP TABLE client_use');
    await runner.query('ALTER TABLE client DROP COLUMN about, DROP COLUMN origin');
  }
}
