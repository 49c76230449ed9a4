import { DomainError } from 'gatehouse';

export function nextMissing(): DomainError {
  return new DomainError(
    'NotFound',
    'saml.next_certificate_missing',
    'There is no next certificate. Add one first, and rotate once all applications have read it from the metadata.',
  );
}
