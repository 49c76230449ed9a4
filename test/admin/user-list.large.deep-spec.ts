import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type ListRequest, listSettings } from '../../src/foundation/database/listing.js';
import { pageStatement } from '../../src/user/user-directory.js';
import type { TextField, UserColumn, UserSearch } from '../../src/user/user-search.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { startWorld, type World } from '../support/world.js';

describe('A page of a large organization', () => {
  let world: World;
  let manager: AdminApi;
  let client: Client;
  let orgId: string;

  beforeAll(async () => {
    world = await startWorld();
    const org = await world.add.org();
    orgId = org.id;
    manager = (await callerWith(world, org, ['ORG_USER_MANAGER'])).api;
    client = new Client(world.database.connection);
    await client.connect();
    await client.query(
      `INSERT INTO user_account (id, org_id, kind, user_name, user_name_key, first_name, last_name, nick_name, display_name, email, email_key)
       SELECT 'large-' || n, $1, 'human', md5(n::text), md5(n::text), md5('f' || n), md5('l' || n), md5('n' || n), md5('d' || n), md5('e' || n) || '@mail.test', md5('e' || n) || '@mail.test'
       FROM generate_series(1, 20000) n`,
      [orgId],
    );
    // As autovacuum does soon after: until then the index costs more than it will.
    await client.query("SELECT gin_clean_pending_list('user_account_searched_idx')");
    await client.query('ANALYZE user_account');
  });
  afterAll(async () => {
    await client.end();
    await world.close();
  });

  const planOf = async (searches: readonly UserSearch[], sortBy: UserColumn, ascending = true): Promise<string> => {
    const range: Omit<ListRequest<UserColumn>, 'where'> = { offset: 0n, limit: 100, ascending, sortBy };
    const { statement, values } = pageStatement(orgId, searches, range);
    // As the service asks: prepared, which a bare EXPLAIN is not.
    await client.query(
      `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; BEGIN; ${listSettings(5_000)}; PREPARE page AS ${statement}`,
    );
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE page (${values.map((value) => client.escapeLiteral(String(value as string | number))).join(', ')})`,
    );
    await client.query('ROLLBACK; DEALLOCATE page');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  const NAMES: Record<Exclude<UserColumn, 'id'>, string> = {
    userName: 'user_name',
    firstName: 'first_name',
    lastName: 'last_name',
    nickName: 'nick_name',
    displayName: 'display_name',
    email: 'email',
    state: 'state',
    kind: 'kind',
    creationDate: 'creation_date',
  };

  it.each(Object.keys(NAMES) as Array<keyof typeof NAMES>)(
    'sorted by %s comes from its index in order',
    async (column) => {
      for (const ascending of [true, false]) {
        const plan = await planOf([], column, ascending);
        expect(plan).toContain(`user_account_list_${NAMES[column]}_idx`);
        expect(plan).not.toContain('Sort');
      }
    },
  );

  const FIELDS: readonly TextField[] = ['userName', 'email', 'firstName', 'lastName', 'nickName', 'displayName'];

  it.each(FIELDS)('filtered by a whole %s or its beginning reads what it answers', async (by) => {
    for (const how of ['equals', 'equals_ignore_case', 'starts_with', 'starts_with_ignore_case'] as const) {
      const plan = await planOf([{ by, how, text: 'abc12' }], 'creationDate');
      expect(plan).toMatch(new RegExp(`Index.* user_account_list_${NAMES[by]}_idx`));
      expect(plan).toMatch(
        new RegExp(`Index Cond: .*${by === 'userName' ? 'user_name_key' : by === 'email' ? 'email_key' : 'lower'}`),
      );
    }
  });

  it.each(FIELDS)('filtered by what a %s contains or ends with asks the index of trigrams', async (by) => {
    for (const how of ['contains', 'contains_ignore_case', 'ends_with', 'ends_with_ignore_case'] as const) {
      expect(await planOf([{ by, how, text: 'abc12' }], 'creationDate')).toContain('user_account_searched_idx');
    }
  });

  it('whose filter and order go together is found filter first, when the other way takes long, and is the same page', async () => {
    const searches: UserSearch[] = [{ by: 'userName', how: 'starts_with', text: 'f' }];
    const range: Omit<ListRequest<UserColumn>, 'where'> = {
      offset: 5n,
      limit: 20,
      ascending: false,
      sortBy: 'lastName',
    };
    const rowsOf = async ({ statement, values }: ReturnType<typeof pageStatement>): Promise<unknown[]> =>
      (await client.query<{ id: string }>({ text: statement, values: [...values] })).rows.map(({ id }) => id);
    const first = pageStatement(orgId, searches, range, true);
    const { rows: plan } = await client.query<{ 'QUERY PLAN': string }>({
      text: `EXPLAIN ${first.statement}`,
      values: [...first.values],
    });
    expect(JSON.stringify(plan)).toMatch(
      /Index Cond: \(\(user_name_key >= 'f'::text\)|Bitmap Index Scan on user_account_searched_idx/,
    );
    expect(JSON.stringify(plan)).not.toContain('user_account_list_last_name_idx');
    expect(await rowsOf(first)).toEqual(await rowsOf(pageStatement(orgId, searches, range)));
  });

  it('that takes too long is given up, with a word on how to ask', async () => {
    await client.query('BEGIN; LOCK TABLE event IN ACCESS EXCLUSIVE MODE'); // the guard does not read it, the list does
    const reply = await manager
      .ask('POST', '/management/v1/users/_search', {})
      .catch((error: unknown) => String(error));
    await client.query('ROLLBACK');
    expect(reply).toMatch(/504.*list\.too_slow/);
  });
});
