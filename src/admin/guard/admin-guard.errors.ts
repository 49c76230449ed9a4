import { DomainError } from '../../foundation/error/domain-error.js';

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

/** Unknown, expired, revoked and other kinds of tokens get the same response, so that callers learn nothing; the log identifies the request. */
export function tokenDead(): DomainError {
  return new DomainError('Unauthenticated', 'token.dead', 'The access token is not valid.');
}

export function audienceMissing(scope: string): DomainError {
  return new DomainError(
    'Unauthenticated',
    'token.audience_missing',
    `The access token is not intended for this API: request the scope ${scope}.`,
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
