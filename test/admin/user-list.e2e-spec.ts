import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type ListRequest, listSettings } from '../../src/foundation/database/listing.js';
import { pageStatement } from '../../src/user/user-directory.js';
import { type TextField, USER_SORT, type UserColumn, type UserSearch } from '../../src/user/user-search.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

const LIST = '/management/v1/users/_search';

let world: World;
let org: TestOrg;
let elsewhere: TestOrg;
let manager: AdminApi;
let stranger: AdminApi;
let ids: Record<string, string>;

const PEOPLE: ReadonlyArray<
  readonly [userName: string, firstName: string, lastName: string, nickName: string, email: string]
> = [
  ['anna', 'Anna', 'Zimmer', 'An_na', 'anna@mail.test'],
  ['Bob', 'bob', 'Young', '', 'BOB@mail.test'],
  ['carla@mail.test', 'Çarla', 'Xaver', '100%', 'carla@mail.test'],
  ['dora', 'Änne', 'anders', 'x\\y', 'dora@other.test'],
];

beforeAll(async () => {
  world = await startWorld();
  org = await world.add.org('list.test');
  elsewhere = await world.add.org('elsewhere.test');
  manager = (await callerWith(world, org, ['ORG_USER_MANAGER'])).api;
  stranger = (await callerWith(world, elsewhere, ['ORG_OWNER'])).api;
  ids = {};
  for (const [userName, firstName, lastName, nickName, email] of PEOPLE) {
    world.clock.advance('1s');
    const person = await world.add.person({
      orgId: org.id,
      userName,
      email,
      profile: { firstName, lastName, nickName },
    });
    ids[userName] = person.id;
  }
  await world.add.person({
    orgId: elsewhere.id,
    userName: 'anna-elsewhere',
    profile: { firstName: 'Anna', lastName: 'Elsewhere' },
  });
  await manager.call('POST', `/management/v1/users/${ids['Bob']!}/_lock`);
});
afterAll(() => world.close());

const names = async (body: Json, api = manager): Promise<string[]> =>
  (await api.call<{ result: Array<{ userName: string; human?: unknown }> }>('POST', LIST, body)).result
    .filter(({ human }) => human !== undefined)
    .map(({ userName }) => userName);
const found = async (...queries: Json[]): Promise<string[]> => (await names({ queries })).sort();
const method = (name: string): string => `TEXT_QUERY_METHOD_${name}`;

