import { Injectable } from '@nestjs/common';
import { columnsOf } from '../foundation/database/columns.js';
import { Database } from '../foundation/database/database.js';
import { type Purge, purgeStatement, runPurge } from '../foundation/database/purge.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';
import { LogoutNotice } from './logout-notice.entity.js';

/** How many calls one application gets at once from one process. */
export const CALLS_PER_CLIENT = 4;

/** How long a claim lasts: longer than a call can take. */
const CLAIM_SECONDS = 30;

const DELIVERED_DAYS = 1;
const FAILED_DAYS = 7;

const CLAIMED_PROPERTIES = ['id', 'sessionId', 'userId', 'clientId', 'clientEpoch', 'tries'] as const;

/** A notice claimed by a worker. */
export type ClaimedNotice = Pick<LogoutNotice, (typeof CLAIMED_PROPERTIES)[number]>;

/**
 * The oldest ones, but only some of each application: one that never answers, and has ten thousand, must not delay the
 * others. The applications with waiting notices are read from the index, one entry for each.
 */
const CLAIM = statement(
  'logout_notice.claim',
  `WITH RECURSIVE client AS (
     (SELECT n.client_id
      FROM logout_notice n
      WHERE n.state = 'waiting' AND n.client_id > ''
      ORDER BY n.client_id
      LIMIT 1)
     UNION ALL
     SELECT (
       SELECT n.client_id
       FROM logout_notice n
       WHERE n.state = 'waiting' AND n.client_id > c.client_id
       ORDER BY n.client_id
       LIMIT 1)
     FROM client c
     WHERE c.client_id IS NOT NULL),
   due AS MATERIALIZED (
     SELECT d.id
     FROM client c
     CROSS JOIN LATERAL (
       SELECT n.id, n.due_at
       FROM logout_notice n
       WHERE n.client_id = c.client_id AND n.state = 'waiting' AND n.due_at <= :now
       ORDER BY n.due_at
       LIMIT ${CALLS_PER_CLIENT}
       FOR UPDATE SKIP LOCKED) d
     WHERE c.client_id <> ALL (:busyClients)
     ORDER BY d.due_at
     LIMIT :count)
   UPDATE logout_notice n SET tries = n.tries + 1, due_at = :claimedUntil
   FROM due
   WHERE n.id = due.id
   RETURNING ${columnsOf(LogoutNotice, 'n', CLAIMED_PROPERTIES)}`,
).rows<ClaimedNotice>();

/** An application that has accepted a notice has done so whatever another worker does meanwhile. */
const DELIVERED = statement(
  'logout_notice.delivered',
  `UPDATE logout_notice SET state = 'delivered', settled_at = :now, reason = ''
   WHERE id = :id AND state = 'waiting'`,
);

/** `:tries`: the failed attempt; a worker whose claim has expired must not undo what another one does. */
const POSTPONED = statement(
  'logout_notice.postponed',
  `UPDATE logout_notice SET due_at = :nextTryAt, reason = :reason
   WHERE id = :id AND tries = :tries AND state = 'waiting'`,
);

const SETTLED = statement(
  'logout_notice.settled',
  `UPDATE logout_notice SET state = :state, settled_at = :now, reason = :reason
   WHERE id = :id AND tries = :tries AND state = 'waiting'`,
);

const OLD_DELIVERED = purgeStatement('logout_notice', 'id', `state <> 'dead' AND settled_at < :moment`);
const OLD_FAILED = purgeStatement('logout_notice', 'id', 'settled_at < :moment');

/**
 * The notices as workers see them. A claim is a time, not a lock: no connection or transaction waits for an
 * application. If a worker is killed, the notice is delivered again when the claim expires: at least once.
 */
@Injectable()
export class LogoutQueue implements Purge {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Claims up to so many due notices for this worker, none of the busy applications. */
  async claim(count: number, busyClients: readonly string[]): Promise<ClaimedNotice[]> {
    const now = this.clock.now();
    const claimedUntil = secondsAfter(now, CLAIM_SECONDS);
    return this.database.atomically(CLAIM, { now, claimedUntil, count, busyClients });
  }

  async markDelivered({ id }: ClaimedNotice): Promise<void> {
    await this.database.query(DELIVERED, { id, now: this.clock.now() });
  }

  /** Schedules another attempt. */
  async postpone({ id, tries }: ClaimedNotice, delaySeconds: number, reason: string): Promise<void> {
    await this.database.query(POSTPONED, {
      id,
      tries,
      nextTryAt: secondsAfter(this.clock.now(), delaySeconds),
      reason,
    });
  }

  async settle({ id, tries }: ClaimedNotice, state: 'dead' | 'withdrawn', reason: string): Promise<void> {
    await this.database.query(SETTLED, { id, tries, state, now: this.clock.now(), reason });
  }

  /** Those that managers need no longer. */
  async purge(on: Queryable, now: Date): Promise<number> {
    return (
      (await runPurge(on, OLD_DELIVERED, secondsAfter(now, -DELIVERED_DAYS * seconds.perDay))) +
      (await runPurge(on, OLD_FAILED, secondsAfter(now, -FAILED_DAYS * seconds.perDay)))
    );
  }
}
