import type { VisibleOrgs } from '../../management/overview/bounded-read.js';
import type { OverviewFrame } from '../../page/overview/overview-facts.js';
import type { Rights } from '../../user/permission/rights.js';
import type { Permission } from '../../user/permission/role.js';
import { pageNotFound } from '../../visit/visit.errors.js';
import type { OverviewVisit } from './overview-visit.js';

/** The organizations of the place in which the reader has a permission that a role on them gives. */
export function orgsWith(
  { actor, place }: Pick<OverviewVisit, 'actor' | 'place'>,
  permission: Permission,
): VisibleOrgs {
  const { orgId } = place;
  if (orgId !== undefined) return actor.rights.may(permission, { orgId }) ? [orgId] : [];
  return orgsWhere(actor.rights, permission);
}

/** All organizations in which somebody has a permission that a role on them gives. */
export function orgsWhere(rights: Rights, permission: Permission): VisibleOrgs {
  const places = rights.placesOf(permission);
  return places === 'everywhere' ? places : places.orgIds;
}

/**
 * All organizations in which the reader may search, and the frame of a page about them.
 * @throws DomainError NotFound `visit.page_not_found`
 */
export function searchedOrgs(
  { actor, frame }: OverviewVisit,
  permission: Permission,
): { readonly orgs: VisibleOrgs; readonly frame: OverviewFrame } {
  const orgs = orgsWhere(actor.rights, permission);
  if (orgs === 'everywhere') return { orgs, frame: { ...frame, place: { name: undefined } } };
  if (orgs.length === 0) throw pageNotFound();
  return { orgs, frame };
}

/** Those whose credentials the reader may list. */
export function credentialOrgs(visit: OverviewVisit): {
  readonly ofUsers: VisibleOrgs;
  readonly ofProjects: VisibleOrgs;
} {
  return { ofUsers: orgsWith(visit, 'user.read'), ofProjects: orgsWith(visit, 'project.app.read') };
}

/** The owners of webhooks that the page is about and the reader may list. */
export function webhookOwners({ actor, place, instanceId }: OverviewVisit): string[] {
  const { orgId } = place;
  if (orgId === undefined) return actor.rights.mayEverywhere('iam.webhook.read') ? [instanceId] : [];
  return actor.rights.may('org.webhook.read', { orgId }) ? [orgId] : [];
}

/** As `ListOrgEvents` demands: events contain names, addresses and applications. */
export function seesEvents(rights: Rights, orgId: string): boolean {
  return (['org.member.read', 'user.read', 'project.read'] as const).every((one) => rights.may(one, { orgId }));
}
