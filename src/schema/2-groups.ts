import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RECORDED } from './tables/recorded.js';

const STATEMENTS = [
  `CREATE TABLE user_group (
     id text PRIMARY KEY,
     org_id text NOT NULL REFERENCES org ON DELETE CASCADE,
     name text NOT NULL,
     name_key text NOT NULL,
     description text NOT NULL DEFAULT '',
     ${RECORDED})`,
  // In the order of bytes, it also serves the order of a list, and searches by the beginning of a name.
  `CREATE UNIQUE INDEX user_group_org_name_key ON user_group (org_id, name_key COLLATE "C")`,
  `CREATE INDEX user_group_org_id_id_idx ON user_group (org_id, id)`,
  `CREATE TABLE user_group_member (
     group_id text NOT NULL REFERENCES user_group ON DELETE CASCADE,
     user_id text NOT NULL REFERENCES user_account ON DELETE CASCADE,
     creation_date timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (group_id, user_id))`,
  `CREATE INDEX user_group_member_user_id_group_id_idx ON user_group_member (user_id, group_id)`,
  `ALTER TABLE user_grant
     ALTER COLUMN user_id DROP NOT NULL,
     ADD COLUMN group_id text REFERENCES user_group ON DELETE CASCADE,
     ADD CONSTRAINT user_grant_holder_check CHECK ((user_id IS NULL) <> (group_id IS NULL))`,
  `CREATE UNIQUE INDEX user_grant_group_project_org_key ON user_grant (group_id, project_id, org_id)
     WHERE group_id IS NOT NULL`,
];

/** Groups of users, and grants to them. */
export class Groups1796032800200 implements MigrationInterface {
  readonly name = 'Groups1796032800200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Reverting it would lose what groups hold. */
  down(): Promise<void> {
    return Promise.reject(new Error('Groups cannot be taken back: their members and grants would be lost.'));
  }
}
