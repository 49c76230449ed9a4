import { Injectable, type OnModuleInit } from '@nestjs/common';
import { shareLocks, takeLockSoon } from '../database/advisory-lock.js';
import { Database, type Transaction } from '../database/database.js';
import { isUniqueViolation } from '../database/database-failure.js';
import { allowLongWork } from '../database/long-work.js';
import { type Queryable, type Statement, statement } from '../database/statement.js';
import { isWithinOrg, mustBeDomain, scopeLockOf } from '../org/name-scope.js';
import { PolicyService } from '../policy/policy.service.js';
import type { User } from './user.entity.js';
import { userNamesBusy, userNamesCollide } from './user.errors.js';
import { toNameKey } from './user-name.js';

/** How long a change of the policy waits for those who are adding people; others who want to add some wait behind it. */
const PATIENCE_MS = 3_000;
/** So many names are reserved by one transaction: few enough that nobody who signs in meanwhile waits for their row. */
const PAGE = 1_000;
/** Somebody else may take one of them in that very moment. */
const MAX_ATTEMPTS = 5;
/** How many of the names that collide are told. */
const TOLD = 10;
/** Behind every key: names do not hold noncharacters. */
const BEHIND_ALL = '\u{10ffff}';

const MUST_BE_DOMAIN = statement('name_scope.must_be_domain', `SELECT ${mustBeDomain('$1')} AS "mustBeDomain"`);

const IS_INSTANCE = statement('name_scope.is_instance', 'SELECT 1 FROM instance WHERE id = $1');

/** A name may be reserved in the instance although it need not be. Then it gives way: in its own organization, or where `$4` is empty. */
const GIVE_WAY = statement(
  'name_scope.give_way',
  `UPDATE user_account u SET name_scope = u.org_id
   WHERE u.name_scope = '' AND u.user_name_key = $1 AND u.id <> $2 AND (u.org_id = $3 OR $4 = '') AND ${isWithinOrg('u')}`,
);

/** Of several with one name, the first gets it. Those that another user has are left as they are. */
const RESERVE = statement(
  'name_scope.reserve',
  `UPDATE user_account u SET name_scope = '' FROM (
     SELECT DISTINCT ON (p.user_name_key) p.id FROM user_account p WHERE p.id = ANY($1::text[])
       AND NOT EXISTS (SELECT 1 FROM user_account h WHERE h.name_scope = '' AND h.user_name_key = p.user_name_key)
     ORDER BY p.user_name_key, p.id) f
   WHERE u.id = f.id RETURNING u.id`,
);

interface StatementsOfOwner {
  /** The next names behind `$2` and `$3` that are reserved in their organization alone, in the order of the unique index. */
  readonly findPage: Statement;
  /** Makes those who live by another policy, which does not ask for it, give the names of a page back. */
  readonly makeWay: Statement;
  readonly findNamesakes: Statement;
}

/** `isOfOwner` is SQL for the people `u` who live by the policy of `$1`; `behind` for those who come after the last one. */
function statementsOf(word: string, isOfOwner: string, behind: string): StatementsOfOwner {
  return {
    findPage: statement(
      `name_scope.page_of_${word}`,
      `SELECT u.id, u.name_scope AS scope, u.user_name_key AS key FROM user_account u
       WHERE ${behind} AND u.name_scope <> '' AND ${isOfOwner}
       ORDER BY u.name_scope, u.user_name_key LIMIT ${PAGE}`,
    ),
    makeWay: statement(
      `name_scope.make_way_for_${word}`,
      `UPDATE user_account u SET name_scope = u.org_id
       WHERE u.name_scope = '' AND u.user_name_key = ANY($2::text[]) AND NOT (${isOfOwner}) AND ${isWithinOrg('u')}`,
    ),
    // A whole name at a domain of another organization, or that somebody else has at a domain: it would mean two, which is nobody. The
    // other one is found by the unique index: of the indexes by organization, any may find all of its people.
    findNamesakes: statement(
      `name_scope.namesakes_of_${word}`,
      `SELECT u.user_name AS "userName" FROM user_account u
         JOIN org_domain d ON d.domain = split_part(u.user_name_key, '@', -1) COLLATE "default" AND d.is_verified
       WHERE u.user_name_key LIKE '_%@%' AND u.kind = 'human' AND ${isOfOwner} AND (d.org_id <> u.org_id OR EXISTS (
         SELECT 1 FROM user_account n WHERE n.name_scope = ANY (ARRAY['', d.org_id])
           AND n.user_name_key = left(u.user_name_key, -1 - length(d.domain)) AND (n.org_id || '') = d.org_id AND n.kind = 'human' AND n.id <> u.id))
       LIMIT ${TOLD}`,
    ),
  };
}

