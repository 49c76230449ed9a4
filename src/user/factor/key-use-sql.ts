/**
 * WebAuthn Level 3 §6.1.1: a counter that stays at 0 does not count; any other must grow. What a key has signed is
 * stored by the statement that lets its user in, so that of two answers with one counter only one is accepted.
 */
export const COUNTS_ON = '(k.sign_count = 0 AND :signCount::bigint = 0 OR :signCount > k.sign_count)';

/** What an answer says of its key. */
export interface KeyUse {
  readonly signCount: number;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

/** What the use of a key leaves behind. Whether it can be synchronized is stored once, if nobody has said it before. */
export const USED = `sign_count = :signCount::bigint,
       backup_eligible = coalesce(k.backup_eligible, :backupEligible::boolean),
       backed_up = :backedUp::boolean,
       last_used_at = :now::timestamptz`;

export type KeyUseValue = 'challengeHash' | 'challengeExpiresAt' | 'factorId' | keyof KeyUse;

/**
 * The parts of a statement that uses the answer of a key up: the challenge is spent (`spent`), and the key has been
 * used (`used_key`). Without a row of `after` neither happens. Besides `KeyUseValue` it takes `:keyHash`, of the cookie
 * value that the browser gets, and `:now`.
 */
export function keyUseParts(after: string): string {
  return `spent AS (
     INSERT INTO spent_challenge (hash, key_hash, expires_at)
     SELECT
       :challengeHash::bytea,
       :keyHash::bytea,
       :challengeExpiresAt::timestamptz
     FROM ${after}
     ON CONFLICT (hash) DO NOTHING
     RETURNING 1),
   used_key AS (
     UPDATE auth_key k SET ${USED}
     FROM spent
     WHERE k.factor_id = :factorId AND ${COUNTS_ON}
     RETURNING 1)`;
}

/** The columns of `KeyUseResult`, in a SELECT after `keyUseParts`. */
export const KEY_USE_RESULT = 'EXISTS (SELECT 1 FROM spent) AS "isSpent", EXISTS (SELECT 1 FROM used_key) AS "isUsed"';

export interface KeyUseResult {
  /** Whether this was the first answer to the challenge. */
  readonly isSpent: boolean;
  /** Whether the counter has grown, and the key is still there. */
  readonly isUsed: boolean;
}
