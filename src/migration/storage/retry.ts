import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait for a storage, and how often to try again. */
export interface RetryLimits {
  /** Retries before giving up. */
  readonly retries: number;
  /** The longest delay before a retry. */
  readonly maxDelayMs: number;
  /** The time after which an answer, a chunk or a piece of a download is considered lost. */
  readonly silenceMs: number;
}

export const RETRY_LIMITS: RetryLimits = { retries: 6, maxDelayMs: 32_000, silenceMs: 120_000 };

/**
 * Exponential backoff with jitter.
 * @throws the reason of the signal
 */
export async function pause({ maxDelayMs }: RetryLimits, failures: number, signal: AbortSignal): Promise<void> {
  const delayMs = Math.min(maxDelayMs, 1_000 * 2 ** (failures - 1));
  await unlessAborted(sleep(delayMs * (0.5 + Math.random() / 2)), signal);
}

export function within(limitMs: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
}

export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let giveUp: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp!);
  }
}
