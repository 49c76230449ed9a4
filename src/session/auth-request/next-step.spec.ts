import { describe, expect, it } from '@jest/globals';
import type { BrowserSession, BrowserSessionFacts } from '../browser-session.js';
import { nextStep, type PendingRequest, type Verdict } from './next-step.js';
import { ago, client, now, plain, session } from './sign-in.fixture.js';

function verdict(request: Partial<PendingRequest>, sessions: BrowserSession[] = [], of = client()): string {
  const result: Verdict = nextStep({ request: { ...plain, ...request }, client: of, sessions, now });
  return result.kind === 'step'
    ? result.step
    : 'session' in result && result.kind === 'ready'
      ? `ready: ${result.session.userId}`
      : result.kind;
}

const alice = session('alice');
const bob = session('bob');
const carol = session('carol', { orgId: 'b', orgDomain: 'orgb.test' });

describe('What is missing for an answer', () => {
  it.each<[string, Partial<PendingRequest>, BrowserSession[], string]>([
    ['no user is signed in', {}, [], 'login-name'],
    ['no user is signed in, and one is hinted', { loginName: 'alice' }, [], 'password'],
    ['one person is signed in', {}, [alice], 'ready: alice'],
    ['two people are signed in', {}, [alice, bob], 'select-account'],
    ['two are signed in, and one of them is hinted', { loginName: 'BOB@orga.test' }, [alice, bob], 'ready: bob'],
    ['another person is hinted than is signed in', { loginName: 'bob' }, [alice], 'password'],
    [
      'two are signed in, and one was chosen',
      { userId: 'bob', loginName: 'bob', accountChosen: true },
      [alice, bob],
      'ready: bob',
    ],
    [
      'the one who was chosen is not signed in any more',
      { userId: 'bob', loginName: 'bob', accountChosen: true },
      [alice],
      'password',
    ],
    ['"another account" was chosen', { accountChosen: true }, [alice], 'login-name'],
  ])('when %s', (_, request, sessions, expected) => {
    expect(verdict(request, sessions)).toBe(expected);
  });
});

describe('The request of a device', () => {
  const device = { id: 'd', userCode: 'WDJB-MJHT', network: '192.0.2.1', requestedAt: 0 };

  it.each<[string, Partial<PendingRequest>, BrowserSession[], string]>([
    ['no user is signed in', {}, [], 'login-name'],
    ['one person is signed in', {}, [alice], 'confirm-device'],
    ['two people are signed in', {}, [alice, bob], 'select-account'],
    ['the user has consented', { consentGiven: true, userId: 'alice' }, [alice], 'confirm-device'],
    ['the user is of another organization than it requires', { requiredOrgId: 'b' }, [alice], 'login-name'],
    ['the password must be changed', {}, [session('alice', { passwordChangeRequired: true })], 'change-password'],
  ])('is never ready: when %s', (_, request, sessions, expected) => {
    expect(verdict({ device, ...request }, sessions)).toBe(expected);
  });

  it('is not for users whom the project does not admit', () => {
    expect(verdict({ device }, [carol], client({ hasProjectCheck: true }))).toBe('not-admitted');
  });
});

