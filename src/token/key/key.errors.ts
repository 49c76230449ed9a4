import { DomainError } from '../../foundation/error/domain-error.js';

export function noActiveKey(): DomainError {
  return new DomainError('Unavailable', 'key.none_active', 'The service has no signing key yet. Try again shortly.');
}

export function keyNotFound(): DomainError {
  return new DomainError('NotFound', 'key.not_found', 'The signing key does not exist.');
}

export function keyActive(): DomainError {
  return new DomainError('FailedPrecondition', 'key.active', 'This signing key is active: activate another one first.');
}

export function keyNotNext(): DomainError {
  return new DomainError('FailedPrecondition', 'key.not_next', 'Only the next signing key can be activated.');
}
