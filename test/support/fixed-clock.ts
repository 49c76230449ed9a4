import { Clock } from '../../src/foundation/time/clock.js';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `15m`, `12h`, `31d`, `1ms`. */
export type Span = `${number}${keyof typeof UNIT_MS}`;

function toMs(span: Span): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(span) ?? [];
  if (amount === undefined) throw new Error(`"${span}" is no span of time.`);
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** Stands still until it is advanced. Begins at the present, in whole seconds. */
export class FixedClock extends Clock {
  private ms = Math.floor(Date.now() / 1000) * 1000;

  override now(): Date {
    return new Date(this.ms);
  }

  advance(span: Span): void {
    this.ms += toMs(span);
  }

  /** Back to the present, or to a moment. */
  set(moment: Date = new Date(Math.floor(Date.now() / 1000) * 1000)): void {
    this.ms = moment.getTime();
  }
}
