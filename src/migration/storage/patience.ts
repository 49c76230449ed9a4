import { setTimeout as sleep } from 'node:timers/promises';

/** How long a storage is waited for. */
export interface Patience {
  /** How often to ask again before it is given up. */
  readonly retries: number;
  /** How long to wait at most before. */
  readonly maxDelayMs: number;
  /** An answer, a chunk or a piece of a download that has not come by then never will. */
  readonly silenceMs: number;
}

export const PATIENCE: Patience = { retries: 6, maxDelayMs: 32_000, silenceMs: 120_000 };

/** Longer each time, and not in step with others. @throws the reason of the signal */
export async function pause({ maxDelayMs }: Patience, failures: number, signal: AbortSignal): Promise<void> {
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
