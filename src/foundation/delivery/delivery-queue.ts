import { columnsOf } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { type Purge, purgeStatement, runPurge } from '../database/purge.js';
import { type Queryable, type Statement, statement } from '../database/statement.js';
import type { Clock } from '../time/clock.js';
import { seconds, secondsAfter } from '../time/duration.js';
import type { Delivery } from './delivery.js';

/**
 * A table of deliveries to several receivers. None may delay the others, and neither may many of one owner together. It
 * has two indexes on `settled_at`: `WHERE state IN ('delivered', 'withdrawn')`, and `WHERE state = 'dead'`.
 */
export interface DeliveryTable<Row extends Delivery, Name extends keyof Row & string> {
  readonly table: string;
  readonly entity: abstract new () => Row;
  /**
   * The column of the receiver, by which an index of the waiting rows begins: `(receiver, due_at) WHERE state =
   * 'waiting'`.
   */
  readonly receiver: string;
  /** A scalar subquery for the owner of a receiver, which is a look-up by a key: an organization, or the instance. */
  readonly ownerOf: (receiver: string) => string;
  /** The members that a claim returns. */
  readonly claimed: readonly Name[];
  /** How many deliveries one receiver gets at once from one process. */
  readonly perReceiver: number;
}

export interface DeliveryTimes {
  /** How long a claim lasts: longer than a delivery can take. */
  readonly claimSeconds: number;
  /** How long deliveries are kept for managers, and those that were given up. */
  readonly deliveredDays: number;
  readonly failedDays: number;
}

type Attempt = Pick<Delivery, 'id' | 'tries'>;

interface DeliveryStatements<Item> {
  readonly claim: Statement<{ now: Date; busy: readonly string[]; count: number; claimedUntil: Date }, Item>;
  readonly delivered: Statement<{ id: string; now: Date }>;
  readonly postponed: Statement<{ id: string; tries: number; nextTryAt: Date; reason: string }>;
  readonly settled: Statement<{ id: string; tries: number; state: string; now: Date; reason: string }>;
  readonly oldDelivered: Statement<{ moment: Date }>;
  readonly oldFailed: Statement<{ moment: Date }>;
}

