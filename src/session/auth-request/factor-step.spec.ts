import { describe, expect, it } from '@jest/globals';
import { BrowserSession, type BrowserSessionFacts } from '../browser-session.js';
import type { SecondFactorFacts } from '../session-factor.js';
import { factorStep, type ProofRequest } from './factor-step.js';

const now = new Date('2026-01-01T12:00:00Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
const HOUR = 3600;
const DAY = 24 * HOUR;

const facts: SecondFactorFacts = {
  held: [],
  hasKeysElsewhere: false,
  checkedAt: null,
  isKey: false,
  arePasskeysAllowed: false,
  isPasskeyEnough: true,
  checkLifetimeSeconds: 18 * HOUR,
  listed: ['otp', 'otp_email', 'u2f'],
  isForced: false,
  isForcedLocally: false,
  offerPauseSeconds: 30 * DAY,
  declinedAt: null,
  accountSince: ago(HOUR),
  hasVerifiedEmail: true,
};
const plain: ProofRequest = {
  prompts: [],
  maxAgeSeconds: undefined,
  createdAt: now,
  acrValues: [],
  secondFactorRequired: false,
  wantedKey: undefined,
  offersPasskey: false,
  externalLoginId: undefined,
  offersPasskeyHere: false,
};

function session(secondFactor: Partial<SecondFactorFacts>, over: Partial<BrowserSessionFacts> = {}): BrowserSession {
  return new BrowserSession({
    id: 's',
    userId: 'alice',
    orgId: 'a',
    orgDomain: 'orga.test',
    nameScope: '',
    userName: 'alice',
    displayName: 'alice',
    preferredLanguage: '',
    email: '',
    emailVerified: false,
    emailMayStayUnverified: false,
    passwordChangeRequired: false,
    userEpoch: 0,
    createdAt: ago(HOUR),
    passwordCheckedAt: ago(HOUR),
    passwordCheckLifetimeSeconds: 10 * DAY,
    hasPassword: true,
    externalCheckedAt: null,
    externalIdpId: null,
    externalProvedAt: null,
    externalCheckLifetimeSeconds: 10 * DAY,
    passkeyCheckedAt: null,
    passkeyCheckLifetimeSeconds: 43_200,
    secondFactor: { ...facts, ...secondFactor },
    ...over,
  });
}

const byProvider = { passwordCheckedAt: null, externalCheckedAt: ago(HOUR), externalIdpId: 'i' };
const ready = (...kinds: Array<SecondFactorFacts['held'][number]['kind']>): Partial<SecondFactorFacts> => ({
  held: kinds.map((kind) => ({ kind, isReady: true })),
});
const begun = (...kinds: SecondFactorFacts['listed']): Partial<SecondFactorFacts> => ({
  held: kinds.map((kind) => ({ kind, isReady: false })),
});
const step = (
  secondFactor: Partial<SecondFactorFacts>,
  request: Partial<ProofRequest> = {},
  over: Partial<BrowserSessionFacts> = {},
): string | undefined => factorStep(session(secondFactor, over), { ...plain, ...request }, now);

describe('Who holds a second factor', () => {
  it('is asked for it, for the app rather than for a mail', () => {
    expect(step(ready('otp'))).toBe('totp');
    expect(step(ready('otp_email'))).toBe('email-code');
    expect(step(ready('otp_email', 'otp', 'recovery_codes'))).toBe('totp');
  });

  it('is not asked for one that the policy does not list, or that goes to an address which is not proved', () => {
    expect(step({ ...ready('otp'), listed: ['u2f'] })).toBeUndefined();
    expect(step({ ...ready('otp_email'), hasVerifiedEmail: false, offerPauseSeconds: 0 })).toBeUndefined();
    expect(step({ ...ready('otp', 'otp_email'), listed: ['otp_email'] })).toBe('email-code');
  });

  it('is asked again when the lifetime of the check is over', () => {
    expect(step({ ...ready('otp'), checkedAt: ago(18 * HOUR - 1) })).toBeUndefined();
    expect(step({ ...ready('otp'), checkedAt: ago(18 * HOUR) })).toBe('totp');
  });

  it('is asked once for each request where that lifetime is nothing', () => {
    const strict = { ...ready('otp'), checkLifetimeSeconds: 0, checkedAt: ago(1) };
    expect(step(strict)).toBe('totp');
    expect(step(strict, { createdAt: ago(60) })).toBeUndefined();
  });

  it('is asked by prompt=login and max_age, which mean every factor', () => {
    const checked = { ...ready('otp'), checkedAt: ago(HOUR) };
    expect(step(checked, { prompts: ['login'] })).toBe('totp');
    expect(step(checked, { maxAgeSeconds: HOUR - 1 })).toBe('totp');
    expect(step(checked, { maxAgeSeconds: HOUR })).toBeUndefined();
    expect(step({ ...ready('otp'), checkedAt: now }, { prompts: ['login'] })).toBeUndefined();
  });

  it('is asked after a provider vouched for them as well, unless the policy leaves that to providers', () => {
    expect(step(ready('otp'), {}, byProvider)).toBe('totp');
    expect(step({ ...ready('otp'), isForcedLocally: true }, {}, byProvider)).toBeUndefined();
    expect(step({ ...ready('otp'), isForcedLocally: true, isForced: true }, {}, byProvider)).toBe('totp');
    expect(step({ ...ready('otp'), isForcedLocally: true }, { secondFactorRequired: true }, byProvider)).toBe('totp');
  });

  it('is not let off by recovery codes alone', () => {
    expect(step({ ...ready('recovery_codes'), isForced: true })).toBe('offer-factor');
  });
});

describe('Who holds none', () => {
  it('sets one up where the policy forces it', () => {
    expect(step({ isForced: true })).toBe('offer-factor');
    expect(step({ isForcedLocally: true })).toBe('offer-factor');
    expect(step({ isForcedLocally: true }, {}, byProvider)).toBeUndefined();
    expect(step({ isForced: true }, {}, byProvider)).toBe('offer-factor');
    expect(step({ isForced: true, declinedAt: now })).toBe('offer-factor');
  });

  it('continues with what was begun in this session', () => {
    expect(step({ isForced: true, ...begun('otp') })).toBe('set-up-totp');
    expect(step({ isForced: true, ...begun('otp_email') })).toBe('set-up-email-code');
    expect(step({ isForced: true, ...begun('otp'), listed: ['otp_email'] })).toBe('offer-factor');
    expect(step({ ...begun('otp'), declinedAt: ago(31 * DAY) })).toBe('set-up-totp');
    expect(step(begun('otp'))).toBeUndefined();
  });

  it('cannot sign in if one is forced and the policy lists none that is available here', () => {
    expect(step({ isForced: true, listed: ['otp_sms'] })).toBe('offer-factor');
    expect(step({ listed: ['otp_sms'] }, { secondFactorRequired: true })).toBe('unmet');
  });

  it('is offered one where the policy lists some, and left in peace for a while after a "not now", or with a new account', () => {
    expect(step({ declinedAt: ago(30 * DAY) })).toBe('offer-factor');
    expect(step({ declinedAt: ago(30 * DAY - 1), accountSince: ago(90 * DAY) })).toBeUndefined();
    expect(step({ accountSince: ago(30 * DAY) })).toBe('offer-factor');
    expect(step({ accountSince: ago(30 * DAY - 1) })).toBeUndefined();
    expect(step({ declinedAt: ago(30 * DAY), listed: ['otp_sms'] })).toBeUndefined();
    expect(step({ declinedAt: ago(300 * DAY), offerPauseSeconds: 0 })).toBeUndefined();
    expect(step({ declinedAt: ago(30 * DAY), listed: ['otp_email'], hasVerifiedEmail: false })).toBeUndefined();
  });

  it('is never kept from an answer without a page by an offer', () => {
    expect(step({ declinedAt: ago(30 * DAY) }, { prompts: ['none'] })).toBeUndefined();
    expect(step({}, { acrValues: ['2'], prompts: ['none'] })).toBeUndefined();
    expect(step({ isForced: true }, { prompts: ['none'] })).toBe('offer-factor');
  });
});

describe('A request for two factors', () => {
  it('demands one if it is essential', () => {
    expect(step({}, { secondFactorRequired: true })).toBe('offer-factor');
    expect(step({ ...ready('otp'), checkedAt: ago(1) }, { secondFactorRequired: true })).toBeUndefined();
  });

  it('offers one if it is a wish, once for each request', () => {
    expect(step({}, { acrValues: ['2'] })).toBe('offer-factor');
    expect(step({ declinedAt: now }, { acrValues: ['2'] })).toBeUndefined();
    expect(step({ accountSince: now }, { acrValues: ['2'] })).toBe('offer-factor');
    expect(step({}, { acrValues: ['2', '1'] })).toBeUndefined();
    expect(step({ listed: [] }, { acrValues: ['2'] })).toBeUndefined();
  });
});

describe('A factor whose set-up has begun on the page of the account', () => {
  const setting = { held: [{ kind: 'otp_email', isReady: false }] } as const;
  const both = { held: [{ kind: 'otp', isReady: true }, ...setting.held], checkedAt: now } as const;

  it('is set up next, whether or not the user has another one', () => {
    expect(step(setting, { factorWanted: 'otp_email' })).toBe('set-up-email-code');
    expect(step(both, { factorWanted: 'otp_email' })).toBe('set-up-email-code');
  });

  it('comes after the proof of the one that the user has', () => {
    expect(step({ ...both, checkedAt: null }, { factorWanted: 'otp_email' })).toBe('totp');
    expect(step({ ...both, checkedAt: ago(HOUR) }, { factorWanted: 'otp_email', maxAgeSeconds: 600 })).toBe('totp');
  });

  it('is over once it is set up or abandoned', () => {
    expect(step({}, { factorWanted: 'otp' })).toBeUndefined();
    expect(step({ ...ready('otp'), checkedAt: now }, { factorWanted: 'otp' })).toBeUndefined();
  });
});

describe('A passkey', () => {
  const byPasskey = { passwordCheckedAt: null, passkeyCheckedAt: ago(HOUR) };
  const allowed = { arePasskeysAllowed: true };

  it('stands for both factors, if the policy lets it, as long as it is fresh', () => {
    expect(step({ ...allowed, ...ready('passkey', 'otp') }, {}, byPasskey)).toBeUndefined();
    expect(step({ ...allowed, ...ready('passkey'), isForced: true }, {}, byPasskey)).toBeUndefined();
    expect(step({ ...allowed, ...ready('passkey') }, { secondFactorRequired: true }, byPasskey)).toBeUndefined();
    const late = { ...byPasskey, passkeyCheckedAt: ago(12 * HOUR) };
    expect(step({ ...allowed, ...ready('passkey', 'otp') }, {}, late)).toBe('totp');
  });

  it('is one factor where the policy says so, and does not follow itself [PKY-018]', () => {
    const one = { ...allowed, isPasskeyEnough: false, isForced: true };
    expect(step({ ...one, ...ready('passkey', 'otp') }, {}, byPasskey)).toBe('totp');
    expect(step({ ...one, ...ready('passkey') }, {}, byPasskey)).toBe('offer-factor');
    expect(step({ ...one, ...ready('passkey', 'u2f') }, {}, byPasskey)).toBe('security-key');
  });

  it('serves as a security key after a password where one is required, and is not asked for elsewhere', () => {
    expect(step({ ...allowed, ...ready('passkey'), isForced: true })).toBe('security-key');
    expect(step({ ...allowed, ...ready('passkey') })).toBeUndefined();
    expect(step({ ...allowed, ...ready('passkey'), isForced: true, isKey: true, checkedAt: ago(1) })).toBeUndefined();
  });

  it('is asked for, rather than another factor set up, where one is forced and the policy lists no security keys [PKY-027]', () => {
    const forced = { ...allowed, listed: ['otp' as const], isForced: true };
    expect(step({ ...forced, ...ready('passkey') })).toBe('security-key');
    expect(step({ ...forced, ...ready('passkey') }, { secondFactorRequired: true })).toBe('security-key');
    expect(step({ ...forced, isPasskeyEnough: false, ...ready('passkey') })).toBe('offer-factor');
    expect(step({ ...forced, arePasskeysAllowed: false, ...ready('passkey') })).toBe('offer-factor');
  });

  it('keeps a password alone from setting up another factor at the wish of a request [PKY-027]', () => {
    const wish = { acrValues: ['2'] };
    expect(step({ ...allowed, ...ready('passkey') }, wish)).toBeUndefined();
    expect(step({ ...allowed, ...ready('passkey'), listed: ['otp'] }, wish)).toBeUndefined();
    expect(step(allowed, wish)).toBe('offer-factor');
  });

  it('keeps a password alone from linking an account at a provider [PKY-027]', () => {
    const back = { externalLoginId: 'l1' };
    expect(step({ ...allowed, ...ready('passkey') }, back)).toBe('security-key');
    expect(step({ ...allowed, ...ready('passkey') }, back, byPasskey)).toBeUndefined();
    expect(step(allowed, back)).toBeUndefined();
  });

  it('is offered when an offer is due or a password was just chosen, unless the user has one', () => {
    const due = { ...allowed, declinedAt: ago(30 * DAY) };
    expect(step(due)).toBe('offer-passkey');
    expect(step({ ...due, listed: [] })).toBe('offer-passkey');
    expect(step({ ...due, ...ready('passkey') })).toBeUndefined();
    expect(step(allowed)).toBeUndefined();
    expect(step(allowed, { offersPasskey: true })).toBe('offer-passkey');
    expect(step({ ...allowed, declinedAt: now }, { offersPasskey: true })).toBeUndefined();
    expect(step(due, { prompts: ['none'] })).toBeUndefined();
  });

  it('is set up where the user has chosen it, and never where the policy does not let it', () => {
    const due = { ...allowed, declinedAt: ago(30 * DAY) };
    expect(step(due, { wantedKey: 'passkey' })).toBe('set-up-passkey');
    expect(step(due, { wantedKey: 'u2f' })).toBe('set-up-security-key');
    expect(step({ ...due, listed: [] }, { wantedKey: 'u2f' })).toBe('offer-passkey');
    expect(step({ ...allowed, isForced: true }, { wantedKey: 'passkey' })).toBe('set-up-passkey');
    expect(step({ ...allowed, isForced: true, isPasskeyEnough: false }, { wantedKey: 'passkey' })).toBe('offer-factor');
    expect(step({ isForced: true }, { wantedKey: 'passkey' })).toBe('offer-factor');
    expect(step(allowed, { wantedKey: 'passkey' })).toBeUndefined();
  });

  it('of another device is followed by the offer of one for this device, once nothing else is missing', () => {
    const here = { ...allowed, ...ready('passkey') };
    const offers = { offersPasskeyHere: true };
    expect(step(here, offers, byPasskey)).toBe('offer-passkey-here');
    expect(step(here, { ...offers, wantedKey: 'passkey' }, byPasskey)).toBe('set-up-passkey');
    expect(step({ ...here, isForced: true }, offers, byPasskey)).toBe('offer-passkey-here');
    const owed = { held: [...here.held!, { kind: 'recovery_codes', isReady: false }] } as const;
    expect(step({ ...allowed, ...owed }, offers, byPasskey)).toBe('recovery-codes');
    expect(step({ ...here, isPasskeyEnough: false, ...ready('passkey', 'otp') }, offers, byPasskey)).toBe('totp');
  });

  it('of another device is followed by no offer where the policy makes none, and never without a page', () => {
    const here = { ...allowed, ...ready('passkey') };
    const offers = { offersPasskeyHere: true };
    expect(step({ ...here, offerPauseSeconds: 0 }, offers, byPasskey)).toBeUndefined();
    expect(step({ ...here, arePasskeysAllowed: false }, offers)).toBeUndefined();
    expect(step(here, { ...offers, prompts: ['none'] }, byPasskey)).toBeUndefined();
    expect(step({ ...here, offerPauseSeconds: 0 }, { ...offers, wantedKey: 'passkey' }, byPasskey)).toBeUndefined();
  });

  it('gets a name, and then recovery codes are shown', () => {
    const held = [
      { kind: 'passkey', isReady: true, isNew: true },
      { kind: 'recovery_codes', isReady: false },
    ] as const;
    const made = { ...allowed, isKey: true, checkedAt: now };
    expect(step({ ...made, held })).toBe('name-key');
    expect(step({ ...made, held: [{ ...held[0], isNew: false }, held[1]] })).toBe('recovery-codes');
    expect(step({ ...made, held }, { prompts: ['none'] })).toBeUndefined();
  });
});

describe('A security key', () => {
  it('is asked for before codes, and after what a request demands [PKY-019]', () => {
    expect(step(ready('u2f', 'otp'))).toBe('security-key');
    const proved = { ...ready('u2f'), isKey: true, checkedAt: ago(HOUR) };
    expect(step(proved)).toBeUndefined();
    expect(step(proved, { secondFactorRequired: true, maxAgeSeconds: HOUR - 1 })).toBe('security-key');
    expect(step(proved, { secondFactorRequired: true, maxAgeSeconds: HOUR })).toBeUndefined();
    expect(step(proved, { prompts: ['login'] })).toBe('security-key');
  });
});

describe('Recovery codes', () => {
  it('are shown once the factor that they substitute for is set up', () => {
    const owed = {
      held: [
        { kind: 'otp', isReady: true },
        { kind: 'recovery_codes', isReady: false },
      ],
    } as const;
    expect(step({ ...owed, checkedAt: now })).toBe('recovery-codes');
    expect(step(owed)).toBe('totp');
    expect(step({ ...owed, checkedAt: now }, { prompts: ['none'] })).toBeUndefined();
    expect(step(begun('recovery_codes'))).toBeUndefined();
  });

  it('of a passkey are shown to a user who has used it, and not after a password alone [PKY-027]', () => {
    const held = [
      { kind: 'passkey', isReady: true },
      { kind: 'recovery_codes', isReady: false },
    ] as const;
    const owed = { arePasskeysAllowed: true, held };
    expect(step(owed)).toBeUndefined();
    expect(step(owed, {}, { passwordCheckedAt: null, passkeyCheckedAt: ago(1) })).toBe('recovery-codes');
    expect(step({ ...owed, isKey: true, checkedAt: now })).toBe('recovery-codes');
    expect(step({ ...owed, isKey: true, checkedAt: ago(DAY) })).toBeUndefined();
    expect(step({ ...owed, isKey: false, checkedAt: now })).toBeUndefined();
  });
});
