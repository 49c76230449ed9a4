import { DomainError } from '../foundation/error/domain-error.js';

export function sessionNotFound(): DomainError {
  return new DomainError('NotFound', 'session.not_found', 'The user has no such session, or it has ended.');
}

export function logoutNoticeNotFound(): DomainError {
  return new DomainError('NotFound', 'logout_notice.not_found', 'The logout notice does not exist.');
}

export function logoutNoticeNotWaiting(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'logout_notice.not_waiting',
    'The application was already notified, or wants no notices any more.',
  );
}