/** Declares the statements of a table of deliveries, once for each table. */
export function deliveryStatements<Row extends Delivery, Name extends keyof Row & string>(
  of: DeliveryTable<Row, Name>,
): DeliveryStatements<Pick<Row, Name>> {
  const { table, entity, receiver, ownerOf, claimed, perReceiver } = of;
  return {
    // The oldest ones, but only some of each receiver: one that never answers, and has ten thousand, must not delay the
    // others. The receivers with waiting rows are read from the index, one entry for each. Owners take turns, and those
    // for whom less is under way come first: one of them could otherwise take every lane with many receivers that never
    // answer.
    claim: statement<{ now: Date; busy: readonly string[]; count: number; claimedUntil: Date }>(
      `${table}.claim`,
      `WITH RECURSIVE receiver AS (
         (SELECT n.${receiver} AS id
          FROM ${table} n
          WHERE n.state = 'waiting' AND n.${receiver} > ''
          ORDER BY n.${receiver}
          LIMIT 1)
         UNION ALL
         SELECT (
           SELECT n.${receiver}
           FROM ${table} n
           WHERE n.state = 'waiting' AND n.${receiver} > r.id
           ORDER BY n.${receiver}
           LIMIT 1)
         FROM receiver r
         WHERE r.id IS NOT NULL),
       candidate AS MATERIALIZED (
         SELECT r.id, ${ownerOf('r.id')} AS owner_id
         FROM receiver r
         WHERE r.id <> ALL (:busy::text[])),
       under_way AS MATERIALIZED (
         SELECT ${ownerOf('b.id')} AS owner_id, count(*) AS deliveries
         FROM unnest(:busy::text[]) AS b(id)
         GROUP BY 1),
       due AS MATERIALIZED (
         SELECT d.id
         FROM candidate r
         LEFT JOIN under_way w ON w.owner_id = r.owner_id
         CROSS JOIN LATERAL (
           SELECT n.id, n.due_at
           FROM ${table} n
           WHERE n.${receiver} = r.id AND n.state = 'waiting' AND n.due_at <= :now
           ORDER BY n.due_at
           LIMIT ${perReceiver}
           FOR UPDATE SKIP LOCKED) d
         ORDER BY coalesce(w.deliveries, 0) + row_number() OVER (PARTITION BY r.owner_id ORDER BY d.due_at), d.due_at
         LIMIT :count)
       UPDATE ${table} n SET tries = n.tries + 1, due_at = :claimedUntil
       FROM due
       WHERE n.id = due.id
       RETURNING ${columnsOf(entity, 'n', claimed)}`,
    ).rows<Pick<Row, Name>>(),
    // A receiver that has accepted a delivery has done so whatever another worker does meanwhile.
    delivered: statement<{ id: string; now: Date }>(
      `${table}.delivered`,
      `UPDATE ${table} SET state = 'delivered', settled_at = :now, reason = ''
       WHERE id = :id AND state = 'waiting'`,
    ),
    // `:tries`: the failed attempt; a worker whose claim has expired must not undo what another one does.
    postponed: statement<{ id: string; tries: number; nextTryAt: Date; reason: string }>(
      `${table}.postponed`,
      `UPDATE ${table} SET due_at = :nextTryAt, reason = :reason
       WHERE id = :id AND tries = :tries AND state = 'waiting'`,
    ),
    settled: statement<{ id: string; tries: number; state: string; now: Date; reason: string }>(
      `${table}.settled`,
      `UPDATE ${table} SET state = :state, settled_at = :now, reason = :reason
       WHERE id = :id AND tries = :tries AND state = 'waiting'`,
    ),
    // Two statements, each in the words of its partial index, so that neither walks past what the other one keeps.
    oldDelivered: purgeStatement(
      table,
      'id',
      `state IN ('delivered', 'withdrawn') AND settled_at < :moment`,
      'settled_at',
    ),
    oldFailed: purgeStatement(table, 'id', `state = 'dead' AND settled_at < :moment`, 'settled_at'),
  };
}

/**
 * Deliveries as workers see them. A claim is a time, not a lock: no connection or transaction waits for a receiver. If
 * a worker is killed, the row is delivered again when the claim expires: at least once.
 */
export abstract class DeliveryQueue<Item extends Attempt> implements Purge {
  protected constructor(
    protected readonly database: Database,
    protected readonly clock: Clock,
    private readonly statements: DeliveryStatements<Item>,
    private readonly times: DeliveryTimes,
  ) {}

  /**
   * Claims up to so many due rows for this worker, none of the busy receivers.
   * @param busy the receiver of each delivery that is under way: one that has several is named as often
   */
  async claim(count: number, busy: readonly string[]): Promise<Item[]> {
    const now = this.clock.now();
    const claimedUntil = secondsAfter(now, this.times.claimSeconds);
    return this.database.atomically(this.statements.claim, { now, claimedUntil, count, busy });
  }

  async markDelivered({ id }: Attempt): Promise<void> {
    await this.database.query(this.statements.delivered, { id, now: this.clock.now() });
  }

  /** Schedules another attempt. */
  async postpone({ id, tries }: Attempt, delaySeconds: number, reason: string): Promise<void> {
    await this.database.query(this.statements.postponed, {
      id,
      tries,
      nextTryAt: secondsAfter(this.clock.now(), delaySeconds),
      reason,
    });
  }

  async settle({ id, tries }: Attempt, state: 'dead' | 'withdrawn', reason: string): Promise<void> {
    await this.database.query(this.statements.settled, { id, tries, state, now: this.clock.now(), reason });
  }

  /** Deletes the deliveries that managers need no longer. */
  async purge(on: Queryable, now: Date): Promise<number> {
    const { deliveredDays, failedDays } = this.times;
    return (
      (await runPurge(on, this.statements.oldDelivered, secondsAfter(now, -deliveredDays * seconds.perDay))) +
      (await runPurge(on, this.statements.oldFailed, secondsAfter(now, -failedDays * seconds.perDay)))
    );
  }
}
