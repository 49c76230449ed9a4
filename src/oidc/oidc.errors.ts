import { DomainError } from '../foundation/error/domain-error.js';
import type { ClientAuthMethod } from '../project/client/client.entity.js';
import type { GrantRefusal } from '../project/client/ext-grant.js';
import type { ProofRefused } from '../token/proof/proof-refused.js';
import type { OAuthErrorCode } from './oauth-error-code.js';

export interface Actors {
  readonly clientId?: string;
  readonly userId?: string;
  readonly familyId?: string;
}

/**
 * A refusal of the protocol. The caller gets `error` and the message (ASCII without quotes and backslashes, which
 * `error_description` must not contain); the log gets `reason`.
 */
export class OAuthError extends DomainError {
  constructor(
    readonly error: OAuthErrorCode,
    reason: string,
    description: string,
    cause?: unknown,
    /** The affected users and clients, as far as known: for the log. */
    readonly actors: Actors = {},
  ) {
    super(KIND[error] ?? 'InvalidArgument', reason, description, { cause });
  }
}

const KIND: Partial<Record<OAuthErrorCode, DomainError['kind']>> = {
  invalid_client: 'Unauthenticated',
  invalid_token: 'Unauthenticated',
  insufficient_scope: 'PermissionDenied',
  access_denied: 'PermissionDenied',
  server_error: 'Internal',
  temporarily_unavailable: 'Unavailable',
};

/**
 * The reason of a refusal that has a word of its own (`of-another-client`), spelled like all reasons:
 * `oidc.code_of_another_client`.
 */
function reasonOf(what: string, refusal: string): string {
  return `oidc.${what}_${refusal.replaceAll('-', '_')}`;
}

const refuse =
  (error: OAuthErrorCode, reason: string, description: string) =>
  (cause?: unknown): OAuthError =>
    new OAuthError(error, `oidc.${reason}`, description, cause);

