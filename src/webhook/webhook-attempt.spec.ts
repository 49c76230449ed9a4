import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../foundation/error/domain-error.js';
import { delayAfter, outcomeOfError, outcomeOfResponse } from './webhook-attempt.js';

const NOW = new Date('2026-11-23T12:00:00Z');
const outcome = (status: number, retryAfter?: string) => outcomeOfResponse(status, retryAfter, NOW);

describe('The response to a call', () => {
  it.each([200, 201, 202, 204, 299])('%i accepts it', (status) => {
    expect(outcome(status)).toEqual({ kind: 'accepted', status });
  });

  it('410 ends all calls', () => {
    expect(outcome(410).kind).toBe('gone');
  });

  it.each([400, 404, 408, 500, 502, 504])('%i is a failure, whatever pause it asks for', (status) => {
    expect(outcome(status, '60')).toEqual({
      kind: 'failed',
      status,
      reason: `The receiver responded with status ${status}.`,
      pauseSeconds: undefined,
    });
  });

  it.each([
    ['a number of seconds', '120', 120],
    ['a date', 'Mon, 23 Nov 2026 12:30:00 GMT', 1_800],
    ['more than a day, which is cut', '604800', 86_400],
    ['a date in the past', 'Mon, 23 Nov 2026 11:30:00 GMT', undefined],
    ['nonsense', 'soon', undefined],
    ['nothing', undefined, undefined],
  ])('429 and 503 may ask for a pause: %s', (_, retryAfter, pauseSeconds) => {
    expect(outcome(429, retryAfter)).toMatchObject({ kind: 'failed', pauseSeconds });
    expect(outcome(503, retryAfter)).toMatchObject({ kind: 'failed', pauseSeconds });
  });

  it('is told as the outbound client tells it, and defects are not shown', () => {
    const refused = new DomainError('FailedPrecondition', 'outbound.address_refused', 'hooks.test is not contacted');
    expect(outcomeOfError(refused)).toEqual({ kind: 'failed', reason: 'hooks.test is not contacted' });
    expect(outcomeOfError(new Error('secret'))).toMatchObject({ reason: expect.not.stringContaining('secret') });
  });
});

describe('The delay before the next attempt', () => {
  it('grows from five seconds to a day, and after nine there is no other attempt', () => {
    expect(Array.from({ length: 10 }, (_, index) => delayAfter(index + 1, 0))).toEqual([
      5,
      300,
      1_800,
      7_200,
      18_000,
      36_000,
      50_400,
      72_000,
      86_400,
      undefined,
    ]);
  });

  it('is up to a fifth longer by chance, and never shorter than the pause', () => {
    expect([delayAfter(2, 0.5), delayAfter(2, 1), delayAfter(1, 0, 90)]).toEqual([330, 360, 90]);
  });
});
