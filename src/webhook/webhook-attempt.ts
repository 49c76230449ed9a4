import { DomainError } from '../foundation/error/domain-error.js';
import { seconds } from '../foundation/time/duration.js';

/** The delays after the first, second, … attempt, as Standard Webhooks suggests them: three days in all. */
const DELAYS_SECONDS = [
  5,
  5 * seconds.perMinute,
  30 * seconds.perMinute,
  2 * seconds.perHour,
  5 * seconds.perHour,
  10 * seconds.perHour,
  14 * seconds.perHour,
  20 * seconds.perHour,
  24 * seconds.perHour,
] as const;

/** Deliveries that failed together must not all come back at the same moment. */
const JITTER = 0.2;

/** A receiver cannot put off a delivery for longer. */
const LONGEST_PAUSE_SECONDS = seconds.perDay;

/** The outcome of a call. */
export type WebhookOutcome =
  | { readonly kind: 'accepted'; readonly status: number }
  /** The receiver wants no calls any more. */
  | { readonly kind: 'gone'; readonly status: number; readonly reason: string }
  /** The webhook was not called, because nothing can sign. Another attempt would end in the same way. */
  | { readonly kind: 'unsigned'; readonly status?: undefined; readonly reason: string }
  | {
      readonly kind: 'failed';
      readonly status?: number;
      readonly reason: string;
      /** How long the receiver wants to be left alone. */
      readonly pauseSeconds?: number | undefined;
    };

/** `retryAfter`: the header of the response (RFC 9110 §10.2.3), which counts with 429 and 503. */
export function outcomeOfResponse(status: number, retryAfter: string | undefined, now: Date): WebhookOutcome {
  if (status >= 200 && status < 300) return { kind: 'accepted', status };
  if (status === 410) return { kind: 'gone', status, reason: 'The receiver responded with status 410 (gone).' };
  const reason = `The receiver responded with status ${status}.`;
  const mayPause = status === 429 || status === 503;
  return { kind: 'failed', status, reason, pauseSeconds: mayPause ? pauseOf(retryAfter, now) : undefined };
}

export const SECRET_UNREADABLE = {
  kind: 'unsigned',
  reason:
    'The secret of the webhook cannot be read because the master key has changed. Generate a new secret, then retry.',
} as const satisfies WebhookOutcome;

/** Messages of the outbound client say what failed, and nothing about the network behind. */
export function outcomeOfError(error: unknown): WebhookOutcome {
  const reason =
    error instanceof DomainError ? error.message : 'The receiver could not be called; see the log of the service.';
  return { kind: 'failed', reason };
}

/**
 * The delay after the nth failed attempt; undefined when there is no other one.
 * @param random from 0 to 1
 */
export function delayAfter(tries: number, random: number, pauseSeconds = 0): number | undefined {
  const delay = DELAYS_SECONDS[tries - 1];
  if (delay === undefined) return undefined;
  return Math.max(Math.round(delay * (1 + JITTER * random)), pauseSeconds);
}

function pauseOf(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  const given = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now.getTime()) / 1_000;
  if (!Number.isFinite(given) || given <= 0) return undefined;
  return Math.min(Math.ceil(given), LONGEST_PAUSE_SECONDS);
}
