import type { Membership } from './rights.js';

/** The application through which a person calls the administrative API (docs/adr/0087). */
export interface CallingApplication {
  /** The organization that owns it. */
  readonly orgId: string;
  /** Whether it belongs to the system project, and an administrator has registered it. */
  readonly isOfSystem: boolean;
  /** An owner of the instance has allowed it to administer. */
  readonly isAllowed: boolean;
  /** The person has allowed it, on a page that said what it could do. */
  readonly hasConsent: boolean;
}

/** Whether it may call in this person's name at all. */
export function mayCall({ isOfSystem, hasConsent }: CallingApplication): boolean {
  return isOfSystem || hasConsent;
}

/** Whether it has all rights of the person, instead of those within its own organization. */
export function hasAllRights({ isOfSystem, isAllowed }: CallingApplication): boolean {
  return isOfSystem || isAllowed;
}

/**
 * The memberships that count for a call through the application: an organization's own tool reaches that organization,
 * by roles that are held there. Anybody who may register applications would otherwise get the roles of all who sign in.
 */
export function membershipsThrough<M extends Pick<Membership, 'level' | 'orgId'>>(
  application: CallingApplication,
  memberships: readonly M[],
): readonly M[] {
  if (hasAllRights(application)) return memberships;
  return memberships.filter(({ level, orgId }) => level !== 'instance' && orgId === application.orgId);
}

/** Whether the person's own account may be read and changed through it. */
export function reachesAccount(application: CallingApplication, userOrgId: string): boolean {
  return hasAllRights(application) || application.orgId === userOrgId;
}

/**
 * Whether what signs the person in may be changed through it, which is more than administering in the person's name.
 */
export function mayChangeSignIn({ isOfSystem, isAllowed, orgId }: CallingApplication, userOrgId: string): boolean {
  return isOfSystem || (isAllowed && orgId === userOrgId);
}
