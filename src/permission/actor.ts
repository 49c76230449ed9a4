import type { Turn } from '../foundation/crypto/hash-lane.js';
import type { Rights } from './rights.js';

/** The caller of an administrative operation, as authenticated by the guard. */
export interface Actor {
  readonly userId: string;
  /** The organization that the call is about: the one in `x-service-orgid`, otherwise the actor's own. */
  readonly orgId: string;
  /** The organization that the actor belongs to. */
  readonly ownOrgId: string;
  readonly rights: Rights;
}

/** Whose turn it is to have passwords hashed that a manager brings: organizations take turns with one another and with networks. */
export function turnOfActor({ ownOrgId, userId }: Actor): Turn {
  return { from: `org ${ownOrgId}`, name: userId };
}
