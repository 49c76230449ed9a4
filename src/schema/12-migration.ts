import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What organizations bring from other systems and nothing here uses: kept, to be exported again. */
export class Migration1795219200012 implements MigrationInterface {
  readonly name = 'Migration1795219200012';

  private readonly statements = [
    `CREATE TABLE action (
      id text NOT NULL,
      org_id text NOT NULL,
      name text NOT NULL,
      script text NOT NULL,
      timeout_seconds integer NOT NULL DEFAULT '0',
      allowed_to_fail boolean NOT NULL DEFAULT false,
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT action_pkey PRIMARY KEY (id),
      CONSTRAINT action_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id) ON DELETE CASCADE)`,
    `CREATE INDEX action_org_id_idx ON action (org_id)`,
    `CREATE TABLE trigger_action (
      org_id text NOT NULL,
      flow_type text NOT NULL,
      trigger_type text NOT NULL,
      action_ids text[] NOT NULL DEFAULT '{}',
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT trigger_action_pkey PRIMARY KEY (org_id, flow_type, trigger_type),
      CONSTRAINT trigger_action_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id) ON DELETE CASCADE)`,
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE trigger_action');
    await runner.query('DROP TABLE action');
  }
}
