import type { ChangeChannel, ChangeTopic } from './change-channel.js';
import { sharedTransaction } from './shared-transaction.js';

/** The upper bound on staleness if a notification is lost; normally it is milliseconds. */
const TIME_TO_LIVE_MS = 30_000;
const MAX_ENTRIES = 10_000;

interface Entry<Value> {
  readonly value: Promise<Value | undefined>;
  readonly loadedAtMs: number;
}

/**
 * Caches rows that are read far more often than changed, until the change channel invalidates them. Misses are not
 * cached: unknown keys come from strangers, who must not fill the memory. Concurrent readers of one key share one
 * query. Nothing is cached while changes would go unnoticed.
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
    if (sharedTransaction()) return this.load(key);
    const nowMs = performance.now();
    const known = this.entries.get(key);
    if (known && nowMs - known.loadedAtMs < TIME_TO_LIVE_MS) return known.value;
    return this.read(key, nowMs);
  }

  /** Reads from the database, and updates the cache. */
  async findAnew(key: string): Promise<Value | undefined> {
    return this.read(key, performance.now());
  }

  private async read(key: string, nowMs: number): Promise<Value | undefined> {
    if (!this.changes.isUp || sharedTransaction()) return this.load(key);
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

  /** Drops only our own entry: a change may have replaced it meanwhile. */
  private drop(key: string, entry: Entry<Value>): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
  }

  private makeRoom(): void {
    if (this.entries.size < MAX_ENTRIES) return;
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }
}
