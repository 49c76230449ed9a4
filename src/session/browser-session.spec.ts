import { describe, expect, it } from '@jest/globals';
import { BrowserSession, type BrowserSessionFacts } from './browser-session.js';

const checkedAt = new Date('2026-01-01T12:00:00Z');
const facts: BrowserSessionFacts = {
  id: 's1',
  userId: 'u1',
  orgId: 'o1',
  orgDomain: 'orga.test',
  nameScope: '',
  userName: 'Alice',
  displayName: 'Alice Liddell',
  preferredLanguage: '',
  email: '',
  emailVerified: false,
  emailMayStayUnverified: false,
  passwordChangeRequired: false,
  userEpoch: 0,
  createdAt: checkedAt,
  passwordCheckedAt: checkedAt,
  passwordCheckLifetimeSeconds: 60,
  hasPassword: true,
  externalCheckedAt: null,
  externalIdpId: null,
  externalProvedAt: null,
  externalCheckLifetimeSeconds: 120,
  passkeyCheckedAt: null,
  passkeyCheckLifetimeSeconds: 43_200,
  secondFactor: {
    held: [],
    hasKeysElsewhere: false,
    checkedAt: null,
    isKey: false,
    arePasskeysAllowed: true,
    isPasskeyEnough: true,
    checkLifetimeSeconds: 60,
    listed: ['otp'],
    isForced: false,
    isForcedLocally: false,
    offerPauseSeconds: 0,
    declinedAt: null,
    accountSince: checkedAt,
    hasVerifiedEmail: true,
  },
};
const session = new BrowserSession(facts);
const after = (ms: number): Date => new Date(checkedAt.getTime() + ms);