describe('ListUsers', () => {
  it('answers the users of the organization, with login names, and how many there are', async () => {
    const answer = await manager.call<{ details: Json; sortingColumn: string; result: Json[] }>('POST', LIST, {});
    expect(answer.details).toEqual({
      totalResult: '5',
      processedSequence: expect.stringMatching(/^\d+$/),
      viewTimestamp: expect.any(String),
    });
    expect(answer.sortingColumn).toBe('USER_FIELD_NAME_UNSPECIFIED');
    expect(answer.result.find(({ id }) => id === ids['anna'])).toMatchObject({
      loginNames: ['anna@list.test', 'anna'],
      preferredLoginName: 'anna@list.test',
    });
    expect(answer.result.find(({ id }) => id === ids['carla@mail.test'])).toMatchObject({
      loginNames: ['carla@mail.test'],
      preferredLoginName: 'carla@mail.test',
    });
  });

  it.each<[string, string[]]>([
    ['UNSPECIFIED', ['anna', 'Bob', 'carla@mail.test', 'dora']],
    ['USER_NAME', ['anna', 'Bob', 'carla@mail.test', 'dora']],
    ['FIRST_NAME', ['anna', 'Bob', 'dora', 'carla@mail.test']],
    ['LAST_NAME', ['dora', 'carla@mail.test', 'Bob', 'anna']],
    ['NICK_NAME', ['Bob', 'carla@mail.test', 'anna', 'dora']],
    ['DISPLAY_NAME', ['anna', 'Bob', 'dora', 'carla@mail.test']],
    ['EMAIL', ['anna', 'Bob', 'carla@mail.test', 'dora']],
    ['STATE', ['anna', 'carla@mail.test', 'dora', 'Bob']],
    ['TYPE', ['anna', 'Bob', 'carla@mail.test', 'dora']],
    ['CREATION_DATE', ['anna', 'Bob', 'carla@mail.test', 'dora']],
  ])('sorts by %s without regard to case, both ways', async (column, expected) => {
    const sortingColumn = `USER_FIELD_NAME_${column}`;
    expect(await names({ sortingColumn })).toEqual(expected);
    expect(await names({ sortingColumn, query: { asc: true } })).toEqual(expected);
    expect(await names({ sortingColumn, query: { asc: false } })).toEqual([...expected].reverse());
  });

  it('pages without overlap or gap, also among equals', async () => {
    const pages: string[] = [];
    for (let offset = 0; offset < 6; offset += 2)
      pages.push(...(await names({ sortingColumn: 'USER_FIELD_NAME_TYPE', query: { offset, limit: 2, asc: true } })));
    expect(pages).toEqual(['anna', 'Bob', 'carla@mail.test', 'dora']);
  });

  it.each<[string, Json, string[]]>([
    ['user name', { userNameQuery: { userName: 'bob' } }, []],
    ['user name, in its case', { userNameQuery: { userName: 'Bob' } }, ['Bob']],
    ['user name, in any case', { userNameQuery: { userName: 'BOB', method: method('EQUALS_IGNORE_CASE') } }, ['Bob']],
    [
      'user name, by its beginning',
      { userNameQuery: { userName: 'car', method: method('STARTS_WITH') } },
      ['carla@mail.test'],
    ],
    [
      'user name, by its end',
      { userNameQuery: { userName: 'A', method: method('ENDS_WITH_IGNORE_CASE') } },
      ['anna', 'dora'],
    ],
    ['first name', { firstNameQuery: { firstName: 'ä', method: method('STARTS_WITH_IGNORE_CASE') } }, ['dora']],
    [
      'first name, by what it contains',
      { firstNameQuery: { firstName: 'ARL', method: method('CONTAINS_IGNORE_CASE') } },
      ['carla@mail.test'],
    ],
    [
      'first name, by what it contains in its case',
      { firstNameQuery: { firstName: 'ARL', method: method('CONTAINS') } },
      [],
    ],
    ['last name', { lastNameQuery: { lastName: 'er', method: method('ENDS_WITH') } }, ['anna', 'carla@mail.test']],
    [
      'nick name with a sign that SQL reads',
      { nickNameQuery: { nickName: '_', method: method('CONTAINS') } },
      ['anna'],
    ],
    [
      'nick name with another sign that SQL reads',
      { nickNameQuery: { nickName: '%', method: method('ENDS_WITH') } },
      ['carla@mail.test'],
    ],
    [
      'nick name with the sign that escapes signs',
      { nickNameQuery: { nickName: '\\', method: method('CONTAINS') } },
      ['dora'],
    ],
    ['no nick name', { nickNameQuery: { nickName: '' } }, ['Bob']],
    [
      'display name',
      { displayNameQuery: { displayName: 'anna zimmer', method: method('EQUALS_IGNORE_CASE') } },
      ['anna'],
    ],
    [
      'e-mail address',
      { emailQuery: { emailAddress: 'bob@mail', method: method('STARTS_WITH_IGNORE_CASE') } },
      ['Bob'],
    ],
    [
      'e-mail address, by its domain',
      { emailQuery: { emailAddress: '@mail.test', method: method('ENDS_WITH') } },
      ['Bob', 'anna', 'carla@mail.test'],
    ],
    ['state', { stateQuery: { state: 'USER_STATE_LOCKED' } }, ['Bob']],
    ['a state without users', { stateQuery: { state: 'USER_STATE_DELETED' } }, []],
    ['type', { typeQuery: { type: 'TYPE_MACHINE' } }, []],
    ['login name', { loginNameQuery: { loginName: 'ANNA@list.test' } }, ['anna']],
    ['login name without a domain', { loginNameQuery: { loginName: 'anna' } }, ['anna']],
    ['login name at a domain of another organization', { loginNameQuery: { loginName: 'anna@elsewhere.test' } }, []],
    [
      'login name, by its beginning',
      { loginNameQuery: { loginName: 'bob@li', method: method('STARTS_WITH') } },
      ['Bob'],
    ],
    [
      'login name, by its end',
      { loginNameQuery: { loginName: 'a@list.test', method: method('ENDS_WITH') } },
      ['anna', 'dora'],
    ],
    ['login name, across the @', { loginNameQuery: { loginName: 'ra@lis', method: method('CONTAINS') } }, ['dora']],
    [
      'login name, by the domain of all',
      { loginNameQuery: { loginName: 'list.test', method: method('CONTAINS') } },
      ['Bob', 'anna', 'carla@mail.test', 'dora'],
    ],
    ['SQL [ADM-022]', { userNameQuery: { userName: "' OR 1=1--", method: method('CONTAINS') } }, []],
  ])('filters by %s', async (_, query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('filters by ids and addresses, those of another organization among them [ADM-004]', async () => {
    const [foreign] = await world.rows<{ id: string }>('SELECT id FROM user_account WHERE org_id = $1 LIMIT 1', [
      elsewhere.id,
    ]);
    expect(await found({ inUserIdsQuery: { userIds: [ids['anna']!, foreign!.id, 'none'] } })).toEqual(['anna']);
    expect(await found({ inUserEmailsQuery: { userEmails: ['bob@MAIL.test', 'anna-elsewhere@mail.test'] } })).toEqual([
      'Bob',
    ]);
    expect(await found({ inUserIdsQuery: { userIds: [] } })).toEqual([]);
    expect(await names({ queries: [{ inUserIdsQuery: { userIds: [ids['anna']!] } }] }, stranger)).toEqual([]);
    expect(await names({ queries: [{ notQuery: { query: { userNameQuery: { userName: 'x' } } } }] }, stranger)).toEqual(
      ['anna-elsewhere'],
    );
    expect(
      await names({ queries: [{ orQuery: { queries: [{ notQuery: { query: { stateQuery: {} } } }] } }] }, stranger),
    ).toEqual(['anna-elsewhere']);
  });

  it('joins, separates and turns filters around', async () => {
    const a = { userNameQuery: { userName: 'a', method: method('STARTS_WITH_IGNORE_CASE') } };
    const locked = { stateQuery: { state: 'USER_STATE_LOCKED' } };
    expect(await found({ orQuery: { queries: [a, locked] } })).toEqual(['Bob', 'anna']);
    expect(await found({ andQuery: { queries: [a, locked] } })).toEqual([]);
    expect(await found(a, locked)).toEqual([]);
    expect(
      await found(
        { notQuery: { query: { orQuery: { queries: [a, locked] } } } },
        { typeQuery: { type: 'TYPE_HUMAN' } },
      ),
    ).toEqual(['carla@mail.test', 'dora']);
    expect(await found({ orQuery: { queries: [] } })).toEqual([]);
    expect(await found({ andQuery: { queries: [] } })).toEqual(['Bob', 'anna', 'carla@mail.test', 'dora']);
  });

  const nested = (depth: number): Json =>
    depth === 1 ? { stateQuery: { state: 'USER_STATE_ACTIVE' } } : { notQuery: { query: nested(depth - 1) } };

  it.each<[string, Json, string]>([
    ['an empty filter', { queries: [{}] }, '400 queries[0]'],
    ['an unknown filter alone', { queries: [{ shoeSizeQuery: {} }] }, '400 queries[0]'],
    [
      'an empty filter within another',
      { queries: [{ orQuery: { queries: [{}] } }] },
      '400 queries[0].orQuery.queries[0]',
    ],
    [
      'six filters within each other',
      { queries: [nested(6)] },
      '400 queries[0].notQuery.query.notQuery.query.notQuery.query.notQuery.query.notQuery.query',
    ],
    ['21 filters', { queries: Array.from({ length: 21 }, () => ({ stateQuery: {} })) }, '400 queries'],
    [
      'a text of 201 characters',
      { queries: [{ userNameQuery: { userName: 'x'.repeat(201) } }] },
      '400 queries[0].userNameQuery.userName',
    ],
    ['an unknown column [ADM-023]', { sortingColumn: ';select pg_sleep(5)' }, '400 sortingColumn'],
    ['a negative limit [ADM-023]', { query: { limit: -1 } }, '400 query.limit'],
    ['an unknown method', { queries: [{ userNameQuery: { method: 'LIKE' } }] }, '400 queries[0].userNameQuery.method'],
  ])('refuses %s', async (_, body, verdict) => {
    expect(await manager.verdict('POST', LIST, body)).toBe(verdict);
  });

  it('refuses more conditions than a planner should see', async () => {
    const many = { orQuery: { queries: Array.from({ length: 20 }, () => ({ stateQuery: {} })) } };
    expect(await manager.verdict('POST', LIST, { queries: Array.from({ length: 6 }, () => many) })).toBe('400 queries');
  });

  it('takes five filters within each other, the largest limit and the largest offset', async () => {
    expect(await found(nested(5))).toHaveLength(3);
    expect(await names({ query: { limit: 4_294_967_295 } })).toHaveLength(4);
    expect(await names({ query: { offset: '9223372036854775807' } })).toEqual([]);
  });

  it('requires the permission to read users there', async () => {
    expect(await stranger.about(org.id).verdict('POST', LIST, {})).toBe('403 permission.missing');
    const { api } = await callerWith(world, org, []);
    expect(await api.verdict('POST', LIST, {})).toBe('403 permission.missing');
  });
});

describe('A page of a large organization', () => {
  let client: Client;
  let orgId: string;

  beforeAll(async () => {
    orgId = (await world.add.org(`${uniqueName('large')}.test`)).id;
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
  afterAll(() => client.end());

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

  const NAMES: Record<UserColumn, string> = {
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

  it.each(Object.keys(USER_SORT) as UserColumn[])('sorted by %s comes from its index in order', async (column) => {
    for (const ascending of [true, false]) {
      const plan = await planOf([], column, ascending);
      expect(plan).toContain(`user_account_list_${NAMES[column]}_idx`);
      expect(plan).not.toContain('Sort');
    }
  });

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
    const reply = await manager.ask('POST', LIST, {}).catch((error: unknown) => String(error));
    await client.query('ROLLBACK');
    expect(reply).toMatch(/504.*list\.too_slow/);
  });
});
