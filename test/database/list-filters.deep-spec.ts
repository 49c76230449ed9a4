import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import {
  type Condition,
  type ListFilter,
  type TextMatch,
  textMatches,
} from '../../src/foundation/database/condition.js';
import { byDomain, byId, byName, byState } from '../../src/org/org-directory.js';
import { clientWhere } from '../../src/project/client/client-directory.js';
import { projectWhere, roleWhere } from '../../src/project/project-directory.js';
import { projectGrantWhere } from '../../src/project/project-grant-directory.js';
import { userGrantFilter } from '../../src/project/user-grant/user-grant-directory.js';
import { managerWhere, readableBy } from '../../src/user/permission/manager-list.js';
import { memberWhere } from '../../src/user/permission/managers.js';
import type { MemberLevel } from '../../src/user/permission/member.entity.js';
import { Rights } from '../../src/user/permission/rights.js';
import type { RoleName } from '../../src/user/permission/role.js';
import { RoleBook } from '../../src/user/permission/role-book.js';
import { mentions, mentionsAll, SEARCHED_OF_USER } from '../../src/user/user-search.js';
import { workerDatabase } from '../support/database.js';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

const WAYS: readonly TextMatch[] = ['equals', 'equals_ignore_case', 'starts_with', 'contains_ignore_case', 'ends_with'];

type ByText = (how: TextMatch, text: string) => ListFilter;

function held(level: MemberLevel, role: RoleName): Rights {
  return new Rights([{ level, objectId: 'x', orgId: 'y', roles: [role] }], new RoleBook());
}

/** Where the rows of a list are, and its filters by texts and by values. */
const LISTS: ReadonlyArray<readonly [from: string, texts: Record<string, ByText>, values: Record<string, ListFilter>]> =
  [
    [
      'user_account u',
      Object.fromEntries(
        Object.entries(SEARCHED_OF_USER).map(([name, field]): [string, ByText] => [
          name,
          (how, text) => textMatches(field, how, text),
        ]),
      ),
      { mentions: mentions('text'), mentionsAll: mentionsAll(['text', 'te']) },
    ],
    ['org o', { name: byName, domain: byDomain }, { state: byState('inactive'), id: byId('x') }],
    ['project p', { name: projectWhere.name }, {}],
    ['project_role r', { key: roleWhere.key, displayName: roleWhere.displayName }, {}],
    ['client c', { name: clientWhere.name }, {}],
    [
      'project_grant g JOIN project p ON p.id = g.project_id',
      { projectName: projectGrantWhere.projectName, roleKey: projectGrantWhere.roleKey },
      { project: projectGrantWhere.ofProject('x'), toOrg: projectGrantWhere.toOrg('x') },
    ],
    [
      'user_grant g',
      {
        roleKey: userGrantFilter.roleKey,
        userName: userGrantFilter.userName,
        firstName: userGrantFilter.firstName,
        lastName: userGrantFilter.lastName,
        email: userGrantFilter.email,
        displayName: userGrantFilter.displayName,
        orgName: userGrantFilter.orgName,
        orgDomain: userGrantFilter.orgDomain,
        projectName: userGrantFilter.projectName,
      },
      {
        givenBy: userGrantFilter.givenBy('x'),
        concerning: userGrantFilter.concerning('x'),
        project: userGrantFilter.project('x'),
        projectGrant: userGrantFilter.projectGrant('x'),
        user: userGrantFilter.user('x'),
        users: userGrantFilter.users(['x', 'y']),
        usersOf: userGrantFilter.usersOf('x'),
        at: userGrantFilter.at({ orgIds: ['x'], projectIds: ['y'], projectGrantIds: ['z'] }),
      },
    ],
    [
      'member m',
      { firstName: memberWhere.firstName, lastName: memberWhere.lastName, email: memberWhere.email },
      { userId: memberWhere.userId('x') },
    ],
    [
      'member m JOIN user_account u ON u.id = m.user_id',
      { displayName: managerWhere.displayName },
      {
        usersOf: managerWhere.usersOf('x'),
        of: managerWhere.of('org', 'x'),
        projectGrant: managerWhere.ofProjectGrant('x', 'y'),
        readableByOwner: readableBy(held('org', 'ORG_OWNER')),
        readableByManagerOfProject: readableBy(held('project', 'PROJECT_OWNER')),
        readableByManagerOfGrant: readableBy(held('project_grant', 'PROJECT_GRANT_OWNER')),
      },
    ],
  ];

const FILTERS = LISTS.flatMap(([from, texts, values]) => [
  ...Object.entries(texts).flatMap(([name, filter]) =>
    WAYS.map((how) => [`${from.split(' ')[0]} by ${name} ${how}`, from, filter(how, 'abcde')] as const),
  ),
  ...Object.entries(values).map(([name, filter]) => [`${from.split(' ')[0]} by ${name}`, from, filter] as const),
]);

/** What a plan reads as a whole: tables, and indexes in which it looks for nothing. */
function wholeIn(plan: Plan): string[] {
  const isRead = plan['Node Type'] === 'Seq Scan' || (/Index.*Scan/.test(plan['Node Type']) && !('Index Cond' in plan));
  // Of the primary domains there are as many as organizations; with statistics the planner knows that.
  const own =
    isRead && plan['Index Name'] !== 'org_domain_primary_key'
      ? [plan['Index Name'] ?? plan['Relation Name'] ?? '']
      : [];
  return [...own, ...(plan.Plans ?? []).flatMap(wholeIn)];
}

describe('A filter of a list, by itself', () => {
  let client: Client;
  let database: Awaited<ReturnType<typeof workerDatabase>>;

  beforeAll(async () => {
    database = await workerDatabase({ isNew: true });
    client = new Client(database.connection);
    await client.connect();
    // On empty tables a scan is the cheapest plan; forbidden, it is left only where no index helps.
    // And a scan of an index can read all of it, which that for a bitmap never does without a condition.
    await client.query('SET enable_seqscan = off; SET enable_indexscan = off; SET enable_indexonlyscan = off');
  });
  afterAll(async () => {
    await client.end();
    await database.release();
  });

  async function readWhole(sql: (bind: (value: unknown) => string) => string): Promise<string[]> {
    const values: unknown[] = [];
    const text = sql((value) => `$${values.push(value)}`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`EXPLAIN (FORMAT JSON) ${text}`, values);
    return wholeIn(rows[0]!['QUERY PLAN'][0].Plan);
  }

  it.each(FILTERS)('finds its rows by an index: %s', async (_, from, filter) => {
    const rows = async (where: Condition): Promise<string[]> =>
      readWhole((bind) => `SELECT 1 FROM ${from} WHERE ${where(bind)}`);
    if (typeof filter === 'function') return expect(await rows(filter)).toEqual([]);
    expect(await readWhole((bind) => `${filter.select(bind)} LIMIT 1000`)).toEqual([]);
    expect(await rows(filter.among(['x', 'y']))).toEqual([]);
  });
});
