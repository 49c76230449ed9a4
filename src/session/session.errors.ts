import { DomainError } from '../foundation/error/domain-error.js';

export function sessionNotFound(): DomainError {
  return new DomainError('NotFound', 'session.not_found', 'The user has no such session, or it has ended.');
}
