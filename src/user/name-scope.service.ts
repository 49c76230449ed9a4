import { Injectable, type OnModuleInit } from '@nestjs/common';
import { takeLockSoon } from '../foundation/database/advisory-lock.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { isUniqueViolation } from '../foundation/database/database-failure.js';
import { allowLongWork } from '../foundation/database/long-work.js';
import { type Queryable, type Statement, statement } from '../foundation/database/statement.js';
import { isWithinOrg, mustBeDomain } from '../org/name-scope.js';
import { PolicyService } from '../org/policy/policy.service.js';
import type { User } from './user.entity.js';
import { userNamesBusy, userNamesCollide } from './user.errors.js';
import { isOfOrg, toNameKey } from './user-name.js';

/** How long a change of the policy waits for transactions that add users; further ones queue behind it. */
const LOCK_TIMEOUT_MS = 3_000;
/** Names reserved per transaction: few enough that sign-ins do not wait for locked rows. */
const PAGE = 1_000;
/** How often the reservation is tried again when another transaction has taken one of the names at the same moment. */
const MAX_ATTEMPTS = 5;
/** How many of the colliding names are reported. */
const MAX_REPORTED = 10;
/** Sorts after every key: names do not contain noncharacters. */
const BEHIND_ALL = '\u{10ffff}';

const MUST_BE_DOMAIN = statement(
  'name_scope.must_be_domain',
  `SELECT ${mustBeDomain(':ownerId')} AS "mustBeDomain"`,
).rows<{ mustBeDomain: boolean }>();

const IS_INSTANCE = statement('name_scope.is_instance', 'SELECT 1 FROM instance WHERE id = :ownerId');

/**
 * Releases the name of another user if it is reserved in the instance although it need not be: of a user of the same
 * organization, or of any organization if `:scope`, the required scope, is the instance (empty).
 */
const GIVE_WAY = statement(
  'name_scope.give_way',
  `UPDATE user_account u SET name_scope = u.org_id
   WHERE u.name_scope = '' AND u.user_name_key = :nameKey AND u.id <> :id
     AND (u.org_id = :orgId OR :scope = '') AND ${isWithinOrg('u')}`,
);

/**
 * If several users have the same name, the first one gets it. Names that are reserved for another user are left out; a
 * user whose name another process has just reserved keeps it. Written so that it cannot become a join: the planner
 * would hash all users and all reserved names for each page.
 */
const RESERVE = statement(
  'name_scope.reserve',
  `UPDATE user_account u
   SET name_scope = ''
   WHERE u.id = ANY (ARRAY(
     SELECT DISTINCT ON (p.user_name_key) p.id
     FROM user_account p
     WHERE p.id = ANY(:ids::text[])
       AND p.id = coalesce(
         (SELECT h.id FROM user_account h WHERE h.name_scope = '' AND h.user_name_key = p.user_name_key),
         p.id)
     ORDER BY p.user_name_key, p.id))
   RETURNING u.id`,
).rows<{ id: string }>();

interface StatementsOfOwner {
  /**
   * The next names after `:scope` and `:key` that are reserved in their organization only, in the order of
   * the unique index.
   */
  readonly findPage: Statement<{ ownerId: string; scope: string; key: string }, Reserved>;
  /** Releases the names of a page that users of other owners have reserved in the instance although they need not. */
  readonly makeWay: Statement<{ ownerId: string; nameKeys: readonly string[] }>;
  readonly findNamesakes: Statement<{ ownerId: string }, { userName: string }>;
}

/**
 * `isOfOwner` is SQL for the users `u` to whom the policy of `:ownerId` applies; `behind` for those after the last one.
 */
function statementsOf(word: string, isOfOwner: string, behind: string): StatementsOfOwner {
  return {
    findPage: statement<{ ownerId: string; scope: string; key: string }>(
      `name_scope.page_of_${word}`,
      `SELECT u.id, u.name_scope AS scope, u.user_name_key AS key
       FROM user_account u
       WHERE ${behind} AND u.name_scope <> '' AND ${isOfOwner}
       ORDER BY u.name_scope, u.user_name_key
       LIMIT ${PAGE}`,
    ).rows<Reserved>(),
    makeWay: statement<{ ownerId: string; nameKeys: readonly string[] }>(
      `name_scope.make_way_for_${word}`,
      `UPDATE user_account u SET name_scope = u.org_id
       WHERE u.name_scope = '' AND u.user_name_key = ANY(:nameKeys::text[])
         AND NOT (${isOfOwner}) AND ${isWithinOrg('u')}`,
    ),
    // A whole name that ends with the domain that another organization has proved, or equals another user's login name
    // or verified address: it would be ambiguous, and so valid for neither, or shut the other user out. The other user
    // is found by the unique index: each of the indexes by organization could return all of its users.
    findNamesakes: statement<{ ownerId: string }>(
      `name_scope.namesakes_of_${word}`,
      `SELECT u.user_name AS "userName"
       FROM user_account u
       LEFT JOIN org_domain d ON d.domain = split_part(u.user_name_key, '@', -1) COLLATE "default" AND d.is_verified
       WHERE u.user_name_key LIKE '_%@%' AND u.kind = 'human' AND ${isOfOwner}
         AND ((d.is_proved AND d.org_id <> u.org_id) OR EXISTS (
           SELECT 1
           FROM user_account n
           WHERE n.name_scope = ANY (ARRAY['', d.org_id])
             AND n.user_name_key = left(u.user_name_key, -1 - length(d.domain))
             AND ${isOfOrg('n', 'd.org_id')} AND n.kind = 'human' AND n.id <> u.id)
           OR EXISTS (
             SELECT 1
             FROM user_account e
             WHERE e.email_key = u.user_name_key AND e.email_verified AND e.id <> u.id
               AND (e.org_id = u.org_id OR d.is_proved IS DISTINCT FROM true)))
       LIMIT ${MAX_REPORTED}`,
    ).rows<{ userName: string }>(),
  };
}

