import { expect, it } from '@jest/globals';
import { delayAfter, MAX_TRIES } from './back-off.js';

it('a mail is retried soon, then less and less often, for about a day', () => {
  const delays = Array.from({ length: MAX_TRIES - 1 }, (_, index) => delayAfter(index + 1));
  expect(delays.slice(0, 4)).toEqual([5, 15, 45, 135]);
  expect(Math.max(...delays)).toBe(14_400);
  const hours = delays.reduce((sum, delay) => sum + delay, 0) / 3600;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThan(26);
});
