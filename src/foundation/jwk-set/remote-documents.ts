import type { Clock } from '../time/clock.js';
import { seconds, secondsAfter } from '../time/duration.js';

/** A document is fetched again after this time. */
const FRESH_SECONDS = 5 * seconds.perMinute;
/** How long the last document stays valid while its server is down. */
const USABLE_SECONDS = seconds.perHour;
/** A cached document is never fetched more often than this (IDP-007). */
const COOL_DOWN_SECONDS = 30;
/** Far more than there are providers; addresses that are no longer configured are evicted first. */
const MAX_DOCUMENTS = 1_000;

interface Failure {
  readonly error: unknown;
  readonly at: Date;
}

interface Entry<Document> {
  readonly document: Document;
  readonly loadedAt: Date;
  readonly triedAt: Date;
}

/** Where a document is published, and the owner of the configured URL: an organization, or the instance. */
export interface DocumentPlace {
  readonly url: string;
  readonly ownerId: string;
}

/**
 * Caches what other servers publish. Concurrent requests for one document share one fetch (IDP-024), but not those of
 * different owners: a fetch that waits in the share of one organization must not be what another one waits for.
 */
export class RemoteDocuments<Document extends object> {
  private readonly entries = new Map<string, Entry<Document>>();
  private readonly running = new Map<string, Promise<Document>>();
  private readonly failures = new Map<string, Failure>();

  constructor(
    private readonly clock: Clock,
    /** Fetches the document, or throws. */
    private readonly load: (place: DocumentPlace) => Promise<Document>,
    /** How long after a failure the same error is thrown instead of asking the server again. */
    private readonly restAfterFailureSeconds = 0,
    /** The validity of a document whose server states it, after which the document is no longer used. */
    private readonly validSecondsOf?: (document: Document) => number,
  ) {}

  /**
   * The document, fresh if possible; otherwise the last one while it is valid.
   * @throws what `load` throws
   */
  async get(place: DocumentPlace): Promise<Document> {
    const entry = this.entries.get(keyOf(place));
    if (!entry || !this.isUsable(entry)) return this.fetch(place);
    return this.isFresh(entry) ? entry.document : this.renew(place, entry);
  }

  /** The cached document while it is valid; nothing is fetched. */
  find(place: DocumentPlace): Document | undefined {
    const entry = this.entries.get(keyOf(place));
    return entry && this.isUsable(entry) ? entry.document : undefined;
  }

  /** A newer document for callers who miss something in theirs, unless it was fetched a moment ago. */
  async getNewer(place: DocumentPlace, known: Document): Promise<Document> {
    const entry = this.entries.get(keyOf(place));
    if (!entry) return this.fetch(place);
    return entry.document === known ? this.renew(place, entry) : entry.document;
  }

  private async renew(place: DocumentPlace, entry: Entry<Document>): Promise<Document> {
    const key = keyOf(place);
    const running = this.running.get(key);
    if (!running && this.isWithin(entry.triedAt, COOL_DOWN_SECONDS)) return entry.document;
    if (!running) this.entries.set(key, { ...entry, triedAt: this.clock.now() });
    try {
      return await (running ?? this.start(place));
    } catch {
      return entry.document; // The server is down or broken, and the document is still valid.
    }
  }

  private async fetch(place: DocumentPlace): Promise<Document> {
    return this.running.get(keyOf(place)) ?? this.start(place);
  }

  private start(place: DocumentPlace): Promise<Document> {
    const key = keyOf(place);
    const running = this.loadUnlessResting(place, key).finally(() => this.running.delete(key));
    this.running.set(key, running);
    return running;
  }

  private async loadUnlessResting(place: DocumentPlace, key: string): Promise<Document> {
    const failure = this.failures.get(key);
    if (failure && this.isWithin(failure.at, this.restAfterFailureSeconds)) throw failure.error;
    this.failures.delete(key);
    try {
      const document = await this.load(place);
      const now = this.clock.now();
      putNewest(this.entries, key, { document, loadedAt: now, triedAt: now });
      return document;
    } catch (error) {
      if (this.restAfterFailureSeconds > 0) putNewest(this.failures, key, { error, at: this.clock.now() });
      throw error;
    }
  }

  private isUsable({ document, loadedAt }: Entry<Document>): boolean {
    return this.isWithin(loadedAt, this.validSecondsOf?.(document) ?? USABLE_SECONDS);
  }

  private isFresh({ document, loadedAt }: Entry<Document>): boolean {
    return this.isWithin(loadedAt, this.validSecondsOf?.(document) ?? FRESH_SECONDS);
  }

  private isWithin(moment: Date, spanSeconds: number): boolean {
    return this.clock.now() < secondsAfter(moment, spanSeconds);
  }
}

function keyOf({ url, ownerId }: DocumentPlace): string {
  return JSON.stringify([url, ownerId]);
}

/** Puts the newest entry in; the oldest one makes room. */
function putNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_DOCUMENTS && oldest !== undefined) map.delete(oldest);
}
