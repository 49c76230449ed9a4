import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than queueing a mail or storing a registration takes, and too short to be noticed. */
export const UNHURRIED_MS = 150;

/** Takes as long even if there is nothing to do: the time would reveal whether the name exists (LOG-027). */
export async function unhurried(work: Promise<void>): Promise<void> {
  await Promise.all([work, sleep(UNHURRIED_MS)]);
}
