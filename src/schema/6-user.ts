import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists of users, of which an organization may have a million: each sort column has an index that returns a page in
 * order, and filters by prefix use the same one. The collation C makes it serve both.
 */
const LISTED: ReadonlyArray<readonly [name: string, expression: string]> = [
  ['user_name', 'user_name_key'],
  ['first_name', '(lower(first_name) COLLATE "C")'],
  ['last_name', '(lower(last_name) COLLATE "C")'],
  ['nick_name', '(lower(nick_name) COLLATE "C")'],
  ['display_name', '(lower(display_name) COLLATE "C")'],
  ['email', 'email_key'],
  ['state', 'state'],
  ['kind', 'kind'],
  ['creation_date', 'creation_date'],
];

/** For substring searches: one index of everything that can be searched, since each index makes imports slower. */
const SEARCHED = `lower(user_name_key || E'\\n' || email_key || E'\\n' || first_name || E'\\n' || last_name || E'\\n' || nick_name || E'\\n' || display_name)`;

/** Indexes for lists of users, the codes mailed to users, and imported second factors. */
export class User1795219200006 implements MigrationInterface {
  readonly name = 'User1795219200006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE user_account ALTER COLUMN user_name_key TYPE text COLLATE "C", ALTER COLUMN email_key TYPE text COLLATE "C"`,
    );
    await runner.query(
      `ALTER TABLE user_account ADD COLUMN totp_secret text, ADD COLUMN recovery_codes text[] NOT NULL DEFAULT '{}'`,
    );
    await runner.query('DROP INDEX user_account_org_id_user_name_key_idx');
    for (const [name, expression] of LISTED) {
      await runner.query(`CREATE INDEX user_account_list_${name}_idx ON user_account (org_id, ${expression}, id)`);
    }
    await this.addTrigrams(runner);
    await runner.query(`CREATE TABLE user_code (
      user_id text NOT NULL,
      kind text NOT NULL,
      code_hash text NOT NULL,
      expires_at timestamptz NOT NULL,
      CONSTRAINT user_code_pkey PRIMARY KEY (user_id, kind),
      CONSTRAINT user_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE)`);
  }

  /** No released version has a database without these. */
  down(): Promise<void> {
    return Promise.reject(new Error('This change came before the first release; there is no way back.'));
  }

  /**
   * `pg_trgm` comes with PostgreSQL, but a managed server may lack it or not allow it. Without it a substring search
   * reads every user of the organization, within the time limit of lists.
   */
  private async addTrigrams(runner: QueryRunner): Promise<void> {
    await runner.query(`DO $$ BEGIN
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      EXECUTE ${quoted(`CREATE INDEX user_account_search_idx ON user_account USING gin (${SEARCHED} gin_trgm_ops)`)};
    EXCEPTION WHEN OTHERS THEN
      RAISE NOTICE 'no index for searches within texts: %', SQLERRM;
    END $$`);
  }
}

function quoted(sql: string): string {
  return `$sql$${sql}$sql$`;
}
