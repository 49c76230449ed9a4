import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LoginConfig } from '../config/config.js';
import { sha256Base64Url } from '../crypto/digest.js';
import { Batch } from '../database/batch.js';
import { Database } from '../database/database.js';
import { isOutcomeUnknown } from '../database/database-failure.js';
import { WITHOUT_WAITING } from '../database/disk-wait.js';
import { type Purge, purgeStatement, runPurge } from '../database/purge.js';
import { type Queryable, statement } from '../database/statement.js';
import { DomainError } from '../error/domain-error.js';
import { Logger } from '../log/logger.js';
import { Clock } from '../time/clock.js';
import { secondsAfter } from '../time/duration.js';
import { TimeLimit } from '../time/time-limit.js';

/** A limit: how many failures within the window are tolerated before further attempts are refused unseen. */
export interface AttemptLimit {
  /** What is attempted: `password`, `client`. */
  readonly what: string;
  /** The subject: an account's name, an address. Stored as a digest. */
  readonly whom: string;
  readonly failures: number;
  readonly windowSeconds: number;
  /** Answers must not reveal that it is exceeded, so `count` returns it instead of throwing. */
  readonly isSilent?: true;
  /**
   * Many users share it: an attempt that it refuses has guessed nothing and counts against no limit. So an address
   * whose attempts are used up closes no account, and the haste of one user does not close the address.
   */
  readonly isShared?: true;
}

/** ResourceExhausted `attempt.too_many`, with the seconds until the window ends. */
export class TooManyAttempts extends DomainError {
  /** `failures`: with this attempt, and without those that are about to be given back. */
  constructor(
    readonly limit: AttemptLimit,
    readonly failures: number,
    retryAfterSeconds: number,
  ) {
    super('ResourceExhausted', 'attempt.too_many', 'Too many failed attempts. Try again later.', { retryAfterSeconds });
  }
}

/**
 * Counts before the check, so that 200 concurrent attempts do not all pass (LOG-031). `:added`: how many attempts at
 * once. `:returned`: what is to be taken off each count first, since the last attempts succeeded.
 */
const COUNT = statement(
  'attempt.count',
  `WITH ${WITHOUT_WAITING}
   INSERT INTO attempt AS a (key, failures, window_ends_at)
   SELECT
     q.key,
     q.added,
     q.window_ends_at
   FROM
     without_waiting,
     unnest(:keys::text[], :added::int[], :windowsEndAt::timestamptz[]) AS q (key, added, window_ends_at)
   WHERE without_waiting.value IS NOT NULL
   ORDER BY q.key
   ON CONFLICT (key) DO UPDATE SET
     failures = CASE WHEN a.window_ends_at <= :now THEN excluded.failures
       ELSE excluded.failures + greatest(0, a.failures - (:returned::int[])[array_position(:keys::text[], a.key)]) END,
     window_ends_at = CASE WHEN a.window_ends_at <= :now THEN excluded.window_ends_at ELSE a.window_ends_at END
   RETURNING key, failures, window_ends_at AS "windowEndsAt"`,
).rows<CountedRow>();

/** Locks in the same order as `COUNT`, or two concurrent sign-ins could deadlock. */
const FORGIVE = statement(
  'attempt.forgive',
  `WITH ${WITHOUT_WAITING}, locked AS (
     SELECT key
     FROM attempt
     WHERE key = ANY(:keys::text[]) AND (SELECT value FROM without_waiting) IS NOT NULL
     ORDER BY key
     FOR UPDATE)
   UPDATE attempt a SET failures = greatest(0, a.failures - (:returned::int[])[array_position(:keys::text[], a.key)])
   FROM locked
   WHERE a.key = locked.key`,
);

/** More than any limit: clears a count, which starts again. */
const ALL = 1_000_000;

/** How long a success may wait for the next count of its address, which takes it along. */
const RETURN_AFTER_MS = 500;

/** A statement that takes longer, because of a lock or a lost connection, is not waited for. */
const LONGEST_WAIT_MS = 500;

/**
 * The part of a statement that clears the counts of these limits once its part `after` has written a row; `keys` is the
 * parameter with the value of `keysOf`. The rows belong to one account, so nobody else waits for them.
 */
export function clearedSql(keys: string, after: string): string {
  return `cleared AS (
     UPDATE attempt a SET failures = 0
     FROM (SELECT key FROM attempt WHERE key = ANY(${keys}::text[]) ORDER BY key FOR UPDATE) l
     WHERE a.key = l.key AND EXISTS (SELECT 1 FROM ${after}))`;
}

const STANDING = statement(
  'attempt.standing',
  `SELECT key, failures, window_ends_at AS "windowEndsAt"
   FROM attempt
   WHERE key = ANY(:keys::text[]) AND window_ends_at > :now`,
).rows<CountedRow>();

