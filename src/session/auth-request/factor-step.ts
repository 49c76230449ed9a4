import type { BrowserSession } from '../browser-session.js';
import type { AskableFactor } from '../session-factor.js';
import type { AuthRequest } from './auth-request.js';
import { demandedSince } from './proof-age.js';

/** The step that a sign-in still needs for a second factor. */
export type FactorStep =
  // Checks of a factor; users with several may switch between them.
  | 'security-key'
  | 'totp'
  | 'email-code'
  // Setting one up: whether and which one; its first code or use; the name of a key; recovery codes for when it is
  // lost.
  | 'offer-factor'
  | 'offer-passkey'
  | 'offer-passkey-here'
  | 'set-up-passkey'
  | 'set-up-security-key'
  | 'set-up-totp'
  | 'set-up-email-code'
  | 'name-key'
  | 'recovery-codes';

/** The demands of a request. */
export type ProofRequest = Pick<
  AuthRequest,
  | 'prompts'
  | 'maxAgeSeconds'
  | 'createdAt'
  | 'acrValues'
  | 'secondFactorRequired'
  | 'factorWanted'
  | 'addsKey'
  | 'wantedKey'
  | 'offersPasskey'
  | 'externalLoginId'
  | 'offersPasskeyHere'
>;

const CHECKS = { u2f: 'security-key', otp: 'totp', otp_email: 'email-code' } as const satisfies Record<
  AskableFactor,
  FactorStep
>;
const SET_UPS = {
  u2f: 'set-up-security-key',
  otp: 'set-up-totp',
  otp_email: 'set-up-email-code',
} as const satisfies Record<AskableFactor, FactorStep>;

/** The use of a factor that the user has. */
export function isFactorCheck(step: string): boolean {
  return Object.values<string>(CHECKS).includes(step);
}

export function isKeySetUp(step: FactorStep | 'unmet'): boolean {
  return step === 'set-up-passkey' || step === 'set-up-security-key';
}

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
  const isForced = isFactorRequired(session, request);
  const isTwice = factor.isPasskeyEnough && isProved(session.passkeyCheckedAt, session.hasFreshPasskey(now), request);
  const [preferred] = session.usableFactors(isForced);
  const { factorWanted } = request;
  if (preferred === undefined) {
    const setUp =
      wantedStep(session, factorWanted) ??
      addedKeyStep(session, request) ??
      setUpStep(session, request, { isForced: isForced && !isTwice, now });
    if (setUp !== undefined) return setUp;
  } else {
    if (!isForced && factor.isLeftToProvider(session.isByProvider)) return undefined;
    if (!isTwice && !isProved(factor.checkedAt, factor.isFresh(now), request)) return CHECKS[preferred];
    const setUp = wantedStep(session, factorWanted) ?? addedKeyStep(session, request);
    if (setUp !== undefined) return setUp;
  }
  if (!mayAskBesides(request)) return undefined;
  if (factor.hasNewKey) return 'name-key';
  if (factor.owesRecoveryCodes && (preferred !== undefined || hasUsedKey(session, request, now)))
    return 'recovery-codes';
  return isPasskeyHereOffered(session, request) ? 'offer-passkey-here' : undefined;
}

/** Whether the policy or the request requires a second factor. */
export function isFactorRequired(
  { factor, isByProvider }: BrowserSession,
  { secondFactorRequired, externalLoginId }: Pick<ProofRequest, 'secondFactorRequired' | 'externalLoginId'>,
): boolean {
  // An account at a provider becomes a further way in, as lasting as a key: a password alone must not add it.
  const addsWayIn = externalLoginId !== undefined && factor.isHeld;
  return secondFactorRequired || addsWayIn || factor.isForced(isByProvider);
}

/**
 * Whether a key of the user was used in this sign-in. Recovery codes substitute for it, so that a user who has typed a
 * password alone is not shown any.
 */
function hasUsedKey({ factor, latestProof }: BrowserSession, request: ProofRequest, now: Date): boolean {
  if (!factor.hasPasskey) return false;
  return latestProof === 'passkey' || (factor.isKey && isProved(factor.checkedAt, factor.isFresh(now), request));
}

