import { describe, expect, it } from '@jest/globals';
import { RestartPolicy } from './restart-policy.js';

const verdicts = (restartPolicy: RestartPolicy, count: number, othersServe: boolean): unknown[] =>
  Array.from({ length: count }, () => restartPolicy.judge(500, othersServe));

describe('A worker that has ended unexpectedly', () => {
  it('is replaced at once if it had served for a while', () => {
    const restartPolicy = new RestartPolicy();
    expect(restartPolicy.judge(60_000, false)).toEqual({ pauseMs: 0 });
    expect(restartPolicy.judge(60_000, false)).toEqual({ pauseMs: 0 });
  });

  it('is replaced after a pause that doubles while they end at once', () => {
    expect(verdicts(new RestartPolicy(), 4, false)).toEqual([250, 500, 1000, 2000].map((pauseMs) => ({ pauseMs })));
  });

  it('is the end of the service if five end at once and no other serves', () => {
    expect(verdicts(new RestartPolicy(), 5, false).at(-1)).toBe('give up');
  });

  it('is replaced after at most half a minute, however often, as long as another one serves', () => {
    expect(verdicts(new RestartPolicy(), 20, true).at(-1)).toEqual({ pauseMs: 30_000 });
  });

  it('counts from the beginning after one that has served for a while', () => {
    const restartPolicy = new RestartPolicy();
    verdicts(restartPolicy, 4, false);
    restartPolicy.judge(20_000, false);
    expect(restartPolicy.judge(500, false)).toEqual({ pauseMs: 250 });
  });
});
