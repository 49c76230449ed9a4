import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
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
