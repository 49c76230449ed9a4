import { DomainError } from '../../foundation/error/domain-error.js';

export function instanceMissing(): DomainError {
  return new DomainError('Internal', 'instance.missing', 'The instance is not set up yet.');
}