describe('A session in a browser', () => {
  it('is of the person with that login name', () => {
    expect(session.loginName).toBe('Alice@orga.test');
    for (const typed of ['alice', ' ALICE ', 'Alice@ORGA.test', 'ａlice@orga.test'])
      expect(session.answersTo(typed)).toBe(true);
    for (const typed of ['', 'alic', 'alice@orgb.test', 'alice@', 'bob']) expect(session.answersTo(typed)).toBe(false);
  });

  it('counts as signed in until the lifetime of the password check is over', () => {
    expect(session.isFresh(checkedAt)).toBe(true);
    expect(session.isFresh(after(59_999))).toBe(true);
    expect(session.isFresh(after(60_000))).toBe(false);
  });

  it('records when and how the user authenticated', () => {
    expect(session.authTime).toEqual(checkedAt);
    expect(session.amrAt(checkedAt)).toEqual(['pwd']);
  });

  it('without a checked password has no signed-in user', () => {
    const unproven = new BrowserSession({ ...facts, passwordCheckedAt: null });
    expect(unproven.isFresh(checkedAt)).toBe(false);
    expect(unproven.authTime).toBeUndefined();
    expect(unproven.amrAt(checkedAt)).toEqual([]);
  });

  it('through a provider counts by a lifetime of its own, and names no method', () => {
    const external = new BrowserSession({
      ...facts,
      passwordCheckedAt: null,
      externalCheckedAt: checkedAt,
      externalIdpId: 'i1',
    });
    expect([external.isFresh(after(119_999)), external.isFresh(after(120_000))]).toEqual([true, false]);
    expect([external.authTime, external.amrAt(checkedAt), external.externalIdpId]).toEqual([checkedAt, [], 'i1']);
  });

  it('through a provider is as old as the sign-in, and its proof as old as that at the provider, if any [ACC-018]', () => {
    const external = { ...facts, passwordCheckedAt: null, externalCheckedAt: checkedAt, externalIdpId: 'i1' };
    const silent = new BrowserSession(external);
    expect([silent.firstFactorAt, silent.authTime, silent.provedAt]).toEqual([checkedAt, checkedAt, undefined]);
    const earlier = new BrowserSession({ ...external, externalProvedAt: after(-500) });
    expect([earlier.firstFactorAt, earlier.authTime, earlier.provedAt]).toEqual([checkedAt, checkedAt, after(-500)]);
  });

  it('proves by the latest authentication only [ACC-018]', () => {
    const both = { ...facts, externalIdpId: 'i1', externalProvedAt: after(-500) };
    expect(new BrowserSession({ ...both, externalCheckedAt: after(-1) }).provedAt).toEqual(checkedAt);
    expect(new BrowserSession({ ...both, externalCheckedAt: after(1) }).provedAt).toEqual(after(-500));
    expect(
      new BrowserSession({ ...both, externalCheckedAt: after(1), externalProvedAt: null }).provedAt,
    ).toBeUndefined();
    expect(new BrowserSession({ ...both, passkeyCheckedAt: after(2) }).provedAt).toEqual(after(2));
  });

  it('takes the later of two checks', () => {
    const passwordLast = new BrowserSession({
      ...facts,
      externalCheckedAt: after(-1),
      externalIdpId: 'i1',
      passwordChangeRequired: true,
    });
    expect([passwordLast.authTime, passwordLast.amrAt(checkedAt), passwordLast.mustChangePassword]).toEqual([
      checkedAt,
      ['pwd'],
      true,
    ]);
    const providerLast = new BrowserSession({
      ...facts,
      externalCheckedAt: after(1),
      externalIdpId: 'i1',
      passwordChangeRequired: true,
    });
    expect([providerLast.authTime, providerLast.amrAt(after(1)), providerLast.mustChangePassword]).toEqual([
      after(1),
      [],
      false,
    ]);
  });

  it('counts as long as the later of two checks does, regardless of the other one', () => {
    const providerLast = new BrowserSession({
      ...facts,
      passwordCheckLifetimeSeconds: 600,
      externalCheckedAt: after(1),
      externalIdpId: 'i1',
    });
    expect([providerLast.isFresh(after(120_000)), providerLast.isFresh(after(120_001))]).toEqual([true, false]);
    const passwordLast = new BrowserSession({ ...facts, externalCheckedAt: after(-1), externalIdpId: 'i1' });
    expect([passwordLast.isFresh(after(59_999)), passwordLast.isFresh(after(60_000))]).toEqual([true, false]);
  });

  it('with a passkey names the user, and both factors if the policy lets it', () => {
    const passkey = { ...facts, passwordCheckedAt: null, passkeyCheckedAt: after(10), passkeyCheckLifetimeSeconds: 60 };
    const one = new BrowserSession(passkey);
    expect([one.latestProof, one.firstFactorAt, one.authTime]).toEqual(['passkey', after(10), after(10)]);
    expect([one.isFresh(after(60_009)), one.isFresh(after(60_010))]).toEqual([true, false]);
    expect(one.amrAt(after(20))).toEqual(['user', 'mfa']);
    const single = { ...facts.secondFactor, isPasskeyEnough: false };
    expect(new BrowserSession({ ...passkey, secondFactor: single }).amrAt(after(20))).toEqual(['user']);
    const key = { ...facts.secondFactor, isKey: true, checkedAt: after(5) };
    expect(new BrowserSession({ ...facts, secondFactor: key }).amrAt(after(20))).toEqual(['pwd', 'user', 'mfa']);
    expect(new BrowserSession({ ...passkey, passwordChangeRequired: true }).mustChangePassword).toBe(false);
  });

  it('names a second factor as long as its check counts, or since the request came', () => {
    const both = (checked: Date): BrowserSession =>
      new BrowserSession({ ...facts, secondFactor: { ...facts.secondFactor, checkedAt: checked } });
    const session = both(after(5));
    expect([session.authTime, session.firstFactorAt]).toEqual([after(5), checkedAt]);
    expect(session.amrAt(after(60_004))).toEqual(['pwd', 'otp', 'mfa']);
    expect(session.amrAt(after(60_005))).toEqual(['pwd']);
    expect(session.amrAt(after(60_005), after(5))).toEqual(['pwd', 'otp', 'mfa']);
    expect(both(after(-5)).authTime).toEqual(checkedAt);
  });
});
