import { describe, expect, it } from '@jest/globals';
import { momentOfProof } from './external-proof.js';

const now = new Date('2026-01-01T12:00:00Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);

describe('A sign-in at a provider', () => {
  it.each<[string, Date | undefined, Date | null, Date | null]>([
    ['none, if nothing was demanded and the provider says no time', undefined, null, null],
    ['one of now, if it was demanded and the provider says no time', undefined, ago(600), now],
    ['one of the time that the provider says, also if nothing was demanded', ago(3600), null, ago(3600)],
    ['one of the time that the provider says, if that is what was demanded', ago(500), ago(600), ago(500)],
    [
      'one of the time that was demanded, if the clock of the provider is a little behind',
      ago(640),
      ago(600),
      ago(600),
    ],
    ['one of now, if the clock of the provider is a little ahead', ago(-30), null, now],
  ])('counts as a proof: %s [ACC-018]', (_, authTime, provedAfter, expected) => {
    expect(momentOfProof(authTime, provedAfter, now)).toEqual(expected);
  });
});
