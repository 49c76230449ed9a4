const FIRST_SECONDS = 5;
const FACTOR = 3;
const LONGEST_SECONDS = 14_400;

/** Together they last about a day: longer than most outages of a mail server. */
export const MAX_TRIES = 14;

/** The delay after the nth failed attempt: 5 s, 15 s, 45 s …, four hours at most. */
export function delayAfter(tries: number): number {
  return Math.min(FIRST_SECONDS * FACTOR ** Math.max(0, tries - 1), LONGEST_SECONDS);
}
