import { beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../../foundation/config/secret.js';
import { MasterKeys } from '../../foundation/crypto/master-key.js';
import { Clock } from '../../foundation/time/clock.js';
import { type ChallengePlace, Challenges, SIGN_IN_CHALLENGE_SECONDS } from './challenge.js';
import { nameOfNewKey, parseKeyName } from './key-names.js';

const place: ChallengePlace = { purpose: 'sign-in', browserId: 'b1', about: 'r1' };
let now = new Date('2026-01-01T12:00:00Z');
let challenges: Challenges;
let rotated: Challenges;

beforeAll(async () => {
  const [old, next] = [new Secret('a master key of tests'), new Secret('the master key after it')];
  const clock = new (class extends Clock {
    override now(): Date {
      return now;
    }
  })();
  challenges = new Challenges(await MasterKeys.from(old, []), clock);
  rotated = new Challenges(await MasterKeys.from(next, [old]), clock);
});

describe('A challenge', () => {
  it('opens where it was made for, also after the master key was replaced', () => {
    const value = challenges.issue(place);
    expect(challenges.open(value, place, 60)).toEqual({ value, expiresAt: new Date('2026-01-01T12:01:00Z') });
    expect(rotated.open(value, place, 60)).toBeDefined();
  });

  it('is another one each time', () => {
    expect(challenges.issue(place)).not.toBe(challenges.issue(place));
  });

  it.each<[string, Partial<ChallengePlace>]>([
    ['browser', { browserId: 'b2' }],
    ['request', { about: 'r2' }],
    ['purpose', { purpose: 'register-passkey' }],
    ['person', { userId: 'u1' }],
  ])('is refused for another %s [PKY-002]', (_, other) => {
    expect(challenges.open(challenges.issue(place), { ...place, ...other }, 60)).toBeUndefined();
    expect(challenges.open(challenges.issue({ ...place, ...other }), place, 60)).toBeUndefined();
  });

  it('is refused with any bit of it changed [PKY-002]', () => {
    const bytes = Buffer.from(challenges.issue(place), 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = changed[at]! ^ 1;
      expect(challenges.open(changed.toString('base64url'), place, 3600)).toBeUndefined();
    }
  });

  it.each(['', 'x', 'AAAA', '=', `${'A'.repeat(72)}=`])('is none of ours: "%s"', (value) => {
    expect(challenges.open(value, place, 3600)).toBeUndefined();
  });

  it('has expired after 61 minutes [PKY-002]', () => {
    const value = challenges.issue(place);
    const before = now;
    now = new Date(now.getTime() + 59 * 60_000);
    expect(challenges.open(value, place, SIGN_IN_CHALLENGE_SECONDS)).toMatchObject({ value });
    now = new Date(before.getTime() + 61 * 60_000);
    expect(challenges.open(value, place, SIGN_IN_CHALLENGE_SECONDS)).toBe('expired');
    now = before;
  });
});

describe('The name of a key', () => {
  it('is at first that of what keeps it, with a number when there are two', () => {
    const apple = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd';
    expect(nameOfNewKey(apple, 'Passkey', [])).toBe('Apple Passwords');
    expect(nameOfNewKey(apple, 'Passkey', ['Apple Passwords', 'Apple Passwords 2'])).toBe('Apple Passwords 3');
    expect(nameOfNewKey('00000000-0000-0000-0000-000000000000', 'Passkey', ['Passkey'])).toBe('Passkey 2');
  });

  it.each([' My phone ', 'x', '名前', '<script>', 'x'.repeat(100)])('may be "%s" [PKY-024]', (typed) => {
    expect(parseKeyName(typed)).toBe(typed.trim());
  });

  it.each(['', '  ', 'x'.repeat(101), 'x'.repeat(300), 'a\u0000b', 'a\nb', 'a\u202Eb', 'a\u2066b'])(
    'may not be %j [PKY-024]',
    (typed) => {
      expect(parseKeyName(typed)).toBeUndefined();
    },
  );
});
