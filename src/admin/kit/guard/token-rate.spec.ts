import { beforeEach, describe, expect, it } from '@jest/globals';
import { AdminConfig } from '../../../foundation/config/config.js';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { Clock } from '../../../foundation/time/clock.js';
import { TokenRate } from './token-rate.js';

class StoppedClock extends Clock {
  ms = 0;

  override elapsedMs(): number {
    return this.ms;
  }
}

let clock: StoppedClock;
let rate: TokenRate;

beforeEach(() => {
  clock = new StoppedClock();
  rate = new TokenRate(Object.assign(new AdminConfig(), { ratePerSecond: 10 }), clock);
});

/** How many of so many requests at once are served. */
function served(token: string, requests: number): number {
  return Array.from({ length: requests }).filter(() => isServed(token)).length;
}

function isServed(token: string): boolean {
  try {
    rate.check(token);
    rate.count(token);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'ResourceExhausted', reason: 'token.too_many_requests', retryAfterSeconds: 1 });
    return !(error instanceof DomainError);
  }
}

describe('How many requests a token may make [ADM-035]', () => {
  it("serves two seconds' worth at once, then as many as the time that passes allows", () => {
    expect(served('a', 100)).toBe(20);
    clock.ms += 500;
    expect(served('a', 100)).toBe(5);
    clock.ms += 1_000;
    expect(served('a', 100)).toBe(10);
  });

  it('forgets what was not used after two seconds', () => {
    served('a', 100);
    clock.ms += 3_600_000;
    expect(served('a', 100)).toBe(20);
  });

  it('gives each token a bucket of its own', () => {
    served('a', 100);
    expect([served('b', 5), served('a', 5)]).toEqual([5, 0]);
  });

  it('does not count tokens that were not found valid', () => {
    for (let request = 0; request < 100; request += 1) rate.check('dead');
    expect(served('dead', 100)).toBe(20);
  });

  it('counts requests that were admitted at the same time', () => {
    for (let request = 0; request < 50; request += 1) rate.check('a');
    for (let request = 0; request < 20; request += 1) rate.count('a');
    expect(() => rate.count('a')).toThrow('Too many requests');
  });

  it('forgets the token that was used least lately when there are too many, not a busy one', () => {
    served('busy', 100);
    for (let token = 0; token < 20_000; token += 1) {
      rate.count(`token ${token}`);
      if (token % 1_000 === 0) {
        clock.ms += 100;
        rate.count('busy');
      }
    }
    expect(served('busy', 100)).toBeLessThan(20);
  });
});
