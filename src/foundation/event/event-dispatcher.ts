import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { type PartCall, PartCalls, PartFailed } from '../extension/part-calls.js';
import type { Filled } from '../extension/seam.js';
import { EndingTransaction } from '../extension/sql.js';
import { Logger } from '../log/logger.js';
import { Clock } from '../time/clock.js';
import { EventFeed, type FeedEvent, type TakenCursor } from './event-feed.js';
import { EVENT_LISTENER, type EventListener, type HeardEvent, listenerName } from './event-listener.js';

/** PostgreSQL could announce each event, but that takes a lock of the whole server at each commit. */
const LOOK_EVERY_MS = 1_000;
const BATCH = 100;
const BATCH_LIMIT_MS = 10_000;
const LEAST_DELAY_MS = 1_000;
const MOST_DELAY_MS = 300_000;
/** An event that fails this often alone is poison. */
const POISON_TRIES = 20;

/** Brings events to the listeners of extensions. Any number of processes can do so: each listener works in one of them. */
@Injectable()
export class EventDispatcher implements OnModuleDestroy {
  private readonly calls: ReadonlyArray<PartCall<EventListener>>;
  private isStopping = false;
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;

  constructor(
    @Inject(EVENT_LISTENER.token) filled: ReadonlyArray<Filled<EventListener>>,
    private readonly parts: PartCalls,
    private readonly feed: EventFeed,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    this.calls = filled.map((of) => ({ seam: EVENT_LISTENER, of, limitMs: BATCH_LIMIT_MS }));
  }

  /** Starts in the background. Without listeners nothing runs. */
  async start(): Promise<void> {
    if (this.calls.length === 0) return;
    for (const { of } of this.calls)
      await this.feed.enrol(listenerName(of), of.part.since === 'beginning', this.clock.now());
    this.schedule();
  }

  /** Before the database closes. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.round;
  }

  /** Brings everything that is due; resolves when nothing is. */
  async run(): Promise<void> {
    await Promise.all(this.calls.map((call) => this.catchUp(call)));
  }

  private schedule(): void {
    if (this.isStopping) return;
    this.timer = setTimeout(() => {
      this.round = this.run().finally(() => this.schedule());
    }, LOOK_EVERY_MS).unref();
  }

  private async catchUp(call: PartCall<EventListener>): Promise<void> {
    try {
      while (!this.isStopping && (await this.step(call)));
    } catch (error) {
      this.log.warn({ err: error, listener: listenerName(call.of) }, 'cannot bring events to a listener');
    }
  }

  /** One batch. Whether there may be more. */
  private async step(call: PartCall<EventListener>): Promise<boolean> {
    let taken: TakenCursor | undefined;
    try {
      return await this.database.transaction(async (tx) => {
        taken = await this.feed.take(tx, listenerName(call.of), this.clock.now());
        if (!taken) return false;
        // After a failure one event at a time: the one that fails is then known.
        const most = taken.tries > 0 ? 1 : BATCH;
        const events = await this.feed.read(tx, taken, call.of.part.types, most);
        await this.handle(call, tx, taken, events);
        return events.length === most;
      });
    } catch (error) {
      if (!taken) throw error;
      await this.postpone(call, taken, error);
      return false;
    }
  }

  private async handle(
    call: PartCall<EventListener>,
    tx: Transaction,
    taken: TakenCursor,
    events: readonly FeedEvent[],
  ): Promise<void> {
    const listener = listenerName(call.of);
    const last = events.at(-1);
    if (!last) {
      const end = await this.feed.end(tx, taken, call.of.part.types);
      if (end) await this.feed.move(tx, listener, end);
      return;
    }
    if (taken.tries >= POISON_TRIES && call.of.part.onPoison === 'park') {
      const reason = `It failed ${taken.tries} times.`;
      await this.feed.park(tx, listener, last, reason, this.clock.now());
      this.log.error(
        { listener, eventId: last.id, type: last.type },
        'an event was parked: its listener cannot handle it',
      );
    } else {
      const heard = events.map(toHeard);
      const given = new EndingTransaction(tx);
      try {
        await this.parts.call(call, (part, signal) => part.handle(heard, given, signal));
      } finally {
        given.end();
      }
    }
    await this.feed.move(tx, listener, last);
  }

  private async postpone(call: PartCall<EventListener>, taken: TakenCursor, error: unknown): Promise<void> {
    const delayMs = Math.min(LEAST_DELAY_MS * 2 ** taken.tries, MOST_DELAY_MS);
    const dueAt = new Date(this.clock.now().getTime() + delayMs);
    const cause = error instanceof PartFailed ? error.cause : error;
    const reason = messageOf(cause);
    await this.feed.postpone(listenerName(call.of), taken, dueAt, reason.slice(0, 500));
  }
}

function toHeard({ id, type, aggregateId, orgId, editorId, at, payload }: FeedEvent): HeardEvent {
  return { id, type, aggregateId, orgId, editorId, at, payload };
}

function messageOf(error: unknown): string {
  const { message } = Object(error) as { readonly message?: unknown };
  return typeof message === 'string' ? message : String(error);
}
