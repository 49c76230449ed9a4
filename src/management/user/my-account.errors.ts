import { DomainError } from '../../foundation/error/domain-error.js';

/** How old a sign-in may be that changes the user's own credentials, in seconds. */
export const STEP_UP_SECONDS = 600;

/**
 * Unknown, expired, revoked and other kinds of tokens get the same response, so that callers learn nothing; the log
 * identifies the request.
 */
export function tokenDead(): DomainError {
  return new DomainError('Unauthenticated', 'token.dead', 'The access token is not valid.');
}

/** RFC 9470 §3: the answer says how to sign in for the same request to succeed. */
export function signInTooOld(): DomainError {
  return new DomainError(
    'Unauthenticated',
    'token.sign_in_too_old',
    'Changing this needs an access token from a sign-in of the last ten minutes: sign in with max_age=600.',
  );
}

/** Like `signInTooOld`, for users who have a second factor. */
export function secondFactorMissing(): DomainError {
  return new DomainError(
    'Unauthenticated',
    'token.second_factor_missing',
    'Changing this needs an access token from a sign-in with two factors in the last ten minutes: sign in with max_age=600 and acr_values=2.',
  );
}

/** Operations on the caller's own account are for people. */
export function accountOfPeople(): DomainError {
  return new DomainError(
    'PermissionDenied',
    'account.of_people',
    'Only people manage their own account in this way: service users are managed by their organization.',
  );
}

/** A request about one's own account names another user. It does not say whether there is one with that id. */
export function accountNotOwn(): DomainError {
  return new DomainError(
    'PermissionDenied',
    'account.not_own',
    'Users alone set up what signs them in: the request must name the calling user.',
  );
}
