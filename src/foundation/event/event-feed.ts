import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { HeardEvent } from './event-listener.js';

/** A place in the journal. Decimal numbers. */
export interface FeedPlace {
  readonly tx: string;
  readonly position: string;
}

export interface TakenCursor extends FeedPlace {
  readonly tries: number;
}

export interface FeedEvent extends HeardEvent, FeedPlace {}

/**
 * Whatever has a smaller transaction id has committed or was rolled back: nothing can appear before it any more. The
 * value is of the same snapshot as the statement that uses it.
 */
const HORIZON =
  '((pg_snapshot_xmin(pg_current_snapshot())::text)::bigint + coalesce((SELECT shift FROM event_clock WHERE is_only), 0))';

/** For how long the first event that has been committed is held back by a transaction that still runs, in seconds. */
const LAG = statement(
  'event.feed_lag',
  `SELECT greatest(extract(epoch FROM now() - created_at), 0)::float AS seconds
   FROM event
   WHERE tx >= ${HORIZON}
   ORDER BY tx, position
   LIMIT 1`,
).rows<{ seconds: number }>();

/** A row of its own keeps until when no other process warns. It reads nothing. */
const MAY_WARN = statement(
  'event_cursor.may_warn',
  `INSERT INTO event_cursor (listener, tx, position, due_at)
   VALUES ('gatehouse/lag', 0, 0, :next::timestamptz)
   ON CONFLICT (listener) DO UPDATE SET due_at = excluded.due_at
     WHERE event_cursor.due_at <= :now::timestamptz
   RETURNING 1`,
);

const ENROL = statement(
  'event_cursor.enrol',
  `INSERT INTO event_cursor (listener, tx, position, due_at)
   SELECT
     :listener,
     CASE WHEN :fromBeginning::boolean THEN -1 ELSE ${HORIZON} - 1 END,
     9223372036854775807,
     :now::timestamptz
   ON CONFLICT (listener) DO NOTHING`,
);

const TO_END = statement(
  'event_cursor.to_end',
  `INSERT INTO event_cursor (listener, tx, position, due_at)
   SELECT
     :listener,
     ${HORIZON} - 1,
     9223372036854775807,
     :now::timestamptz
   ON CONFLICT (listener) DO UPDATE SET
     tx = excluded.tx,
     position = excluded.position,
     tries = 0,
     reason = '',
     due_at = excluded.due_at`,
);

const TAKE = statement(
  'event_cursor.take',
  `SELECT tx, position, tries
   FROM event_cursor
   WHERE listener = :listener AND due_at <= :now
   FOR UPDATE SKIP LOCKED`,
).rows<TakenCursor>();

/** A listener is one row, which is locked while it works. */
const MOVE = statement(
  'event_cursor.move',
  `UPDATE event_cursor SET tx = :tx, position = :position, tries = 0, reason = ''
   WHERE listener = :listener`,
);

const POSTPONE = statement(
  'event_cursor.postpone',
  `UPDATE event_cursor SET tries = tries + 1, due_at = :dueAt, reason = :reason
   WHERE listener = :listener AND tx = :tx AND position = :position AND tries = :tries`,
);

const PARK = statement(
  'event_parked.park',
  `INSERT INTO event_parked (listener, position, reason, parked_at)
   VALUES (:listener, :position, :reason, :now)
   ON CONFLICT (listener, position) DO NOTHING`,
);

/**
 * A word for `types` by which a listener of the product hears every type of an extension, also of one not loaded here.
 */
export const EXT_TYPES = 'ext.*';

/** Whether a type is one of `:types`. */
function isHeard<const Type extends string>(
  type: Type,
): `(${Type} = ANY (:types::text[]) OR (starts_with(${Type}, 'ext.') AND '${typeof EXT_TYPES}' = ANY (:types::text[])))` {
  return `(${type} = ANY (:types::text[]) OR (starts_with(${type}, 'ext.') AND '${EXT_TYPES}' = ANY (:types::text[])))`;
}

