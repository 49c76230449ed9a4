import { DomainError } from '../error/domain-error.js';

export function tooManyMails(retryAfterSeconds: number): DomainError {
  return new DomainError(
    'ResourceExhausted',
    'mail.too_many',
    'The person has been sent too many mails of this kind within an hour. Try again later.',
    { retryAfterSeconds },
  );
}

export function mailNotFound(): DomainError {
  return new DomainError('NotFound', 'mail.not_found', 'There is no such mail.');
}

export function mailNotWaiting(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'mail.not_dead',
    'The mail has left already, or a newer one has taken its place.',
  );
}

export function mailExpired(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'mail.expired',
    'The code in the mail is worth nothing any more: have a new one sent instead.',
  );
}
