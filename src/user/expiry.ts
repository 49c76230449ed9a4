import { userInvalid } from './user.errors.js';

/** The expiry of what does not expire. */
export const NEVER = new Date('9999-12-31T23:59:59Z');

/**
 * The expiry of credentials.
 * @throws DomainError InvalidArgument if it is not in the future
 */
export function expiryOf(given: Date | undefined, now: Date): Date {
  if (given !== undefined && given <= now)
    throw userInvalid([{ field: 'expirationDate', description: 'must be in the future' }]);
  return given ?? NEVER;
}
