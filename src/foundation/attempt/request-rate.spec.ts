import { describe, expect, it } from '@jest/globals';
import { RequestRate } from './request-rate.js';

const at = (seconds: number): Date => new Date(1_700_000_000_000 + seconds * 1_000);

describe('The rate of requests', () => {
  it('is limited for each place, until its window ends', () => {
    const rate = new RequestRate(2, 60);
    rate.count('a', at(0));
    rate.count('a', at(1));
    let refused: unknown;
    try {
      rate.count('a', at(15));
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ kind: 'ResourceExhausted', retryAfterSeconds: 45 });
    expect(() => rate.count('b', at(15))).not.toThrow();
    expect(() => rate.count('a', at(60))).not.toThrow();
  });

  it('takes a bounded amount of memory', () => {
    const rate = new RequestRate(1, 60);
    rate.count('first', at(0));
    for (let n = 0; n < 10_000; n += 1) rate.count(String(n), at(0));
    expect(() => rate.count('first', at(1))).not.toThrow();
  });
});
