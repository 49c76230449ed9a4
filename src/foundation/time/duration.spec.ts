import { describe, expect, it } from '@jest/globals';
import { Clock } from './clock.js';
import { fromUnixSeconds, seconds, secondsAfter, toUnixSeconds } from './duration.js';

const moment = new Date('2026-02-28T23:59:59.900Z');

describe('Time', () => {
  it('can be moved by whole seconds, forward and back', () => {
    expect(secondsAfter(moment, 1).toISOString()).toBe('2026-03-01T00:00:00.900Z');
    expect(secondsAfter(moment, -seconds.perDay).toISOString()).toBe('2026-02-27T23:59:59.900Z');
  });

  it('is written as whole seconds since 1970, rounded down', () => {
    expect(toUnixSeconds(moment)).toBe(Date.UTC(2026, 1, 28, 23, 59, 59) / 1000);
    expect(fromUnixSeconds(toUnixSeconds(moment)).toISOString()).toBe('2026-02-28T23:59:59.000Z');
  });

  it('comes from the clock of the machine', () => {
    const clock = new Clock();
    const before = Date.now();
    const ms = clock.now().getTime();
    expect(ms).toBeGreaterThanOrEqual(before);
    expect(ms).toBeLessThanOrEqual(Date.now());
    expect(Number.isInteger(clock.nowSeconds())).toBe(true);
  });
});
