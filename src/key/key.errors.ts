import { DomainError } from '../error/domain-error.js';

export function noActiveKey(): DomainError {
  return new DomainError('Unavailable', 'key.none_active', 'The service has no signing key yet. Try again shortly.');
}

export function keyNotFound(): DomainError {
  return new DomainError('NotFound', 'key.not_found', 'There is no such signing key.');
}

export function keyActive(): DomainError {
  return new DomainError('FailedPrecondition', 'key.active', 'This key signs: activate another one first.');
}

export function keyNotNext(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'key.not_next',
    'Only the key that was made to be the next one can be activated.',
  );
}
