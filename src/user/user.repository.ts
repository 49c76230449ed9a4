import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { takeLockOn } from '../foundation/database/advisory-lock.js';
import { Database } from '../foundation/database/database.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { isWithinOrg } from '../org/name-scope.js';
import type { ServiceAccount, SignInAccount } from './account.js';
import { toPhoneNumber } from './phone-number.js';
import { USER_COLUMNS, USER_JOINS } from './user-facts.js';
import { parseLoginName, toNameKey } from './user-name.js';

const ACCOUNT_COLUMNS = `${USER_COLUMNS}, u.state, u.password_hash AS "passwordHash",
  u.password_change_required AS "passwordChangeRequired",
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
  `SELECT ${ACCOUNT_COLUMNS}, named.is_contact AS "isContact",
     EXISTS (SELECT 1 FROM org_domain o WHERE o.domain = $3 AND o.is_verified AND o.org_id = u.org_id) AS "ownsDomain" FROM (
     SELECT n.id, false AS is_contact FROM user_account n
     WHERE n.name_scope = ANY (ARRAY['', $4]) AND n.user_name_key = $1 AND (n.org_id = $4 OR NOT ${isWithinOrg('n')})
     UNION
     SELECT n.id, false FROM org_domain v JOIN user_account n ON n.org_id = v.org_id AND n.user_name_key = $2
     WHERE v.domain = $3 AND v.is_verified
     UNION
     SELECT n.id, true FROM user_account n WHERE $3 <> '' AND n.email_key = $1 AND n.email_verified
     UNION
     SELECT n.id, true FROM user_account n WHERE $5 <> '' AND n.phone = $5 AND n.phone_verified) named
   JOIN user_account u ON u.id = named.id ${ACCOUNT_JOINS}
   WHERE u.kind = 'human' AND ($4 = '' OR u.org_id = $4) AND (NOT named.is_contact
     OR (u.email_verified AND u.email_key = $1 AND NOT coalesce(op.disable_login_with_email, ip.disable_login_with_email, false))
     OR (u.phone_verified AND u.phone = $5 AND NOT coalesce(op.disable_login_with_phone, ip.disable_login_with_phone, false)))
   ORDER BY named.is_contact, "ownsDomain" DESC LIMIT 3`,
);

/**
 * How another user may have the same login name: `alice` at a domain, or `alice@domain` as a whole name. A whole name
 * that is unique within an organization (`$5`) only counts there.
 */
const FIND_NAMESAKE = statement(
  'user.namesake',
  `SELECT u.id FROM user_account u JOIN org_domain d ON d.org_id = u.org_id AND d.is_verified AND d.domain = $3
   WHERE u.user_name_key = $2 AND ($5 = '' OR u.org_id = $4) AND u.id <> $6
   UNION ALL
   SELECT u.id FROM user_account u JOIN org_domain d ON d.org_id = $4 AND d.is_verified
   WHERE u.name_scope IN ('', $4) AND u.user_name_key = $1 || '@' || d.domain AND u.id <> $6 AND (u.org_id = $4 OR NOT ${isWithinOrg('u')})
   LIMIT 1`,
);

/** `$1`: the scope in which the name must be unique. */
const FIND_NAME = statement(
  'user.of_name',
  `SELECT 1 FROM user_account u WHERE u.name_scope IN ('', $1) AND u.user_name_key = $2
     AND CASE WHEN $1 = '' THEN NOT ${isWithinOrg('u')} ELSE u.kind = 'human' AND u.org_id = $1 END`,
);

const OWNS_DOMAIN = statement(
  'user.domain_of_another_org',
  'SELECT 1 FROM org_domain WHERE domain = $1 AND is_verified AND org_id <> $2',
);

/** An exact match of the id takes precedence over names that differ in case. */
const FIND_SERVICE = statement(
  'user.service',
  `SELECT u.id, u.org_id AS "orgId", u.user_name AS "userName", u.access_token_type AS "accessTokenType",
     u.access_token_header_type AS "accessTokenHeaderType",
     u.token_epoch AS "tokenEpoch", u.secret_hash AS "secretHash",
     (SELECT coalesce(json_agg(json_build_object('id', k.id, 'publicKey', k.public_key, 'expiresAt', k.expires_at)), '[]')
        FROM machine_key k WHERE k.user_id = u.id) AS keys
   FROM user_account u JOIN org o ON o.id = u.org_id AND o.state = 'active'
   WHERE u.kind = 'service' AND u.state = 'active' AND (u.id = $1 OR (u.user_name_key = $2 AND u.name_scope = ''))
   ORDER BY u.id <> $1 LIMIT 1`,
);

@Injectable()
export class UserRepository {
  constructor(private readonly database: Database) {}

  /** The user with that login name; undefined if it is ambiguous. `orgId` empty: in any organization. */
  async findByLoginName(typed: string, orgId: string): Promise<SignInAccount | undefined> {
    const { nameKey, localKey, domain } = parseLoginName(typed);
    const found = await this.database.query<SignInAccount & { isContact: boolean; ownsDomain: boolean }>(
      FIND_BY_LOGIN_NAME,
      [nameKey, localKey, domain, orgId, toPhoneNumber(typed) ?? ''],
    );
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
    const rows = await tx.query(FIND_NAMESAKE, [nameKey, localKey, domain, orgId, nameScope, exceptId]);
    return rows.length > 0;
  }

  /** Whether a user has exactly that name. */
  async hasName(tx: Queryable, userName: string, nameScope: string): Promise<boolean> {
    return (await tx.query(FIND_NAME, [nameScope, toNameKey(userName)])).length > 0;
  }

  /** Whether the part after the last @ is a domain that another organization has verified. */
  async isAtDomainOfAnother(tx: Queryable, userName: string, orgId: string): Promise<boolean> {
    const { domain } = parseLoginName(userName);
    return domain !== '' && (await tx.query(OWNS_DOMAIN, [domain, orgId])).length > 0;
  }

  async findService(nameOrId: string): Promise<ServiceAccount | undefined> {
    type Row = Omit<ServiceAccount, 'keys'> & { keys: Array<{ id: string; publicKey: JWK; expiresAt: string }> };
    const [row] = await this.database.query<Row>(FIND_SERVICE, [nameOrId, parseLoginName(nameOrId).nameKey]);
    return row && { ...row, keys: row.keys.map((key) => ({ ...key, expiresAt: new Date(key.expiresAt) })) };
  }
}
