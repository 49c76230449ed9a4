import { columnsOf } from '../foundation/database/columns.js';
import { isWithinOrg } from '../org/name-scope.js';
import { toPhoneNumber } from './phone-number.js';
import { User } from './user.entity.js';
import { USER_COLUMNS, USER_JOINS } from './user-facts.js';
import { isOfKind, isOfOrg, parseLoginName } from './user-name.js';

/** What a search by login name asks for. `orgId` empty: in any organization. */
export interface LoginNameQuestion {
  readonly nameKey: string;
  readonly localKey: string;
  readonly domain: string;
  readonly orgId: string;
  readonly phone: string;
}

/** How an account was found. */
export interface FoundByName {
  readonly isContact: boolean;
  readonly ownsDomain: boolean;
}

/** `SignInAccount` as columns. */
export const ACCOUNT_COLUMNS = `${USER_COLUMNS},
  ${columnsOf(User, 'u', ['state', 'passwordHash', 'passwordChangeRequired'])},
  coalesce(op.allow_username_password, ip.allow_username_password, true) AS "passwordsAllowed"`;

/** The instance's policy is the one without an organization. */
export const ACCOUNT_JOINS = `${USER_JOINS}
  LEFT JOIN login_policy op ON op.owner_id = u.org_id
  LEFT JOIN login_policy ip ON ip.owner_id = (SELECT id FROM instance)`;

export function toLoginNameQuestion(typed: string, orgId: string): LoginNameQuestion {
  const { nameKey, localKey, domain } = parseLoginName(typed);
  return { nameKey, localKey, domain, orgId, phone: toPhoneNumber(typed) ?? '' };
}

/**
 * The interpretations of a login name, each with an index of its own; an OR of them would read the whole table. User
 * names come first: a verified e-mail address or phone number only counts if no user has that name, and if the policy
 * allows it. If several users have the same address, it denotes the one in the organization that owns its domain: any
 * other organization could have assigned the address, and would shut out its owner. `columns` of `user_account u`, its
 * organization `uo` with the primary domain `ud`, and the login policies `op` and `ip`; `value` is how a value of
 * `LoginNameQuestion` is written.
 */
export function loginNameSql(columns: string, value: (name: keyof LoginNameQuestion) => string, joins = ''): string {
  const [nameKey, localKey, domain, orgId, phone] = (['nameKey', 'localKey', 'domain', 'orgId', 'phone'] as const).map(
    value,
  );
  return `SELECT ${columns},
     named.is_contact AS "isContact",
     EXISTS (
       SELECT 1 FROM org_domain o WHERE o.domain = ${domain} AND o.is_verified AND o.org_id = u.org_id) AS "ownsDomain"
   FROM (
     SELECT n.id, false AS is_contact
     FROM user_account n
     WHERE n.name_scope = ANY (ARRAY['', ${orgId}]) AND n.user_name_key = ${nameKey}
       AND (n.org_id = ${orgId} OR NOT ${isWithinOrg('n')})
     UNION
     SELECT n.id, false
     FROM org_domain v
     JOIN user_account n ON n.name_scope = ANY (ARRAY['', v.org_id]) AND n.user_name_key = ${localKey}
       AND ${isOfOrg('n', 'v.org_id')}
     WHERE v.domain = ${domain} AND v.is_verified
     UNION
     SELECT n.id, true
     FROM user_account n
     WHERE ${domain} <> '' AND n.email_key = ${nameKey} AND n.email_verified
     UNION
     SELECT n.id, true
     FROM user_account n
     WHERE ${phone} <> '' AND n.phone = ${phone} AND n.phone_verified) named
   JOIN user_account u ON u.id = named.id
   ${ACCOUNT_JOINS}
   ${joins}
   WHERE ${isOfKind('u', 'human')} AND (${orgId} = '' OR u.org_id = ${orgId})
     AND (NOT named.is_contact
       OR (u.email_verified AND u.email_key = ${nameKey}
         AND NOT coalesce(op.disable_login_with_email, ip.disable_login_with_email, false))
       OR (u.phone_verified AND u.phone = ${phone}
         AND NOT coalesce(op.disable_login_with_phone, ip.disable_login_with_phone, false)))
   ORDER BY named.is_contact, "ownsDomain" DESC
   LIMIT 3`;
}

/** The user with that login name; undefined if it is ambiguous. */
export function soleOf<Row extends FoundByName>(found: readonly Row[]): Row | undefined {
  const isName = found.some(({ isContact }) => !isContact);
  const rows = found.filter(({ isContact }) => isContact !== isName);
  const atHome = isName ? [] : rows.filter(({ ownsDomain }) => ownsDomain);
  const [only, ...others] = atHome.length > 0 ? atHome : rows;
  return others.length === 0 ? only : undefined;
}
