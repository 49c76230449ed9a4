import { DomainError } from '../../foundation/error/domain-error.js';
import { seconds } from '../../foundation/time/duration.js';

/** The delays after the first, second and third attempt; after the last one a notice is given up. */
const DELAYS_SECONDS = [10, seconds.perMinute, 5 * seconds.perMinute] as const;

/** What became of a call. */
export type CallOutcome =
  | { readonly kind: 'accepted' }
  /** Another attempt would fail as well. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Back-Channel Logout 1.0 §2.8: 200 means that the user is signed out there; some frameworks make 204 of it. With 400
 * the application has understood the request, and refuses it.
 */
export function outcomeOfStatus(status: number): CallOutcome {
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  const reason = `The application responded with status ${status}.`;
  return { kind: status === 400 ? 'refused' : 'failed', reason };
}

/** An address that must not be called, and a redirect, stay what they are until someone changes a setting. */
export function outcomeOfError(error: unknown): CallOutcome {
  if (!(error instanceof DomainError)) {
    return { kind: 'failed', reason: 'The application could not be notified; see the log of the service.' };
  }
  return { kind: error.kind === 'FailedPrecondition' ? 'refused' : 'failed', reason: error.message };
}

/** The delay after the nth failed attempt; undefined when there is no other one. */
export function delayAfter(tries: number): number | undefined {
  return DELAYS_SECONDS[tries - 1];
}
