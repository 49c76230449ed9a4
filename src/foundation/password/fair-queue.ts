/**
 * Items under a path of keys. Different first keys take turns, and below each of them different second keys, and so on;
 * items of one path leave in the order of their arrival.
 */
export class FairQueue<Item> {
  private readonly items: Item[] = [];
  private readonly lines = new Map<string, FairQueue<Item>>();
  private count = 0;

  /** `maxOfPath`: how many items may wait under one path. */
  constructor(private readonly maxOfPath: number) {}

  get size(): number {
    return this.count;
  }

  /** Returns false if too many are waiting under this path. */
  add([key, ...rest]: readonly string[], item: Item): boolean {
    if (key === undefined && this.items.length >= this.maxOfPath) return false;
    const isAdded = key === undefined ? this.items.push(item) > 0 : this.lineOf(key).add(rest, item);
    if (isAdded) this.count += 1;
    return isAdded;
  }

  take(): Item | undefined {
    if (this.count === 0) return undefined;
    this.count -= 1;
    const [first] = this.lines;
    if (!first) return this.items.shift();
    const [key, line] = first;
    const item = line.take();
    // This line had its turn: it moves to the end, or is removed.
    this.lines.delete(key);
    if (line.size > 0) this.lines.set(key, line);
    return item;
  }

  /** Removes an item that no longer waits. */
  remove([key, ...rest]: readonly string[], item: Item): boolean {
    const line = key === undefined ? undefined : this.lines.get(key);
    const place = this.items.indexOf(item);
    const isRemoved = line ? line.remove(rest, item) : place >= 0 && this.items.splice(place, 1).length > 0;
    if (isRemoved) this.count -= 1;
    if (key !== undefined && line?.size === 0) this.lines.delete(key);
    return isRemoved;
  }

  /**
   * Removes the newest item of the longest line, key by key; among equally long lines, of the one whose turn comes
   * last.
   */
  dropNewest(): Item | undefined {
    if (this.count === 0) return undefined;
    this.count -= 1;
    if (this.lines.size === 0) return this.items.pop();
    const [key, line] = [...this.lines].reduce((longest, one) => (one[1].size >= longest[1].size ? one : longest));
    const item = line.dropNewest();
    if (line.size === 0) this.lines.delete(key);
    return item;
  }

  private lineOf(key: string): FairQueue<Item> {
    const line = this.lines.get(key) ?? new FairQueue<Item>(this.maxOfPath);
    this.lines.set(key, line);
    return line;
  }
}
