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
