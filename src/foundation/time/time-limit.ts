/**
 * A limit for how long something may take: `using limit = new TimeLimit(5_000)`. Unlike `AbortSignal.timeout`, it is
 * given back with the work, which may have taken a moment: what the work held in memory would be held until the time is
 * over.
 */
export class TimeLimit implements Disposable {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(milliseconds: number) {
    this.timer = setTimeout(() => this.controller.abort(timeout()), milliseconds).unref();
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Resolves when the time is over, and never if it was given back before. */
  get passed(): Promise<void> {
    return new Promise((resolve) => this.signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
  }
}

/** The error that Node would make. Its stack takes longer than all the rest of a limit, and is rarely needed. */
function timeout(): DOMException {
  return new DOMException('The operation was aborted due to timeout', 'TimeoutError');
}
