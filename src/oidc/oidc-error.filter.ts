import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { randomToken } from '../foundation/crypto/random.js';
import { toFailure } from '../foundation/database/database-failure.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { addressOf, closeIfUnread } from '../foundation/http/request.js';
import { Logger } from '../foundation/log/logger.js';
import { refusalFields } from '../foundation/log/refusal-fields.js';
import { CHALLENGE_WITHOUT_TOKEN, challengeOf, schemeOf } from '../token/proof/challenge.js';
import { ProofRefused } from '../token/proof/proof-refused.js';
import { hintAtEncoding, namedClient } from './named-client.js';
import type { OAuthErrorCode } from './oauth-error-code.js';
import { OAuthError, refusal } from './oidc.errors.js';
import { endpoints } from './oidc.paths.js';

/** Errors of the endpoints that return JSON: RFC 6749 §5.2, RFC 6750 §3, RFC 7662 §2.3. */
@Catch()
export class OidcErrorFilter implements ExceptionFilter {
  constructor(private readonly log: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ExpressRequest>();
    const response = host.switchToHttp().getResponse<ExpressResponse>();
    const error = this.toOAuthError(toFailure(thrown), request);
    if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds));
    const nonce = error.cause instanceof ProofRefused ? error.cause.freshNonce : undefined;
    if (nonce !== undefined) response.setHeader('DPoP-Nonce', nonce); // RFC 9449 §8
    const challenge = challengeFor(error, request);
    if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Pragma', 'no-cache');
    response.status(statusOf(error)).json({ error: error.error, error_description: error.message });
    closeIfUnread(request, response);
  }

  private toOAuthError(thrown: unknown, request: ExpressRequest): OAuthError & { status?: number } {
    if (thrown instanceof ProofRefused) return this.toOAuthError(ofProof(thrown, request), request);
    if (thrown instanceof OAuthError) {
      const hint = OF_A_SECRET.has(thrown.reason) ? hintAtEncoding(request) : undefined;
      this.log.warn(
        {
          reason: thrown.reason,
          error: thrown.error,
          path: request.path,
          address: addressOf(request),
          clientId: namedClient(request),
          ...thrown.actors,
          cause: causeOf(thrown),
          hint,
        },
        'refused',
      );
      return thrown;
    }
    if (thrown instanceof DomainError && thrown.kind !== 'Internal') {
      this.log.warn(
        { ...refusalFields(thrown), path: request.path, address: addressOf(request), clientId: namedClient(request) },
        'refused',
      );
      const status = DOMAIN_STATUS[thrown.reason] ?? KIND_STATUS[thrown.kind];
      return Object.assign(fromDomain(thrown), {
        retryAfterSeconds: thrown.retryAfterSeconds,
        ...(status === undefined ? {} : { status }),
      });
    }
    const reference = randomToken(6);
    this.log.error({ err: thrown, path: request.path, clientId: namedClient(request), reference }, 'defect');
    return new OAuthError('server_error', 'oidc.defect', `The service failed. Reference ${reference}`);
  }
}

/** At a protected resource a bad proof is 401 (RFC 9449 §7.1); at the token endpoint 400 (RFC 9449 §5). */
function ofProof(refused: ProofRefused, request: ExpressRequest): OAuthError & { status?: number } {
  return Object.assign(refusal.proofRefused(refused), takesAccessToken(request) ? { status: 401 } : {});
}

const OF_A_SECRET: ReadonlySet<string> = new Set(['oidc.client_secret_wrong', 'oidc.client_credentials_malformed']);

/** Refusals of the reader of bodies, which is independent of the protocol. */
const DOMAIN_STATUS: Readonly<Record<string, number>> = {
  'body.too_large': 413,
};

const KIND_STATUS: Partial<Record<DomainError['kind'], number>> = {
  ResourceExhausted: 429,
  Unavailable: 503,
  DeadlineExceeded: 504,
};

function fromDomain(error: DomainError): OAuthError {
  if (error.kind === 'InvalidArgument') return refusal.bodyUnreadable(error.message, error);
  return new OAuthError('temporarily_unavailable', error.reason, error.message, error);
}

const STATUS: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  server_error: 500,
  temporarily_unavailable: 503,
};

export function statusOf(error: OAuthError & { status?: number }): number {
  return error.status ?? STATUS[error.error] ?? 400;
}

/**
 * RFC 6749 §5.2: the scheme that the client used; RFC 6750 §3: a challenge in every refusal; RFC 6750 §3.1: no code
 * without a token.
 */
function challengeFor(error: OAuthError & { status?: number }, request: ExpressRequest): string | undefined {
  if (error.error === 'invalid_client')
    return request.headers.authorization === undefined ? undefined : 'Basic realm="gatehouse"';
  if (statusOf(error) >= 500) return undefined;
  const description = `error_description="${error.message}"`;
  if (takesRegistrationToken(request)) {
    // RFC 7591 §3, RFC 7592 §2: bearer tokens, without a proof of a key.
    return error.reason === 'oidc.bearer_missing'
      ? 'Bearer realm="gatehouse"'
      : challengeOf('Bearer', error.error, [description]);
  }
  if (!takesAccessToken(request)) return undefined;
  if (error.reason === 'oidc.bearer_missing') return CHALLENGE_WITHOUT_TOKEN;
  const scope = error.error === 'insufficient_scope' ? ['scope="openid"'] : [];
  return challengeOf(schemeOf(request.headers.authorization), error.error, [description, ...scope]);
}

/** Looks at the matched route, so that the spelling of the path does not matter. */
function takesAccessToken(request: ExpressRequest): boolean {
  return (request.route as { readonly path?: unknown } | undefined)?.path === endpoints.userinfo;
}

function takesRegistrationToken(request: ExpressRequest): boolean {
  const path = (request.route as { readonly path?: unknown } | undefined)?.path;
  return typeof path === 'string' && path.startsWith(endpoints.registration);
}

function causeOf(error: OAuthError): string | undefined {
  return error.cause instanceof Error ? error.cause.message : undefined;
}
