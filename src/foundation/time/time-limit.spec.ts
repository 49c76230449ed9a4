import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { TimeLimit } from './time-limit.js';

describe('A time limit', () => {
  it('aborts when the time is over, with the reason of AbortSignal.timeout', async () => {
    using limit = new TimeLimit(5);
    expect(limit.signal.aborted).toBe(false);
    const theirs = AbortSignal.timeout(1);
    await Promise.all([limit.passed, new Promise((resolve) => theirs.addEventListener('abort', resolve))]);
    const { name, message } = limit.signal.reason as DOMException;
    expect({ name, message }).toEqual({
      name: (theirs.reason as DOMException).name,
      message: (theirs.reason as DOMException).message,
    });
  });

  it('leaves no timer behind once the work has ended', async () => {
    let signal: AbortSignal;
    {
      using limit = new TimeLimit(20);
      ({ signal } = limit);
    }
    await sleep(40);
    expect(signal.aborted).toBe(false);
  });
});
