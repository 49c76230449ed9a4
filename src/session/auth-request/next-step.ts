import type { Client } from '../../project/client/client.js';
import type { BrowserSession } from '../browser-session.js';
import type { AuthRequest } from './auth-request.js';
import type { ExtStepName } from './ext-login-step.js';
import { type FactorStep, factorStep, isAlive, isFactorCheck, isKeySetUp, isNewEnough } from './factor-step.js';
import { changeableSince } from './proof-age.js';

/** The step that must still happen on our pages before the request can be answered. */
export type SignInStep =
  | 'login-name'
  | 'password'
  | 'passkey'
  | 'select-account'
  | 'register'
  | 'change-password'
  | 'consent'
  // The decision about a device, with which its request ends.
  | 'confirm-device'
  // Verifying an e-mail address; the warning that a password expires soon.
  | 'verify-email'
  | 'password-expiry'
  // For users of identity providers: authenticating there again, handling an unknown user, linking.
  | 'external-login'
  | 'external-user'
  | 'link-account'
  // Opened by the button of a directory; never due by itself.
  | 'directory'
  // Opened by a link instead of one of `FactorStep`; never due by itself.
  | 'recovery-code'
  | FactorStep
  // Steps of extensions; `SignInDecision` asks them.
  | ExtStepName;

export type Verdict =
  /** The request can be answered with this session. */
  | { readonly kind: 'ready'; readonly session: BrowserSession }
  | { readonly kind: 'step'; readonly step: SignInStep; readonly session?: BrowserSession }
  /** There is a session, but none with which the request may be answered. */
  | { readonly kind: 'wrong-user' }
  /** The request requires two factors, and the login policy lists none that this user could set up. */
  | { readonly kind: 'acr-unmet' }
  /**
   * The project admits only users of its organization, or of those that it is granted to; or a step of an extension,
   * `by`, refuses the user.
   */
  | { readonly kind: 'not-admitted'; readonly session: BrowserSession; readonly by?: ExtStepName };

/** A pending request, or one that was not stored because no page is needed. */
export type PendingRequest = Pick<
  AuthRequest,
  | 'prompts'
  | 'administers'
  | 'leavesOrg'
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
  | 'factorWanted'
  | 'addsKey'
  | 'externalLoginId'
  | 'externalProvedAt'
  | 'registrationId'
  | 'passwordExpiresAt'
  | 'passwordChangeWanted'
  | 'device'
  | 'passwordInstead'
  | 'wantedKey'
  | 'offersPasskey'
  | 'offersPasskeyHere'
>;

export interface SignIn {
  readonly request: PendingRequest;
  readonly client: Client;
  /** The sessions of this browser. */
  readonly sessions: readonly BrowserSession[];
  /** The users of these sessions who have allowed the client earlier what the request asks for. */
  readonly consented?: ReadonlySet<string> | undefined;
  readonly now: Date;
}

/**
 * The one decision of every sign-in: what is missing? Pure; each rule depends on facts only, so no page can be skipped
 * by opening another one (LOG-040). Called by `SignInDecision` alone, which adds the steps of extensions; through it by
 * the authorization endpoint (may it answer at once, or must it refuse `prompt=none`?), by the login pages (which page
 * comes next?) and again before the answer.
 */
