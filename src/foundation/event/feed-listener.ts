import type { Transaction } from '../database/database.js';
import { type PartCall, PartCalls, PartFailed } from '../extension/part-calls.js';
import type { Filled } from '../extension/seam.js';
import { EndingTransaction } from '../extension/sql.js';
import type { FeedEvent } from './event-feed.js';
import { EVENT_LISTENER, type EventListener, type HeardEvent, listenerName } from './event-listener.js';

const BATCH_LIMIT_MS = 10_000;

/** A reader of the feed with a cursor of its own. */
export interface FeedListener {
  /** The name of the cursor. */
  readonly name: string;
  readonly types: readonly string[];
  /** The events that it hears first; undefined if it sets its cursor itself, and hears nothing before. */
  readonly since?: 'now' | 'beginning';
  /** The extension that it belongs to; absent for the product's own. */
  readonly extension?: string;
  /** Whether an event that fails again and again is left out. */
  readonly parks: boolean;
  /** Whether the listener wants to be asked: one that rests costs no statement. */
  isAwake(): Promise<boolean>;
  /** Handles events in the transaction that moves the cursor. */
  hear(tx: Transaction, events: readonly FeedEvent[]): Promise<void>;
}

/** A part of an extension, called within its limits. */
export class ExtensionListener implements FeedListener {
  readonly name: string;
  readonly types: readonly string[];
  readonly since: 'now' | 'beginning';
  readonly parks: boolean;
  readonly extension: string;
  private readonly call: PartCall<EventListener>;

  constructor(
    of: Filled<EventListener>,
    private readonly parts: PartCalls,
  ) {
    this.name = listenerName(of);
    this.extension = of.extension;
    this.types = of.part.types;
    this.since = of.part.since;
    this.parks = of.part.onPoison === 'park';
    this.call = { seam: EVENT_LISTENER, of, limitMs: BATCH_LIMIT_MS };
  }

  async isAwake(): Promise<boolean> {
    return true;
  }

  /** @throws what the part has thrown; that is logged and counted already */
  async hear(tx: Transaction, events: readonly FeedEvent[]): Promise<void> {
    const heard = events.map(toHeard);
    const given = new EndingTransaction(tx, (error) => this.parts.noteKept(this.call, error));
    try {
      await this.parts.call(this.call, (part, signal) => part.handle(heard, given, signal));
    } catch (error) {
      throw error instanceof PartFailed ? error.cause : error;
    } finally {
      given.end();
    }
  }
}

function toHeard({ id, type, aggregateId, orgId, editorId, at, payload }: FeedEvent): HeardEvent {
  return { id, type, aggregateId, orgId, editorId, at, payload };
}
