import { SIGNATURE_ALGORITHMS } from '../../foundation/crypto/verification-key.js';
import type { SigningAlgorithm } from '../../org/instance/instance.entity.js';
import { loginLanguages } from '../../page/catalogue/catalogue.js';
import { REACHABLE_ACR_VALUES } from '../../token/acr.js';
import { STANDARD_SCOPES } from '../../token/claims/scope.js';
import { GROUPS, USER_CLAIMS } from '../../token/claims/user-claims.js';
import { endpoints } from '../oidc.paths.js';

const CLIENT_AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'];
const TOKEN_CLAIMS = ['sub', 'iss', 'aud', 'azp', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'sid', 'at_hash'];

export interface DiscoveryFacts {
  readonly issuer: string;
  readonly grantTypes: readonly string[];
  /** RFC 9126 §5. */
  readonly requiresPushedRequests: boolean;
  /** The algorithms of the published keys. */
  readonly signingAlgorithms: readonly SigningAlgorithm[];
  /** The algorithms of the keys that sign now. */
  readonly userinfoAlgorithms: readonly SigningAlgorithm[];
  /** Whether request objects are fetched from where clients have registered them. */
  readonly fetchesRequestObjects: boolean;
  /** Whether applications register themselves (RFC 7591). */
  readonly takesRegistrations: boolean;
  /** Whether the addresses of metadata documents can be client IDs. */
  readonly readsClientDocuments: boolean;
  /**
   * Whether a proxy passes the certificates of clients on, whether it verifies their chains, and where it asks for
   * them.
   */
  readonly certificates: {
    readonly isOffered: boolean;
    readonly isVerified: boolean;
    readonly url: string | undefined;
  };
  /** What extensions add. */
  readonly contributed: { readonly scopes: readonly string[]; readonly names: readonly string[] };
}

/**
 * OpenID Connect Discovery §3, RP-Initiated Logout §2.1, Back-Channel Logout §2.1, RFC 8628 §4, RFC 9101 §9.2, RFC 9126
 * §5, RFC 9207 §3, RFC 9449 §5.1, RFC 8705 §3.3 and §5: only members that apply to this service.
 */
export function discoveryDocument({
  issuer,
  grantTypes,
  requiresPushedRequests,
  signingAlgorithms,
  userinfoAlgorithms,
  fetchesRequestObjects,
  takesRegistrations,
  readsClientDocuments,
  certificates,
  contributed,
}: DiscoveryFacts): Record<string, unknown> {
  const methods = [
    ...CLIENT_AUTH_METHODS,
    ...(certificates.isOffered ? ['self_signed_tls_client_auth'] : []),
    ...(certificates.isVerified ? ['tls_client_auth'] : []),
  ];
  const confidentialMethods = methods.filter((method) => method !== 'none');
  return {
    issuer,
    authorization_endpoint: issuer + endpoints.authorization,
    token_endpoint: issuer + endpoints.token,
    pushed_authorization_request_endpoint: issuer + endpoints.pushedRequest,
    ...(requiresPushedRequests ? { require_pushed_authorization_requests: true } : {}),
    device_authorization_endpoint: issuer + endpoints.deviceAuthorization,
    introspection_endpoint: issuer + endpoints.introspection,
    userinfo_endpoint: issuer + endpoints.userinfo,
    revocation_endpoint: issuer + endpoints.revocation,
    end_session_endpoint: issuer + endpoints.endSession,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    jwks_uri: issuer + endpoints.keys,
    scopes_supported: [...STANDARD_SCOPES, GROUPS, ...contributed.scopes],
    response_types_supported: ['code', 'id_token', 'id_token token'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: [...grantTypes, 'implicit'],
    acr_values_supported: [...REACHABLE_ACR_VALUES],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...signingAlgorithms],
    userinfo_signing_alg_values_supported: [...userinfoAlgorithms],
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: SIGNATURE_ALGORITHMS,
    introspection_endpoint_auth_methods_supported: confidentialMethods,
    introspection_endpoint_auth_signing_alg_values_supported: SIGNATURE_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: SIGNATURE_ALGORITHMS,
    claim_types_supported: ['normal'],
    claims_supported: [...TOKEN_CLAIMS, ...USER_CLAIMS, GROUPS, ...contributed.names],
    ui_locales_supported: loginLanguages,
    claims_parameter_supported: true,
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: SIGNATURE_ALGORITHMS,
    request_uri_parameter_supported: fetchesRequestObjects, // the default would be true
    ...(fetchesRequestObjects && { require_request_uri_registration: true }),
    ...(takesRegistrations && { registration_endpoint: issuer + endpoints.registration }),
    ...(readsClientDocuments && { client_id_metadata_document_supported: true }),
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: SIGNATURE_ALGORITHMS,
    ...(certificates.isOffered && { tls_client_certificate_bound_access_tokens: true }),
    ...(certificates.url !== undefined && { mtls_endpoint_aliases: aliasesAt(certificates.url) }),
    prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** RFC 8705 §5: where clients authenticate, or use a token, at the host that asks for a certificate. */
function aliasesAt(origin: string): Record<string, string> {
  return {
    token_endpoint: origin + endpoints.token,
    pushed_authorization_request_endpoint: origin + endpoints.pushedRequest,
    device_authorization_endpoint: origin + endpoints.deviceAuthorization,
    introspection_endpoint: origin + endpoints.introspection,
    revocation_endpoint: origin + endpoints.revocation,
    userinfo_endpoint: origin + endpoints.userinfo,
  };
}
