import { withoutIndex } from '../foundation/database/condition.js';

/*
 * The scope in which the names of human users are unique: the instance, or their organization if its domain policy
 * demands the domain in login names. It is read from the policy wherever it matters, so a change of the policy applies
 * to all users as soon as it commits, and rewrites none of them (docs/adr/0039).
 *
 * The column `name_scope` of a user is something else: the scope in which the name is reserved. A name that must be
 * unique in the instance is always reserved there (''). One that need not be may still be reserved there; it is
 * released when another user needs the name (user/name-scope.service.ts).
 */

/** SQL: whether users of an organization sign in with its domain after their names. `org` is SQL for its id. */
export function mustBeDomain(org: string): string {
  return `coalesce(
    (SELECT own.user_login_must_be_domain FROM domain_policy own WHERE own.owner_id = ${org}),
    (SELECT common.user_login_must_be_domain
     FROM domain_policy common
     WHERE common.owner_id = (SELECT id FROM instance)),
    false)`;
}

/**
 * SQL: whether the name of the user `alias` must be unique in its organization only. Names of service users are unique
 * everywhere.
 */
export function isWithinOrg(alias: string): string {
  return `(${withoutIndex(`${alias}.kind`)} = 'human' AND ${mustBeDomain(`${alias}.org_id`)})`;
}

/**
 * SQL: the scope in which the name of the user `alias` must be unique: empty for the instance, or the id of the
 * organization.
 */
export function nameScopeOf(alias: string): string {
  return `CASE WHEN ${isWithinOrg(alias)} THEN ${alias}.org_id ELSE '' END`;
}

/**
 * The name of the lock that is shared by transactions that add users to an organization, and taken exclusively while
 * its policy changes or it gets a domain.
 */
export function scopeLockOf(orgId: string): string {
  return `name-scope:${orgId}`;
}

/**
 * The name of the lock that is shared by transactions that give users a name at a domain, and taken exclusively while
 * an organization takes it.
 */
export function domainLockOf(domain: string): string {
  return `names-at:${domain}`;
}