/** The step that continues the set-up of a factor; undefined once it is set up or abandoned. */
function wantedStep({ factor }: BrowserSession, wanted: AskableFactor | undefined): FactorStep | undefined {
  return wanted !== undefined && factor.isBegun(wanted) ? SET_UPS[wanted] : undefined;
}

/** A key that the user adds to others; nothing once it is made, or if the user would rather not. */
function addedKeyStep(
  session: BrowserSession,
  request: ProofRequest,
): 'set-up-passkey' | 'set-up-security-key' | undefined {
  const { factor } = session;
  const { addsKey = false, wantedKey } = request;
  if (!addsKey && !isPasskeyHereOffered(session, request)) return undefined;
  if (wantedKey === 'passkey' && factor.allowsPasskeys) return 'set-up-passkey';
  return wantedKey === 'u2f' && factor.allowsSecurityKeys ? SET_UPS.u2f : undefined;
}

/** A passkey for this device is never offered where the policy offers nothing at sign-ins. */
function isPasskeyHereOffered({ factor }: BrowserSession, { offersPasskeyHere }: ProofRequest): boolean {
  return offersPasskeyHere && factor.allowsPasskeys && factor.offerPauseSeconds > 0;
}

function setUpStep(
  { factor }: BrowserSession,
  request: ProofRequest,
  { isForced, now }: { isForced: boolean; now: Date },
): FactorStep | 'unmet' | undefined {
  const hasChoice = factor.available.length > 0 || (factor.canAddPasskey && factor.isPasskeyEnough);
  if (isForced) {
    if (!hasChoice && request.secondFactorRequired) return 'unmet';
    return keySetUp(factor, request, factor.isPasskeyEnough) ?? codeSetUp(factor) ?? 'offer-factor';
  }
  if (!mayAskBesides(request) || factor.wasDeclinedSince(request.createdAt)) return undefined;
  // A user with a passkey has a second factor, and does not set up another one by the password alone.
  if (wantsSecondFactor(request) && hasChoice && !factor.isHeld)
    return keySetUp(factor, request, true) ?? codeSetUp(factor) ?? 'offer-factor';
  const isPasskeyDue = factor.canAddPasskey && (factor.isOfferDue(now) || request.offersPasskey);
  const isFactorDue = factor.available.length > 0 && factor.isOfferDue(now) && !factor.hasPasskey;
  if (!isPasskeyDue && !isFactorDue) return undefined;
  return keySetUp(factor, request, true) ?? codeSetUp(factor) ?? (isPasskeyDue ? 'offer-passkey' : 'offer-factor');
}

/** A key that the user has chosen to set up, if it may be. */
function keySetUp(
  factor: BrowserSession['factor'],
  { wantedKey }: ProofRequest,
  mayBePasskey: boolean,
): FactorStep | undefined {
  if (wantedKey === 'passkey' && mayBePasskey && factor.canAddPasskey) return 'set-up-passkey';
  return wantedKey === 'u2f' && factor.available.includes('u2f') ? SET_UPS.u2f : undefined;
}

/** A code whose set-up has begun in this session. */
function codeSetUp({ begun }: BrowserSession['factor']): FactorStep | undefined {
  return begun === undefined ? undefined : SET_UPS[begun];
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

type DatedRequest = Pick<ProofRequest, 'prompts' | 'maxAgeSeconds' | 'createdAt'>;

/** Whether a factor is proved: by its lifetime in the login policy, and by what the request demands. */
export function isProved(checkedAt: Date | undefined, isFresh: boolean, request: DatedRequest): boolean {
  return isAlive(checkedAt, isFresh, request) && isNewEnough(checkedAt, request);
}

/** Whether a check still counts by the login policy. */
export function isAlive(
  checkedAt: Date | undefined,
  isFresh: boolean,
  { createdAt }: Pick<ProofRequest, 'createdAt'>,
): boolean {
  // Checked for this very request: however short the lifetime, the same page must not be shown endlessly.
  return checkedAt !== undefined && (isFresh || checkedAt >= createdAt);
}

/** OIDC Core §3.1.2.1, `prompt=login` and `max_age`. */
export function isNewEnough(provedAt: Date | undefined, request: DatedRequest): boolean {
  const since = demandedSince(request);
  return since === undefined || (provedAt !== undefined && provedAt >= since);
}
