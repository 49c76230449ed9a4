import type { Clock } from '../time/clock.js';
import { seconds, secondsAfter } from '../time/duration.js';

/** A document is fetched again after this time. */
const FRESH_SECONDS = 5 * seconds.perMinute;
/** While its server is down, the last document is valid for this long. */
const USABLE_SECONDS = seconds.perHour;
/** A cached document is never fetched more often than this (IDP-007). */
const COOL_DOWN_SECONDS = 30;
/** Far more than there are providers; addresses that are no longer configured are evicted first. */
const MAX_DOCUMENTS = 1_000;

interface Entry<Document> {
  readonly document: Document;
  readonly loadedAt: Date;
  readonly triedAt: Date;
}

/** Caches what other servers publish. Concurrent requests for one document share one fetch (IDP-024). */
export class RemoteDocuments<Document extends object> {
  private readonly entries = new Map<string, Entry<Document>>();
  private readonly running = new Map<string, Promise<Document>>();

  constructor(
    private readonly clock: Clock,
    /** Fetches the document, or throws. */
    private readonly load: (url: string) => Promise<Document>,
  ) {}

  /**
   * The document, fresh if possible; otherwise the last one while it is valid.
   * @throws what `load` throws
   */
  async get(url: string): Promise<Document> {
    const entry = this.entries.get(url);
    if (!entry || !this.isWithin(entry.loadedAt, USABLE_SECONDS)) return this.fetch(url);
    return this.isWithin(entry.loadedAt, FRESH_SECONDS) ? entry.document : this.renew(url, entry);
  }

  /** For callers who miss something in a document: a later one, unless it was fetched a moment ago. */
  async getNewer(url: string, known: Document): Promise<Document> {
    const entry = this.entries.get(url);
    if (!entry) return this.fetch(url);
    return entry.document === known ? this.renew(url, entry) : entry.document;
  }

  private async renew(url: string, entry: Entry<Document>): Promise<Document> {
    const running = this.running.get(url);
    if (!running && this.isWithin(entry.triedAt, COOL_DOWN_SECONDS)) return entry.document;
    if (!running) this.entries.set(url, { ...entry, triedAt: this.clock.now() });
    try {
      return await (running ?? this.start(url));
    } catch {
      return entry.document; // The server is down or broken, and the document is still valid.
    }
  }

  private async fetch(url: string): Promise<Document> {
    const running = this.running.get(url) ?? this.start(url);
    return running;
  }

  private start(url: string): Promise<Document> {
    const running = this.load(url)
      .then((document) => this.keep(url, document))
      .finally(() => this.running.delete(url));
    this.running.set(url, running);
    return running;
  }

  private keep(url: string, document: Document): Document {
    const now = this.clock.now();
    this.entries.delete(url);
    this.entries.set(url, { document, loadedAt: now, triedAt: now });
    const [oldest] = this.entries.keys();
    if (this.entries.size > MAX_DOCUMENTS && oldest !== undefined) this.entries.delete(oldest);
    return document;
  }

  private isWithin(moment: Date, spanSeconds: number): boolean {
    return this.clock.now() < secondsAfter(moment, spanSeconds);
  }
}
