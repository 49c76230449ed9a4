import { statement } from '../foundation/database/statement.js';
import { journalSql } from '../foundation/event/journal.js';

/*
 * How sessions end. Set-wise, in the order of their ids, so that two requests that end the same sessions wait for each
 * other instead of blocking each other. The end and the notices are two statements of one transaction: only a second
 * statement sees the applications that were signed in to while the first one waited for the session (`sessionParts`).
 */

interface End {
  readonly sessionIds: readonly string[];
  readonly now: Date;
  /** Null if the user ended the session. */
  readonly editorId: string | null;
}

/** Ends those that have not ended, with an event for each. */
export const END = statement<End>(
  'session.end',
  `WITH held AS MATERIALIZED (
     SELECT id
     FROM session
     WHERE id = ANY (:sessionIds) AND ended_at IS NULL
     ORDER BY id
     FOR NO KEY UPDATE),
   ended AS (
     UPDATE session s SET ended_at = :now
     FROM held
     WHERE s.id = held.id
     RETURNING s.id, s.user_id),
   journaled AS (
     ${journalSql(
       {
         aggregateType: "'session'",
         aggregateId: 'd.id',
         type: "'session.ended'",
         orgId: "coalesce(u.org_id, '')",
         editorId: 'coalesce(:editorId, d.user_id)',
         at: ':now::timestamptz',
       },
       'ended d LEFT JOIN user_account u ON u.id = d.user_id',
     )})
   SELECT id
   FROM ended`,
).rows<{ id: string }>();

/** Ends those of all users of an organization that is about to be removed: their removal is in the journal. */
export const END_OF_ORG = statement(
  'session.end_of_org',
  `WITH held AS MATERIALIZED (
     SELECT s.id
     FROM user_account u
     JOIN session s ON s.user_id = u.id AND s.ended_at IS NULL
     WHERE u.org_id = :orgId
     ORDER BY s.id
     FOR NO KEY UPDATE OF s)
   UPDATE session s SET ended_at = :now
   FROM held
   WHERE s.id = held.id`,
);

/**
 * The applications that must be told of the end of these sessions (Back-Channel Logout 1.0 §2.3). Both tables are
 * looked up by the ids, so that neither is read as a whole, whatever the statistics say.
 */
export const NOTIFY = statement(
  'logout_notice.add',
  `WITH added AS (
     INSERT INTO logout_notice (session_id, user_id, client_id, client_epoch, created_at, due_at)
     SELECT
       c.session_id,
       s.user_id,
       c.client_id,
       c.client_epoch,
       :now,
       :now
     FROM session_client c
     JOIN session s ON s.id = c.session_id
     WHERE c.session_id = ANY (:sessionIds) AND s.id = ANY (:sessionIds)
     ON CONFLICT (session_id, client_id) DO NOTHING
     RETURNING 1)
   SELECT count(*)::integer AS count
   FROM added`,
).rows<{ count: number }>();

/** Like `NOTIFY`, for the sessions that `END_OF_ORG` has ended at this moment. */
export const NOTIFY_OF_ORG = statement(
  'logout_notice.add_of_org',
  `WITH added AS (
     INSERT INTO logout_notice (session_id, user_id, client_id, client_epoch, created_at, due_at)
     SELECT
       c.session_id,
       s.user_id,
       c.client_id,
       c.client_epoch,
       :now,
       :now
     FROM user_account u
     JOIN session s ON s.user_id = u.id AND s.ended_at = :now
     JOIN session_client c ON c.session_id = s.id
     WHERE u.org_id = :orgId
     ON CONFLICT (session_id, client_id) DO NOTHING
     RETURNING 1)
   SELECT count(*)::integer AS count
   FROM added`,
).rows<{ count: number }>();
