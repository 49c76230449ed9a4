import { statement } from '../foundation/database/statement.js';

/*
 * A session remembers the applications that must be told of its end (Back-Channel Logout 1.0 §2.3). They are written by
 * the statement that issues the tokens, while that keeps the session from ending: either the end of the session finds
 * the application, or the application gets no tokens.
 */

/** The additional values of a statement that also records the application. */
export interface RememberedValues {
  readonly clientEpoch: string;
}

/** Parts of a statement whose part `redeemed` names a session, and whose part `living` has what becomes tokens. */
export interface SessionParts {
  /** The parts before `living`. */
  readonly held: string;
  /** The condition in `living`, about `r` from `redeemed`: the session has not ended. */
  readonly isLiving: string;
  /** The parts after `living`. */
  readonly remembered: string;
}

/** The parts for applications that are not told of the end of the session: nothing is locked, and nothing written. */
const LOOKED_AT: SessionParts = {
  held: '',
  // A subquery instead of a join, for the same reason as in token-family.repository.ts.
  isLiving: '(SELECT s.ended_at IS NULL FROM session s WHERE s.id = r.session_id)',
  remembered: '',
};

const HELD: SessionParts = {
  held: `
   held AS MATERIALIZED (
     SELECT s.id
     FROM session s
     WHERE s.id = (SELECT r.session_id FROM redeemed r) AND s.ended_at IS NULL
     FOR SHARE),`,
  isLiving: 'r.session_id = (SELECT h.id FROM held h)',
  remembered: `
   remembered AS (
     INSERT INTO session_client (session_id, client_id, client_epoch)
     SELECT
       l.session_id,
       l.client_id,
       :clientEpoch::bigint
     FROM living l
     ${unlessKnown()}),`,
};

export function sessionParts(isRemembered: boolean): SessionParts {
  return isRemembered ? HELD : LOOKED_AT;
}

/** Remembers the client by itself, for tokens that need no statement. */
export const REMEMBER = statement<{ sessionId: string; clientId: string; clientEpoch: string }>(
  'session.remember_client',
  `WITH held AS MATERIALIZED (
     SELECT s.id
     FROM session s
     WHERE s.id = :sessionId AND s.ended_at IS NULL
     FOR SHARE)
   INSERT INTO session_client (session_id, client_id, client_epoch)
   SELECT
     h.id,
     :clientId,
     :clientEpoch::bigint
   FROM held h
   ${unlessKnown()}`,
);

/** The client id may have belonged to another application when the session began. */
function unlessKnown(): string {
  return `ON CONFLICT (session_id, client_id) DO UPDATE SET client_epoch = excluded.client_epoch
     WHERE session_client.client_epoch <> excluded.client_epoch`;
}
