import type { ValueOf } from '../../foundation/http/wire-enum.js';
import type { Permission } from '../../user/permission/role.js';
import type { CAN_SIGN_IN, LINK_CODE, LINK_EFFECT, RULE_OWNER } from './why.enums.js';

/** The rule that a link comes from. */
export interface Rule {
  /** As people call it: `login policy`. */
  readonly name: string;
  /** The setting in the API; empty if the rule has no setting. */
  readonly setting: string;
  readonly ownerType: ValueOf<typeof RULE_OWNER>;
  readonly ownerId: string;
  /** Empty where the owner has no name, or the caller may not read it. */
  readonly ownerName: string;
  /** Since when; undefined for a default that nobody has changed. */
  readonly since?: Date | undefined;
  /** Empty for the service itself, a removed user, and one that the caller may not read. */
  readonly changedById: string;
  readonly changedByName: string;
  readonly isDefault: boolean;
}

/** An operation that would change what a link says, with every parameter that it needs. */
export interface Mend {
  readonly operationId: string;
  /** The fields of the request, as JSON. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The organization to send in the header; empty for operations that take none. */
  readonly orgId: string;
  /** Whether the caller has the permission that the operation requires. */
  readonly isAllowed: boolean;
  readonly permission: Permission;
}

/** One reason in the chain. */
export interface Link {
  readonly code: ValueOf<typeof LINK_CODE>;
  readonly effect: Exclude<ValueOf<typeof LINK_EFFECT>, 'unspecified'>;
  readonly sentence: string;
  /** The step of the sign-in, as the address of its page calls it; empty for what is no page. */
  readonly step: string;
  /** Undefined if there is none to name, or the caller may not read it. */
  readonly rule?: Rule | undefined;
  readonly mends: readonly Mend[];
  /** Until when it holds, if it ends by itself. */
  readonly until?: Date | undefined;
}

/** A limit of attempts, as it stands. */
export interface ExplainedLimit {
  readonly sentence: string;
  readonly isReached: boolean;
  readonly failures: number;
  readonly mostFailures: number;
  readonly until: Date | undefined;
}

export interface ExplainedFailure {
  readonly at: Date;
  /** As the journal has it: `password_wrong`. */
  readonly reason: string;
  readonly sentence: string;
}

/** A kind of factor, and how many the user has. */
export interface HeldKind {
  readonly kind: string;
  readonly count: number;
}

export interface SignInExplanation {
  readonly canSignIn: Exclude<ValueOf<typeof CAN_SIGN_IN>, 'unspecified'>;
  readonly summary: string;
  readonly chain: readonly Link[];
  readonly limits: readonly ExplainedLimit[];
  readonly failures: readonly ExplainedFailure[];
  readonly factors: readonly HeldKind[];
}

/** A link without what most do not have. */
export function link(given: Pick<Link, 'code' | 'effect' | 'sentence'> & Partial<Link>): Link {
  return { step: '', mends: [], ...given };
}
