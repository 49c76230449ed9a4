import { Clock } from '../../foundation/time/clock.js';
import { FixedClock, type Span, toMs } from '../testing/fixed-clock.js';

const real = new Clock();

/** Goes on by itself, from where it was set. */
export class RunningClock extends FixedClock {
  private aheadMs = 0;

  override now(): Date {
    return new Date(real.now().getTime() + this.aheadMs);
  }

  override advance(span: Span): void {
    this.aheadMs += toMs(span);
  }

  override set(moment?: Date): void {
    this.aheadMs = moment === undefined ? 0 : moment.getTime() - real.now().getTime();
  }

  /** How far it is ahead of the time of the machine; negative if it is behind. */
  get offsetSeconds(): number {
    return Math.round(this.aheadMs / 1000);
  }

  /** Does something at a later moment, and comes back. */
  async later<T>(seconds: number, work: () => Promise<T>): Promise<T> {
    this.aheadMs += seconds * 1000;
    try {
      return await work();
    } finally {
      this.aheadMs -= seconds * 1000;
    }
  }
}
