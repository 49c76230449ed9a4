import type { DomainError, FieldViolation } from '../error/domain-error.js';

/** The expiry of what never expires. */
export const NEVER = new Date('9999-12-31T23:59:59Z');

/**
 * The expiry of credentials, as requested in the field `expirationDate`.
 * @throws the error of `invalid` if it is not in the future
 */
export function expiryOf(
  given: Date | undefined,
  now: Date,
  invalid: (violations: readonly FieldViolation[]) => DomainError,
): Date {
  if (given !== undefined && given <= now)
    throw invalid([{ field: 'expirationDate', description: 'must be in the future' }]);
  return given ?? NEVER;
}
