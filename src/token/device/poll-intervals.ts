/** More devices than ask one process at a time. Beyond that the oldest are forgotten, and may ask again early. */
const MOST_REMEMBERED = 20_000;
/** How much earlier a question may come, since the way through the network is never equally long. */
const TOLERANCE_MS = 1_000;

/**
 * When each device was last answered, in the memory of the process: a question that comes too early costs no query, and
 * no question is written down. With several processes a device may ask each of them.
 */
export class PollIntervals {
  /** The time of the last answer by device; the device that asked last is at the end. */
  private readonly lastAsked = new Map<string, number>();

  constructor(private readonly intervalSeconds: number) {}

  /**
   * Whether this question comes too early (RFC 8628 §3.5). The first never does; an early one does not postpone the
   * next, or an impatient device would never be answered.
   */
  isTooEarly(id: string, now: Date): boolean {
    const at = now.getTime();
    const shortest = this.intervalSeconds * 1_000 - TOLERANCE_MS;
    const last = this.lastAsked.get(id);
    if (last !== undefined && at - last < shortest) return true;
    this.lastAsked.delete(id);
    this.lastAsked.set(id, at);
    this.forget(at - shortest);
    return false;
  }

  /** The number of devices that are remembered. */
  get size(): number {
    return this.lastAsked.size;
  }

  private forget(before: number): void {
    for (const [id, at] of this.lastAsked) {
      if (at > before && this.lastAsked.size <= MOST_REMEMBERED) return;
      this.lastAsked.delete(id);
    }
  }
}