describe('prompt', () => {
  it.each<[string, Partial<PendingRequest>, BrowserSession[], string]>([
    ['login asks for the password of who is signed in', { prompts: ['login'] }, [alice], 'password'],
    [
      'login is content with a password checked since',
      { prompts: ['login'] },
      [session('alice', { passwordCheckedAt: now })],
      'ready: alice',
    ],
    [
      'login is not content with a password checked a moment before',
      { prompts: ['login'], createdAt: new Date(now.getTime() + 1) },
      [session('alice', { passwordCheckedAt: now })],
      'password',
    ],
    ['select_account lets choose', { prompts: ['select_account'] }, [alice], 'select-account'],
    ['select_account without accounts asks for a name', { prompts: ['select_account'] }, [], 'login-name'],
    [
      'select_account is satisfied by a choice',
      { prompts: ['select_account'], accountChosen: true, userId: 'alice' },
      [alice],
      'ready: alice',
    ],
    ['create shows the registration', { prompts: ['create'] }, [alice], 'register'],
    ['create is satisfied by a registered person', { prompts: ['create'], userId: 'alice' }, [alice], 'ready: alice'],
    [
      'create is satisfied by "I have an account"',
      { prompts: ['create'], accountChosen: true, loginName: 'alice' },
      [],
      'password',
    ],
    ['create asks again without an answer', { prompts: ['create'], loginName: 'alice' }, [alice], 'register'],
    [
      'select_account goes before a hinted person',
      { prompts: ['select_account'], loginName: 'alice' },
      [alice],
      'select-account',
    ],
    ['login lets choose between two people first', { prompts: ['login'] }, [alice, bob], 'select-account'],
    [
      'login and select_account ask for both',
      { prompts: ['login', 'select_account'], userId: 'alice', accountChosen: true },
      [alice],
      'password',
    ],
  ])('%s', (_, request, sessions, expected) => {
    expect(verdict(request, sessions)).toBe(expected);
  });

  it('consent asks only where the application wants a confirmation, and only once', () => {
    const asking = client({ consentPage: true });
    expect(verdict({ prompts: ['consent'] }, [alice])).toBe('ready: alice');
    expect(verdict({}, [alice], asking)).toBe('consent');
    expect(verdict({ consentGiven: true, userId: 'alice' }, [alice], asking)).toBe('ready: alice');
  });

  it('consent is asked of whoever would let an application administer, or use projects of strangers', () => {
    expect(verdict({ administers: true }, [alice])).toBe('consent');
    expect(verdict({ leavesOrg: true }, [alice])).toBe('consent');
    expect(verdict({ administers: true, consentGiven: true, userId: 'alice' }, [alice])).toBe('ready: alice');
  });

  it('consent that this user has given earlier suffices, unless the request asks for it anew', () => {
    const asking = { request: plain, client: client({ consentPage: true }), sessions: [alice], now };
    const step = (consented: readonly string[], prompts: PendingRequest['prompts'] = []): unknown =>
      nextStep({ ...asking, request: { ...plain, prompts }, consented: new Set(consented) });
    expect(step(['alice'])).toMatchObject({ kind: 'ready' });
    expect(step(['bob'])).toMatchObject({ kind: 'step', step: 'consent' });
    expect(step(['alice'], ['consent'])).toMatchObject({ kind: 'step', step: 'consent' });
  });

  it('consent is asked of an application that describes itself whatever the request says, and only once in it', () => {
    const stranger = client({ origin: 'document' });
    expect(verdict({}, [alice], stranger)).toBe('consent');
    expect(verdict({ consentGiven: true, userId: 'alice' }, [alice], stranger)).toBe('ready: alice');
  });

  it('consent that was given by an unknown or another user does not count', () => {
    const asking = client({ consentPage: true });
    expect(verdict({ prompts: ['consent'], consentGiven: true }, [alice], asking)).toBe('consent');
    expect(
      verdict({ prompts: ['consent'], consentGiven: true, userId: 'bob', loginName: 'alice' }, [alice], asking),
    ).toBe('consent');
  });
});

describe('Time', () => {
  it('max_age counts from the request back to the last password', () => {
    expect(verdict({ maxAgeSeconds: 3600 }, [alice])).toBe('ready: alice');
    expect(verdict({ maxAgeSeconds: 3599 }, [alice])).toBe('password');
    expect(verdict({ maxAgeSeconds: 0 }, [alice])).toBe('password');
  });

  it('the lifetime of the login policy asks for the password again', () => {
    expect(verdict({}, [session('alice', { passwordCheckLifetimeSeconds: 3600 })])).toBe('password');
    expect(verdict({}, [session('alice', { passwordCheckedAt: null })])).toBe('password');
  });

  it('a lifetime of nothing asks once for each request, not without end', () => {
    const strict = { passwordCheckLifetimeSeconds: 0 };
    expect(verdict({}, [session('alice', { ...strict, passwordCheckedAt: ago(1) })])).toBe('password');
    expect(verdict({ createdAt: ago(60) }, [session('alice', { ...strict, passwordCheckedAt: ago(1) })])).toBe(
      'ready: alice',
    );
  });
});

