import type { BrowserSession } from '../browser-session.js';
import type { AskableFactor, HeldFactorFacts } from '../session-factor.js';
import {
  type AuthRequest,
  withAccountHere,
  withAccountLinked,
  withConsent,
  withExpiryAcknowledged,
  withExternalLogin,
  withKeyMade,
  withLoginName,
  withoutPasskeyHere,
  withPasswordChanged,
  withUser,
  withWantedKey,
} from './auth-request.js';
import type { SignInStep } from './next-step.js';

/** How far a sign-in that has not happened would have come. */
export interface Supposed {
  readonly request: AuthRequest;
  readonly session: BrowserSession | undefined;
}

/** What a user would prove who they are with. */
export type SupposedProof =
  | { readonly kind: 'password' | 'passkey' }
  /** `isLinked`: whether the user's account there is known. */
  | { readonly kind: 'provider'; readonly idpId: string; readonly isLinked: boolean };

/** Who would sign in, and how. */
export interface SupposedUser {
  readonly userId: string;
  readonly orgId: string;
  /** What they type. */
  readonly loginName: string;
  readonly proof: SupposedProof;
  /** The session that begins with a proof. */
  readonly session: BrowserSession;
  /** The warning that they get after the password, if it expires soon. */
  readonly passwordExpiresAt: Date | undefined;
  readonly now: Date;
}

/** Stands for the turn to a provider from which an unknown account has come back. */
const UNKNOWN_ACCOUNT = 'supposed';

/**
 * What the facts are once a user has taken a step as the page wants it: the factor is checked, the address verified,
 * the consent given. Of what may be set up it takes an authenticator app first, and skips what may be skipped. Together
 * with `nextStep` it walks through a sign-in that has not happened; a step that is added needs its line here.
 */
export function supposeTaken(step: SignInStep, at: Supposed, user: SupposedUser): Supposed {
  const { request, session } = at;
  const { now } = user;
  const asked = (changed: AuthRequest): Supposed => ({ ...at, request: changed });
  const known = (change: Parameters<BrowserSession['supposing']>[0]): Supposed => ({
    ...at,
    session: session?.supposing(change),
  });
  if (isExtStep(step)) return at;
  switch (step) {
    case 'login-name':
      // Whoever links an account has come back from the provider, and types the name of the account here.
      return user.proof.kind === 'password' || request.externalLoginId !== undefined
        ? asked(withLoginName(request, user.loginName))
        : proved(at, user);
    case 'register':
      return asked(withAccountHere(request));
    case 'external-user':
      return asked(withAccountHere(request));
    case 'password':
    case 'passkey':
    case 'external-login':
    case 'directory':
      return proved(at, user);
    case 'select-account':
      return asked(withUser(request, user.userId, user.loginName));
    case 'security-key':
    case 'totp':
    case 'email-code':
    case 'recovery-code':
      return known(({ secondFactor }) => ({
        secondFactor: { ...secondFactor, checkedAt: now, isKey: step === 'security-key' },
      }));
    case 'offer-factor':
      return offered(at, now);
    case 'offer-passkey':
      return known(({ secondFactor }) => ({ secondFactor: { ...secondFactor, declinedAt: now } }));
    case 'offer-passkey-here':
      return asked(withoutPasskeyHere(request));
    case 'set-up-totp':
      return { ...at, session: session && withFactor(session, 'otp', now) };
    case 'set-up-email-code':
      return { ...at, session: session && withFactor(session, 'otp_email', now) };
    case 'set-up-security-key':
      return { request: withKeyMade(request), session: session && withFactor(session, 'u2f', now) };
    case 'set-up-passkey':
      return {
        request: withKeyMade(request),
        session: session?.supposing(({ secondFactor }) => ({
          passkeyCheckedAt: now,
          secondFactor: { ...secondFactor, held: [...secondFactor.held, NEW_PASSKEY, ...owedTo(session)] },
        })),
      };
    case 'name-key':
      return known(({ secondFactor }) => ({
        secondFactor: { ...secondFactor, held: secondFactor.held.map((one) => ({ ...one, isNew: false })) },
      }));
    case 'recovery-codes':
      return known(({ secondFactor }) => ({
        secondFactor: { ...secondFactor, held: secondFactor.held.map(savedCodes) },
      }));
    case 'verify-email':
      return known(({ secondFactor }) => ({
        emailVerified: true,
        secondFactor: { ...secondFactor, hasVerifiedEmail: true },
      }));
    case 'change-password':
      return {
        request: withPasswordChanged(withExpiryAcknowledged(request, false)),
        session: session?.supposing(() => ({ passwordChangeRequired: false })),
      };
    case 'password-expiry':
      return asked(withExpiryAcknowledged(request, false));
    case 'link-account':
      return asked(withAccountLinked(request));
    case 'consent':
      return asked(withConsent(request, user.userId));
    case 'confirm-device':
      return asked({ ...request, device: undefined });
  }
}

