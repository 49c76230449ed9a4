import type { BrowserSession } from '../session/browser-session.js';
import type { AskableFactor } from '../session/second-factor.js';
import { secondsAfter } from '../time/duration.js';
import type { AuthRequest } from './auth-request.js';

/** What a sign-in may still need of a second factor. */
export type FactorStep =
  // To be checked; people who have several may turn from one to another.
  | 'totp'
  | 'email-code'
  // To be set up: whether and which one; the first code of it; the codes for the day on which it is lost.
  | 'offer-factor'
  | 'set-up-totp'
  | 'set-up-email-code'
  | 'recovery-codes';

/** What a request says about proofs. */
export type ProofRequest = Pick<
  AuthRequest,
  'prompts' | 'maxAgeSeconds' | 'createdAt' | 'acrValues' | 'secondFactorRequired'
>;

const CHECKS: Readonly<Record<AskableFactor, FactorStep>> = { otp: 'totp', otp_email: 'email-code' };
const SET_UPS: Readonly<Record<AskableFactor, FactorStep>> = { otp: 'set-up-totp', otp_email: 'set-up-email-code' };

/**
 * What is missing of a second factor, once the first one is proved. Whoever holds one is asked for it; whoever holds none
 * sets one up where the policy or the request demands it, and may where the policy only lists some. `unmet`: it is
 * demanded by the request, and the policy lists none that can be had.
 */
export function factorStep(
  session: BrowserSession,
  request: ProofRequest,
  now: Date,
): FactorStep | 'unmet' | undefined {
  const { factor } = session;
  const isForced = request.secondFactorRequired || factor.isForced(session.isByProvider);
  const [preferred] = factor.usable;
  if (preferred !== undefined) {
    if (!isForced && factor.isLeftToProvider(session.isByProvider)) return undefined;
    if (!isProved(factor.checkedAt, factor.isFresh(now), request)) return CHECKS[preferred];
  } else {
    const setUp = setUpStep(session, request, { isForced, now });
    if (setUp !== undefined) return setUp;
  }
  return preferred !== undefined && factor.owesRecoveryCodes && mayAskBesides(request) ? 'recovery-codes' : undefined;
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

/** With `prompt=none` nothing is asked that the person may decline: the request would fail for it. */
function mayAskBesides({ prompts }: ProofRequest): boolean {
  return !prompts.includes('none');
}

/** OIDC Core §3.1.2.1: `acr_values` is a wish, which a session with one factor alone does not fulfil. It never causes an error. */
function wantsSecondFactor({ acrValues }: ProofRequest): boolean {
  return acrValues.includes('2') && !acrValues.includes('1') && !acrValues.includes('0');
}

/** OIDC Core §3.1.2.1, `prompt=login` and `max_age`, of each factor; and its lifetime by the login policy. */
export function isProved(
  checkedAt: Date | undefined,
  isFresh: boolean,
  request: Pick<ProofRequest, 'prompts' | 'maxAgeSeconds' | 'createdAt'>,
): boolean {
  if (checkedAt === undefined) return false;
  // Proved for this very request: no lifetime is so short that the same page would be asked for without end.
  if (checkedAt >= request.createdAt) return true;
  if (!isFresh) return false;
  const maxAgeSeconds = request.prompts.includes('login') ? 0 : request.maxAgeSeconds;
  return maxAgeSeconds === undefined || checkedAt >= secondsAfter(request.createdAt, -maxAgeSeconds);
}