describe('Who may answer', () => {
  it('is nobody but the hinted person', () => {
    expect(verdict({ requiredUserId: 'alice' }, [alice, bob])).toBe('ready: alice');
    expect(verdict({ requiredUserId: 'bob', userId: 'alice' }, [alice])).toBe('wrong-user');
    expect(verdict({ requiredUserId: 'bob' }, [alice])).toBe('login-name');
  });

  it('is only a member of the named organization, whatever was chosen or typed', () => {
    expect(verdict({ requiredOrgId: 'b' }, [alice, carol])).toBe('ready: carol');
    expect(verdict({ requiredOrgId: 'b' }, [alice])).toBe('login-name');
    expect(verdict({ requiredOrgId: 'b', userId: 'alice', accountChosen: true }, [alice])).toBe('login-name');
    expect(verdict({ requiredOrgId: 'b', loginName: 'alice' }, [alice])).toBe('password');
  });

  it('is only a member of the organization of a project that requires it', () => {
    expect(verdict({}, [carol], client({ hasProjectCheck: true }))).toBe('not-admitted');
    expect(verdict({}, [alice], client({ hasProjectCheck: true }))).toBe('ready: alice');
    expect(verdict({}, [carol])).toBe('ready: carol');
  });

  it('is no longer asked to change the password first, once the old one was given', () => {
    const due = { passwordChangeRequired: true };
    expect(verdict({}, [session('alice', due)])).toBe('change-password');
    expect(verdict({ prompts: ['login'] }, [session('alice', due)])).toBe('password');
    expect(verdict({ prompts: ['consent'] }, [session('alice', due)], client({ consentPage: true }))).toBe(
      'change-password',
    );
  });
});

describe('A user who has signed in', () => {
  const unproven = session('alice', { emailVerified: false });

  it('proves their e-mail address before anything else, if they have one', () => {
    expect(verdict({}, [unproven])).toBe('verify-email');
    expect(verdict({}, [session('alice', { emailVerified: false, passwordChangeRequired: true })])).toBe(
      'verify-email',
    );
    expect(verdict({}, [session('alice', { emailVerified: false, email: '' })])).toBe('ready: alice');
    expect(verdict({}, [session('alice', { emailVerified: false, emailMayStayUnverified: true })])).toBe(
      'ready: alice',
    );
    expect(verdict({ prompts: ['login'] }, [unproven])).toBe('password');
  });

  it('is not the user who has just registered, and is asked for the code', () => {
    expect(verdict({ registrationId: 'r1', prompts: ['create'] }, [alice])).toBe('verify-email');
    expect(verdict({ registrationId: 'r1', userId: 'alice', accountChosen: true }, [alice])).toBe('verify-email');
  });

  it('is warned when the password is about to expire, and may change it at once', () => {
    expect(verdict({ passwordExpiresAt: now, userId: 'alice' }, [alice])).toBe('password-expiry');
    expect(verdict({ passwordChangeWanted: true, userId: 'alice' }, [alice])).toBe('change-password');
    expect(
      verdict({ passwordExpiresAt: now, userId: 'alice' }, [session('alice', { passwordChangeRequired: true })]),
    ).toBe('change-password');
  });

  it('is found by a proven address, which is a login name as well', () => {
    expect(verdict({ loginName: 'ALICE@mail.test' }, [alice])).toBe('ready: alice');
    expect(verdict({ loginName: 'alice@mail.test' }, [unproven])).toBe('password');
  });
});

