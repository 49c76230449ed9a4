import type { Client } from '../client/client.js';
import type { BrowserSession } from '../session/browser-session.js';
import type { AuthRequest } from './auth-request.js';
import { type FactorStep, factorStep, isProved } from './second-factor.js';

/** What still has to happen on our pages before the request can be answered. */
export type SignInStep =
  | 'login-name'
  | 'password'
  | 'select-account'
  | 'register'
  | 'change-password'
  | 'consent'
  // Whether an e-mail address is the person's; that a password expires soon.
  | 'verify-email'
  | 'password-expiry'
  // Of those who come through an identity provider: to it once more; whom nobody here is linked with; linking.
  | 'external-login'
  | 'external-user'
  | 'link-account'
  // Turned to instead of one of `FactorStep`, and never due by itself.
  | 'recovery-code'
  | FactorStep;

export type Verdict =
  /** The request can be answered for this session. */
  | { readonly kind: 'ready'; readonly session: BrowserSession }
  | { readonly kind: 'step'; readonly step: SignInStep; readonly session?: BrowserSession }
  /** Somebody is signed in, but nobody for whom the request may be answered. */
  | { readonly kind: 'wrong-user' }
  /** The request demands two factors, and the login policy knows none that this person could have. */
  | { readonly kind: 'acr-unmet' }
  /** The project admits only people of its organization, or of one that it is granted to. */
  | { readonly kind: 'not-admitted'; readonly session: BrowserSession };

/** A pending request, or one that was not stored because nobody has to be asked anything. */
export type PendingRequest = Pick<
  AuthRequest,
  | 'prompts'
  | 'maxAgeSeconds'
  | 'requiredOrgId'
  | 'requiredUserId'
  | 'createdAt'
  | 'loginName'
  | 'userId'
  | 'accountChosen'
  | 'consentGiven'
  | 'acrValues'
  | 'secondFactorRequired'
  | 'externalLoginId'
  | 'externalProvedAt'
  | 'registrationId'
  | 'passwordExpiresAt'
  | 'passwordChangeWanted'
>;

export interface SignIn {
  readonly request: PendingRequest;
  readonly client: Client;
  /** Who is signed in in this browser. */
  readonly sessions: readonly BrowserSession[];
  readonly now: Date;
}

/**
 * The one decision of every sign-in: what is missing? Asked by the authorization endpoint (may it answer at once, or
 * must it refuse `prompt=none`?), by the login pages (which page comes next?) and again before the answer.
 * Pure; each rule looks at facts alone, so no page can be skipped by opening another one (LOG-040).
 */
export function nextStep(signIn: SignIn): Verdict {
  const { request, client, now } = signIn;
  const chosen = chooseSession(signIn);
  if (typeof chosen === 'string') return { kind: 'step', step: chosen };
  // OIDC Core §3.1.2.1: never answer for another person than the hinted one.
  if (request.requiredUserId !== undefined && chosen.userId !== request.requiredUserId) return { kind: 'wrong-user' };
  if (request.requiredOrgId !== undefined && chosen.orgId !== request.requiredOrgId)
    return { kind: 'step', step: 'login-name' };
  if (!isAuthenticated(chosen, request, now)) return { kind: 'step', step: proofOf(chosen, request), session: chosen };
  const factor = factorStep(chosen, request, now);
  // Whoever has a second factor uses it before anything else; having one may need a proven address.
  if (factor === 'totp' || factor === 'email-code') return { kind: 'step', step: factor, session: chosen };
  if (chosen.mustProveEmail) return { kind: 'step', step: 'verify-email', session: chosen };
  if (factor === 'unmet') return { kind: 'acr-unmet' };
  if (factor !== undefined) return { kind: 'step', step: factor, session: chosen };
  if (chosen.mustChangePassword || request.passwordChangeWanted)
    return { kind: 'step', step: 'change-password', session: chosen };
  if (request.passwordExpiresAt !== undefined) return { kind: 'step', step: 'password-expiry', session: chosen };
  if (request.externalLoginId !== undefined) return { kind: 'step', step: 'link-account', session: chosen };
  if (!client.admits(chosen.orgId)) return { kind: 'not-admitted', session: chosen };
  // Somebody else may have agreed before, in a session that is gone.
  const hasConsented = request.consentGiven && request.userId === chosen.userId;
  if (request.prompts.includes('consent') && client.settings.consentPage && !hasConsented) {
    return { kind: 'step', step: 'consent', session: chosen };
  }
  return { kind: 'ready', session: chosen };
}

type Chosen =
  | BrowserSession
  | 'register'
  | 'login-name'
  | 'password'
  | 'select-account'
  | 'external-user'
  | 'verify-email';

function chooseSession({ request, sessions }: SignIn): Chosen {
  // Who has just registered is nobody yet, whoever else is signed in.
  if (request.registrationId !== undefined) return 'verify-email';
  const eligible = sessions.filter((session) => mayContinueAs(session, request));
  if (request.userId !== undefined) {
    const own = sessions.find((session) => session.userId === request.userId);
    if (own) return own;
  } else if (!request.accountChosen) {
    if (request.externalLoginId !== undefined) return 'external-user';
    // Both ask whom to go on as: once somebody has said so, be it "I have an account", they are answered.
    if (request.prompts.includes('create')) return 'register';
    if (request.prompts.includes('select_account')) return eligible.length > 0 ? 'select-account' : 'login-name';
  }
  if (request.loginName !== undefined) {
    return eligible.find((session) => session.answersTo(request.loginName!)) ?? 'password';
  }
  if (request.accountChosen || request.userId !== undefined) return 'login-name';
  if (eligible.length > 1) return 'select-account';
  return eligible[0] ?? 'login-name';
}

/** Whether the request may be answered for this account, as far as the request itself says. */
export function mayContinueAs(
  session: BrowserSession,
  request: Pick<PendingRequest, 'requiredUserId' | 'requiredOrgId'>,
): boolean {
  return (
    (request.requiredUserId === undefined || session.userId === request.requiredUserId) &&
    (request.requiredOrgId === undefined || session.orgId === request.requiredOrgId)
  );
}

/** OIDC Core §3.1.2.1, `prompt=login` and `max_age`; and the lifetime of the login policy. */
function isAuthenticated(session: BrowserSession, request: PendingRequest, now: Date): boolean {
  // Linked with a provider's account is whoever has given the password since that came: a session that lay open may be another's.
  if (request.externalProvedAt !== undefined) {
    return session.passwordCheckedAt !== undefined && session.passwordCheckedAt >= request.externalProvedAt;
  }
  return isProved(session.firstFactorAt, session.isFresh(now), request);
}

/** How somebody proves once more who they are: those without a password, to the provider that they came through. */
function proofOf(session: BrowserSession, request: PendingRequest): SignInStep {
  const isByProvider =
    !session.hasPassword && session.externalIdpId !== undefined && request.externalLoginId === undefined;
  return isByProvider ? 'external-login' : 'password';
}
