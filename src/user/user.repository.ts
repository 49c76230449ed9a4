import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { takeLockOn } from '../foundation/database/advisory-lock.js';
import { columnsOf } from '../foundation/database/columns.js';
import { Database } from '../foundation/database/database.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { isWithinOrg } from '../org/name-scope.js';
import type { ServiceUserAccount, SignInAccount } from './account.js';
import { toPhoneNumber } from './phone-number.js';
import { User } from './user.entity.js';
import { USER_COLUMNS, USER_JOINS } from './user-facts.js';
import { parseLoginName, toNameKey } from './user-name.js';

const ACCOUNT_COLUMNS = `${USER_COLUMNS},
  ${columnsOf(User, 'u', ['state', 'passwordHash', 'passwordChangeRequired'])},
  coalesce(op.allow_username_password, ip.allow_username_password, true) AS "passwordsAllowed"`;

/** The instance's policy is the one without an organization. */
const ACCOUNT_JOINS = `${USER_JOINS}
  LEFT JOIN login_policy op ON op.owner_id = u.org_id
  LEFT JOIN login_policy ip ON ip.owner_id = (SELECT id FROM instance)`;

/**
 * The interpretations of a login name, each with an index of its own; an OR of them would read the whole table. User
 * names come first: a verified e-mail address or phone number only counts if no user has that name, and if the policy
 * allows it. If several users have the same address, it denotes the one in the organization that owns its domain: any
 * other organization could have assigned the address, and would shut out its owner.
 */
const FIND_BY_LOGIN_NAME = statement(
  'user.by_login_name',
  `SELECT ${ACCOUNT_COLUMNS},
     named.is_contact AS "isContact",
     EXISTS (
       SELECT 1 FROM org_domain o WHERE o.domain = :domain AND o.is_verified AND o.org_id = u.org_id) AS "ownsDomain"
   FROM (
     SELECT n.id, false AS is_contact
     FROM user_account n
     WHERE n.name_scope = ANY (ARRAY['', :orgId]) AND n.user_name_key = :nameKey
       AND (n.org_id = :orgId OR NOT ${isWithinOrg('n')})
     UNION
     SELECT n.id, false
     FROM org_domain v
     JOIN user_account n ON n.org_id = v.org_id AND n.user_name_key = :localKey
     WHERE v.domain = :domain AND v.is_verified
     UNION
     SELECT n.id, true
     FROM user_account n
     WHERE :domain <> '' AND n.email_key = :nameKey AND n.email_verified
     UNION
     SELECT n.id, true
     FROM user_account n
     WHERE :phone <> '' AND n.phone = :phone AND n.phone_verified) named
   JOIN user_account u ON u.id = named.id
   ${ACCOUNT_JOINS}
   WHERE u.kind = 'human' AND (:orgId = '' OR u.org_id = :orgId)
     AND (NOT named.is_contact
       OR (u.email_verified AND u.email_key = :nameKey
         AND NOT coalesce(op.disable_login_with_email, ip.disable_login_with_email, false))
       OR (u.phone_verified AND u.phone = :phone
         AND NOT coalesce(op.disable_login_with_phone, ip.disable_login_with_phone, false)))
   ORDER BY named.is_contact, "ownsDomain" DESC
   LIMIT 3`,
).rows<SignInAccount & { isContact: boolean; ownsDomain: boolean }>();

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
    const { nameKey, localKey, domain } = parseLoginName(typed);
    const found = await this.database.query(FIND_BY_LOGIN_NAME, {
      nameKey,
      localKey,
      domain,
      orgId,
      phone: toPhoneNumber(typed) ?? '',
    });
    const isName = found.some(({ isContact }) => !isContact);
    const rows = found.filter(({ isContact }) => isContact !== isName);
    const atHome = isName ? [] : rows.filter(({ ownsDomain }) => ownsDomain);
    const [only, ...others] = atHome.length > 0 ? atHome : rows;
    return others.length === 0 ? only : undefined;
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
