import type { Clock } from '../time/clock.js';
import { seconds, secondsAfter } from '../time/duration.js';

/** A document is asked for again after this time. */
const FRESH_SECONDS = 5 * seconds.perMinute;
/** While its server is down, the last one counts for this long. */
const USABLE_SECONDS = seconds.perHour;
/** Whatever happens, a document that we hold is not asked for more often (IDP-007). */
const COOL_DOWN_SECONDS = 30;
/** Far more than there are providers; addresses that are configured no longer go first. */
const MAX_DOCUMENTS = 1_000;

interface Entry<Document> {
  readonly document: Document;
  readonly loadedAt: Date;
  readonly triedAt: Date;
}

/** What providers publish, kept in memory. Whoever asks for the same document at the same time shares one request (IDP-024). */
export class RemoteDocuments<Document extends object> {
  private readonly entries = new Map<string, Entry<Document>>();
  private readonly running = new Map<string, Promise<Document>>();

  constructor(
    private readonly clock: Clock,
    /** Answers the document that stands there, or throws. */
    private readonly load: (url: string) => Promise<Document>,
  ) {}

  /** The document, fresh if it can be had; else the last one while it counts. @throws what `load` throws */
  async get(url: string): Promise<Document> {
    const entry = this.entries.get(url);
    if (!entry || !this.isWithin(entry.loadedAt, USABLE_SECONDS)) return this.fetch(url);
    return this.isWithin(entry.loadedAt, FRESH_SECONDS) ? entry.document : this.renew(url, entry);
  }

  /** For whoever misses something in a document: a later one, if there is one and it was not asked for a moment ago. */
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
      return entry.document; // its server is down, or broken, and the document counts still
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
