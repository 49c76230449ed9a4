import type { ChangeChannel, ChangeTopic } from './change-channel.js';

/** The upper bound on staleness should a single notification get lost; normally it is milliseconds. */
const TIME_TO_LIVE_MS = 30_000;
const MAX_ENTRIES = 10_000;

interface Entry<Value> {
  readonly value: Promise<Value | undefined>;
  readonly loadedAtMs: number;
}

/**
 * Rows that are read far more often than changed, kept in memory until the change channel says otherwise.
 * Misses are not kept: unknown keys come from strangers, who must not fill the memory. Concurrent readers of one key
 * share one query. Nothing is kept while nobody would tell us of a change.
 */
export class CachedReads<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(
    private readonly changes: ChangeChannel,
    topic: ChangeTopic,
    private readonly load: (key: string) => Promise<Value | undefined>,
  ) {
    changes.on(topic, (key) => (key === undefined ? this.entries.clear() : this.entries.delete(key)));
  }

  async find(key: string): Promise<Value | undefined> {
    const nowMs = performance.now();
    const known = this.entries.get(key);
    if (known && nowMs - known.loadedAtMs < TIME_TO_LIVE_MS) return known.value;
    return this.read(key, nowMs);
  }

  /** As the database has it now, and from then on the memory too. */
  async findAnew(key: string): Promise<Value | undefined> {
    return this.read(key, performance.now());
  }

  private async read(key: string, nowMs: number): Promise<Value | undefined> {
    if (!this.changes.isUp) return this.load(key);
    const entry: Entry<Value> = { value: this.load(key), loadedAtMs: nowMs };
    this.makeRoom();
    this.entries.set(key, entry);
    try {
      const value = await entry.value;
      if (value === undefined) this.drop(key, entry);
      return value;
    } catch (error) {
      this.drop(key, entry);
      throw error;
    }
  }

  /** Only the entry that we put there: a change may have replaced it meanwhile. */
  private drop(key: string, entry: Entry<Value>): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
  }

  private makeRoom(): void {
    if (this.entries.size < MAX_ENTRIES) return;
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }
}