const NEW_PASSKEY: HeldFactorFacts = { kind: 'passkey', isReady: true, isNew: true };

function isExtStep(step: SignInStep): step is Extract<SignInStep, `ext/${string}`> {
  return step.startsWith('ext/');
}

/** The user has proved who they are, at a provider or here. */
function proved({ request }: Supposed, { userId, orgId, loginName, proof, now, ...user }: SupposedUser): Supposed {
  if (proof.kind === 'provider' && !proof.isLinked && request.externalLoginId === undefined) {
    const unknown = { externalLoginId: UNKNOWN_ACCOUNT, externalProvedAt: now, externalOrgId: orgId };
    return { request: withExternalLogin(request, unknown), session: undefined };
  }
  const own = withUser(request, userId, loginName);
  const isByPassword = proof.kind === 'password' || request.externalLoginId !== undefined;
  if (isByPassword) {
    return {
      request: user.passwordExpiresAt ? { ...own, passwordExpiresAt: user.passwordExpiresAt } : own,
      session: user.session.supposing(() => ({ passwordCheckedAt: now })),
    };
  }
  const session = user.session.supposing(() =>
    proof.kind === 'provider'
      ? { externalCheckedAt: now, externalProvedAt: now, externalIdpId: proof.idpId }
      : { passkeyCheckedAt: now },
  );
  return { request: own, session };
}

/** A user who must have a second factor chooses one; another one declines. */
function offered({ request, session }: Supposed, now: Date): Supposed {
  if (!session) return { request, session };
  const { factor } = session;
  const isForced = request.secondFactorRequired || factor.isForced(session.isByProvider);
  if (!isForced) {
    const declined = session.supposing(({ secondFactor }) => ({ secondFactor: { ...secondFactor, declinedAt: now } }));
    return { request, session: declined };
  }
  const code = CODES.find((kind) => factor.available.includes(kind));
  if (code !== undefined) {
    const begun = session.supposing(({ secondFactor }) => ({
      secondFactor: { ...secondFactor, held: [...secondFactor.held, { kind: code, isReady: false }] },
    }));
    return { request, session: begun };
  }
  return { request: withWantedKey(request, factor.available.includes('u2f') ? 'u2f' : 'passkey'), session };
}

const CODES = ['otp', 'otp_email'] as const satisfies readonly AskableFactor[];

/** A factor that was set up, which proves it as well; a key gets a name afterwards. */
function withFactor(session: BrowserSession, kind: AskableFactor, now: Date): BrowserSession {
  const isKey = kind === 'u2f';
  return session.supposing(({ secondFactor }) => ({
    secondFactor: {
      ...secondFactor,
      held: [
        ...secondFactor.held.filter((one) => one.kind !== kind || one.isReady),
        { kind, isReady: true, ...(isKey ? { isNew: true } : {}) },
        ...(kind === 'otp_email' ? [] : owedTo(session)),
      ],
      checkedAt: now,
      isKey,
    },
  }));
}

/** Recovery codes, which a user who has none is shown after setting up an app or a key. */
function owedTo({ factor }: BrowserSession): HeldFactorFacts[] {
  return factor.hasRecoveryCodes || factor.owesRecoveryCodes ? [] : [{ kind: 'recovery_codes', isReady: false }];
}

function savedCodes(factor: HeldFactorFacts): HeldFactorFacts {
  return factor.kind === 'recovery_codes' ? { ...factor, isReady: true } : factor;
}
