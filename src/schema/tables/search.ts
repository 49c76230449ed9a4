/** The texts by which lists are searched, in the form in which `textMatches` compares them. */
const SEARCHED = [
  ['org', 'name'],
  ['org_domain', 'domain'],
  ['project', 'name'],
  ['project_role', 'key'],
  ['project_role', 'display_name'],
  ['client', 'name'],
  ['idp', 'name'],
] as const;

/** Beside the keys of names and addresses, which are folded already. */
const FOLDED_OF_USER = ['first_name', 'last_name', 'nick_name', 'display_name', 'service_name'];

/** `pg_trgm` comes with PostgreSQL, but a managed server may lack it or not allow it. */
export const TRIGRAMS = `DO $$ BEGIN
     CREATE EXTENSION IF NOT EXISTS pg_trgm;
   EXCEPTION WHEN OTHERS THEN
     RAISE NOTICE 'no index for searches within texts: %', SQLERRM;
   END $$`;

/** Searches within texts, where there are trigrams. Without these, one reads all that its list could show. */
export const SEARCH: readonly string[] = [
  // One index, since each makes imports slower, with a column each: a text that everybody has in an e-mail address need
  // not be in anybody's first name, and to look for it there in all of them together would read every user.
  `CREATE INDEX user_account_searched_idx ON user_account USING gin (
     user_name_key gin_trgm_ops,
     email_key gin_trgm_ops,
     ${FOLDED_OF_USER.map((column) => `${folded(column)} gin_trgm_ops`).join(',\n     ')})`,
  ...SEARCHED.map(
    ([table, column]) =>
      `CREATE INDEX ${table}_search_${column}_idx ON ${table} USING gin (${folded(column)} gin_trgm_ops)`,
  ),
];

function folded(column: string): string {
  return `(lower(${column}) COLLATE "C")`;
}
