import { clearedSql } from '../foundation/attempt/attempt.service.js';
import type { SqlValue } from '../foundation/database/statement.js';
import { journalSql } from '../foundation/event/journal.js';
import type { OpenChallenge } from '../user/factor/challenge.js';
import {
  KEY_USE_RESULT,
  type KeyUse,
  type KeyUseResult,
  type KeyUseValue,
  keyUseParts,
} from '../user/factor/key-use-sql.js';

interface Proof {
  readonly userId: string;
  readonly orgId: string;
  /** The id that the session gets if it is a new one. */
  readonly newSessionId?: string | undefined;
  /** The time of the sign-in; by default now. */
  readonly at?: Date | undefined;
}

/** The user has authenticated at a provider. */
export interface ProviderProof extends Proof {
  readonly kind: 'provider';
  readonly idpId: string;
  /** The account there; a user may have linked several of one provider. */
  readonly externalUserId: string;
  /** When the user proved there who they are; null or absent if no proof counts (`momentOfProof`). */
  readonly provedAt?: Date | null | undefined;
}

/** The user has typed the code of a mail, and has chosen the password of the account on the same way. */
export interface MailedCodeProof extends Proof {
  readonly kind: 'mailed_code';
}

/** A key of the user has signed the challenge of a sign-in. */
export interface PasskeyProof extends Proof, KeyUse {
  readonly kind: 'passkey';
  readonly factorId: string;
  readonly challenge: OpenChallenge;
  /** The counts of refused answers that start again. */
  readonly clearedAttempts: readonly string[];
}

/** The user has made a passkey a moment ago, which verified them; its challenge was spent when it was stored. */
export interface NewKeyProof extends Proof {
  readonly kind: 'new_key';
  readonly newKeyId: string;
}

/** The user has typed the password, as it was when the account had this epoch. */
export interface PasswordProof extends Proof {
  readonly kind: 'password';
  readonly userEpoch: number;
  /** The counts of wrong passwords that start again (`AttemptService.keysOf`). */
  readonly clearedAttempts: readonly string[];
}

/** The proof with which a session in a browser begins or is renewed. */
export type SignInProof = PasswordProof | MailedCodeProof | ProviderProof | PasskeyProof | NewKeyProof;

type CommonValue =
  | 'userId'
  | 'orgId'
  | 'browserId'
  | 'keyHash'
  | 'previousKeyHash'
  | 'newId'
  | 'now'
  | 'agent'
  | 'system'
  | 'network';

/** The values that each method of proof needs, by name. */
export type CommonValues = Record<CommonValue, SqlValue>;
export type PasswordValues = Record<CommonValue | 'userEpoch' | 'clearedAttempts', SqlValue>;
export type ExternalValues = Record<CommonValue | 'idpId' | 'externalUserId' | 'provedAt', SqlValue>;
export type PasskeyValues = Record<CommonValue | KeyUseValue | 'clearedAttempts', SqlValue>;
export type NewKeyValues = Record<CommonValue | 'newKeyId', SqlValue>;

/** A way to prove who one is. Each has its own statement: PostgreSQL also prepares parts that do nothing. */
interface Method {
  /** A further condition on the account. */
  readonly demanded?: string;
  /** The parts before the session. */
  readonly first?: readonly string[];
  /** The rows without which no session begins. */
  readonly from: string;
  /** The values that the session keeps of the proof; by default none. */
  readonly checks: { readonly [Check in 'password' | 'external' | 'proved' | 'idp' | 'passkey']?: string };
  /** The payload of the event. */
  readonly payload: string;
  /** The parts after the session: counts that start again. */
  readonly last?: readonly string[];
}

const NO_TIME = 'NULL::timestamptz';

/**
 * The parts of a statement in which a user signs in: the new cookie value, the session and its event. Because of the
 * partial unique index, signing in again is an update. Of an account that is locked meanwhile, no session begins. The
 * row `session_row` is there if one has; `SIGN_IN_RESULT` says why not.
 */
