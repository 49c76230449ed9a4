import { DomainError, invalidFields } from '../foundation/error/domain-error.js';

export function factorNotFound(): DomainError {
  return new DomainError('NotFound', 'factor.not_found', 'The user does not have this second factor.');
}

/** The factor, or codes for it, were set up meanwhile. */
export function factorExists(): DomainError {
  return new DomainError('AlreadyExists', 'factor.exists', 'The user already has this second factor.');
}

export function seedInvalid(field: string): DomainError {
  return invalidFields([{ field, description: 'must be a seed of 16 to 128 characters in base32' }]);
}
