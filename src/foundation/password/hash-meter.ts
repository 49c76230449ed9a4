import { PRIMITIVES, sampleOf } from './hash-cost.js';
import { HashThread } from './hash-thread.js';
import { type Primitive } from './hash-units.js';
import { unitsOf, workOf } from './password-form.js';

/**
 * How often a sample is computed. Other work on the machine can only add to the time, so the shortest is the most
 * accurate.
 */
const RUNS = 12;

/** Measures how fast this machine computes hashes. */
export class HashMeter {
  /**
   * Nanoseconds per unit of each of the `PRIMITIVES`, in their order; occupies a core for about a tenth of a second, in
   * a thread of its own.
   */
  async measure(): Promise<readonly number[]> {
    const thread = new HashThread();
    try {
      const least = PRIMITIVES.map(() => Number.POSITIVE_INFINITY);
      // Measured in rounds: what keeps the machine busy for a moment then spoils one sample of each, not all of one.
      for (let run = 0; run < RUNS; run += 1)
        for (const [at, primitive] of PRIMITIVES.entries())
          least[at] = Math.min(least[at]!, await measureOne(thread, primitive));
      return least;
    } finally {
      await thread.end();
    }
  }
}

async function measureOne(thread: HashThread, primitive: Primitive): Promise<number> {
  const sample = sampleOf(primitive);
  const { milliseconds } = await thread.check(workOf(sample)!, 'sample');
  return (milliseconds * 1_000_000) / unitsOf(sample).units;
}
