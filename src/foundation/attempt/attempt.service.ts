import { Injectable } from '@nestjs/common';
import { LoginConfig } from '../config/config.js';
import { sha256Base64Url } from '../crypto/digest.js';
import { Database } from '../database/database.js';
import { type Purge, purgeStatement, runPurge } from '../database/purge.js';
import { type Queryable, statement } from '../database/statement.js';
import { DomainError } from '../error/domain-error.js';
import { Clock } from '../time/clock.js';
import { secondsAfter } from '../time/duration.js';

/** How many failures within the window are tolerated before further attempts are refused unseen. */
export interface AttemptLimit {
  /** What is attempted: `password`, `client`. */
  readonly what: string;
  /** The subject: an account's name, an address. Stored as a digest. */
  readonly whom: string;
  readonly failures: number;
  readonly windowSeconds: number;
  /** Answers must not reveal that it is exceeded, so `count` returns it instead of throwing. */
  readonly isSilent?: true;
}

/** Counts before the check, so that 200 concurrent attempts do not all pass (LOG-031). */
const COUNT = statement(
  'attempt.count',
  `INSERT INTO attempt AS a (key, failures, window_ends_at)
   SELECT q.key, 1, q.window_ends_at
   FROM unnest(:keys::text[], :windowsEndAt::timestamptz[]) AS q (key, window_ends_at)
   ORDER BY q.key
   ON CONFLICT (key) DO UPDATE SET
     failures = CASE WHEN a.window_ends_at <= :now THEN 1 ELSE a.failures + 1 END,
     window_ends_at = CASE WHEN a.window_ends_at <= :now THEN excluded.window_ends_at ELSE a.window_ends_at END
   RETURNING key, failures, window_ends_at AS "windowEndsAt"`,
).rows<CountedRow>();

/** Locks in the same order as `COUNT`, or two concurrent sign-ins could deadlock. */
const FORGIVE = statement(
  'attempt.forgive',
  `WITH locked AS (
     SELECT key FROM attempt WHERE key = ANY(:cleared::text[] || :returned::text[]) ORDER BY key FOR UPDATE)
   UPDATE attempt a SET failures = CASE WHEN a.key = ANY(:cleared) THEN 0 ELSE greatest(a.failures - 1, 0) END
   FROM locked
   WHERE a.key = locked.key`,
);

const EXPIRED = purgeStatement('attempt', 'key', 'window_ends_at < :moment');

interface CountedRow {
  readonly key: string;
  readonly failures: number;
  readonly windowEndsAt: Date;
}

/** Limits guessing per account and per address, in the database, so that all processes count together. */
@Injectable()
export class AttemptService implements Purge {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: LoginConfig,
  ) {}

  /**
   * Counts an attempt against every limit; it stands unless `forgive` reverts it. Returns whether a silent limit is
   * exceeded.
   * @throws DomainError ResourceExhausted `attempt.too_many` with the seconds until the window ends
   */
  async count(limits: readonly AttemptLimit[]): Promise<boolean> {
    if (!this.config.limits) return false;
    const now = this.clock.now();
    const rows = await this.database.atomically(COUNT, {
      keys: limits.map(keyOf),
      windowsEndAt: limits.map((limit) => secondsAfter(now, limit.windowSeconds)),
      now,
    });
    let isSilentExceeded = false;
    for (const limit of limits) {
      const row = rows.find((counted) => counted.key === keyOf(limit));
      if (!row || row.failures <= limit.failures) continue;
      if (limit.isSilent !== true) throw tooManyAttempts(row.windowEndsAt, now);
      isSilentExceeded = true;
    }
    return isSilentExceeded;
  }

  /** The attempt succeeded, or did not count: `cleared` limits start again, `returned` ones are decremented. */
  async forgive(cleared: readonly AttemptLimit[], returned: readonly AttemptLimit[]): Promise<void> {
    if (!this.config.limits) return;
    await this.database.atomically(FORGIVE, { cleared: cleared.map(keyOf), returned: returned.map(keyOf) });
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return runPurge(on, EXPIRED, now);
  }
}

function keyOf(limit: AttemptLimit): string {
  return `${limit.what}:${sha256Base64Url(limit.whom)}`;
}

function tooManyAttempts(windowEndsAt: Date, now: Date): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1000));
  return new DomainError('ResourceExhausted', 'attempt.too_many', 'Too many failed attempts. Try again later.', {
    retryAfterSeconds,
  });
}
