import { DomainError } from '../error/domain-error.js';

export function noActiveKey(): DomainError {
  return new DomainError('Unavailable', 'key.none_active', 'The service has no signing key yet. Try again shortly.');
}