const READ = statement(
  'event.feed',
  `SELECT tx, position, 'evt_' || position AS id, type, aggregate_id AS "aggregateId", org_id AS "orgId",
     editor_id AS "editorId", created_at AS at, payload
   FROM event
   WHERE (tx, position) > (:tx::bigint, :position::bigint) AND tx < ${HORIZON} AND ${isHeard('type')}
   ORDER BY tx, position
   LIMIT :most`,
).rows<FeedEvent>();

/**
 * The last event that no later one can precede, if there is none of these types up to it. This statement sees more than
 * the one that has looked for them: an event that was committed between the two must not be passed over.
 */
const LAST = statement(
  'event.feed_end',
  `SELECT tx, position
   FROM event
   WHERE (tx, position) > (:tx::bigint, :position::bigint) AND tx < ${HORIZON}
     AND NOT EXISTS (
       SELECT 1
       FROM event h
       WHERE (h.tx, h.position) > (:tx::bigint, :position::bigint) AND h.tx < ${HORIZON} AND ${isHeard('h.type')}
     )
   ORDER BY tx DESC, position DESC
   LIMIT 1`,
).rows<FeedPlace>();

/**
 * The journal as a feed that loses nothing. `position` alone is no cursor: a transaction that commits late has a
 * smaller one than others that were read already. By transaction, and only up to the oldest one that still runs, it is.
 */
@Injectable()
export class EventFeed {
  constructor(private readonly database: Database) {}

  /** Gives a new listener its cursor. */
  async enrol(listener: string, fromBeginning: boolean, now: Date): Promise<void> {
    await this.database.query(ENROL, { listener, fromBeginning, now });
  }

  /** Lets a listener that has rested hear what happens from now on, and nothing of what it has missed. */
  async moveToEnd(tx: Transaction, listener: string, now: Date): Promise<void> {
    await tx.query(TO_END, { listener, now });
  }

  /** The cursor, locked; undefined if another process has it, or if it is not due. */
  async take(tx: Transaction, listener: string, now: Date): Promise<TakenCursor | undefined> {
    const [cursor] = await tx.query(TAKE, { listener, now });
    return cursor;
  }

  /** The events that follow, in order. */
  async read(tx: Transaction, after: FeedPlace, types: readonly string[], most: number): Promise<FeedEvent[]> {
    return tx.query(READ, { tx: after.tx, position: after.position, types, most });
  }

  /** The next place of a listener that has nothing to handle, so that it need not look at the same events again. */
  async end(tx: Transaction, after: FeedPlace, types: readonly string[]): Promise<FeedPlace | undefined> {
    const [place] = await tx.query(LAST, { tx: after.tx, position: after.position, types });
    return place;
  }

  /**
   * For how many seconds a transaction that still runs, in whatever database of the server, has held back an event that
   * is committed. 0 if none is.
   */
  async lagSeconds(): Promise<number> {
    const [lag] = await this.database.query(LAG);
    return lag?.seconds ?? 0;
  }

  /** Whether this process is the one that warns of the lag; no other may before `next`. */
  async mayWarn(now: Date, next: Date): Promise<boolean> {
    return (await this.database.query(MAY_WARN, { now, next })).length > 0;
  }

  async move(tx: Transaction, listener: string, to: FeedPlace): Promise<void> {
    await tx.query(MOVE, { listener, tx: to.tx, position: to.position });
  }

  /** Counts a failure once: nothing happens if another process has moved on or postponed it meanwhile. */
  async postpone(listener: string, { tx, position, tries }: TakenCursor, dueAt: Date, reason: string): Promise<void> {
    await this.database.query(POSTPONE, { listener, tx, position, tries, dueAt, reason });
  }

  async park(tx: Transaction, listener: string, event: FeedEvent, reason: string, now: Date): Promise<void> {
    await tx.query(PARK, { listener, position: event.position, reason, now });
  }
}
