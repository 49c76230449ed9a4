import { Injectable } from '@nestjs/common';
import { expressionsOf } from '../foundation/database/columns.js';
import { equals, isOneOf } from '../foundation/database/condition.js';
import { Database } from '../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../foundation/database/listing.js';
import { HISTORY } from '../foundation/database/recorded.js';
import { statement } from '../foundation/database/statement.js';
import { mustBeDomain } from '../org/name-scope.js';
import { isUserName } from './new-human.js';
import { User } from './user.entity.js';
import { userNotFound } from './user.errors.js';
import { UserService } from './user.service.js';
import { SHARED_USER_COLUMNS } from './user-columns.js';
import { isOfOrg, loginNamesOf, parseLoginName, toNameKey } from './user-name.js';
import {
  idsByLoginName,
  type LoginNameRules,
  mentions,
  toCondition,
  USER_SORT,
  type UserColumn,
  type UserSearch,
} from './user-search.js';

type Shown = Omit<
  User,
  | 'userNameKey'
  | 'reservedScope'
  | 'emailKey'
  | 'emailMayStayUnverified'
  | 'emailProof'
  | 'emailVerifiedAt'
  | 'phoneVerifiedAt'
  | 'awaitsSetUp'
  | 'passwordHash'
  | 'passwordOrigin'
  | 'tokenEpoch'
  | 'secretHash'
>;

/** A user as managers see it. */
export interface UserEntry extends Shown {
  readonly hasSecret: boolean;
  /** Where the user name must be unique: empty for the instance, or the organization's id. */
  readonly nameScope: string;
  /**
   * What the user may type to sign in: the name at each verified domain, the primary one first; alone only if the name
   * is unique in the instance.
   */
  readonly loginNames: readonly string[];
  readonly preferredLoginName: string;
}

type Row = Omit<UserEntry, 'loginNames' | 'preferredLoginName'>;

const COLUMNS: Readonly<Record<keyof Row, string>> = {
  ...SHARED_USER_COLUMNS,
  ...expressionsOf(User, 'u', [
    'id',
    'state',
    'passwordChangedAt',
    'passwordChangeRequired',
    'factorSkippedAt',
    'failedPasswordChecks',
    'failedCodeChecks',
    'description',
    'accessTokenType',
    'accessTokenHeaderType',
    ...HISTORY,
  ]),
  hasSecret: 'u.secret_hash IS NOT NULL',
};
const SELECTED = Object.entries(COLUMNS)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

const LISTING = new Listing<Row, UserColumn>({
  select: SELECTED,
  from: 'user_account u',
  key: 'u.id',
  sort: USER_SORT,
});

/** A single user, with the verified domains of the organization, the primary one first. */
const ENTRY = `SELECT ${SELECTED},
     ARRAY(
       SELECT d.domain
       FROM org_domain d
       WHERE d.org_id = u.org_id AND d.is_verified
       ORDER BY d.is_primary DESC, d.domain) AS domains
   FROM user_account u`;

type FoundEntry = Row & { readonly domains: readonly string[] };

const GET = statement('user.entry', `${ENTRY} WHERE u.id = :id AND ${isOfOrg('u', ':orgId')}`).rows<FoundEntry>();

const FIND = statement('user.entry_of_any', `${ENTRY} WHERE u.id = :id`).rows<FoundEntry>();

const BY_LOGIN_NAME = statement(
  'user.entry_by_login_name',
  `${ENTRY} WHERE u.id IN (${idsByLoginName(':nameKey', ':localKey', ':domain')})
   LIMIT 2`,
).rows<FoundEntry>();

const ORG_OF = statement('user.org', 'SELECT org_id AS "orgId" FROM user_account WHERE id = :id').rows<{
  orgId: string;
}>();

const HAS_EMAIL = statement(
  'user.has_email',
  `SELECT 1
   FROM user_account
   WHERE email_key = :emailKey AND ${isOfOrg('user_account', ':orgId')}
   LIMIT 1`,
);

const DOMAINS = statement(
  'user.login_domains',
  `SELECT domain
   FROM org_domain
   WHERE org_id = :orgId AND is_verified
   ORDER BY is_primary DESC, domain`,
).rows<{ domain: string }>();

const DOMAINS_OF_ORGS = statement(
  'user.login_domains_of_orgs',
  `SELECT org_id AS "orgId", domain
   FROM org_domain
   WHERE org_id = ANY(:orgIds) AND is_verified
   ORDER BY is_primary DESC, domain`,
).rows<{ orgId: string; domain: string }>();

const MUST_BE_DOMAIN = statement(
  'user.login_must_be_domain',
  `SELECT ${mustBeDomain(':orgId')} AS "mustBeDomain"`,
).rows<{ mustBeDomain: boolean }>();

/** Users as managers see them; those of one organization unless stated otherwise. */
@Injectable()
export class UserDirectory {
  constructor(
    private readonly database: Database,
    private readonly users: UserService,
  ) {}

  /** @throws DomainError NotFound `user.not_found` */
  async get(orgId: string, id: string): Promise<UserEntry> {
    const [row] = await this.database.query(GET, { id, orgId });
    if (!row) throw userNotFound();
    return foundEntry(row);
  }

