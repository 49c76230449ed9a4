import { DomainError } from '../../../foundation/error/domain-error.js';

export function tokenMissing(): DomainError {
  return new DomainError(
    'Unauthenticated',
    'token.missing',
    'An access token is required: send the header Authorization: Bearer <token>.',
  );
}

export function tokenMalformed(): DomainError {
  return new DomainError(
    'Unauthenticated',
    'token.malformed',
    'The Authorization header must be sent once, as Bearer <token> or DPoP <token>.',
  );
}

export function boundTokenInGrpc(): DomainError {
  return new DomainError(
    'Unauthenticated',
    'token.bound_in_grpc',
    'Tokens that are bound to a key cannot be used with gRPC: call the JSON API with a DPoP proof.',
  );
}

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

/** As `signInTooOld`, for users who have a second factor. */
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

export function audienceMissing(scope: string): DomainError {
  return new DomainError(
    'Unauthenticated',
    'token.audience_missing',
    `The access token is not intended for this API: request the scope ${scope}.`,
  );
}

/** The person has not allowed it, or has taken that back. */
export function administrationNotAllowed(scope: string): DomainError {
  return new DomainError(
    'PermissionDenied',
    'application.not_allowed',
    `The user has not allowed this application to administer: send the user to the authorization endpoint with the scope ${scope}.`,
  );
}

/** An application reaches the accounts of its own organization, unless it may administer everything. */
export function accountOutOfReach(): DomainError {
  return new DomainError(
    'PermissionDenied',
    'application.account_out_of_reach',
    'The application belongs to another organization than the user: it reaches no account there.',
  );
}

export function tooManyRequests(perSecond: number): DomainError {
  return new DomainError(
    'ResourceExhausted',
    'token.too_many_requests',
    `Too many requests with one token: at most ${perSecond} per second are allowed. Try again in a second.`,
    {
      retryAfterSeconds: 1,
    },
  );
}

export function orgHeaderRepeated(header: string): DomainError {
  return new DomainError('InvalidArgument', 'org_header.repeated', `The header ${header} must be sent at most once.`);
}
