import { Injectable } from '@nestjs/common';
import { Tallies } from '../metrics/tallies.js';
import { Clock } from '../time/clock.js';

/** Identifies calls: the names of extensions and seams are few, since the operator chooses what is loaded (OPS-011). */
export interface Called {
  readonly extension: string;
  readonly seam: string;
}

/** Takes the seconds of a call. */
export type Observe = (call: Called, seconds: number) => void;

const MINUTE_MS = 60_000;
const MINUTES = 60;

/** How the calls of parts went in this process. */
@Injectable()
export class PartRecord {
  /** Failures of each minute by extension and seam; what is older than an hour is forgotten. */
  private readonly failures = new Map<string, Map<number, number>>();
  private observe: Observe | undefined;

  constructor(
    private readonly tallies: Tallies,
    private readonly clock: Clock,
  ) {}

  /** Starts the measurement of calls; before, and without it, not even the time is read. */
  measureBy(observe: Observe): void {
    this.observe = observe;
  }

  /** Begins to measure a call. What is returned ends that. */
  begin({ extension, seam }: Called): () => void {
    const { observe } = this;
    if (!observe) return doNothing;
    const beganAtMs = performance.now();
    return () => observe({ extension, seam }, (performance.now() - beganAtMs) / 1_000);
  }

  addFailure({ extension, seam }: Called): void {
    const key = `${extension}/${seam}`;
    this.tallies.add('extensionFailures', key);
    const minutes = this.recent(key);
    const minute = this.minute();
    this.failures.set(key, minutes.set(minute, (minutes.get(minute) ?? 0) + 1));
  }

  /** The number of failures, counted to the minute. */
  failuresOfLastHour({ extension, seam }: Called): number {
    return [...this.recent(`${extension}/${seam}`).values()].reduce((sum, count) => sum + count, 0);
  }

  /** Like `failuresOfLastHour`, of all seams together. */
  failuresOfExtension(extension: string): number {
    const keys = [...this.failures.keys()].filter((key) => key.startsWith(`${extension}/`));
    return keys.flatMap((key) => [...this.recent(key).values()]).reduce((sum, count) => sum + count, 0);
  }

  private recent(key: string): Map<number, number> {
    const minutes = this.failures.get(key) ?? new Map<number, number>();
    for (const minute of minutes.keys()) if (minute <= this.minute() - MINUTES) minutes.delete(minute);
    return minutes;
  }

  private minute(): number {
    return Math.floor(this.clock.elapsedMs() / MINUTE_MS);
  }
}

function doNothing(): void {
  // Nothing is measured.
}
