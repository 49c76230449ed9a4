import { Injectable } from '@nestjs/common';
import { equals } from '../database/condition.js';
import { Database, type Transaction } from '../database/database.js';
import { Listing, type Page } from '../database/listing.js';
import { allowLongWork } from '../database/long-work.js';
import { statement } from '../database/statement.js';
import { Clock } from '../time/clock.js';
import {
  eventNotFound,
  listenerFailed,
  listenerNotFound,
  listenerNotLoaded,
  parkedEventNotFound,
} from './event.errors.js';
import { EventDispatcher } from './event-dispatcher.js';
import type { FeedEvent } from './event-feed.js';

/** A listener of an extension, as far as the database knows it. */
export interface ListenerEntry {
  /** `{extension}/{name}` */
  readonly listener: string;
  /** Failures in a row. */
  readonly tries: number;
  readonly reason: string;
  readonly dueAt: Date;
  readonly parked: number;
}

/** An event that a listener has left out. */
export interface ParkedEntry {
  readonly eventId: string;
  readonly eventType: string;
  readonly reason: string;
  readonly parkedAt: Date;
}

const LIST = statement(
  'event_cursor.list',
  `SELECT c.listener, c.tries, c.reason, c.due_at AS "dueAt",
     (SELECT count(*) FROM event_parked p WHERE p.listener = c.listener)::int AS parked
   FROM event_cursor c
   WHERE c.listener > '' AND NOT starts_with(c.listener, 'gatehouse/')
   ORDER BY c.listener`,
).rows<ListenerEntry>();

/** The cursor waits for a batch that is under way. */
const HOLD = statement(
  'event_cursor.hold',
  `SELECT listener
   FROM event_cursor
   WHERE listener = :listener AND NOT starts_with(listener, 'gatehouse/')
   FOR UPDATE`,
);

/**
 * Moves a cursor to before the first transaction that has appended an event since then, and never forward: nothing may
 * be passed over. Events of that transaction and of others at the same time that are older are heard again as well. In
 * one statement with the minimum, PostgreSQL would read the index of transactions from its beginning instead of the
 * events since then.
 */
const REPLAY = statement(
  'event_cursor.replay',
  `WITH later AS MATERIALIZED (
     SELECT e.tx
     FROM event e
     WHERE e.created_at >= :from),
   first AS (
     SELECT min(l.tx) - 1 AS tx
     FROM later l)
   UPDATE event_cursor c SET tx = f.tx, position = 9223372036854775807, tries = 0, reason = '', due_at = :now
   FROM first f
   WHERE c.listener = :listener AND f.tx < c.tx`,
);

/** Like `REPLAY`, for one event: moves the cursor to just before its transaction. */
const REPLAY_FROM_EVENT = statement(
  'event_cursor.replay_from_event',
  `UPDATE event_cursor c SET tx = e.tx - 1, position = 9223372036854775807, tries = 0, reason = '', due_at = :now
   FROM event e
   WHERE c.listener = :listener AND e.position = :position::bigint AND (e.tx, e.position) <= (c.tx, c.position)`,
);

const FIND_EVENT = statement('event.find_position', 'SELECT 1 FROM event WHERE position = :position::bigint');

const PARKED = new Listing<ParkedEntry, 'position'>({
  select: `'evt_' || p.position AS "eventId", e.type AS "eventType", p.reason, p.parked_at AS "parkedAt"`,
  from: 'event_parked p',
  joins: 'JOIN event e ON e.position = p.position',
  key: 'p.position',
  sort: { position: 'p.position' },
});

const TAKE_PARKED = statement(
  'event_parked.take',
  `WITH taken AS (
     DELETE FROM event_parked
     WHERE listener = :listener AND position = :position::bigint
     RETURNING position)
   SELECT
     e.tx,
     e.position,
     'evt_' || e.position AS id,
     e.type,
     e.aggregate_id AS "aggregateId",
     e.org_id AS "orgId",
     e.editor_id AS "editorId",
     e.created_at AS at,
     e.payload
   FROM event e
   WHERE e.position = (SELECT position FROM taken)`,
).rows<FeedEvent>();

const EVENT_ID = /^evt_(\d{1,18})$/;

/** The listeners of extensions, for those who look after them. Webhooks have operations of their own. */
@Injectable()
export class ListenerRegister {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: EventDispatcher,
    private readonly clock: Clock,
  ) {}

  /** Lists all listeners, also those whose extension is not loaded. */
  async list(): Promise<readonly ListenerEntry[]> {
    return this.database.query(LIST);
  }

  /**
   * Lets a listener hear again what happened since a time.
   * @throws DomainError NotFound `event_listener.not_found`
   */
  async replay(tx: Transaction, listener: string, from: Date): Promise<void> {
    await allowLongWork(tx);
    await this.hold(tx, listener);
    await tx.query(REPLAY, { listener, from, now: this.clock.now() });
  }

  /**
   * Lets a listener hear again what happened since an event, with that event and others of its transaction.
   * @throws DomainError NotFound `event_listener.not_found`, `event_listener.event_not_found`
   */
  async replayFromEvent(tx: Transaction, listener: string, eventId: string): Promise<void> {
    await this.hold(tx, listener);
    const [, position] = EVENT_ID.exec(eventId) ?? [];
    const found = position === undefined ? [] : await tx.query(FIND_EVENT, { position });
    if (position === undefined || found.length === 0) throw eventNotFound();
    await tx.query(REPLAY_FROM_EVENT, { listener, position, now: this.clock.now() });
  }

  /** The parked events in the order of the journal. @throws DomainError NotFound `event_listener.not_found` */
  async parked(
    listener: string,
    range: { offset: bigint; limit: number; ascending: boolean },
  ): Promise<Page<ParkedEntry>> {
    if (!(await this.list()).some((one) => one.listener === listener)) throw listenerNotFound();
    return PARKED.page(this.database, { ...range, sortBy: 'position', where: [equals('p.listener', listener)] });
  }

  /**
   * Lets a listener handle an event that it has left out, in this transaction: if it fails, the event stays parked.
   * Later events of the same object may have been handled before.
   * @throws DomainError NotFound `event_listener.not_found`, `event_listener.event_not_parked`; FailedPrecondition
   * `event_listener.not_loaded`, `event_listener.failed`
   */
  async retry(tx: Transaction, listener: string, eventId: string): Promise<void> {
    await this.hold(tx, listener);
    const [, position] = EVENT_ID.exec(eventId) ?? [];
    const [event] = position === undefined ? [] : await tx.query(TAKE_PARKED, { listener, position });
    if (!event) throw parkedEventNotFound();
    const loaded = this.dispatcher.find(listener);
    if (!loaded) throw listenerNotLoaded();
    await loaded.hear(tx, [event]).catch(() => {
      throw listenerFailed();
    });
  }

  private async hold(tx: Transaction, listener: string): Promise<void> {
    if ((await tx.query(HOLD, { listener })).length === 0) throw listenerNotFound();
  }
}
