import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { type Purge, runPurge } from '../database/purge.js';
import type { Queryable } from '../database/statement.js';
import { statement } from '../database/statement.js';
import { Logger } from '../log/logger.js';
import { Clock } from '../time/clock.js';
import { seconds, secondsAfter } from '../time/duration.js';

/**
 * What is counted, and of what: sign-ins that have succeeded and failed, of an organization, by what was presented;
 * answers to an authorization request, of a client id, by redirect URI; issued tokens, of a client id, by grant; of an
 * identity provider, turns in which it has `answered` and in which it has `failed`.
 */
export type Counted = 'sign_in' | 'refused_sign_in' | 'redirect' | 'token' | 'provider';

/** Stands for all organizations: each sign-in counts for its own and for this one. */
export const ALL_ORGS = '*';

/** Days are kept for a quarter of a year. */
const KEPT_DAYS = 92;
const WRITE_EVERY_MS = 10_000;
/** Of different things between two writes. Beyond that, new ones are not counted. */
const MOST_KEPT = 10_000;
const MAX_DETAIL = 500;

// In one order, so that two processes never wait for each other.
const ADD = statement(
  'day_count.add',
  `INSERT INTO day_count AS d (what, of_id, detail, day, count)
   SELECT c.what, c.of_id, c.detail, c.day, c.count
   FROM json_to_recordset(:counts::json) AS c(what text, of_id text, detail text, day date, count bigint)
   ORDER BY c.what, c.of_id, c.detail, c.day
   ON CONFLICT (what, of_id, detail, day) DO UPDATE SET count = d.count + excluded.count`,
);
const READ = statement(
  'day_count.read',
  `SELECT d.detail, d.day::text AS day, d.count
   FROM day_count d
   WHERE d.what = :what AND d.of_id = :ofId AND d.day >= :since::date
   ORDER BY d.day, d.detail`,
).rows<{ detail: string; day: string; count: string }>();
const SUMS = statement(
  'day_count.sums',
  `SELECT d.what, d.day::text AS day, sum(d.count) AS count
   FROM day_count d
   WHERE d.what = ANY(:whats) AND d.of_id = :ofId AND d.day >= :since::date
   GROUP BY d.what, d.day
   ORDER BY d.day, d.what`,
).rows<{ what: Counted; day: string; count: string }>();
const PURGE = statement(
  'purge.day_count',
  `DELETE FROM day_count
   WHERE (what, of_id, detail, day) IN (
     SELECT what, of_id, detail, day FROM day_count WHERE day < :moment::date ORDER BY day LIMIT 1000)
   RETURNING 1`,
);

/** The detail under which something is counted: what two long ones have in common is counted together. */
export function countedDetail(detail: string): string {
  return detail.slice(0, MAX_DETAIL);
}

/** How often something happened on a day. */
export interface CountOfDay {
  readonly detail: string;
  /** `2026-11-30`, in UTC. */
  readonly day: string;
  readonly count: number;
}

interface Kept {
  readonly what: Counted;
  readonly of_id: string;
  readonly detail: string;
  readonly day: string;
  count: number;
}

/**
 * Counts by day what happens too often to be written each time: in memory, and to the database every few seconds, all
 * of it in one statement. A process that is killed loses what it has not written.
 */
@Injectable()
export class DayCounts implements Purge, BeforeApplicationShutdown {
  private kept = new Map<string, Kept>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  add(what: Counted, ofId: string, given: string): void {
    const day = this.clock.now().toISOString().slice(0, 10);
    this.keep({ what, of_id: ofId, detail: countedDetail(given), day, count: 1 });
    this.timer ??= setTimeout(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  addOfOrg(what: 'sign_in' | 'refused_sign_in', orgId: string, detail: string): void {
    this.add(what, orgId, detail);
    this.add(what, ALL_ORGS, detail);
  }

  /** Writes what was counted since the last time. What cannot be written is kept for the next time. */
  async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const counts = [...this.kept.values()];
    if (counts.length === 0) return;
    this.kept = new Map();
    try {
      await this.database.atomically(ADD, { counts: JSON.stringify(counts) });
    } catch (error) {
      this.log.warn({ err: error }, 'counts of the day were not written');
      for (const one of counts) this.keep(one);
    }
  }

  private keep(one: Kept): void {
    const key = JSON.stringify([one.what, one.of_id, one.detail, one.day]);
    const known = this.kept.get(key);
    if (known) known.count += one.count;
    else if (this.kept.size < MOST_KEPT) this.kept.set(key, one);
  }

  /** What was written since a day, by day. @param since `2026-11-24` */
  async of(on: Queryable, what: Counted, ofId: string, since: string): Promise<CountOfDay[]> {
    const rows = await on.query(READ, { what, ofId, since });
    return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
  }

  /** What was written since a day, of several things, whatever the detail. @param since `2026-11-24` */
  async sums(
    on: Queryable,
    whats: readonly Counted[],
    ofId: string,
    since: string,
  ): Promise<Array<{ readonly what: Counted; readonly day: string; readonly count: number }>> {
    const rows = await on.query(SUMS, { whats, ofId, since });
    return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return runPurge(on, PURGE, secondsAfter(now, -KEPT_DAYS * seconds.perDay));
  }

  /** While there is still a database. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.write();
  }
}
