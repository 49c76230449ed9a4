import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Further settings of applications; unique names; the order in which grants are listed. */
export class Client1795219200007 implements MigrationInterface {
  readonly name = 'Client1795219200007';

  private readonly statements = [
    `ALTER TABLE client ADD COLUMN skip_native_app_success_page boolean NOT NULL DEFAULT false`,
    `ALTER TABLE client ADD COLUMN back_channel_logout_uri text NOT NULL DEFAULT ''`,
    `ALTER TABLE client ADD COLUMN login_version text NOT NULL DEFAULT 'unspecified'`,
    `ALTER TABLE client ADD COLUMN login_base_uri text`,
    `DROP INDEX client_project_id_name_idx`,
    `CREATE UNIQUE INDEX client_project_name_key ON client (project_id, name)`,
    `DROP INDEX project_org_id_name_idx`,
    `CREATE UNIQUE INDEX project_org_name_key ON project (org_id, name)`,
    `DROP INDEX user_grant_org_id_idx`,
    `CREATE INDEX user_grant_org_id_id_idx ON user_grant (org_id, id)`,
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  /** No released version has a database without these. */
  down(): Promise<void> {
    return Promise.reject(new Error('This change came before the first release; there is no way back.'));
  }
}
