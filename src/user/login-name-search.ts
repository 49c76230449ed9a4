import { columnsOf } from '../foundation/database/columns.js';
import { isThere } from '../foundation/database/is-there.js';
import { isWithinOrg } from '../org/name-scope.js';
import type { SignInAccount } from './account.js';
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

/** Ranks of names: a name that two users have stands for neither. */
const HOME_NAME = 0;
const NAME = 4;
const NAMES: readonly number[] = [HOME_NAME, NAME];

/** Says how an account was found: the lower the rank, the better its claim to the name that was typed. */
export interface FoundByName {
  readonly rank: number;
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
 * The interpretations of a login name, each with an index of its own; an OR of them would read the whole table. A
 * verified e-mail address or phone number counts if the policy allows it. If what was typed means several users, it is
 * the one with the best title to it (docs/adr/0038), so that nobody loses an address because somebody else claims it
 * (LOG-065): users of the organization that has proved the domain, then who has proved the address, then who has it as
 * a user name, then whose address was imported, then whose address a manager or provider has vouched for, and last who
 * has registered with it and never proved it. Within a rank, who came first. `columns` of `user_account u`, its
 * organization `uo` with the primary domain `ud`, and the login policies `op` and `ip`; `value` is how a value of
 * `LoginNameQuestion` is written.
 */
export function loginNameSql(columns: string, value: (name: keyof LoginNameQuestion) => string, joins = ''): string {
  const [nameKey, localKey, domain, orgId, phone] = (['nameKey', 'localKey', 'domain', 'orgId', 'phone'] as const).map(
    value,
  );
  const isEmail = `${domain} <> '' AND u.email_verified AND u.email_key = ${nameKey}`;
  return `SELECT ${columns},
     CASE
       WHEN EXISTS (SELECT 1 FROM org_domain o WHERE o.domain = ${domain} AND o.is_proved AND o.org_id = u.org_id)
       THEN CASE WHEN NOT named.is_contact THEN ${HOME_NAME} WHEN u.email_proof = 'owner' THEN 1 ELSE 2 END
       WHEN ${isEmail} AND u.email_proof = 'owner' THEN 3
       WHEN named.is_contact THEN CASE WHEN ${isEmail} AND u.email_proof = 'import' THEN 5 ELSE 6 END
       WHEN u.user_name_key = u.email_key AND NOT u.email_verified
         AND ${isThere('registration r', 'r.user_id = u.id')}
       THEN 7
       ELSE ${NAME}
     END AS rank
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
       OR (${isEmail} AND NOT coalesce(op.disable_login_with_email, ip.disable_login_with_email, false))
       OR (u.phone_verified AND u.phone = ${phone}
         AND NOT coalesce(op.disable_login_with_phone, ip.disable_login_with_phone, false)))
   ORDER BY rank,
     coalesce(CASE WHEN ${isEmail} THEN u.email_verified_at ELSE u.phone_verified_at END, u.creation_date),
     u.id
   LIMIT 3`;
}

/** The user with the best title to what was typed; undefined if that is a name which another has as well. */
export function soleOf<Row extends FoundByName & Pick<SignInAccount, 'userId'>>(
  found: readonly Row[],
): Row | undefined {
  const [best, ...others] = found;
  if (!best) return undefined;
  const isShared = others.some(({ rank, userId }) => rank === best.rank && userId !== best.userId);
  return isShared && NAMES.includes(best.rank) ? undefined : best;
}
