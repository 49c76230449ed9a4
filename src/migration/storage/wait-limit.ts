/** The time for which something is waited for, again and again. */
export class WaitLimit {
  private readonly limit = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limitMs: number) {}

  /** Aborted once a wait has taken too long. */
  get signal(): AbortSignal {
    return this.limit.signal;
  }

  /** Starts the wait, or starts it anew. */
  start(): void {
    this.stop();
    this.timer = setTimeout(
      () => this.limit.abort(new Error(`Nothing has happened for ${this.limitMs} ms.`)),
      this.limitMs,
    );
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