function partsOf({ demanded = 'true', first = [], from, checks, payload, last = [] }: Method): string {
  const parts = [
    `person AS MATERIALIZED (
     SELECT id, sequence
     FROM user_account
     WHERE id = :userId AND state = 'active' AND ${demanded}
     -- Not shared: a sign-in by password may change the row, and two that share it would wait for each other.
     FOR NO KEY UPDATE)`,
    ...first,
    `browser_row AS (
     INSERT INTO browser AS b (id, key_hash, previous_key_hash, seen_at, agent, system, network)
     SELECT
       :browserId::text,
       :keyHash::bytea,
       :previousKeyHash::bytea,
       :now::timestamptz,
       :agent::text,
       :system::text,
       :network::text
     FROM ${from}
     ON CONFLICT (id) DO UPDATE SET
       key_hash = excluded.key_hash,
       previous_key_hash = excluded.previous_key_hash,
       seen_at = excluded.seen_at,
       agent = excluded.agent,
       system = excluded.system,
       network = excluded.network
     -- A value planted before the browser's first sign-in has its id too; only the current value opens the row.
     WHERE b.key_hash = :previousKeyHash
     RETURNING id)`,
    `session_row AS (
     INSERT INTO session AS s (
       id, browser_id, user_id, created_at, password_checked_at, external_checked_at, external_proved_at, external_idp_id,
       passkey_checked_at)
     SELECT
       :newId::text,
       b.id,
       p.id,
       :now,
       ${checks.password ?? NO_TIME},
       ${checks.external ?? NO_TIME},
       ${checks.proved ?? NO_TIME},
       ${checks.idp ?? 'NULL::text'},
       ${checks.passkey ?? NO_TIME}
     FROM person p, browser_row b
     ON CONFLICT (browser_id, user_id) WHERE ended_at IS NULL DO UPDATE SET
       password_checked_at = coalesce(excluded.password_checked_at, s.password_checked_at),
       external_checked_at = coalesce(excluded.external_checked_at, s.external_checked_at),
       -- A provider may say an older time than that of a proof that it was asked for.
       external_proved_at = greatest(excluded.external_proved_at, s.external_proved_at),
       external_idp_id = coalesce(excluded.external_idp_id, s.external_idp_id),
       passkey_checked_at = coalesce(excluded.passkey_checked_at, s.passkey_checked_at)
     RETURNING id)`,
    ...last,
    `event_row AS (
     ${journalSql(
       {
         aggregateType: "'session'",
         aggregateId: 'session_row.id',
         type: "'session.signed_in'",
         orgId: ':orgId',
         editorId: ':userId',
         at: ':now::timestamptz',
         payload,
       },
       'session_row',
     )})`,
  ];
  return parts.join(',\n   ');
}

/** Wrong passwords and refused keys no longer count. */
const CLEARED = clearedSql(':clearedAttempts', 'session_row');

const FORGIVEN = `forgiven AS (
     UPDATE user_account u SET failed_password_checks = 0
     FROM person p
     WHERE u.id = p.id AND u.failed_password_checks > 0 AND EXISTS (SELECT 1 FROM session_row))`;

/**
 * A sign-in by password. `:userEpoch`: the user's epoch when the password was checked. A change of the password raises
 * it and ends existing sessions: because of the lock, this session is either among them or does not begin.
 */
export const PASSWORD_SIGN_IN_PARTS = partsOf({
  demanded: 'token_epoch = :userEpoch::int',
  from: 'person',
  checks: { password: ':now' },
  payload: "'{}'::jsonb",
  last: [CLEARED, FORGIVEN],
});

/**
 * A sign-in at a provider, or by the code of a mail. A link that is removed while its user comes back from the provider
 * signs nobody in: the removal locks the user first, and the lock on the link waits for its end (ACC-019).
 */
export const EXTERNAL_SIGN_IN_PARTS = partsOf({
  first: [
    `link_row AS MATERIALIZED (
     SELECT l.user_id
     FROM person p
     JOIN idp_link l ON l.user_id = p.id
     WHERE l.idp_id = :idpId::text AND l.external_user_id = :externalUserId::text
     FOR KEY SHARE OF l)`,
  ],
  from: 'person WHERE :idpId IS NULL OR EXISTS (SELECT 1 FROM link_row)',
  checks: {
    password: 'CASE WHEN :idpId::text IS NULL THEN :now END',
    external: 'CASE WHEN :idpId IS NOT NULL THEN :now END',
    proved: ':provedAt::timestamptz',
    idp: ':idpId',
  },
  payload: "CASE WHEN :idpId IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('idpConfigId', :idpId) END",
});

/** A sign-in by passkey: no session begins unless the challenge is spent and the counter has grown. */
export const PASSKEY_SIGN_IN_PARTS = partsOf({
  first: [keyUseParts('person')],
  from: 'person, used_key',
  checks: { passkey: ':now' },
  payload: "jsonb_build_object('tokenId', :factorId::text)",
  last: [CLEARED],
});

/** A sign-in by a passkey that was stored a moment ago. */
export const NEW_KEY_SIGN_IN_PARTS = partsOf({
  from: 'person',
  checks: { passkey: ':now' },
  payload: "jsonb_build_object('tokenId', :newKeyId::text)",
});

/** The columns of `SignInResult`, in a SELECT after one of these. */
export const SIGN_IN_RESULT = `(SELECT id FROM session_row) AS "sessionId", EXISTS (SELECT 1 FROM person) AS "isAdmitted"`;

/** The columns of `PasskeyResult`, in a SELECT after `PASSKEY_SIGN_IN_PARTS`. */
export const PASSKEY_RESULT = `${SIGN_IN_RESULT}, ${KEY_USE_RESULT}`;

export interface PasskeyResult extends SignInResult, KeyUseResult {}

export interface SignInResult {
  /** The session that has begun or was renewed. */
  readonly sessionId: string | null;
  /** Whether the user may still sign in: if there is no session nevertheless, the cookie value has been replaced. */
  readonly isAdmitted: boolean;
}
