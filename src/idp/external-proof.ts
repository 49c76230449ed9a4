import { isDate } from 'node:util/types';

/** For the clocks of others. */
const TOLERANCE_MS = 60_000;

/** Whether a provider says that the user has proved who they are before that was demanded. */
export function isProofTooOld(authTime: Date | undefined, provedAfter: Date | null): boolean {
  return authTime !== undefined && provedAfter !== null && authTime.getTime() < provedAfter.getTime() - TOLERANCE_MS;
}

/** When the user authenticated as an extension says it; a time to come, and what is none, say nothing. */
export function readAuthTime(said: unknown, now: Date): Date | undefined {
  const isTime = isDate(said) && said.getTime() <= now.getTime() + TOLERANCE_MS;
  return isTime ? new Date(said) : undefined;
}

/**
 * The moment at which a sign-in at a provider counts as a proof of who the user is; null if it does not count, since
 * the provider may have answered from a session of its own. `provedAfter`: what was demanded of it (`prompt=login`,
 * `max_age`), if anything.
 */
export function momentOfProof(authTime: Date | undefined, provedAfter: Date | null, now: Date): Date | null {
  // Many say no time although one is demanded (OIDC Core §3.1.2.1): then it is believed to have done what it was asked
  // for.
  if (authTime === undefined) return provedAfter === null ? null : now;
  const at = authTime < now ? authTime : now;
  // The tolerance for clocks was applied already. Otherwise the same request would ask again.
  return provedAfter !== null && at < provedAfter ? provedAfter : at;
}
