import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { takeLockOn } from '../foundation/database/advisory-lock.js';
import { columnsOf } from '../foundation/database/columns.js';
import { Database } from '../foundation/database/database.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { isWithinOrg } from '../org/name-scope.js';
import type { ServiceUserAccount, SignInAccount } from './account.js';
import {
  ACCOUNT_COLUMNS,
  type FoundByName,
  type LoginNameQuestion,
  loginNameSql,
  soleOf,
  toLoginNameQuestion,
} from './login-name-search.js';
import { User } from './user.entity.js';
import { parseLoginName, toNameKey } from './user-name.js';

const FIND_BY_LOGIN_NAME = statement<LoginNameQuestion>(
  'user.by_login_name',
  loginNameSql(ACCOUNT_COLUMNS, (name) => `:${name}`),
).rows<SignInAccount & FoundByName>();

/**
 * How another user may have the same login name: `alice` at a domain, or `alice@domain` as a whole name. A whole name
 * that is unique within an organization (`:nameScope`) only counts there.
 */
const FIND_NAMESAKE = statement(
  'user.namesake',
  `SELECT u.id
   FROM user_account u
   JOIN org_domain d ON d.org_id = u.org_id AND d.is_verified AND d.domain = :domain
   WHERE u.user_name_key = :localKey AND (:nameScope = '' OR u.org_id = :orgId) AND u.id <> :exceptId
   UNION ALL
   SELECT u.id
   FROM user_account u
   JOIN org_domain d ON d.org_id = :orgId AND d.is_verified
   WHERE u.name_scope IN ('', :orgId) AND u.user_name_key = :nameKey || '@' || d.domain AND u.id <> :exceptId
     AND (u.org_id = :orgId OR NOT ${isWithinOrg('u')})
   LIMIT 1`,
);

/** `:nameScope`: the scope in which the name must be unique. */
const FIND_NAME = statement(
  'user.of_name',
  `SELECT 1
   FROM user_account u
   WHERE u.name_scope IN ('', :nameScope) AND u.user_name_key = :nameKey
     AND CASE WHEN :nameScope = '' THEN NOT ${isWithinOrg('u')} ELSE u.kind = 'human' AND u.org_id = :nameScope END`,
);

const OWNS_DOMAIN = statement(
  'user.domain_of_another_org',
  `SELECT 1
   FROM org_domain
   WHERE domain = :domain AND is_verified AND org_id <> :orgId`,
);

type ServiceRow = Omit<ServiceUserAccount, 'keys'> & { keys: Array<{ id: string; publicKey: JWK; expiresAt: string }> };

const SERVICE_PROPERTIES = [
  'id',
  'orgId',
  'userName',
  'accessTokenType',
  'accessTokenHeaderType',
  'tokenEpoch',
  'secretHash',
] as const;

/** An exact match of the id takes precedence over names that differ in case. */
const FIND_SERVICE = statement(
  'user.service',
  `SELECT ${columnsOf(User, 'u', SERVICE_PROPERTIES)},
     (SELECT coalesce(
        json_agg(json_build_object('id', k.id, 'publicKey', k.public_key, 'expiresAt', k.expires_at)), '[]')
      FROM machine_key k
      WHERE k.user_id = u.id) AS keys
   FROM user_account u
   JOIN org o ON o.id = u.org_id AND o.state = 'active'
   WHERE u.kind = 'service' AND u.state = 'active'
     AND (u.id = :nameOrId OR (u.user_name_key = :nameKey AND u.name_scope = ''))
   ORDER BY u.id <> :nameOrId
   LIMIT 1`,
).rows<ServiceRow>();

@Injectable()
export class UserRepository {
  constructor(private readonly database: Database) {}

  /** The user with that login name; undefined if it is ambiguous. `orgId` empty: in any organization. */
  async findByLoginName(typed: string, orgId: string): Promise<SignInAccount | undefined> {
    return soleOf(await this.database.query(FIND_BY_LOGIN_NAME, toLoginNameQuestion(typed, orgId)));
  }

  /**
   * Whether a user other than `exceptId` has the login name in another form: it would be ambiguous, and one user could
   * shut out the other. Locks the name until the transaction ends.
   */
  async hasNamesake(
    tx: Queryable,
    userName: string,
    orgId: string,
    nameScope: string,
    exceptId = '',
  ): Promise<boolean> {
    const { nameKey, localKey, domain } = parseLoginName(userName);
    await takeLockOn(tx, `user-name:${nameKey.split('@', 1)[0] ?? ''}`);
    const rows = await tx.query(FIND_NAMESAKE, { nameKey, localKey, domain, orgId, nameScope, exceptId });
    return rows.length > 0;
  }

  /** Whether a user has exactly that name. */
  async hasName(tx: Queryable, userName: string, nameScope: string): Promise<boolean> {
    return (await tx.query(FIND_NAME, { nameScope, nameKey: toNameKey(userName) })).length > 0;
  }

  /** Whether the part after the last @ is a domain that another organization has verified. */
  async isAtDomainOfAnother(tx: Queryable, userName: string, orgId: string): Promise<boolean> {
    const { domain } = parseLoginName(userName);
    return domain !== '' && (await tx.query(OWNS_DOMAIN, { domain, orgId })).length > 0;
  }

  async findService(nameOrId: string): Promise<ServiceUserAccount | undefined> {
    const [row] = await this.database.query(FIND_SERVICE, { nameOrId, nameKey: parseLoginName(nameOrId).nameKey });
    return row && { ...row, keys: row.keys.map((key) => ({ ...key, expiresAt: new Date(key.expiresAt) })) };
  }
}
