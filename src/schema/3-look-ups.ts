import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE INDEX user_account_list_change_date_idx ON user_account (org_id, change_date, id)`,
  `CREATE INDEX user_account_list_phone_idx ON user_account (org_id, phone) WHERE phone <> ''`,
  `CREATE INDEX user_group_creation_date_idx ON user_group (org_id, creation_date)`,
  `CREATE INDEX user_group_change_date_idx ON user_group (org_id, change_date)`,
];

/** Directories ask what has changed since they last looked, and who has a number. */
export class LookUps1796032800300 implements MigrationInterface {
  readonly name = 'LookUps1796032800300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX user_account_list_change_date_idx, user_account_list_phone_idx, user_group_creation_date_idx, user_group_change_date_idx',
    );
  }
}
