/**
 * Lets each owner have so many of a scarce thing at once; more of the same owner wait in the order in which they came.
 * Where all owners together are limited, each gets fewer the fewer are left, and they wait in turn: a place may be held
 * for long, and with turns alone newcomers would wait for as long.
 */
export class Shares {
  private readonly running = new Map<string, number>();
  /** The waiting calls by owner, in the order of their turns; each function lets one call in. */
  private readonly waiting = new Map<string, Set<() => void>>();
  private taken = 0;

  /**
   * @param size the most of one owner
   * @param total the most of all
   */
  constructor(
    private readonly size: number,
    private readonly total = Infinity,
  ) {}

  /** @throws the reason of `signal` if that is aborted before it is this one's turn; what `work` throws */
  async run<Result>(owner: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (this.mayEnter(owner)) this.take(owner);
    else await this.turn(owner, signal);
    try {
      return await work();
    } finally {
      this.leave(owner);
    }
  }

  private mayEnter(owner: string): boolean {
    const own = this.running.get(owner) ?? 0;
    if (this.total === Infinity) return own < this.size;
    // The third power leaves places for a hundred owners who come after one another and give nothing back.
    return this.taken < this.total && (own === 0 || own < this.size * (1 - this.taken / this.total) ** 3);
  }

  private take(owner: string): void {
    this.taken += 1;
    this.running.set(owner, (this.running.get(owner) ?? 0) + 1);
  }

  private leave(owner: string): void {
    this.taken -= 1;
    const own = this.running.get(owner)! - 1;
    if (own > 0) this.running.set(owner, own);
    else this.running.delete(owner);
    this.letIn();
  }

  /** Lets one call of each owner in, in turn. Its owner goes to the end of the line; the others keep their places. */
  private letIn(): void {
    for (const [owner, line] of this.waiting) {
      const [enter] = line;
      if (!enter || !this.mayEnter(owner)) continue;
      this.waiting.delete(owner);
      if (line.size > 1) this.waiting.set(owner, line); // and is met again
      this.take(owner);
      enter();
    }
  }

  /** Waits for a place, which is then taken. */
  private async turn(owner: string, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const line = this.waiting.get(owner) ?? new Set();
      const enter = (): void => {
        line.delete(enter);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        line.delete(enter);
        if (line.size === 0) this.waiting.delete(owner);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.set(owner, line.add(enter));
    });
  }
}
