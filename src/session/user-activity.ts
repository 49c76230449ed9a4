import { Injectable } from '@nestjs/common';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';

/** One event about a user, as the user may see it. */
export interface UserEvent {
  readonly position: string;
  readonly at: Date;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Who caused the event: the user, the service itself, or somebody else. */
  readonly by: 'user' | 'system' | 'other';
  /** The browser, while its session is kept; empty otherwise. */
  readonly agent: string;
  readonly system: string;
  /** The name of the account that acted for the user; empty if it no longer exists, or for other events. */
  readonly actorName: string;
  /** The application with which the actor did it, or in which the user signed in without a browser; otherwise empty. */
  readonly application: string;
}

export interface UserEvents {
  /** The newest first. */
  readonly events: readonly UserEvent[];
  /** The place from which to continue; undefined on the last page. */
  readonly olderThan: string | undefined;
}

const DAYS = 90;
const PAGE = 50;
/** How many of the user's last actions are searched for sign-ins: a manager does many other things. */
const SEARCHED = 1_000;

/**
 * What happened to the user, and their sign-ins, which are events of sessions. Each part is read backwards from one
 * index, so that the rest of the journal is never touched; a session that is no longer kept has no browser.
 */
const OF_USER = statement(
  'user_activity.page',
  `WITH about AS MATERIALIZED (
     SELECT
       e.position,
       e.created_at,
       e.aggregate_type,
       e.aggregate_id,
       e.type,
       e.payload,
       e.editor_id
     FROM event e
     WHERE e.aggregate_id = :userId AND e.position < :before
     ORDER BY e.position DESC
     LIMIT ${PAGE + 1}),
   done AS MATERIALIZED (
     SELECT
       e.position,
       e.created_at,
       e.aggregate_type,
       e.aggregate_id,
       e.type,
       e.payload,
       e.editor_id
     FROM event e
     WHERE e.editor_id = :userId AND e.position < :before
     ORDER BY e.position DESC
     LIMIT ${SEARCHED}),
   shown AS (
     SELECT * FROM about WHERE aggregate_type = 'user'
     UNION ALL
     SELECT * FROM done WHERE type IN ('session.signed_in', 'session.ended'))
   SELECT
     x.position,
     x.created_at AS at,
     x.type,
     x.payload,
     CASE x.editor_id WHEN :userId THEN 'user' WHEN 'system' THEN 'system' ELSE 'other' END AS by,
     coalesce(b.agent, '') AS agent,
     coalesce(b.system, '') AS system,
     coalesce(CASE a.kind WHEN 'human' THEN a.display_name ELSE a.service_name END, '') AS "actorName",
     coalesce(c.name, '') AS application
   FROM shown x
   LEFT JOIN session s ON x.aggregate_type = 'session' AND s.id = x.aggregate_id
   LEFT JOIN browser b ON b.id = s.browser_id
   LEFT JOIN user_account a ON x.type = 'user.impersonated' AND a.id = x.editor_id
   LEFT JOIN client c ON x.type IN ('user.impersonated', 'user.signed_in') AND c.client_id = x.payload->>'clientId'
   WHERE x.created_at >= :since
   ORDER BY x.position DESC
   LIMIT ${PAGE + 1}`,
).rows<UserEvent>();

/** PostgreSQL's largest bigint: the first page. */
const NEWEST = '9223372036854775807';
const POSITION = /^\d{1,18}$/;

/** What happened to an account, for its user. */
@Injectable()
export class UserActivity {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** A page of the last 90 days. `olderThan`: of the page before; anything else begins with the newest. */
  async of(userId: string, olderThan?: string): Promise<UserEvents> {
    const before = olderThan !== undefined && POSITION.test(olderThan) ? olderThan : NEWEST;
    const since = secondsAfter(this.clock.now(), -DAYS * seconds.perDay);
    const found = await this.database.query(OF_USER, { userId, before, since });
    const events = found.slice(0, PAGE);
    return { events, olderThan: found.length > PAGE ? events.at(-1)?.position : undefined };
  }
}