const OF_ORG = statementsOf(
  'org',
  'u.org_id = :ownerId',
  'u.name_scope = :scope AND u.user_name_key > (:key COLLATE "C")',
);
const OF_INSTANCE = statementsOf(
  'instance',
  'NOT EXISTS (SELECT 1 FROM domain_policy own WHERE own.owner_id = u.org_id AND own.owner_id <> :ownerId)',
  '(u.name_scope, u.user_name_key) > (:scope, :key COLLATE "C")',
);

interface Reserved {
  readonly id: string;
  readonly scope: string;
  readonly key: string;
}

type Place = Pick<Reserved, 'scope' | 'key'>;

/**
 * Determines the scope in which user names of an organization are unique, and reserves them there: see
 * org/name-scope.ts. Names of service users are always unique in the instance: they are client ids of the token
 * endpoint, where no domain is typed.
 */
@Injectable()
export class NameScopeService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly policies: PolicyService,
  ) {}

  onModuleInit(): void {
    this.policies.follow('domain', async (tx, ownerId, changed) => {
      if (!changed || 'userLoginMustBeDomain' in changed) await this.follow(tx, ownerId);
    });
  }

  /**
   * Releases the name for the user, whose name is unique within `scope`, if others have reserved it more widely than
   * they need.
   */
  async makeWay(
    tx: Transaction,
    { id, orgId, userName }: Pick<User, 'id' | 'orgId' | 'userName'>,
    scope: string,
  ): Promise<void> {
    await tx.query(GIVE_WAY, { nameKey: toNameKey(userName), id, orgId, scope });
  }

  /**
   * Prepares for a policy by which names are unique in the instance: reserves them there, one page at a time. That
   * changes nothing for users who sign in or are added, and a name that another user needs is released again. So it
   * may stop anywhere and resumes where it stopped.
   * @throws DomainError FailedPrecondition `user.names_collide`
   */
  async reserveAhead(ownerId: string): Promise<void> {
    await this.reserve(this.database, ownerId, async (reservePage) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.database.transaction(reservePage);
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !isUniqueViolation(error, 'user_account_name_key')) throw error;
        }
      }
    });
  }

  /**
   * Called after the policy has changed. If names are now unique in their organization, there is nothing to do.
   * Otherwise this reserves the names of users who were added since `reserveAhead`, and compares whole names with those
   * at domains.
   * @throws DomainError FailedPrecondition `user.names_collide`; Aborted `user.names_busy`
   */
  private async follow(tx: Transaction, ownerId: string): Promise<void> {
    // The order matters: a transaction that waits for the first lock holds up no other that adds users.
    for (const lock of ['domainNames', 'nameScope'] as const)
      if (!(await takeLockSoon(tx, lock, LOCK_TIMEOUT_MS))) throw userNamesBusy();
    if (await this.mustBeDomain(tx, ownerId)) return;
    await this.reserve(tx, ownerId, (reservePage) => reservePage(tx));
    await allowLongWork(tx);
    const { findNamesakes } = await this.statementsFor(tx, ownerId);
    const namesakes = await tx.query(findNamesakes, { ownerId });
    if (namesakes.length > 0) throw userNamesCollide(namesakes.map(({ userName }) => userName));
  }

  /** Reserves page by page, each through `inTurn`. */
  private async reserve(
    on: Queryable,
    ownerId: string,
    inTurn: (reservePage: (tx: Transaction) => Promise<Page>) => Promise<Page>,
  ): Promise<void> {
    const statements = await this.statementsFor(on, ownerId);
    let last: Place | undefined = statements === OF_ORG ? { scope: ownerId, key: '' } : { scope: '', key: BEHIND_ALL };
    while (last) {
      const from: Place = last;
      const page: Page = await inTurn((tx) => reservePage(tx, statements, ownerId, from));
      if (page.taken.length > 0) throw userNamesCollide(page.taken.slice(0, MAX_REPORTED));
      last = page.last;
    }
  }

  private async statementsFor(on: Queryable, ownerId: string): Promise<StatementsOfOwner> {
    return (await on.query(IS_INSTANCE, { ownerId })).length > 0 ? OF_INSTANCE : OF_ORG;
  }

  /** Read within the transaction, after the lock: the cache may be out of date. */
  private async mustBeDomain(tx: Transaction, ownerId: string): Promise<boolean> {
    const [row] = await tx.query(MUST_BE_DOMAIN, { ownerId });
    return row?.mustBeDomain === true;
  }
}

interface Page {
  /** Undefined after the last name. */
  readonly last: Place | undefined;
  /** Names that other users have and keep. */
  readonly taken: readonly string[];
}

async function reservePage(
  tx: Transaction,
  { findPage, makeWay }: StatementsOfOwner,
  ownerId: string,
  from: Place,
): Promise<Page> {
  const page = await tx.query(findPage, { ownerId, scope: from.scope, key: from.key });
  if (page.length === 0) return { last: undefined, taken: [] };
  await tx.query(makeWay, { ownerId, nameKeys: page.map(({ key }) => key) });
  const reserved = new Set((await tx.query(RESERVE, { ids: page.map(({ id }) => id) })).map(({ id }) => id));
  return { last: page.at(-1), taken: page.filter(({ id }) => !reserved.has(id)).map(({ key }) => key) };
}
