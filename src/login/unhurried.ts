import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than writing down a mail takes, and too short to be in anybody's way. */
export const UNHURRIED_MS = 150;

/** Takes as long when there is nothing to do: the time would tell whether somebody has that name (LOG-027). */
export async function unhurried(work: Promise<void>): Promise<void> {
  await Promise.all([work, sleep(UNHURRIED_MS)]);
}
