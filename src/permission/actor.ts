import type { Turn } from '../crypto/hash-lane.js';
import type { Rights } from './rights.js';

/** Whoever asks for an administrative operation, as the guard has met them. */
export interface Actor {
  readonly userId: string;
  /** The organization that the call is about: the one that `x-service-orgid` names, else their own. */
  readonly orgId: string;
  /** The organization that they belong to. */
  readonly ownOrgId: string;
  readonly rights: Rights;
}

/** Whose turn it is to have passwords hashed that a manager brings: organizations take turns with one another and with networks. */
export function turnOfActor({ ownOrgId, userId }: Actor): Turn {
  return { from: `org ${ownOrgId}`, name: userId };
}
