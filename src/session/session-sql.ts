import { columnsOf } from '../foundation/database/columns.js';
import { statement } from '../foundation/database/statement.js';
import { AuthKey } from '../user/factor/auth-key.entity.js';
import type { UsableKey } from '../user/factor/passkey-ceremony.js';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, loginNameSql } from '../user/login-name-search.js';
import { isInState, isOfKind } from '../user/user-name.js';
import { SESSION_COLUMN, sessionJoins, sessionJson } from './browser-sessions.js';
import type { FoundCandidate } from './candidate.js';
import {
  EXTERNAL_SIGN_IN_PARTS,
  type ExternalValues,
  NEW_KEY_SIGN_IN_PARTS,
  type NewKeyValues,
  PASSKEY_RESULT,
  PASSKEY_SIGN_IN_PARTS,
  PASSWORD_SIGN_IN_PARTS,
  type PasskeyResult,
  type PasskeyValues,
  type PasswordValues,
  SIGN_IN_RESULT,
  type SignInResult,
} from './sign-in-sql.js';

/** The key that a passkey's answer names. */
export type CandidateKey = Pick<AuthKey, 'factorId'> & UsableKey;

export const FIND_BROWSER = statement(
  'session.browser',
  `SELECT q.place, (
     SELECT json_agg(found)
     FROM (
       SELECT
         b.id AS "browserId",
         b.key_hash = decode(q."keyHash", 'hex') AS "isCurrent",
         coalesce(b.previous_key_hash = decode(q."keyHash", 'hex') AND b.seen_at > q.since, false) AS "isReplaced",
         ${SESSION_COLUMN}
       FROM browser b
       ${sessionJoins('q."instanceId"')}
       WHERE b.id = coalesce(
         (SELECT c.id FROM browser c WHERE c.key_hash = decode(q."keyHash", 'hex')),
         q."browserId")
       ORDER BY s.created_at) found) AS answer
   FROM json_to_recordset(:questions::json)
     AS q(place int, "keyHash" text, "browserId" text, since timestamptz, "instanceId" text)`,
);

export const FIND_CANDIDATE = statement(
  'session.candidate',
  `SELECT q.place, (
     SELECT json_agg(found)
     FROM (
       ${loginNameSql(
         `${ACCOUNT_COLUMNS}, u.sequence::text AS "userSequence", ${sessionJson('ud.domain')} AS "session"`,
         (name) => `q."${name}"`,
         'LEFT JOIN session s ON s.browser_id = q."browserId" AND s.user_id = u.id AND s.ended_at IS NULL',
       )}) found) AS answer
   FROM json_to_recordset(:questions::json)
     AS q(place int, "nameKey" text, "localKey" text, domain text, "orgId" text, phone text, "browserId" text)`,
);

export const PASSWORD_SIGN_IN = statement<PasswordValues>(
  'session.password_sign_in',
  `WITH ${PASSWORD_SIGN_IN_PARTS}
   SELECT ${SIGN_IN_RESULT}`,
).rows<SignInResult>();

export const EXTERNAL_SIGN_IN = statement<ExternalValues>(
  'session.external_sign_in',
  `WITH ${EXTERNAL_SIGN_IN_PARTS}
   SELECT ${SIGN_IN_RESULT}`,
).rows<SignInResult>();

export const NEW_KEY_SIGN_IN = statement<NewKeyValues>(
  'session.new_key_sign_in',
  `WITH ${NEW_KEY_SIGN_IN_PARTS}
   SELECT ${SIGN_IN_RESULT}`,
).rows<SignInResult>();

export const FIND_PASSKEY = statement(
  'session.passkey_candidate',
  `SELECT ${ACCOUNT_COLUMNS}, u.sequence::text AS "userSequence", ${sessionJson('ud.domain')} AS "session",
     ${columnsOf(AuthKey, 'k', ['factorId', 'credentialId', 'userHandle', 'publicKey', 'rpId', 'backupEligible'])}
   FROM auth_key k
   JOIN auth_factor pf ON pf.id = k.factor_id AND pf.kind = 'passkey' AND pf.state = 'ready'
   JOIN user_account u ON u.id = pf.user_id AND ${isOfKind('u', 'human')}
   ${ACCOUNT_JOINS}
   LEFT JOIN session s ON s.browser_id = :browserId AND s.user_id = u.id AND s.ended_at IS NULL
   WHERE k.credential_id = :credentialId`,
).rows<FoundCandidate & CandidateKey>();

export const PASSKEY_SIGN_IN = statement<PasskeyValues>(
  'session.passkey_sign_in',
  `WITH ${PASSKEY_SIGN_IN_PARTS}
   SELECT ${PASSKEY_RESULT}`,
).rows<PasskeyResult>();

/** The row of the challenge names the cookie value that its answer gave, so that no other proof is repeated with it. */
export const IS_SPENT_FOR = statement(
  'session.is_spent_for',
  'SELECT 1 FROM spent_challenge WHERE hash = :challengeHash AND key_hash = :keyHash',
);

export const FIND_REPEATED = statement(
  'session.find_repeated',
  `SELECT s.id
   FROM browser b
   JOIN session s ON s.browser_id = b.id AND s.user_id = :userId AND s.ended_at IS NULL
   JOIN user_account u ON u.id = s.user_id
   WHERE b.id = :browserId AND b.key_hash = :keyHash AND b.previous_key_hash = :previousKeyHash
     AND u.state = 'active' AND (:userEpoch::int IS NULL OR u.token_epoch = :userEpoch)`,
).rows<{ id: string }>();

/** A correct guess that arrives after the lock must not count, now or later. */
export const CHECK_FACTOR = statement(
  'session.check_factor',
  `WITH person AS MATERIALIZED (
     SELECT u.id
     FROM user_account u
     JOIN session s ON s.user_id = u.id
     WHERE s.id = :id AND ${isInState('u', 'active')}
     FOR SHARE OF u)
   UPDATE session SET factor_checked_at = :now, factor_kind = :kind
   FROM person
   WHERE session.id = :id AND session.ended_at IS NULL
   RETURNING session.id`,
);

/**
 * Locks the user before the session, as everything does that ends sessions because the user has changed. A second look
 * at both rows, once they are locked, decides.
 */
export const HOLD = statement(
  'session.hold',
  `WITH person AS MATERIALIZED (
     SELECT id
     FROM user_account
     WHERE id = :userId AND state = 'active' AND token_epoch = :userEpoch
     FOR NO KEY UPDATE)
   SELECT 1
   FROM person
   JOIN session s ON s.user_id = person.id
   WHERE s.id = :id AND s.ended_at IS NULL
   FOR SHARE OF s`,
);

export const HAS_CHECKED_FACTOR = statement(
  'session.has_checked_factor',
  `SELECT 1
   FROM session
   WHERE id = :sessionId AND factor_checked_at >= :moment AND ended_at IS NULL`,
);

export const LIVING_OF_USER = statement(
  'session.living_of_user',
  `SELECT id
   FROM session
   WHERE user_id = :userId AND ended_at IS NULL AND id <> :exceptSessionId`,
).rows<{ id: string }>();

export const LAST_SIGN_IN = statement(
  'session.last_sign_in',
  `SELECT max(greatest(password_checked_at, external_checked_at, passkey_checked_at)) AS "at"
   FROM session
   WHERE user_id = :userId`,
).rows<{ at: Date | null }>();
