import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { PartCalls } from '../extension/part-calls.js';
import type { Filled } from '../extension/seam.js';
import { Logger } from '../log/logger.js';
import { Clock } from '../time/clock.js';
import { EventCatalogue } from './event-catalogue.js';
import { EventFeed, type FeedEvent, type TakenCursor } from './event-feed.js';
import { EVENT_LISTENER, type EventListener } from './event-listener.js';
import { ExtensionListener, type FeedListener } from './feed-listener.js';
import { unknownTypes } from './unknown-types.js';

/** PostgreSQL could announce each event, but that takes a lock of the whole server at each commit. */
const LOOK_EVERY_MS = 1_000;
const BATCH = 100;
const LEAST_DELAY_MS = 1_000;
const MOST_DELAY_MS = 300_000;
/** An event that fails this often alone is poison. */
const POISON_TRIES = 20;

/**
 * Brings events to listeners: those of extensions, and those of the product. Any number of processes can do so: each
 * listener works in one of them.
 */
@Injectable()
export class EventDispatcher implements OnModuleDestroy {
  private readonly listeners: FeedListener[];
  private isStopping = false;
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;

  constructor(
    @Inject(EVENT_LISTENER.token) private readonly filled: ReadonlyArray<Filled<EventListener>>,
    parts: PartCalls,
    private readonly catalogue: EventCatalogue,
    private readonly feed: EventFeed,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    this.listeners = filled.map((of) => new ExtensionListener(of, parts));
  }

  /** Adds a listener of the product, before the start. */
  add(listener: FeedListener): void {
    this.listeners.push(listener);
  }

  /** The listener with this cursor, if this process has it. */
  find(name: string): FeedListener | undefined {
    return this.listeners.find((listener) => listener.name === name);
  }

  /** Whether any listener waits for events. */
  async isAwake(): Promise<boolean> {
    for (const listener of this.listeners) if (await listener.isAwake()) return true;
    return false;
  }

  /** The types that listeners of extensions name and that are not known to be public, in sentences for the operator. */
  warnings(): string[] {
    return unknownTypes(this.filled, this.catalogue.types());
  }

  /** Starts in the background. */
  async start(): Promise<void> {
    for (const { name, since } of this.listeners)
      if (since !== undefined) await this.feed.enrol(name, since === 'beginning', this.clock.now());
    this.schedule();
  }

  /** Nest closes the database after this hook. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.round;
  }

  /** Brings everything that is due; resolves when nothing is. */
  async run(): Promise<void> {
    await Promise.all(this.listeners.map((listener) => this.catchUp(listener)));
  }

  private schedule(): void {
    if (this.isStopping) return;
    this.timer = setTimeout(() => {
      this.round = this.run().finally(() => this.schedule());
    }, LOOK_EVERY_MS).unref();
  }

  private async catchUp(listener: FeedListener): Promise<void> {
    try {
      if (!(await listener.isAwake())) return;
      while (!this.isStopping && (await this.step(listener)));
    } catch (error) {
      this.log.warn({ err: error, listener: listener.name }, 'cannot bring events to a listener');
    }
  }

  /** Handles one batch. Returns whether there may be more. */
  private async step(listener: FeedListener): Promise<boolean> {
    let taken: TakenCursor | undefined;
    try {
      return await this.database.transaction(async (tx) => {
        taken = await this.feed.take(tx, listener.name, this.clock.now());
        if (!taken) return false;
        // After a failure, events are handled one at a time: the one that fails is then known.
        const most = taken.tries > 0 ? 1 : BATCH;
        const events = await this.feed.read(tx, taken, listener.types, most);
        await this.handle(listener, tx, taken, events);
        return events.length === most;
      });
    } catch (error) {
      if (!taken) throw error;
      await this.postpone(listener, taken, error);
      return false;
    }
  }

  private async handle(
    listener: FeedListener,
    tx: Transaction,
    taken: TakenCursor,
    events: readonly FeedEvent[],
  ): Promise<void> {
    const { name, extension } = listener;
    const last = events.at(-1);
    if (!last) {
      const end = await this.feed.end(tx, taken, listener.types);
      if (end) await this.feed.move(tx, name, end);
      return;
    }
    if (taken.tries >= POISON_TRIES && listener.parks) {
      const reason = `It failed ${taken.tries} times.`;
      await this.feed.park(tx, name, last, reason, this.clock.now());
      this.log.error(
        { ...(extension !== undefined && { extension }), listener: name, eventId: last.id, type: last.type },
        'an event was parked: its listener cannot handle it',
      );
    } else {
      await listener.hear(tx, events);
    }
    await this.feed.move(tx, name, last);
  }

  private async postpone(listener: FeedListener, taken: TakenCursor, error: unknown): Promise<void> {
    const delayMs = Math.min(LEAST_DELAY_MS * 2 ** taken.tries, MOST_DELAY_MS);
    const dueAt = new Date(this.clock.now().getTime() + delayMs);
    await this.feed.postpone(listener.name, taken, dueAt, messageOf(error).slice(0, 500));
  }
}

function messageOf(error: unknown): string {
  const { message } = Object(error) as { readonly message?: unknown };
  return typeof message === 'string' ? message : String(error);
}
