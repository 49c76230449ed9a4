import { userInvalid } from './user.errors.js';

/** Of what does not expire. */
export const NEVER = new Date('9999-12-31T23:59:59Z');

/** When credentials end, if a time was given. @throws DomainError InvalidArgument for a time that is over */
export function expiryOf(given: Date | undefined, now: Date): Date {
  if (given !== undefined && given <= now)
    throw userInvalid([{ field: 'expirationDate', description: 'must lie in the future' }]);
  return given ?? NEVER;
}
