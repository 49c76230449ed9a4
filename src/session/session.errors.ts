import { DomainError } from '../foundation/error/domain-error.js';

export function sessionNotFound(): DomainError {
  return new DomainError('NotFound', 'session.not_found', 'The user has no such session, or it has ended.');
}

/** Something else has ended the session, or changed the password, while a change waited for it. */
export function sessionOvertaken(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'session.overtaken',
    'The session has ended, or the password has changed. Nothing was done.',
  );
}

export function logoutNoticeNotFound(): DomainError {
  return new DomainError('NotFound', 'logout_notice.not_found', 'The logout notice does not exist.');
}

export function logoutNoticeNotWaiting(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'logout_notice.not_waiting',
    'The application was already notified, or no longer wants notices.',
  );
}
