/** A worker that has served for so long has shown that it can start. */
export const SETTLED_MS = 10_000;
const MOST_FAILURES = 5;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/** The consequence when a worker has ended that should not: another one after a pause, or the end of the service. */
export type Verdict = { readonly pauseMs: number } | 'give up';

/**
 * How often workers have ended without having served for a while, one after another. Each makes the pause before the
 * next start twice as long: what they fail at, such as the database, is not helped by many attempts.
 */
export class RestartPolicy {
  private failures = 0;

  /**
   * @param servedMs how long the worker has served; 0 if it never did
   * @param othersServe whether another one has served for a while: the service then goes on with what it has
   */
  judge(servedMs: number, othersServe: boolean): Verdict {
    if (servedMs >= SETTLED_MS) {
      this.failures = 0;
      return { pauseMs: 0 };
    }
    this.failures += 1;
    if (this.failures >= MOST_FAILURES && !othersServe) return 'give up';
    return { pauseMs: Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.failures - 1)) };
  }
}
