import { secondsAfter } from '../foundation/time/duration.js';
import type { BrowserSession } from '../session/browser-session.js';
import type { AskableFactor } from '../session/session-factor.js';
import type { AuthRequest } from './auth-request.js';

/** What a sign-in may still need for a second factor. */
export type FactorStep =
  // To be checked; users with several may switch between them.
  | 'totp'
  | 'email-code'
  // Setting one up: whether and which one; its first code; the recovery codes for when it is lost.
  | 'offer-factor'
  | 'set-up-totp'
  | 'set-up-email-code'
  | 'recovery-codes';

/** What a request demands. */
export type ProofRequest = Pick<
  AuthRequest,
  'prompts' | 'maxAgeSeconds' | 'createdAt' | 'acrValues' | 'secondFactorRequired' | 'factorWanted'
>;

const CHECKS: Readonly<Record<AskableFactor, FactorStep>> = { otp: 'totp', otp_email: 'email-code' };
const SET_UPS: Readonly<Record<AskableFactor, FactorStep>> = { otp: 'set-up-totp', otp_email: 'set-up-email-code' };

/**
 * What is missing for a second factor after the first one. A user who has one is asked for it; a user without one must
 * set one up if the policy or the request requires it, and may if the policy merely lists some. `unmet`: the request
 * requires one, but the policy lists none that can be set up.
 */
export function factorStep(
  session: BrowserSession,
  request: ProofRequest,
  now: Date,
): FactorStep | 'unmet' | undefined {
  const { factor } = session;
  const isForced = request.secondFactorRequired || factor.isForced(session.isByProvider);
  const [preferred] = factor.usable;
  const { factorWanted } = request;
  if (preferred === undefined) {
    const setUp = wantedStep(session, factorWanted) ?? setUpStep(session, request, { isForced, now });
    if (setUp !== undefined) return setUp;
  } else {
    if (!isForced && factor.isLeftToProvider(session.isByProvider)) return undefined;
    if (!isProved(factor.checkedAt, factor.isFresh(now), request)) return CHECKS[preferred];
    const setUp = wantedStep(session, factorWanted);
    if (setUp !== undefined) return setUp;
  }
  return preferred !== undefined && factor.owesRecoveryCodes && mayAskBesides(request) ? 'recovery-codes' : undefined;
}

/** What the user has begun to set up; nothing once it is set up or abandoned. */
function wantedStep({ factor }: BrowserSession, wanted: AskableFactor | undefined): FactorStep | undefined {
  return wanted !== undefined && factor.isBegun(wanted) ? SET_UPS[wanted] : undefined;
}

function setUpStep(
  { factor }: BrowserSession,
  request: ProofRequest,
  { isForced, now }: { isForced: boolean; now: Date },
): FactorStep | 'unmet' | undefined {
  if (isForced) {
    if (factor.available.length === 0 && request.secondFactorRequired) return 'unmet';
    return factor.begun === undefined ? 'offer-factor' : SET_UPS[factor.begun];
  }
  if (factor.available.length === 0 || !mayAskBesides(request)) return undefined;
  const isWanted = factor.isOfferDue(now) || wantsSecondFactor(request);
  if (factor.wasDeclinedSince(request.createdAt) || !isWanted) return undefined;
  return factor.begun === undefined ? 'offer-factor' : SET_UPS[factor.begun];
}

/** With `prompt=none` nothing optional is offered: the request would fail because of it. */
function mayAskBesides({ prompts }: ProofRequest): boolean {
  return !prompts.includes('none');
}

/**
 * OIDC Core §3.1.2.1: `acr_values` is voluntary; a session with a single factor does not satisfy it, but that never
 * causes an error.
 */
function wantsSecondFactor({ acrValues }: ProofRequest): boolean {
  return acrValues.includes('2') && !acrValues.includes('1') && !acrValues.includes('0');
}

/** OIDC Core §3.1.2.1, `prompt=login` and `max_age`, for each factor; and its lifetime by the login policy. */
export function isProved(
  checkedAt: Date | undefined,
  isFresh: boolean,
  request: Pick<ProofRequest, 'prompts' | 'maxAgeSeconds' | 'createdAt'>,
): boolean {
  if (checkedAt === undefined) return false;
  // Checked for this very request: however short the lifetime, the same page must not be shown endlessly.
  if (checkedAt >= request.createdAt) return true;
  if (!isFresh) return false;
  const maxAgeSeconds = request.prompts.includes('login') ? 0 : request.maxAgeSeconds;
  return maxAgeSeconds === undefined || checkedAt >= secondsAfter(request.createdAt, -maxAgeSeconds);
}
