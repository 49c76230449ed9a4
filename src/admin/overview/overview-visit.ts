import type { OverviewFrame } from '../../page/overview/overview-facts.js';
import type { Actor } from '../../user/permission/actor.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';

/** What a page is about: the whole instance, or an organization. */
export interface Place {
  /** Undefined for the whole instance. */
  readonly orgId: string | undefined;
  /** Undefined for the whole instance; empty for managers of projects alone, who read no organization. */
  readonly name: string | undefined;
}

/** A request of a manager who is signed in in this browser. Created by `OverviewVisits` only, after its checks. */
export interface OverviewVisit {
  readonly visit: SignedInVisit;
  /** The manager, as the administrative API knows callers, in the organization of the place. */
  readonly actor: Actor;
  readonly place: Place;
  readonly instanceId: string;
  readonly frame: OverviewFrame;
}
