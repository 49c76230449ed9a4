import { seconds, secondsAfter } from '../../foundation/time/duration.js';
import type { BrowserSession } from '../browser-session.js';
import type { AuthRequest } from './auth-request.js';

/** ASVS 5.0 V7.5.1 demands a full authentication before a change; a proof counts for as long as one change takes. */
export const PROOF_SECONDS = 10 * seconds.perMinute;

type DatedRequest = Pick<AuthRequest, 'prompts' | 'maxAgeSeconds' | 'createdAt'>;

/** OIDC Core §3.1.2.1, `prompt=login` and `max_age`: the earliest proof that is new enough; undefined if any is. */
export function demandedSince({ prompts, maxAgeSeconds, createdAt }: DatedRequest): Date | undefined {
  if (prompts.includes('login')) return createdAt;
  return maxAgeSeconds === undefined ? undefined : secondsAfter(createdAt, -maxAgeSeconds);
}

/**
 * The earliest proof of the first factor that is new enough for what the request wants as well. A key stays for years:
 * an older proof, or the session of a provider, does not show that its owner is here now.
 */
export function provedSince(request: DatedRequest & Pick<AuthRequest, 'wantedKey'>): Date | undefined {
  return demandsNewProof(request) ? request.createdAt : demandedSince(request);
}

/** Whether the user must prove who they are after the request has come, however recently they did so before. */
export function demandsNewProof({ prompts, wantedKey }: Pick<AuthRequest, 'prompts' | 'wantedKey'>): boolean {
  return prompts.includes('login') || wantedKey !== undefined;
}

/**
 * The earliest proof that allows a change after `moment`: none from before it, and none from longer ago than a change
 * takes. The browser may come back with a page of up to an hour ago, and another sign-in there since then is no proof
 * for this one (AUT-066).
 */
export function changeableSince(moment: Date, now: Date): Date {
  const oldest = secondsAfter(now, -PROOF_SECONDS);
  return moment > oldest ? moment : oldest;
}

/**
 * Whether the tokens of an answer may be used where a new sign-in is demanded: a provider may have signed the user in
 * from a session of its own, which makes a sign-in new and proves nothing (ACC-018).
 */
export function isProvedFor(session: BrowserSession, { createdAt }: Pick<AuthRequest, 'createdAt'>): boolean {
  const { isByProvider, provedAt } = session;
  return !isByProvider || (provedAt !== undefined && provedAt >= secondsAfter(createdAt, -PROOF_SECONDS));
}
