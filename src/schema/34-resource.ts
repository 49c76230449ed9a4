import type { MigrationInterface, QueryRunner } from 'typeorm';

const GRANTED_IN = ['auth_request', 'token_family', 'device_authorization'];

/** Protected resources of projects, and those that were granted (RFC 8707). */
export class Resource1795219200034 implements MigrationInterface {
  readonly name = 'Resource1795219200034';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE project_resource (
         key text PRIMARY KEY,
         project_id text NOT NULL REFERENCES project (id) ON DELETE CASCADE,
         uri text NOT NULL
       )`,
    );
    await runner.query('CREATE INDEX ON project_resource (project_id)');
    for (const table of GRANTED_IN)
      await runner.query(`ALTER TABLE ${table} ADD COLUMN resources text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of GRANTED_IN) await runner.query(`ALTER TABLE ${table} DROP COLUMN resources`);
    await runner.query('DROP TABLE project_resource');
  }
}