/** All refusals of the protocol. */
export const refusal = {
  // Any endpoint that takes parameters.
  parameterMissing: (name: string) =>
    new OAuthError('invalid_request', 'oidc.parameter_missing', `The parameter ${name} is missing.`),
  parameterRepeated: (name: string) =>
    new OAuthError('invalid_request', 'oidc.parameter_repeated', `The parameter ${name} must not be repeated.`),
  parameterMalformed: (name: string) =>
    new OAuthError(
      'invalid_request',
      'oidc.parameter_malformed',
      `The parameter ${name} is not well-formed UTF-8 text.`,
    ),
  tooManyParameters: refuse('invalid_request', 'too_many_parameters', 'The request has too many parameters.'),
  bodyUnreadable: (message: string, cause: unknown) =>
    new OAuthError('invalid_request', 'oidc.body_unreadable', message, cause),

  // Client authentication, RFC 6749 §2.3 and §5.2.
  clientUnknown: refuse('invalid_client', 'client_unknown', 'Client authentication failed.'),
  clientSecretWrong: refuse('invalid_client', 'client_secret_wrong', 'Client authentication failed.'),
  clientAssertionBad: refuse('invalid_client', 'client_assertion_bad', 'Client authentication failed.'),
  clientSecretMissing: refuse('invalid_client', 'client_secret_missing', 'Client authentication failed.'),
  clientCertificateMissing: refuse('invalid_client', 'client_certificate_missing', 'Client authentication failed.'),
  clientCertificateWrong: refuse('invalid_client', 'client_certificate_wrong', 'Client authentication failed.'),
  clientCertificateUnverified: refuse(
    'invalid_client',
    'client_certificate_unverified',
    'Client authentication failed.',
  ),
  /** RFC 8705 §3.4. */
  certificateRequired: refuse(
    'invalid_request',
    'certificate_required',
    'The tokens of this client are bound to a certificate: show one in the TLS handshake.',
  ),
  /** FAPI 2.0 Security Profile §5.3.2.1: by DPoP or by certificate, which is the client's choice. */
  bindingRequired: refuse(
    'invalid_request',
    'binding_required',
    'The tokens of this client are bound to a key: send a DPoP proof, or show a certificate in the TLS handshake.',
  ),
  /** Only for tokens that are to be exchanged: elsewhere, a bound token without its certificate is simply invalid. */
  certificateOfTokenMissing: refuse(
    'invalid_request',
    'certificate_of_token_missing',
    'The subject_token or actor_token is bound to a certificate, which must be shown in the TLS handshake.',
  ),
  /** Only for a caller with correct credentials: others must not learn how the client is registered. */
  clientMethodWrong: (registered: ClientAuthMethod) =>
    new OAuthError(
      'invalid_client',
      'oidc.client_method_wrong',
      `The client is registered for ${registered}: authenticate with that method.`,
    ),
  clientCredentialsMissing: refuse(
    'invalid_client',
    'client_credentials_missing',
    'Client authentication is required.',
  ),
  clientCredentialsMalformed: refuse(
    'invalid_client',
    'client_credentials_malformed',
    'The Authorization header is malformed.',
  ),
  clientNotConfidential: refuse(
    'invalid_client',
    'client_not_confidential',
    'This endpoint is for clients that authenticate themselves.',
  ),
  severalAuthMethods: refuse('invalid_request', 'several_auth_methods', 'Use one way of client authentication, once.'),
  assertionTypeWrong: refuse(
    'invalid_request',
    'assertion_type_wrong',
    'The client_assertion_type must be urn:ietf:params:oauth:client-assertion-type:jwt-bearer.',
  ),

  // Token endpoint, RFC 6749 §5.2.
  grantTypeUnsupported: refuse('unsupported_grant_type', 'grant_type_unsupported', 'This grant_type is not supported.'),
  grantNotAllowed: refuse(
    'unauthorized_client',
    'grant_not_allowed',
    'The client is not registered for this grant_type.',
  ),
  codeRefused: (reason: string, actors: Actors = {}) =>
    new OAuthError(
      'invalid_grant',
      reasonOf('code', reason),
      'The authorization code is not valid.',
      undefined,
      actors,
    ),
  codeVerifierMalformed: refuse(
    'invalid_grant',
    'code_verifier_malformed',
    'The code_verifier must have 43 to 128 unreserved characters.',
  ),
  refreshTokenRefused: (reason: string, actors: Actors = {}) =>
    new OAuthError(
      'invalid_grant',
      reasonOf('refresh_token', reason),
      'The refresh token is not valid.',
      undefined,
      actors,
    ),

  // Device grant, RFC 8628 §3.5.
  devicePending: refuse('authorization_pending', 'device_pending', 'The user has not decided yet. Ask again later.'),
  deviceTooEarly: refuse('slow_down', 'device_too_early', 'Ask less often: add 5 seconds to the interval.'),
  deviceExpired: refuse('expired_token', 'device_expired', 'The device code has expired. Start again.'),
  deviceDenied: (reason: string, actors: Actors = {}) =>
    new OAuthError('access_denied', reasonOf('device', reason), 'The user declined.', undefined, actors),
  deviceCodeRefused: (reason: string, actors: Actors = {}) =>
    new OAuthError(
      'invalid_grant',
      reasonOf('device_code', reason),
      'The device code is not valid.',
      undefined,
      actors,
    ),

  // Token exchange, RFC 8693 §2.2.2.
  /** One answer for every reason: a caller must not learn which tokens there are. */
  subjectTokenRefused: (reason: string, actors: Actors = {}) =>
    new OAuthError(
      'invalid_request',
      reasonOf('subject_token', reason),
      'The subject_token or actor_token is not valid, not meant for this client, or not allowed together.',
      undefined,
      actors,
    ),
  subjectTokenTypeUnsupported: refuse(
    'invalid_request',
    'subject_token_type_unsupported',
    'The subject_token_type must be urn:ietf:params:oauth:token-type:access_token, jwt or id_token, or the user_id type with an actor_token.',
  ),
  requestedTokenTypeUnsupported: refuse(
    'invalid_request',
    'requested_token_type_unsupported',
    'The requested_token_type must be urn:ietf:params:oauth:token-type:access_token, jwt or id_token.',
  ),
  actorTokenTypeUnsupported: refuse(
    'invalid_request',
    'actor_token_type_unsupported',
    'An actor_token needs the actor_token_type urn:ietf:params:oauth:token-type:access_token, jwt or id_token, and neither may come without the other.',
  ),
  actorMissing: refuse(
    'invalid_request',
    'actor_missing',
    'A user ID is exchanged only with an actor_token of the user who acts for them.',
  ),
  impersonationOff: refuse(
    'invalid_request',
    'impersonation_off',
    'Acting for other users is switched off. An administrator of the instance can enable it in the security policy.',
  ),
  idTokenWithoutOpenid: refuse('invalid_scope', 'id_token_without_openid', 'An ID token needs the scope openid.'),
  idTokenForOthers: refuse(
    'invalid_target',
    'id_token_for_others',
    'An ID token is for the client itself: leave audience and resource out.',
  ),
  exchangeWithoutConsent: refuse(
    'unauthorized_client',
    'exchange_without_consent',
    'Users consent to this client on a page, so it cannot exchange tokens.',
  ),
  audienceExceedsToken: refuse(
    'invalid_target',
    'audience_exceeds_token',
    'The audience and resource must be in the audience of the subject_token.',
  ),

  // Grants of extensions, RFC 6749 §4.5.
  grantWithoutConsent: refuse(
    'unauthorized_client',
    'grant_without_consent',
    'Users consent to this client on a page, which this grant_type does not have.',
  ),
  grantForAdministration: refuse(
    'unauthorized_client',
    'grant_for_administration',
    'Tokens of this client are for the administrative API, which this grant_type does not open.',
  ),
  grantNeedsAuthentication: refuse(
    'unauthorized_client',
    'grant_needs_authentication',
    'This grant_type is for clients that authenticate themselves.',
  ),
  grantRefused: (error: GrantRefusal['error'], description: string, actors: Actors) =>
    new OAuthError(error, 'oidc.extension_grant_refused', description, undefined, actors),
  /** One answer for every reason: a caller must not learn who has an account. */
  grantedUserRefused: (reason: string, actors: Actors) =>
    new OAuthError('invalid_grant', reasonOf('granted_user', reason), 'The grant is not valid.', undefined, actors),

  assertionRefused: (reason: string) =>
    new OAuthError('invalid_grant', reasonOf('assertion', reason), 'The assertion is not valid.'),
  scopeExceedsGrant: refuse('invalid_scope', 'scope_exceeds_grant', 'The scope exceeds what was granted.'),
  scopeUnknown: refuse('invalid_scope', 'scope_unknown', 'None of the scopes is known or available to this client.'),
  // Resource indicators, RFC 8707 §2.
  resourceMalformed: refuse(
    'invalid_target',
    'resource_malformed',
    'The resource must be an absolute URI without a fragment, and there may be five at most.',
  ),
  resourceUnknown: refuse('invalid_target', 'resource_unknown', 'The resource is not known here.'),
  resourceExceedsGrant: refuse(
    'invalid_target',
    'resource_exceeds_grant',
    'The resource was not part of the authorization request.',
  ),
  scopeMalformed: refuse('invalid_scope', 'scope_malformed', 'The scope is malformed.'),

  // Authorization endpoint.
  responseTypeUnsupported: refuse(
    'unsupported_response_type',
    'response_type_unsupported',
    'This response_type is not supported.',
  ),
  responseTypeNotAllowed: refuse(
    'unauthorized_client',
    'response_type_not_allowed',
    'The client is not registered for this response_type.',
  ),
  responseModeUnsupported: refuse(
    'invalid_request',
    'response_mode_unsupported',
    'This response_mode is not supported for the response_type.',
  ),
  requestUnsupported: refuse(
    'request_not_supported',
    'request_unsupported',
    'Unsigned and encrypted request objects are not supported: sign the request object.',
  ),
  requestObjectBad: refuse(
    'invalid_request_object',
    'request_object_bad',
    'The request object is not valid: it must be signed by a key of the client, with its client_id as iss and the issuer in aud.',
  ),
  requestUnsigned: refuse(
    'invalid_request',
    'request_unsigned',
    'The client must send its requests in a signed request object.',
  ),
  requestUriUnsupported: refuse(
    'request_uri_not_supported',
    'request_uri_unsupported',
    'Request objects are not fetched: send the request object itself, or push the request.',
  ),
  /** RFC 9101 §7: also for what is wrong with the object that was fetched. */
  requestUriBad: (reason: 'unregistered' | 'unreadable' | 'object_bad', cause?: unknown) =>
    new OAuthError(
      'invalid_request_uri',
      reasonOf('request_uri', reason),
      'The request_uri must be registered for the client, and lead to a request object that is signed by a key of the client.',
      cause,
    ),
  requestTwice: refuse('invalid_request', 'request_twice', 'Send either request or request_uri, not both.'),
  // Pushed requests, RFC 9126.
  requestNotPushed: refuse(
    'invalid_request',
    'request_not_pushed',
    'The request must be pushed to the pushed authorization request endpoint first.',
  ),
  requestUriPushed: refuse('invalid_request', 'request_uri_pushed', 'The parameter request_uri must not be pushed.'),
  clientIdDiffers: refuse(
    'invalid_request',
    'client_id_differs',
    'The client_id must be that of the client that authenticates.',
  ),
  pushedAddressRefused: refuse(
    'invalid_request',
    'pushed_address_refused',
    'The redirect_uri is missing or is not registered, or the client does not sign users in.',
  ),
  pushedRequestTooLong: (bytes: number) =>
    Object.assign(
      new OAuthError(
        'invalid_request',
        'oidc.pushed_request_too_long',
        `The request is too long: its parameters must have at most ${bytes} bytes.`,
      ),
      { status: 413 }, // RFC 9126 §2.3
    ),
  openidMissing: refuse(
    'invalid_scope',
    'openid_missing',
    'The scope must contain openid: add it to the scopes that the client requests.',
  ),
  orgUnknown: refuse('invalid_scope', 'org_unknown', 'The organization named in the scope does not exist.'),
  nonceMissing: refuse('invalid_request', 'nonce_missing', 'The nonce is required for this response_type.'),
  nonceTooLong: refuse('invalid_request', 'nonce_too_long', 'The nonce is too long.'),
  requestTooLong: refuse('invalid_request', 'request_too_long', 'The request is too long: shorten state and nonce.'),
  promptNoneCombined: refuse(
    'invalid_request',
    'prompt_none_combined',
    'The prompt none must not be combined with other values.',
  ),
  maxAgeMalformed: refuse('invalid_request', 'max_age_malformed', 'The max_age must be a number of seconds.'),
  claimsMalformed: refuse(
    'invalid_request',
    'claims_malformed',
    'The claims parameter is not a JSON object of claims.',
  ),
  challengeMissing: refuse('invalid_request', 'challenge_missing', 'Public clients must send a code_challenge.'),
  challengeMethodUnsupported: refuse(
    'invalid_request',
    'challenge_method_unsupported',
    'The code_challenge_method must be S256.',
  ),
  challengeMalformed: refuse(
    'invalid_request',
    'challenge_malformed',
    'The code_challenge must be the base64url text of a SHA-256 digest.',
  ),
  keyThumbprintMalformed: refuse(
    'invalid_request',
    'key_thumbprint_malformed',
    'The dpop_jkt must be the SHA-256 thumbprint of a public key in base64url.',
  ),
  failed: (reference: string, cause: unknown) =>
    new OAuthError('server_error', 'oidc.authorize_failed', `The service failed. Reference ${reference}`, cause),
  unavailable: refuse('temporarily_unavailable', 'authorize_unavailable', 'The service cannot answer right now.'),
  loginRequired: refuse('login_required', 'login_required', 'The user has to sign in.'),
  interactionRequired: refuse('interaction_required', 'interaction_required', 'The user has to interact.'),
  consentRequired: refuse('consent_required', 'consent_required', 'The user has to allow this.'),
  userDeclined: refuse('access_denied', 'user_declined', 'The user declined.'),
  userNotAdmitted: (userId: string, why = 'user_not_admitted') =>
    new OAuthError('access_denied', `oidc.${why}`, 'The user may not use this application.', undefined, { userId }),
  acrUnmet: refuse('unmet_authentication_requirements', 'acr_unmet', 'The essential acr cannot be satisfied.'),

  // Protected resources, RFC 6750 §3.1.
  bearerMissing: refuse('invalid_token', 'bearer_missing', 'An access token is required.'),
  bearerMalformed: refuse(
    'invalid_request',
    'bearer_malformed',
    'Send one access token, in the Authorization header or in the form.',
  ),
  bearerDead: refuse('invalid_token', 'bearer_dead', 'The access token is not valid.'),
  openidScopeMissing: refuse('insufficient_scope', 'openid_scope_missing', 'The access token needs the scope openid.'),

  /** RFC 9449 §5, §8 and §7.1. */
  proofRefused: (cause: ProofRefused) => new OAuthError(cause.error, cause.reason, cause.message, cause),

  // Revocation, RFC 7009 §2.1.
  tokenOfAnotherClient: refuse('invalid_grant', 'token_of_another_client', 'The token was not issued to this client.'),
} as const;
