import { DomainError } from '../foundation/error/domain-error.js';

export function refreshTokenNotFound(): DomainError {
  return new DomainError('NotFound', 'token.refresh_not_found', 'The user has no such refresh token.');
}
