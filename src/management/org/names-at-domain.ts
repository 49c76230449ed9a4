import { shareLockSoon, takeLockOn } from '../../foundation/database/advisory-lock.js';
import type { Queryable } from '../../foundation/database/statement.js';
import { statement } from '../../foundation/database/statement.js';
import { domainLockOf, scopeLockOf } from '../../org/name-scope.js';
import { domainAddressInUse, domainInUse, domainNamesCollide } from '../../org/org.errors.js';
import { userNamesBusy } from '../../user/user.errors.js';
import { isOfKind, isOfOrg } from '../../user/user-name.js';

/** How long an organization that takes a domain waits for an import or a change of the domain policy. */
const WAIT_MS = 3_000;

/**
 * Users whose names a domain would take: those whose user name ends with it, outside the organization that wants it.
 */
const FIND_STRANGER = statement(
  'org_domain.strangers_name',
  `SELECT 1
   FROM user_account u
   WHERE split_part(u.user_name_key, '@', -1) = :domain AND u.user_name_key LIKE '%@%' AND u.org_id <> :orgId
   LIMIT 1`,
);

/** A whole user name that another user of the organization would get at the domain. */
const FIND_NAMESAKE = statement(
  'org_domain.namesake',
  `SELECT u.user_name AS "userName"
   FROM user_account u
   JOIN user_account n ON n.name_scope IN ('', u.org_id)
     AND n.user_name_key = substring(u.user_name_key FROM '^(.*)@[^@]*$')
     AND ${isOfOrg('n', 'u.org_id')} AND ${isOfKind('n', 'human')}
   WHERE split_part(u.user_name_key, '@', -1) = :domain AND u.user_name_key LIKE '%@%'
     AND ${isOfOrg('u', ':orgId')} AND ${isOfKind('u', 'human')}
   LIMIT 1`,
).rows<{ userName: string }>();

/** A user whose name, at the domain, would be the verified address of a user of another organization. */
const FIND_ADDRESSEE = statement(
  'org_domain.addressee',
  `SELECT n.user_name AS "userName"
   FROM user_account n
   JOIN user_account e ON e.email_key = n.user_name_key || '@' || :domain AND e.email_verified
   WHERE n.org_id = :orgId AND n.kind = 'human' AND e.org_id <> :orgId
   LIMIT 1`,
).rows<{ userName: string }>();

/**
 * Ensures that, until the transaction ends, no user gets a name at the domain, or any name in the organization that
 * takes it: such a user would be compared with the domains of before, and be missed by the checks below. Takers of
 * different domains do not wait for each other. @param domain as it is stored
 * @throws DomainError Aborted `user.names_busy` while an import runs, or the domain policy changes
 */
export async function holdNamesAt(tx: Queryable, domain: string, orgId: string): Promise<void> {
  if (!(await shareLockSoon(tx, 'domainNames', WAIT_MS))) throw userNamesBusy();
  await takeLockOn(tx, scopeLockOf(orgId));
  await takeLockOn(tx, domainLockOf(domain));
}

/**
 * Without verification, an organization cannot take a domain that ends others' user names: they could no longer sign
 * in.
 * @throws DomainError FailedPrecondition `org.domain_in_use`
 */
export async function checkNobodyElseIsNamedAt(tx: Queryable, domain: string, orgId: string): Promise<void> {
  if ((await tx.query(FIND_STRANGER, { domain, orgId })).length > 0) throw domainInUse(domain);
}

/**
 * If `alice@example.com` and `alice` belong to the same organization, neither could sign in with that name once
 * example.com is its domain, because it would be ambiguous.
 * @throws DomainError FailedPrecondition `org.domain_names_collide`
 */
export async function checkNamesApart(tx: Queryable, domain: string, orgId: string): Promise<void> {
  const [namesake] = await tx.query(FIND_NAMESAKE, { domain, orgId });
  if (namesake) throw domainNamesCollide(domain, namesake.userName);
}

/**
 * Without verification, an organization cannot take a domain at which one of its users would get the verified e-mail
 * address of somebody else as a login name: that user could no longer sign in by it.
 * @throws DomainError FailedPrecondition `org.domain_address_in_use`
 */
export async function checkNobodyElseHasAddressAt(tx: Queryable, domain: string, orgId: string): Promise<void> {
  const [named] = await tx.query(FIND_ADDRESSEE, { domain, orgId });
  if (named) throw domainAddressInUse(domain, named.userName);
}
