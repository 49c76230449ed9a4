import { Seam } from '../foundation/extension/seam.js';
import type { SqlTransaction } from '../foundation/extension/sql.js';

/** What is known of a user; empty texts where nothing is. Members may be added in a minor version. @public */
export interface UserFacts {
  readonly id: string;
  readonly orgId: string;
  readonly kind: 'human' | 'service';
  readonly userName: string;
  readonly firstName: string;
  readonly middleName: string;
  readonly lastName: string;
  readonly nickName: string;
  readonly displayName: string;
  readonly preferredLanguage: string;
  readonly email: string;
  readonly phone: string;
}

/** A user who is about to be stored. Members may be added in a minor version. @public */
export interface UserDraft {
  /** As it would be. */
  readonly user: UserFacts;
  /** As it is; undefined for a new user. */
  readonly before: UserFacts | undefined;
  /** Who stores it: the id of a user, who may be the user in question, or `system` for a registration or a provider. */
  readonly editorId: string;
}

/** Why a user is not stored. @public */
export interface UserVeto {
  /** What is wrong, if it is one of them. */
  readonly field?: Exclude<keyof UserFacts, 'id' | 'orgId' | 'kind'>;
  /** A sentence in English for whoever calls the API, and for the log. */
  readonly message: string;
}

/**
 * A rule of an organization about its users: names that HR assigns, domains of addresses. It is asked within the
 * transaction, before anything is written, for each new user and each change of what `UserFacts` has, whoever makes it:
 * administrators, applications, the users themselves, providers. An import of organizations asks no rule, since it
 * brings what exists.
 * @public
 */
export interface UserRule {
  /**
   * Undefined if the user may be stored like that. It has 1 s. If it throws or is late, nothing is stored: 503.
   * @param tx the transaction that would store the user
   */
  check(draft: UserDraft, tx: SqlTransaction, signal: AbortSignal): Promise<UserVeto | undefined>;
}

/** @public */
export const USER_RULE: Seam<UserRule> = new Seam<UserRule>('USER_RULE', 'many', {
  mistakes: () => [],
  // Without it users would be stored that must not be.
  isRequired: true,
});