const OF_ORG = statementsOf('org', 'u.org_id = $1', 'u.name_scope = $2 AND u.user_name_key > ($3 COLLATE "C")');
const OF_INSTANCE = statementsOf(
  'instance',
  'NOT EXISTS (SELECT 1 FROM domain_policy own WHERE own.owner_id = u.org_id AND own.owner_id <> $1)',
  '(u.name_scope, u.user_name_key) > ($2, $3 COLLATE "C")',
);

interface Reserved {
  readonly id: string;
  readonly scope: string;
  readonly key: string;
}

type Place = Pick<Reserved, 'scope' | 'key'>;

/**
 * Within what the names of an organization's people are unique, and where they are reserved: see org/name-scope.ts. Names of
 * service users are always unique in the instance: they are client ids of the token endpoint, where nobody types a domain.
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

  /** Within what the name of such a user has to be unique: empty, the instance. It stays so until the transaction ends. */
  async of(tx: Transaction, { kind, orgId }: Pick<User, 'kind' | 'orgId'>): Promise<string> {
    await shareLocks(tx, 'nameScope', scopeLockOf(orgId));
    return kind === 'human' && (await this.mustBeDomain(tx, orgId)) ? orgId : '';
  }

  /** Makes others who have the name reserved more widely than they need give way to the user, whose name is unique within `scope`. */
  async makeWay(
    tx: Transaction,
    { id, orgId, userName }: Pick<User, 'id' | 'orgId' | 'userName'>,
    scope: string,
  ): Promise<void> {
    await tx.query(GIVE_WAY, [toNameKey(userName), id, orgId, scope]);
  }

  /**
   * For the time before a policy says that names are unique in the instance: reserves them there, a page at a time. To those who sign
   * in or are added this changes nothing, and a name that another one needs gives way again. So it may end anywhere, and when it is
   * begun again it goes on with what is left.
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
   * The policy has just changed. Where names are now unique in their organization, nothing has to be done; the other way round,
   * the names of those who were added since `reserveAhead` are reserved, and whole names compared with those at domains.
   * @throws DomainError FailedPrecondition `user.names_collide`; Aborted `user.names_busy`
   */
  private async follow(tx: Transaction, ownerId: string): Promise<void> {
    if (!(await takeLockSoon(tx, 'nameScope', PATIENCE_MS))) throw userNamesBusy();
    if (await this.mustBeDomain(tx, ownerId)) return;
    await this.reserve(tx, ownerId, (reservePage) => reservePage(tx));
    await allowLongWork(tx);
    const { findNamesakes } = await this.statementsFor(tx, ownerId);
    const namesakes = await tx.query<{ userName: string }>(findNamesakes, [ownerId]);
    if (namesakes.length > 0) throw userNamesCollide(namesakes.map(({ userName }) => userName));
  }

  /** Reserves page by page, each as `inTurn` says. */
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
      if (page.taken.length > 0) throw userNamesCollide(page.taken.slice(0, TOLD));
      last = page.last;
    }
  }

  private async statementsFor(on: Queryable, ownerId: string): Promise<StatementsOfOwner> {
    return (await on.query(IS_INSTANCE, [ownerId])).length > 0 ? OF_INSTANCE : OF_ORG;
  }

  /** Asked within the transaction, after the lock: memory may not know yet. */
  private async mustBeDomain(tx: Transaction, ownerId: string): Promise<boolean> {
    const [row] = await tx.query<{ mustBeDomain: boolean }>(MUST_BE_DOMAIN, [ownerId]);
    return row?.mustBeDomain === true;
  }
}

interface Page {
  /** Undefined behind the last name. */
  readonly last: Place | undefined;
  /** Names that another user has who keeps them. */
  readonly taken: readonly string[];
}

async function reservePage(
  tx: Transaction,
  { findPage, makeWay }: StatementsOfOwner,
  ownerId: string,
  from: Place,
): Promise<Page> {
  const page = await tx.query<Reserved>(findPage, [ownerId, from.scope, from.key]);
  if (page.length === 0) return { last: undefined, taken: [] };
  await tx.query(makeWay, [ownerId, page.map(({ key }) => key)]);
  const reserved = new Set((await tx.query<{ id: string }>(RESERVE, [page.map(({ id }) => id)])).map(({ id }) => id));
  return { last: page.at(-1), taken: page.filter(({ id }) => !reserved.has(id)).map(({ key }) => key) };
}
