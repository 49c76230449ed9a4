import type { AttemptLimit } from '../../foundation/attempt/attempt.service.js';

/** The attempts that this process is checking: they are counted as failures until they succeed. */
export class UnderWay {
  private readonly numbers = new Map<string, number>();

  of({ whom }: AttemptLimit): number {
    return this.numbers.get(whom) ?? 0;
  }

  async during<T>(limit: AttemptLimit, work: () => Promise<T>): Promise<T> {
    this.add(limit, 1);
    try {
      return await work();
    } finally {
      this.add(limit, -1);
    }
  }

  private add(limit: AttemptLimit, number: number): void {
    const sum = this.of(limit) + number;
    if (sum === 0) this.numbers.delete(limit.whom);
    else this.numbers.set(limit.whom, sum);
  }
}
