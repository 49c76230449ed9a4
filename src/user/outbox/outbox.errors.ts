import { DomainError } from '../../foundation/error/domain-error.js';

export function tooManyMails(retryAfterSeconds: number): DomainError {
  return new DomainError(
    'ResourceExhausted',
    'mail.too_many',
    'Too many e-mails of this type were sent to the user within an hour. Try again later.',
    { retryAfterSeconds },
  );
}

export function mailNotFound(): DomainError {
  return new DomainError('NotFound', 'mail.not_found', 'The e-mail does not exist.');
}

export function mailNotWaiting(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'mail.not_dead',
    'The e-mail was already sent, or was replaced by a newer one.',
  );
}

export function mailExpired(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'mail.expired',
    'The code in the e-mail is no longer valid: send a new one instead.',
  );
}