export function nextStep(signIn: SignIn): Verdict {
  const { request, client, now } = signIn;
  const chosen = chooseSession(signIn);
  if (typeof chosen === 'string') return { kind: 'step', step: chosen };
  const due = (step: SignInStep): Verdict => ({ kind: 'step', step, session: chosen });
  // OIDC Core §3.1.2.1: never answer for a user other than the hinted one.
  if (request.requiredUserId !== undefined && chosen.userId !== request.requiredUserId) return { kind: 'wrong-user' };
  if (request.requiredOrgId !== undefined && chosen.orgId !== request.requiredOrgId)
    return { kind: 'step', step: 'login-name' };
  if (!isAuthenticated(chosen, request, now)) return due(proofOf(chosen, request));
  const factor = factorStep(chosen, request, now);
  // A user with a second factor uses it before anything else; setting one up may require a verified address.
  if (factor !== undefined && factor !== 'unmet' && isFactorCheck(factor)) return due(factor);
  if (chosen.mustProveEmail) return due('verify-email');
  if (factor === 'unmet') return { kind: 'acr-unmet' };
  if (factor !== undefined) {
    // See `provedSince`, which is also what a provider is asked for.
    const isStale = isKeySetUp(factor) && !isProvedSince(chosen, changeableSince(request.createdAt, now));
    return due(isStale ? proofOf(chosen, request) : factor);
  }
  if (chosen.mustChangePassword || request.passwordChangeWanted) return due('change-password');
  if (request.passwordExpiresAt !== undefined) return due('password-expiry');
  if (request.externalLoginId !== undefined) return due('link-account');
  if (!client.admits(chosen.orgId)) return { kind: 'not-admitted', session: chosen };
  // A device's request always ends on this page: it is answered there, and the user must agree each time (RFC 8628
  // §5.4).
  if (request.device !== undefined) return due('confirm-device');
  // The consent may have been given by another user, in a session that has ended.
  const hasConsented = request.consentGiven && request.userId === chosen.userId;
  if (!hasConsented && asksForConsent(signIn, chosen)) return due('consent');
  return { kind: 'ready', session: chosen };
}

/** Whether a step is one of a user who has not signed in. */
export function isSignedOut(step: SignInStep): boolean {
  return ['login-name', 'password', 'register', 'external-login'].includes(step);
}

/** Whether anybody who continues with this client is asked, unless they have been. */
export function wantsConsent({ request, client }: Pick<SignIn, 'request' | 'client'>): boolean {
  const { administers = false, leavesOrg = false } = request;
  return client.describesItself || client.settings.consentPage || administers || leavesOrg;
}

/** OIDC Core §3.1.2.4. */
function asksForConsent(signIn: SignIn, { userId }: BrowserSession): boolean {
  if (!wantsConsent(signIn)) return false;
  const { request, client, consented } = signIn;
  // A client that describes itself is shown each time: nobody has looked at it, and it may have changed since.
  return client.describesItself || request.prompts.includes('consent') || consented?.has(userId) !== true;
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
  // A user who has just registered has no account yet, even if another user is signed in.
  if (request.registrationId !== undefined) return 'verify-email';
  const eligible = sessions.filter((session) => mayContinueAs(session, request));
  if (request.userId !== undefined) {
    const own = sessions.find((session) => session.userId === request.userId);
    if (own) return own;
  } else if (!request.accountChosen) {
    if (request.externalLoginId !== undefined) return 'external-user';
    // Both prompts ask which user to continue with; any explicit choice, even "I have an account", answers that.
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

/** Whether the request itself allows this account to answer. */
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
  if (request.externalProvedAt !== undefined) return isProvedForLink(session, request, request.externalProvedAt, now);
  return isAlive(session.firstFactorAt, session.isFresh(now), request) && isNewEnough(session.provedAt, request);
}

/**
 * Linking requires a proof after the return from the provider, and within this request: an existing session may be that
 * of another user, who has signed in meanwhile on another page of this browser (AUT-066).
 */
function isProvedForLink(session: BrowserSession, request: PendingRequest, returnedAt: Date, now: Date): boolean {
  const since = changeableSince(returnedAt, now);
  return (
    request.userId === session.userId &&
    [session.passwordCheckedAt, session.passkeyCheckedAt].some(
      (checkedAt) => checkedAt !== undefined && checkedAt >= since,
    )
  );
}

function isProvedSince({ provedAt }: BrowserSession, moment: Date): boolean {
  return provedAt !== undefined && provedAt >= moment;
}

/**
 * How a user authenticates again: with a passkey if it was used last; a user without a password at the provider used
 * before, or else with a passkey.
 */
function proofOf(session: BrowserSession, request: PendingRequest): SignInStep {
  const mayUsePassword = session.hasPassword && request.passwordInstead;
  if (session.factor.canUsePasskey && session.latestProof === 'passkey' && !mayUsePassword) return 'passkey';
  if (session.hasPassword) return 'password';
  if (session.externalIdpId !== undefined && request.externalLoginId === undefined) return 'external-login';
  return session.factor.canUsePasskey ? 'passkey' : 'password';
}
