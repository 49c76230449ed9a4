import { setTimeout as sleep } from 'node:timers/promises';
import { TimeLimit } from '../../foundation/time/time-limit.js';

/** How much to send at once, how long to wait for a storage, and how often to try again. */
export interface TransferLimits {
  /**
   * Kept in memory until the storage confirms it, so that it can be sent again. Google wants a multiple of 256 KiB, S3
   * at least 5 MiB for all parts but the last.
   */
  readonly chunkBytes: number;
  /** The number of retries before giving up. */
  readonly retries: number;
  /** The longest delay before a retry. */
  readonly maxDelayMs: number;
  /** The time after which an answer, a chunk or a piece of a download is considered lost. */
  readonly silenceMs: number;
}

export const TRANSFER_LIMITS: TransferLimits = {
  chunkBytes: 8_388_608,
  retries: 6,
  maxDelayMs: 32_000,
  silenceMs: 120_000,
};

/**
 * Exponential backoff with jitter.
 * @throws the reason of the signal
 */
export async function pause({ maxDelayMs }: TransferLimits, failures: number, signal: AbortSignal): Promise<void> {
  const delayMs = Math.min(maxDelayMs, 1_000 * 2 ** (failures - 1));
  await unlessAborted(sleep(delayMs * (0.5 + Math.random() / 2)), signal);
}

/** Does one thing whose signal is aborted with the one given, or when the time is over. */
export async function within<T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using limit = new TimeLimit(limitMs);
  return await work(AbortSignal.any([signal, limit.signal]));
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