describe('People who come through an identity provider', () => {
  const external = { passwordCheckedAt: null, externalCheckedAt: ago(60), externalIdpId: 'i1', hasPassword: false };

  it('are signed in like others', () => {
    expect(verdict({}, [session('dora', external)])).toBe('ready: dora');
  });

  it('prove themselves once more to the provider, or by the password if they have one', () => {
    expect(verdict({ prompts: ['login'] }, [session('dora', external)])).toBe('external-login');
    expect(verdict({ maxAgeSeconds: 59 }, [session('dora', external)])).toBe('external-login');
    expect(verdict({ maxAgeSeconds: 59 }, [session('dora', { ...external, hasPassword: true })])).toBe('password');
    expect(verdict({}, [session('dora', { ...external, externalCheckLifetimeSeconds: 59 })])).toBe('external-login');
  });

  it('are sent there once more by a sign-in from the session of the provider, if a new proof is demanded [ACC-018]', () => {
    const silent = { ...external, externalCheckedAt: now };
    const demands: Array<Partial<PendingRequest>> = [
      { maxAgeSeconds: 600 },
      { maxAgeSeconds: 0 },
      { prompts: ['login'] },
    ];
    expect(verdict({}, [session('dora', silent)])).toBe('ready: dora');
    for (const demand of demands) expect(verdict(demand, [session('dora', silent)])).toBe('external-login');
    for (const demand of demands)
      expect(verdict(demand, [session('dora', { ...silent, externalProvedAt: now })])).toBe('ready: dora');
  });

  it('have proved who they are when they did so there, however new the sign-in is [ACC-018]', () => {
    const dora = session('dora', { ...external, externalCheckedAt: now, externalProvedAt: ago(600) });
    expect(verdict({ maxAgeSeconds: 600 }, [dora])).toBe('ready: dora');
    expect(verdict({ maxAgeSeconds: 599 }, [dora])).toBe('external-login');
    expect(verdict({ prompts: ['login'] }, [dora])).toBe('external-login');
    expect(verdict({}, [dora])).toBe('ready: dora');
  });

  it('are sent there by the lifetime of the policy, which counts from the last sign-in [ACC-018]', () => {
    const old = { ...external, externalCheckLifetimeSeconds: 60, externalProvedAt: ago(3600) };
    expect(verdict({}, [session('dora', { ...old, externalCheckedAt: ago(59) })])).toBe('ready: dora');
    expect(verdict({}, [session('dora', { ...old, externalCheckedAt: ago(60) })])).toBe('external-login');
  });

  it('prove who they are before a key is made, for which the session of the provider is not enough [ACC-018, PKY-017]', () => {
    const wanted = { wantedKey: 'passkey' as const, addsKey: true };
    const silent = { ...external, externalCheckedAt: now };
    expect(verdict(wanted, [session('dora', silent)])).toBe('external-login');
    expect(verdict(wanted, [session('dora', { ...silent, externalProvedAt: ago(1) })])).toBe('external-login');
    expect(verdict(wanted, [session('dora', { ...silent, externalProvedAt: now })])).toBe('set-up-passkey');
  });

  it('prove who they are once more before a key is made on a page that was left open for long [AUT-066]', () => {
    const left = { wantedKey: 'passkey' as const, addsKey: true, createdAt: ago(1_800) };
    expect(verdict(left, [session('alice', { passwordCheckedAt: ago(601) })])).toBe('password');
    expect(verdict(left, [session('alice', { passwordCheckedAt: ago(600) })])).toBe('set-up-passkey');
  });

  it('type the password after a sign-in from the session of the provider, if they have one [ACC-018]', () => {
    const both = { ...external, hasPassword: true, passwordCheckedAt: ago(30), externalCheckedAt: ago(20) };
    expect(verdict({ maxAgeSeconds: 600 }, [session('dora', both)])).toBe('password');
    expect(verdict({ maxAgeSeconds: 600 }, [session('dora', { ...both, passwordCheckedAt: ago(10) })])).toBe(
      'ready: dora',
    );
  });

  it('are asked who they are here if no user is linked with them, even if another user is signed in', () => {
    const back = { externalLoginId: 'l1', externalProvedAt: ago(10) };
    expect(verdict(back, [alice, bob])).toBe('external-user');
    expect(verdict({ ...back, accountChosen: true }, [alice])).toBe('login-name');
  });

  it('are linked after a password that was given since they came back, and not by a session that lay open', () => {
    const back = { externalLoginId: 'l1', externalProvedAt: ago(10), accountChosen: true, loginName: 'alice' };
    expect(verdict(back, [alice])).toBe('password');
    expect(verdict({ ...back, userId: 'alice' }, [alice])).toBe('password');
    expect(
      verdict({ ...back, userId: 'dora', loginName: 'dora' }, [
        session('dora', { ...external, externalCheckedAt: now }),
      ]),
    ).toBe('password');
    expect(verdict({ ...back, userId: 'alice' }, [session('alice', { passwordCheckedAt: ago(9) })])).toBe(
      'link-account',
    );
    expect(verdict({ userId: 'alice', accountChosen: true }, [session('alice', { passwordCheckedAt: ago(9) })])).toBe(
      'ready: alice',
    );
  });

  it('are linked with nobody who has signed in on another page of the browser meanwhile, nor by a proof of long ago [AUT-066]', () => {
    const back = { externalLoginId: 'l1', externalProvedAt: ago(1_800), accountChosen: true, loginName: 'alice' };
    expect(verdict(back, [session('alice', { passwordCheckedAt: ago(9) })])).toBe('password');
    const own = { ...back, userId: 'alice' };
    expect(verdict(own, [session('alice', { passwordCheckedAt: ago(601) })])).toBe('password');
    expect(verdict(own, [session('alice', { passwordCheckedAt: ago(600) })])).toBe('link-account');
  });
});

