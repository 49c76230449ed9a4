import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns that lists can be searched by, in the form in which `textMatches` compares them, each within the objects that
 * the list is restricted to.
 */
const SEARCHED: ReadonlyArray<readonly [table: string, column: string, within: readonly string[]]> = [
  ['org', 'name', []],
  ['org_domain', 'domain', []],
  ['project', 'name', ['org_id']],
  ['project_role', 'key', ['project_id']],
  ['project_role', 'display_name', ['project_id']],
  ['client', 'name', ['project_id']],
  ['idp', 'name', ['owner_id']],
];

/**
 * A text that everybody has in an e-mail address need not be in anybody's first name: with one index of all of them
 * together, looking for it there read every user.
 */
const OF_USER = [
  'user_name_key',
  'email_key',
  ...['first_name', 'last_name', 'nick_name', 'display_name', 'service_name'].map(folded),
];

const ROLES = ['user_grant', 'project_grant'] as const;

/** Those that a list is restricted to by one of these columns, in the order of their ids. */
const IN_ORDER = [
  ['user_grant', 'project_id'],
  ['user_grant', 'project_grant_id'],
] as const;

const MEMBER_ORDERS = ['creation_date', 'change_date'] as const;

/** Every filter of a list finds its rows by an index. */
export class SearchedText1795219200057 implements MigrationInterface {
  readonly name = 'SearchedText1795219200057';
  /** Each statement by itself, so that a lock on one table need not wait for the indexes of others. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column, within] of SEARCHED) {
      const columns = [...within, folded(column)].join(', ');
      await runner.query(`CREATE INDEX IF NOT EXISTS ${table}_list_${column}_idx ON ${table} (${columns})`);
    }
    for (const table of ROLES) {
      await runner.query(`CREATE INDEX IF NOT EXISTS ${table}_role_keys_idx ON ${table} USING gin (role_keys)`);
    }
    for (const [table, column] of IN_ORDER) {
      await runner.query(`CREATE INDEX IF NOT EXISTS ${table}_${column}_id_idx ON ${table} (${column}, id)`);
      await runner.query(`DROP INDEX IF EXISTS ${table}_${column}_idx`);
    }
    await runner.query(
      'CREATE INDEX IF NOT EXISTS member_level_object_id_user_id_idx ON member (level, object_id, user_id)',
    );
    for (const column of MEMBER_ORDERS) {
      await runner.query(
        `CREATE INDEX IF NOT EXISTS member_level_object_id_${column}_user_id_idx
         ON member (level, object_id, ${column}, user_id)`,
      );
    }
    await runner.query('DROP INDEX IF EXISTS member_level_object_id_idx');
    await runner.query('CREATE INDEX IF NOT EXISTS idp_owner_id_id_idx ON idp (owner_id, id)');
    // Partial, since a sign-in looks for a user whose organization is active, and must not begin with those.
    await runner.query(`CREATE INDEX IF NOT EXISTS org_not_active_idx ON org (state, id) WHERE state <> 'active'`);
    await this.addTrigrams(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of SEARCHED) {
      await runner.query(`DROP INDEX IF EXISTS ${table}_search_${column}_idx`);
      await runner.query(`DROP INDEX ${table}_list_${column}_idx`);
    }
    for (const table of ROLES) await runner.query(`DROP INDEX ${table}_role_keys_idx`);
    for (const [table, column] of IN_ORDER) {
      await runner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (${column})`);
      await runner.query(`DROP INDEX ${table}_${column}_id_idx`);
    }
    await runner.query('CREATE INDEX member_level_object_id_idx ON member (level, object_id)');
    await runner.query('DROP INDEX member_level_object_id_user_id_idx');
    for (const column of MEMBER_ORDERS) await runner.query(`DROP INDEX member_level_object_id_${column}_user_id_idx`);
    await runner.query('DROP INDEX idp_owner_id_id_idx');
    await runner.query('DROP INDEX org_not_active_idx');
    await runner.query('DROP INDEX IF EXISTS user_account_searched_idx');
  }

  /** Where PostgreSQL has them: see 6-user.ts. */
  private async addTrigrams(runner: QueryRunner): Promise<void> {
    const [trigrams] = (await runner.query(`SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'`)) as unknown[];
    if (trigrams === undefined) return;
    await runner.query(
      `CREATE INDEX IF NOT EXISTS user_account_searched_idx
       ON user_account USING gin (${OF_USER.map((column) => `${column} gin_trgm_ops`).join(', ')})`,
    );
    await runner.query('DROP INDEX IF EXISTS user_account_search_idx');
    for (const [table, column] of SEARCHED) {
      await runner.query(
        `CREATE INDEX IF NOT EXISTS ${table}_search_${column}_idx
         ON ${table} USING gin (${folded(column)} gin_trgm_ops)`,
      );
    }
  }
}

function folded(column: string): string {
  return `(lower(${column}) COLLATE "C")`;
}
