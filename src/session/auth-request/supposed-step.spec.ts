import { describe, expect, it } from '@jest/globals';
import type { BrowserSessionFacts } from '../browser-session.js';
import type { SecondFactorFacts } from '../session-factor.js';
import { type AuthRequest, beginRequest } from './auth-request.js';
import { nextStep, type Verdict } from './next-step.js';
import { client, now, plain, session } from './sign-in.fixture.js';
import { type Supposed, type SupposedProof, supposeTaken } from './supposed-step.js';

const MOST = 30;

interface Given {
  readonly facts?: Partial<BrowserSessionFacts>;
  readonly factor?: Partial<SecondFactorFacts>;
  readonly request?: Partial<AuthRequest>;
  readonly proof?: SupposedProof;
  readonly consentPage?: boolean;
  readonly passwordExpiresAt?: Date;
}

/** The steps of a sign-in in a new browser, each taken as the page wants it, and how it ends. */
function walk(given: Given): [steps: string[], end: Verdict['kind']] {
  const begun = session('ilse', { passwordCheckedAt: null, ...given.facts }).supposing(({ secondFactor }) => ({
    secondFactor: { ...secondFactor, ...given.factor },
  }));
  const user = {
    userId: 'ilse',
    orgId: 'a',
    loginName: 'ilse',
    proof: given.proof ?? ({ kind: 'password' } as const),
    session: begun,
    passwordExpiresAt: given.passwordExpiresAt,
    now,
  };
  const request = { ...requestOf(), ...given.request };
  const steps: string[] = [];
  let at: Supposed = { request, session: undefined };
  while (steps.length < MOST) {
    const verdict = nextStep({
      request: at.request,
      client: client({ consentPage: given.consentPage ?? false }),
      sessions: at.session ? [at.session] : [],
      now,
    });
    if (verdict.kind !== 'step') return [steps, verdict.kind];
    steps.push(verdict.step);
    at = supposeTaken(verdict.step, at, user);
  }
  throw new Error(`It does not end: ${steps.join(', ')}`);
}

function requestOf(): AuthRequest {
  const wanted = {
    clientId: 'web1',
    redirectUri: '',
    responseType: 'code',
    responseMode: 'query',
    scopes: ['openid'],
    state: undefined,
    nonce: undefined,
    codeChallenge: undefined,
    loginHint: undefined,
    uiLocales: [],
    claims: undefined,
  } as const;
  const { loginName: _name, userId: _user, ...rest } = plain;
  return beginRequest({ ...wanted, ...rest }, { id: 'r', browserId: 'b', createdAt: now, expiresAt: now });
}

const FORCED = { isForced: true, offerPauseSeconds: 0 } as const;
const FIRST = ['login-name', 'password'];

describe('A sign-in that has not happened', () => {
  it.each<[string, Given, string[]]>([
    ['with the password', {}, FIRST],
    ['with a passkey, on the first page', { proof: { kind: 'passkey' } }, ['login-name']],
    ['at a provider', { proof: { kind: 'provider', idpId: 'i', isLinked: true } }, ['login-name']],
    [
      'at a provider that has not been linked',
      { proof: { kind: 'provider', idpId: 'i', isLinked: false } },
      ['login-name', 'external-user', 'login-name', 'password', 'link-account'],
    ],
    ['with an app', { factor: { held: [{ kind: 'otp', isReady: true }] } }, [...FIRST, 'totp']],
    ['with a security key', { factor: { held: [{ kind: 'u2f', isReady: true }] } }, [...FIRST, 'security-key']],
    ['where two factors are forced', { factor: FORCED }, [...FIRST, 'offer-factor', 'set-up-totp', 'recovery-codes']],
    [
      'where two factors are forced, and codes by e-mail are all there is',
      { factor: { ...FORCED, listed: ['otp_email'], isPasskeyEnough: false } },
      [...FIRST, 'offer-factor', 'set-up-email-code'],
    ],
    [
      'where two factors are forced, and keys are all there is',
      { factor: { ...FORCED, listed: ['u2f'], isPasskeyEnough: false } },
      [...FIRST, 'offer-factor', 'set-up-security-key', 'name-key', 'recovery-codes'],
    ],
    [
      'where two factors are forced, and only a passkey counts',
      { factor: { ...FORCED, listed: [] } },
      [...FIRST, 'offer-factor', 'set-up-passkey', 'name-key', 'recovery-codes'],
    ],
    [
      'where a second factor is offered',
      { factor: { offerPauseSeconds: 60, accountSince: new Date(0) } },
      [...FIRST, 'offer-passkey'],
    ],
    ['with an address that is not verified', { facts: { emailVerified: false } }, [...FIRST, 'verify-email']],
    ['with a password to change', { facts: { passwordChangeRequired: true } }, [...FIRST, 'change-password']],
    ['with a password that expires', { passwordExpiresAt: now }, [...FIRST, 'password-expiry']],
    ['at an application that asks', { consentPage: true }, [...FIRST, 'consent']],
    [
      'of somebody whom the application wants to register',
      { request: { prompts: ['create'] } },
      ['register', ...FIRST],
    ],
    ['of which the application wants a new proof', { request: { prompts: ['login'], maxAgeSeconds: 0 } }, FIRST],
  ])('%s has the steps of a real one, and ends', (_, given, steps) => {
    expect(walk(given)).toEqual([steps, 'ready']);
  });

  it('ends with what refuses it', () => {
    const lists = { listed: [], arePasskeysAllowed: false } as const;
    expect(walk({ factor: lists, request: { secondFactorRequired: true } })).toEqual([FIRST, 'acr-unmet']);
    expect(walk({ request: { requiredUserId: 'somebody else' } })).toEqual([FIRST, 'wrong-user']);
  });
});
