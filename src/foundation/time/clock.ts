/** The time of the machine, only for ids and files: they order rows and do not say when something happened. */
export function millisecondsNow(): number {
  return Date.now();
}

/** The only place that reads the time, so that tests can set it. @public */
export class Clock {
  now(): Date {
    return new Date(Date.now());
  }

  /** Milliseconds since an arbitrary moment, for spans: this clock is never set back. */
  elapsedMs(): number {
    return performance.now();
  }

  nowSeconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }
}
