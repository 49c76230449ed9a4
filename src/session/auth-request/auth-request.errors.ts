import { DomainError } from '../../foundation/error/domain-error.js';

export function requestNotFound(): DomainError {
  return new DomainError('NotFound', 'auth_request.not_found', 'This sign-in was not started in this browser.');
}

export function requestExpired(): DomainError {
  return new DomainError('FailedPrecondition', 'auth_request.expired', 'This sign-in has expired.');
}

export function requestAnswered(): DomainError {
  return new DomainError('FailedPrecondition', 'auth_request.answered', 'This sign-in is already complete.');
}

/** RFC 9126 §4: a pushed request is answered once. */
export function pushedRequestUsed(): DomainError {
  return new DomainError('FailedPrecondition', 'auth_request.pushed_used', 'The request_uri was used already.');
}

/** For a redirect URI that was taken from the application after the request was checked. */
export function requestTooLong(): DomainError {
  return new DomainError(
    'InvalidArgument',
    'auth_request.too_long',
    'The request of the application is too long to sign users in with.',
  );
}

export function redirectUriGone(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'auth_request.redirect_uri_gone',
    'The application no longer has this redirect URI.',
  );
}