describe('A user with a passkey', () => {
  const secondFactor = {
    held: [{ kind: 'passkey' as const, isReady: true }],
    hasKeysElsewhere: false,
    checkedAt: null,
    isKey: false,
    arePasskeysAllowed: true,
    isPasskeyEnough: true,
    checkLifetimeSeconds: 64_800,
    listed: ['otp' as const, 'u2f' as const],
    isForced: false,
    isForcedLocally: false,
    offerPauseSeconds: 2_592_000,
    declinedAt: null,
    accountSince: ago(3600),
    hasVerifiedEmail: true,
  };
  const alice = (over: Partial<BrowserSessionFacts> = {}): BrowserSession =>
    session('alice', { passkeyCheckedAt: ago(60), secondFactor, ...over });

  it('is signed in for as long as the policy says of passkeys, and is asked for it again', () => {
    const old = { passwordCheckedAt: null, passkeyCheckedAt: ago(43_200) };
    expect(verdict({}, [alice({ passwordCheckedAt: null })])).toBe('ready: alice');
    expect(verdict({}, [alice(old)])).toBe('passkey');
    expect(verdict({ prompts: ['login'] }, [alice()])).toBe('passkey');
    expect(verdict({ maxAgeSeconds: 59 }, [alice()])).toBe('passkey');
  });

  it('may type the password instead, if there is one', () => {
    const old = { passkeyCheckedAt: ago(43_200), passwordCheckedAt: null };
    expect(verdict({ passwordInstead: true }, [alice(old)])).toBe('password');
    expect(verdict({ passwordInstead: true }, [alice({ ...old, hasPassword: false })])).toBe('passkey');
  });

  it('is asked for the password after having typed it, and for the passkey without one', () => {
    const old = { passkeyCheckedAt: null, passwordCheckedAt: ago(864_000) };
    expect(verdict({}, [alice(old)])).toBe('password');
    expect(verdict({}, [alice({ ...old, hasPassword: false })])).toBe('passkey');
    expect(verdict({}, [alice({ ...old, hasPassword: false, externalIdpId: 'i1' })])).toBe('external-login');
    const none = { ...secondFactor, arePasskeysAllowed: false };
    expect(verdict({}, [alice({ passkeyCheckedAt: ago(43_200), secondFactor: none })])).toBe('ready: alice');
  });

  it('proves who it is before a further key is made [PKY-017]', () => {
    const due = { ...secondFactor, held: [], declinedAt: ago(2_592_000) };
    const wanted = { wantedKey: 'passkey' as const };
    expect(verdict(wanted, [session('alice', { secondFactor: due })])).toBe('password');
    expect(verdict(wanted, [session('alice', { secondFactor: due, passwordCheckedAt: now })])).toBe('set-up-passkey');
  });
});
