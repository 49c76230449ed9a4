/** More proofs than a process can check within the time for which they are remembered, on a small machine. */
const MOST_REMEMBERED = 50_000;

/**
 * The proofs that a process has accepted, each for as long as it could be accepted again. When there are too many, the
 * oldest are forgotten first.
 */
export class UsedProofs {
  /** When each proof expires, in Unix seconds, in the order in which the proofs were used. */
  private readonly until = new Map<string, number>();

  constructor(private readonly most = MOST_REMEMBERED) {}

  has(digest: string, nowSeconds: number): boolean {
    const until = this.until.get(digest);
    return until !== undefined && until >= nowSeconds;
  }

  /** Returns how many were forgotten that could still be used again. */
  add(digest: string, untilSeconds: number, nowSeconds: number): number {
    this.until.delete(digest);
    this.until.set(digest, untilSeconds);
    let forgotten = 0;
    for (const [oldest, until] of this.until) {
      const isDue = until < nowSeconds;
      if (!isDue && this.until.size <= this.most) break;
      this.until.delete(oldest);
      if (!isDue) forgotten += 1;
    }
    return forgotten;
  }

  get size(): number {
    return this.until.size;
  }
}
