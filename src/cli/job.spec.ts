import { describe, expect, it } from '@jest/globals';
import { secondsLeft } from './job.js';

const at = (done: string, total: string): Parameters<typeof secondsLeft>[0] => ({
  done,
  total,
  heartbeatDate: '2026-11-21T10:00:00.000Z',
  estimatedEndDate: '2026-11-21T10:01:30.000Z',
});

describe('The time that a job still needs', () => {
  it('is that of the service, from its last sign of life', () => expect(secondsLeft(at('2000', '30000'))).toBe(90));

  it('is not estimated from the first few objects of a phase', () =>
    expect(secondsLeft(at('5', '376672'))).toBeUndefined());

  it('is never negative', () =>
    expect(secondsLeft({ ...at('9', '10'), estimatedEndDate: '2026-11-21T09:00:00.000Z' })).toBe(0));
});