const EXPIRED = purgeStatement('attempt', 'key', 'window_ends_at < :moment');

/** A limit against which attempts have been counted, and when they no longer count. */
export interface StandingLimit {
  readonly limit: AttemptLimit;
  readonly failures: number;
  readonly windowEndsAt: Date;
}

/** The attempts of one request. */
interface CountQuestion {
  readonly keys: readonly string[];
  /** The end of the window of each key, if no attempt is under way. */
  readonly windowsEndAt: readonly Date[];
  readonly now: Date;
}

interface CountedRow {
  readonly key: string;
  readonly failures: number;
  readonly windowEndsAt: Date;
}

/** Limits guessing per account and per address, in the database, so that all processes count together. */
@Injectable()
export class AttemptService implements Purge, OnModuleDestroy {
  /** The successes by key whose count has not been returned yet. */
  private readonly returned = new Map<string, number>();
  /**
   * The end of the statement that returns counts, by key. Another one that overtook it would count attempts that
   * succeeded.
   */
  private readonly returning = new Map<string, Promise<unknown>>();
  private timer: NodeJS.Timeout | undefined;
  /** Many attempts come from one address at once, and would wait for each other's count. */
  private readonly counting = new Batch<CountQuestion, readonly CountedRow[]>((questions) => this.countAll(questions));

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: LoginConfig,
    private readonly log: Logger,
  ) {}

  /**
   * Counts an attempt against every limit; it stands unless `forgive` reverts it. Returns whether a silent limit is
   * exceeded.
   * @throws TooManyAttempts
   */
  async count(limits: readonly AttemptLimit[]): Promise<boolean> {
    if (!this.config.limits) return false;
    const now = this.clock.now();
    const keys = limits.map(keyOf);
    const windowsEndAt = limits.map((limit) => secondsAfter(now, limit.windowSeconds));
    await this.untilReturned(keys);
    const rows = (await this.counting.ask({ keys, windowsEndAt, now }))!; // in the order of the limits
    const exceeded = limits
      .map((limit, place) => ({ limit, row: rows[place]! }))
      .filter(({ limit, row }) => row.failures > limit.failures);
    const refusing = exceeded.find(({ limit }) => limit.isShared) ?? exceeded.find(({ limit }) => !limit.isSilent);
    if (refusing) throw await this.refuse(limits, refusing.limit, refusing.row, now);
    return exceeded.length > 0;
  }

  /** The counts that stand against these limits now, without counting anything. */
  async standing(limits: readonly AttemptLimit[]): Promise<StandingLimit[]> {
    if (!this.config.limits) return [];
    const keys = limits.map(keyOf);
    const rows = new Map(
      (await this.database.query(STANDING, { keys, now: this.clock.now() })).map((row) => [row.key, row]),
    );
    return limits.flatMap((limit) => {
      const row = rows.get(keyOf(limit));
      const failures = row ? row.failures - (this.returned.get(row.key) ?? 0) : 0;
      return row && failures > 0 ? [{ limit, failures, windowEndsAt: row.windowEndsAt }] : [];
    });
  }

  /**
   * Counts an attempt, and checks it. What `check` returns, the caller decides about.
   * @throws TooManyAttempts, and what `check` throws
   */
  async attempt<T>(limits: readonly AttemptLimit[], check: (isSilentExceeded: boolean) => Promise<T>): Promise<T> {
    const isSilentExceeded = await this.count(limits);
    return this.unlessFailed(limits, () => check(isSilentExceeded));
  }

  /**
   * Does the work of an attempt that was counted. If the work throws, the attempt has not been checked, or was right,
   * and does not count: a service that is busy or broken must not lock its users out.
   */
  async unlessFailed<T>(limits: readonly AttemptLimit[], work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.forgive([], limits);
      throw error;
    }
  }

  /**
   * A refused attempt never counts against a shared limit. If that one refuses it, it counts against the others as
   * little, and is returned at once: a client that keeps asking must not keep an account closed meanwhile.
   */
  private async refuse(
    counted: readonly AttemptLimit[],
    limit: AttemptLimit,
    { key, failures, windowEndsAt }: CountedRow,
    now: Date,
  ): Promise<TooManyAttempts> {
    const givenBack = this.returned.get(key) ?? 0;
    const others = counted.filter(({ isShared }) => !isShared);
    for (const one of counted) if (one.isShared) this.giveBack(one);
    if (limit.isShared && others.length > 0) await this.forgive([], others);
    const retryAfterSeconds = Math.max(1, Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1000));
    return new TooManyAttempts(limit, failures - givenBack, retryAfterSeconds);
  }

  /**
   * Counts the attempts of several requests in one statement. Each gets the counts as they would be if the requests had
   * come one after the other.
   */
  private async countAll(questions: readonly CountQuestion[]): Promise<Array<readonly CountedRow[]>> {
    const added = new Map<string, number>();
    const windows = new Map<string, Date>();
    for (const { keys, windowsEndAt } of questions) {
      keys.forEach((key, place) => {
        added.set(key, (added.get(key) ?? 0) + 1);
        windows.set(key, windows.get(key) ?? windowsEndAt[place]!);
      });
    }
    const now = questions[0]!.now;
    const rows = await this.withReturned([...added.keys()], (keys, returned) =>
      this.database.atomically(COUNT, {
        keys,
        returned,
        added: [...added.values()],
        windowsEndAt: [...windows.values()],
        now,
      }),
    );
    const totals = new Map(rows.map((row) => [row.key, row]));
    const later = new Map(added);
    return questions.map(({ keys }) =>
      keys.map((key) => {
        const row = totals.get(key)!;
        const others = later.get(key)! - 1;
        later.set(key, others);
        return { ...row, failures: row.failures - others };
      }),
    );
  }

  /** The attempt succeeded, or did not count: `cleared` limits start again, `returned` ones are decremented. */
  async forgive(cleared: readonly AttemptLimit[], returned: readonly AttemptLimit[]): Promise<void> {
    if (!this.config.limits) return;
    await this.database.atomically(FORGIVE, {
      keys: [...cleared, ...returned].map(keyOf),
      returned: [...cleared.map(() => ALL), ...returned.map(() => 1)],
    });
  }

  /**
   * An attempt succeeded, and its count is returned by the next one against the same limit, or soon: a statement of its
   * own, or one that waits for the disk, would make others at the same address wait.
   */
  giveBack({ what, whom }: AttemptLimit): void {
    if (!this.config.limits) return;
    const key = keyOf({ what, whom });
    this.returned.set(key, (this.returned.get(key) ?? 0) + 1);
    this.timer ??= setTimeout(() => void this.returnAll(), RETURN_AFTER_MS).unref();
  }

  /** The keys that `clearedSql` needs: none if limits are off. */
  keysOf(limits: readonly AttemptLimit[]): readonly string[] {
    return this.config.limits ? limits.map(keyOf) : [];
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return runPurge(on, EXPIRED, now);
  }

  /** Nest closes the database after this hook. */
  async onModuleDestroy(): Promise<void> {
    await this.returnAll();
    await Promise.all(this.returning.values());
  }

  private async returnAll(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const keys = [...this.returned.keys()];
    if (keys.length === 0) return;
    try {
      await this.withReturned(keys, async (all, returned) =>
        this.database.atomically(FORGIVE, { keys: all, returned }),
      );
    } catch (error) {
      // The next count of the address takes them along, or the next success, or they stay until their windows end.
      this.log.warn({ err: error }, 'counts of successful attempts not returned');
    }
  }

  /**
   * Takes along what is to be returned to these keys, and keeps it if the statement has not done so. If that is not
   * known, it stays counted: to return it twice would grant more guesses.
   */
  private async withReturned<T>(
    keys: readonly string[],
    work: (keys: readonly string[], returned: readonly number[]) => Promise<T>,
  ): Promise<T> {
    await this.untilReturned(keys);
    const returned = keys.map((key) => this.returned.get(key) ?? 0);
    for (const key of keys) this.returned.delete(key);
    const done = work(keys, returned);
    const settled = done.catch(() => undefined);
    const taken = keys.map((key, place) => ({ key, count: returned[place]! })).filter(({ count }) => count > 0);
    for (const { key } of taken) this.returning.set(key, settled);
    try {
      return await done;
    } catch (error) {
      if (!isOutcomeUnknown(error)) {
        for (const { key, count } of taken) this.returned.set(key, (this.returned.get(key) ?? 0) + count);
      }
      throw error;
    } finally {
      for (const { key } of taken) if (this.returning.get(key) === settled) this.returning.delete(key);
    }
  }

  /** Waits for a running statement that returns counts; all who wait for it are counted together after it. */
  private async untilReturned(keys: readonly string[]): Promise<void> {
    const isReturning = (): boolean => keys.some((key) => this.returning.has(key));
    if (!isReturning()) return;
    using limit = new TimeLimit(LONGEST_WAIT_MS);
    const { passed } = limit;
    while (isReturning() && !limit.signal.aborted)
      await Promise.race([passed, Promise.all(keys.flatMap((key) => this.returning.get(key) ?? []))]);
  }
}

function keyOf(limit: Pick<AttemptLimit, 'what' | 'whom'>): string {
  return `${limit.what}:${sha256Base64Url(limit.whom)}`;
}
