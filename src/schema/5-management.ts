import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projects granted to other organizations, and user grants through them. */
export class Management1795219200005 implements MigrationInterface {
  readonly name = 'Management1795219200005';

  private readonly statements = [
    `CREATE TABLE project_grant (
      id text NOT NULL,
      project_id text NOT NULL,
      granted_org_id text NOT NULL,
      role_keys text[] NOT NULL DEFAULT '{}',
      state text NOT NULL DEFAULT 'active',
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT project_grant_pkey PRIMARY KEY (id),
      CONSTRAINT project_grant_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE,
      CONSTRAINT project_grant_granted_org_id_fkey FOREIGN KEY (granted_org_id) REFERENCES org(id) ON DELETE CASCADE)`,
    `CREATE UNIQUE INDEX project_grant_project_org_key ON project_grant (project_id, granted_org_id)`,
    `CREATE INDEX project_grant_granted_org_id_idx ON project_grant (granted_org_id)`,
    `CREATE INDEX member_level_object_id_idx ON member (level, object_id)`,
    `ALTER TABLE user_grant ADD COLUMN project_grant_id text`,
    `ALTER TABLE user_grant ADD CONSTRAINT user_grant_project_grant_id_fkey FOREIGN KEY (project_grant_id) REFERENCES project_grant(id) ON DELETE CASCADE`,
    `CREATE INDEX user_grant_project_grant_id_idx ON user_grant (project_grant_id)`,
    `CREATE INDEX user_grant_org_id_idx ON user_grant (org_id)`,
    `CREATE INDEX event_aggregate_type_position_idx ON event (aggregate_type, position)`,
    `CREATE INDEX event_aggregate_id_position_idx ON event (aggregate_id, position)`,
    `CREATE INDEX event_created_at_idx ON event (created_at)`,
    `ALTER TABLE org_domain ADD COLUMN validation_type text NOT NULL DEFAULT 'unspecified'`,
    `ALTER TABLE org_domain ADD COLUMN validation_token text NOT NULL DEFAULT ''`,
    `CREATE INDEX org_creation_date_idx ON org (creation_date)`,
    // Users who would get another name when another organization verifies a domain: see tenancy/org-domains.service.ts.
    `CREATE INDEX user_account_name_domain_idx ON user_account (split_part(user_name_key, '@', -1)) WHERE user_name_key LIKE '%@%'`,
    `ALTER TABLE project ADD COLUMN private_labeling_setting text NOT NULL DEFAULT 'unspecified'`,
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  /** No released version has a database without these. */
  down(): Promise<void> {
    return Promise.reject(new Error('This change came before the first release; there is no way back.'));
  }
}
