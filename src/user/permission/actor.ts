import type { Turn } from '../../foundation/password/hash-lane.js';
import { type CallingApplication, mayChangeSignIn } from './calling-application.js';
import { applicationNotTrusted } from './permission.errors.js';
import type { Rights } from './rights.js';

/** The caller of an administrative operation, as authenticated by the guard. */
export interface Actor {
  readonly userId: string;
  /** The organization that the call is about: the one in `x-service-orgid`, otherwise the actor's own. */
  readonly orgId: string;
  /** The organization that the actor belongs to. */
  readonly ownOrgId: string;
  readonly rights: Rights;
  /** Undefined for those who call for themselves: service users, and personal access tokens. */
  readonly application?: CallingApplication | undefined;
  /** How the person signed in; undefined unless the token is the direct answer to a sign-in. */
  readonly signIn?: ActorSignIn | undefined;
}

/** What an access token says about the sign-in from which it came. */
export interface ActorSignIn {
  readonly authTime: Date;
  /** Whether two factors were proved. */
  readonly isTwice: boolean;
  /** The user's epoch when the token was issued. */
  readonly userEpoch: number;
  /** The session that the token belongs to. */
  readonly sessionId: string | undefined;
}

/**
 * Whether what signs the actors themselves in may be changed through the application by which they call.
 * @throws DomainError PermissionDenied `application.not_trusted`
 */
export function checkMayChangeOwnSignIn({ application, ownOrgId }: Actor): void {
  if (application && !mayChangeSignIn(application, ownOrgId)) throw applicationNotTrusted();
}

/**
 * Whose turn it is to have passwords hashed that a manager brings: organizations take turns with one another and with
 * networks.
 */
export function turnOfActor({ ownOrgId, userId }: Actor): Turn {
  return { from: `org ${ownOrgId}`, name: userId };
}
