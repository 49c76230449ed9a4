import { Clock } from '../../foundation/time/clock.js';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `15m`, `12h`, `31d`, `1ms`. @public */
export type Span = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

export function toMs(span: Span): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(span) ?? [];
  if (amount === undefined) throw new Error(`"${span}" is no span of time.`);
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** Stands still until it is advanced. Begins at the present, in whole seconds. @public */
export class FixedClock extends Clock {
  private ms = this.present().getTime();

  override now(): Date {
    return new Date(this.ms);
  }

  advance(span: Span): void {
    this.ms += toMs(span);
  }

  /** Back to the present, or to a moment. */
  set(moment: Date = this.present()): void {
    this.ms = moment.getTime();
  }

  private present(): Date {
    return new Date(Math.floor(super.now().getTime() / 1000) * 1000);
  }
}