  /** A user of any organization. */
  async find(id: string): Promise<UserEntry | undefined> {
    const [row] = await this.database.query(FIND, { id });
    return row && foundEntry(row);
  }

  /** The organization that the user belongs to. */
  async findOrg(id: string): Promise<string | undefined> {
    const [row] = await this.database.query(ORG_OF, { id });
    return row?.orgId;
  }

  /** Finds a user of any organization. @throws DomainError NotFound `user.not_found`, also for an ambiguous name */
  async getByLoginName(loginName: string): Promise<UserEntry> {
    const { nameKey, localKey, domain } = parseLoginName(loginName);
    const rows = await this.database.query(BY_LOGIN_NAME, { nameKey, localKey, domain });
    const [row] = rows;
    if (!row || rows.length > 1) throw userNotFound();
    return foundEntry(row);
  }

  /** @throws DomainError DeadlineExceeded `list.too_slow` */
  async list(
    orgId: string,
    searches: readonly UserSearch[],
    range: Omit<ListRequest<UserColumn>, 'where'>,
  ): Promise<Page<UserEntry>> {
    const names = await this.rulesOf(orgId);
    const where = [equals('u.org_id', orgId), ...searches.map((search) => toCondition(search, names))];
    const page = await LISTING.page(this.database, { ...range, where });
    return { ...page, rows: page.rows.map((row) => toEntry(row, names.domains)) };
  }

  /**
   * Users of these organizations. Parts of login names can be searched for if the searches leave one of them.
   * @throws DomainError InvalidArgument; DeadlineExceeded `list.too_slow`
   */
  async listIn(
    orgIds: readonly string[] | 'everywhere',
    searches: readonly UserSearch[],
    range: Omit<ListRequest<UserColumn>, 'where'>,
  ): Promise<Page<UserEntry>> {
    const named = searches.flatMap((search) => ('by' in search && search.by === 'org' ? search.id : []));
    const [sole] = orgIds !== 'everywhere' && orgIds.length === 1 ? orgIds : named;
    const names = sole === undefined ? undefined : await this.rulesOf(sole);
    const where = searches.map((search) => toCondition(search, names));
    if (orgIds !== 'everywhere') where.unshift(isOneOf('u.org_id', orgIds));
    return this.withLoginNames(await LISTING.page(this.database, { ...range, where }));
  }

  /**
   * Users of all organizations whose names or address contain a text of at least three characters.
   * @throws DomainError DeadlineExceeded `list.too_slow`
   */
  async listAll(text: string, range: Omit<ListRequest<UserColumn>, 'where' | 'sortBy'>): Promise<Page<UserEntry>> {
    const where = [mentions(text)];
    return this.withLoginNames(await LISTING.page(this.database, { ...range, sortBy: 'displayName', where }));
  }

  private async withLoginNames(page: Page<Row>): Promise<Page<UserEntry>> {
    const orgIds = [...new Set(page.rows.map(({ orgId }) => orgId))];
    const found = await this.database.query(DOMAINS_OF_ORGS, { orgIds });
    const domains = Map.groupBy(found, ({ orgId }) => orgId);
    return {
      ...page,
      rows: page.rows.map((row) =>
        toEntry(
          row,
          (domains.get(row.orgId) ?? []).map(({ domain }) => domain),
        ),
      ),
    };
  }

  /** Whether a user with that name and address could be added to the organization; empty values are not checked. */
  async isUnique(orgId: string, userName: string, email: string): Promise<boolean> {
    if (userName !== '' && (!isUserName(userName) || (await this.isNameTaken(orgId, userName)))) return false;
    return email === '' || (await this.database.query(HAS_EMAIL, { orgId, emailKey: toNameKey(email) })).length === 0;
  }

  private async isNameTaken(orgId: string, userName: string): Promise<boolean> {
    return this.database.transaction((tx) => this.users.isNameTaken(tx, { kind: 'human', orgId, userName }));
  }

  private async rulesOf(orgId: string): Promise<LoginNameRules> {
    const [policy] = await this.database.query(MUST_BE_DOMAIN, { orgId });
    const domains = await this.database.query(DOMAINS, { orgId });
    return { domains: domains.map(({ domain }) => domain), mustBeDomain: policy?.mustBeDomain === true };
  }
}

/** The statement for a page; exported for the test of its query plan. */
export function pageStatement(
  orgId: string,
  searches: readonly UserSearch[],
  range: Omit<ListRequest<UserColumn>, 'where'>,
  filterFirst = false,
): ReturnType<typeof LISTING.pageStatement> {
  return LISTING.pageStatement(
    {
      ...range,
      where: [
        equals('u.org_id', orgId),
        ...searches.map((search) => toCondition(search, { domains: [], mustBeDomain: false })),
      ],
    },
    filterFirst,
  );
}

function foundEntry({ domains, ...row }: FoundEntry): UserEntry {
  return toEntry(row, domains);
}

function toEntry(row: Row, domains: readonly string[]): UserEntry {
  const [preferredLoginName = row.userName, ...others] = loginNamesOf(row, domains);
  return { ...row, sequence: BigInt(row.sequence), loginNames: [preferredLoginName, ...others], preferredLoginName };
}
