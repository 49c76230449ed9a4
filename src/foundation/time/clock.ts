/** The machine's time, for ids alone: they order rows and say nothing about when something happened. */
export function millisecondsNow(): number {
  return Date.now();
}

/** The only place that asks what time it is, so that a test can say what time it is. */
export class Clock {
  now(): Date {
    return new Date(Date.now());
  }

  /** Milliseconds since some moment: for spans, since nobody sets it back. */
  elapsedMs(): number {
    return performance.now();
  }

  nowSeconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }
}
