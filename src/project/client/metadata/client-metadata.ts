import { CERTIFICATE_NAME_KINDS, certificateNameProblem } from '../../../foundation/crypto/certificate-names.js';
import type { JsonObject } from '../../../foundation/outbound/outbound-client.js';
import { type JsonWebKeySet, keySetViolations } from '../assertion-settings.js';
import { lacksCertificate } from '../certificate-settings.js';
import type { ClientAuthMethod, ClientGrantType, ClientType } from '../client.entity.js';
import type { MetadataSettings } from '../client-settings.js';
import { redirectUriProblem } from '../redirect-uri.js';
import { MOST_REQUEST_URIS, requestUriProblem } from '../request-uri.js';
import { type ClientAbout, readableName } from './client-about.js';
import { MetadataRefused } from './metadata.errors.js';

/** The settings for which applications that describe themselves may ask. */
export interface MetadataRules {
  readonly authMethods: readonly ClientAuthMethod[];
  readonly grantTypes: readonly ClientGrantType[];
  /** The algorithms with which ID tokens are signed. */
  readonly idTokenAlgorithms: readonly string[];
  /** The algorithm that signs userinfo responses: that of its ID tokens. */
  readonly userinfoAlgorithm: string;
  /** Whether request objects are fetched from addresses that it registers. */
  readonly takesRequestUris: boolean;
  /** Whether loopback redirect URIs make it a native application, with any port (RFC 8252 §7.3). */
  readonly loopbackIsNative: boolean;
  /** The name if none is given. */
  readonly defaultName: string;
  /** The only hosts that redirect URIs may name; none for any. */
  readonly redirectHosts: readonly string[];
}

/** The settings that depend on the metadata. */
export type DescribedSettings = MetadataSettings & { readonly about: ClientAbout };

/** Metadata as it stands on the wire, by its grant types. */
export const GRANT_TYPE_NAMES: Readonly<Partial<Record<ClientGrantType, string>>> = {
  authorization_code: 'authorization_code',
  refresh_token: 'refresh_token',
  device_code: 'urn:ietf:params:oauth:grant-type:device_code',
};

const MAX_URIS = 100;
const WEB = { clientType: 'web', devMode: false } as const;
const NATIVE = { clientType: 'native', devMode: false } as const;
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)([:/?]|$)/;

/**
 * The settings of an application that describes itself (RFC 7591 §2, OpenID Connect Registration §2). Members that are
 * unknown, or stand for what is not offered, are left out, as the answer shows (RFC 7591 §2); what would mean something
 * else without them is refused.
 * @throws MetadataRefused
 */
export function readMetadata(metadata: JsonObject, rules: MetadataRules): DescribedSettings {
  if (metadata['software_statement'] !== undefined)
    throw new MetadataRefused(
      'invalid_software_statement',
      'software_statement',
      'is not accepted: no issuer is trusted',
    );
  refuseOthers(metadata, rules);
  const redirectUris = texts(metadata, 'redirect_uris', 'invalid_redirect_uri') ?? [];
  const clientType = readClientType(metadata, redirectUris, rules);
  if (redirectUris.length === 0)
    throw new MetadataRefused('invalid_redirect_uri', 'redirect_uris', 'must name at least one URI');
  checkUris(redirectUris, 'redirect_uris', clientType, 'invalid_redirect_uri');
  checkHosts(redirectUris, rules);
  const postLogoutRedirectUris = texts(metadata, 'post_logout_redirect_uris') ?? [];
  checkUris(postLogoutRedirectUris, 'post_logout_redirect_uris', clientType, 'invalid_client_metadata');
  return {
    clientType,
    redirectUris,
    postLogoutRedirectUris,
    responseTypes: readResponseTypes(metadata),
    grantTypes: readGrantTypes(metadata, rules),
    ...readAuthentication(metadata, rules),
    ...readDemands(metadata),
    ...readCertificateName(metadata),
    backChannelLogoutUri: readLogoutUri(metadata, rules),
    requestUris: readRequestUris(metadata, rules),
    signedUserinfo: text(metadata, 'userinfo_signed_response_alg') !== undefined,
    about: readAbout(metadata, rules.defaultName),
  };
}

/**
 * The metadata of a registered application, by the names of RFC 7591 §2, without the algorithms, which are ours to
 * choose.
 */
export function toMetadata(settings: DescribedSettings): Record<string, unknown> {
  const { about, jwks, jwksUri, postLogoutRedirectUris, backChannelLogoutUri, requestUris } = settings;
  return {
    client_name: about.name,
    application_type: settings.clientType === 'native' ? 'native' : 'web',
    redirect_uris: settings.redirectUris,
    response_types: settings.responseTypes,
    grant_types: settings.grantTypes.flatMap((grant) => GRANT_TYPE_NAMES[grant] ?? []),
    token_endpoint_auth_method: settings.authMethod,
    ...(postLogoutRedirectUris.length > 0 && { post_logout_redirect_uris: postLogoutRedirectUris }),
    ...(jwks && { jwks }),
    ...(jwksUri !== '' && { jwks_uri: jwksUri }),
    ...(settings.dpopBoundAccessTokens && { dpop_bound_access_tokens: true }),
    ...(settings.tlsBoundAccessTokens && { tls_client_certificate_bound_access_tokens: true }),
    ...(settings.tlsClientNameType !== 'unspecified' && {
      [`tls_client_auth_${settings.tlsClientNameType}`]: settings.tlsClientName,
    }),
    ...(settings.requirePushedRequests && { require_pushed_authorization_requests: true }),
    ...(settings.requireSignedRequests && { require_signed_request_object: true }),
    ...(requestUris.length > 0 && { request_uris: requestUris }),
    // The answer says that every logout token names the session, whether or not the application has asked for it.
    ...(backChannelLogoutUri !== '' && {
      backchannel_logout_uri: backChannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
    ...(about.clientUri !== undefined && { client_uri: about.clientUri }),
    ...(about.policyUri !== undefined && { policy_uri: about.policyUri }),
    ...(about.tosUri !== undefined && { tos_uri: about.tosUri }),
  };
}

/** The texts that an exported application said of itself; what could not have been registered is left out. */
export function toAbout(given: unknown, name: string): ClientAbout {
  const about = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, unknown>>;
  const isShown = (uri: unknown): boolean => typeof uri === 'string' && redirectUriProblem(uri, WEB) === undefined;
  const uris = (['clientUri', 'policyUri', 'tosUri'] as const).filter((member) => isShown(about[member]));
  return {
    name: (typeof about['name'] === 'string' ? readableName(about['name']) : undefined) ?? name,
    ...(Object.fromEntries(uris.map((member) => [member, about[member]])) as object),
  };
}

/** A loopback redirect URI, which any program on the user's machine can receive. */
export function isLoopbackUri(uri: string): boolean {
  return LOOPBACK.test(uri);
}

function refuse(member: string, problem: string): MetadataRefused {
  return new MetadataRefused('invalid_client_metadata', member, problem);
}

/** Refuses what an application would rely on and is not offered here. */
function refuseOthers(metadata: JsonObject, { idTokenAlgorithms, userinfoAlgorithm }: MetadataRules): void {
  const subjectType = text(metadata, 'subject_type');
  if (subjectType !== undefined && subjectType !== 'public') throw refuse('subject_type', 'must be public');
  if (metadata['sector_identifier_uri'] !== undefined)
    throw refuse('sector_identifier_uri', 'is not supported: subjects are public');
  const idTokenAlgorithm = text(metadata, 'id_token_signed_response_alg');
  if (idTokenAlgorithm !== undefined && !idTokenAlgorithms.includes(idTokenAlgorithm))
    throw refuse('id_token_signed_response_alg', `must be one of ${idTokenAlgorithms.join(', ')}`);
  const wanted = text(metadata, 'userinfo_signed_response_alg');
  if (wanted !== undefined && wanted !== userinfoAlgorithm)
    throw refuse('userinfo_signed_response_alg', `must be ${userinfoAlgorithm}, with which ID tokens are signed`);
  for (const member of [
    'id_token_encrypted_response_alg',
    'userinfo_encrypted_response_alg',
    'userinfo_encrypted_response_enc',
  ])
    if (metadata[member] !== undefined) throw refuse(member, 'is not supported');
  // The logo is never fetched and never shown; but a register must not contain what opens a browser to a script.
  webUri(metadata, 'logo_uri');
}

function readClientType(
  metadata: JsonObject,
  redirectUris: readonly string[],
  { loopbackIsNative }: MetadataRules,
): ClientType {
  const type = text(metadata, 'application_type') ?? 'web';
  if (type !== 'web' && type !== 'native') throw refuse('application_type', 'must be web or native');
  return type === 'native' || (loopbackIsNative && redirectUris.some(isLoopbackUri)) ? 'native' : 'web';
}

function checkUris(
  uris: readonly string[],
  member: string,
  clientType: ClientType,
  error: MetadataRefused['error'],
): void {
  const seen = new Set<string>();
  for (const uri of uris) {
    if (seen.has(uri)) throw new MetadataRefused(error, member, 'must not name a URI twice');
    seen.add(uri);
    const problem = uriProblem(uri, clientType);
    if (problem !== undefined) throw new MetadataRefused(error, member, problem);
  }
}

function checkHosts(uris: readonly string[], { redirectHosts }: MetadataRules): void {
  if (redirectHosts.length === 0) return;
  const isElsewhere = (uri: string): boolean => !/^https?:/.test(uri) || !redirectHosts.includes(new URL(uri).hostname);
  if (uris.some(isElsewhere))
    throw new MetadataRefused('invalid_redirect_uri', 'redirect_uris', `must be on ${redirectHosts.join(', ')}`);
}

/** The rules for administrators, and two more: nobody looks at what strangers register. */
function uriProblem(uri: string, clientType: ClientType): string | undefined {
  if (uri.includes('*')) return 'must not contain an asterisk: URIs are compared as they are';
  const scheme = /^[^:]*/.exec(uri)?.[0] ?? '';
  const problem = redirectUriProblem(uri, clientType === 'native' ? NATIVE : WEB);
  if (problem !== undefined || scheme === 'https' || scheme === 'http') return problem;
  // RFC 8252 §7.1: a domain of the developer in reverse, so that schemes of others are not taken by chance.
  return scheme.includes('.') ? undefined : 'must use a scheme with a dot, such as com.example.app';
}

function readResponseTypes(metadata: JsonObject): ['code'] {
  const named = texts(metadata, 'response_types') ?? ['code'];
  if (!named.includes('code')) throw refuse('response_types', 'must contain code');
  return ['code'];
}

function readGrantTypes(metadata: JsonObject, rules: MetadataRules): ClientGrantType[] {
  const named = texts(metadata, 'grant_types') ?? ['authorization_code'];
  if (!named.includes('authorization_code'))
    throw refuse('grant_types', 'must contain authorization_code, which the response type code needs');
  return rules.grantTypes.filter((grant) => named.includes(GRANT_TYPE_NAMES[grant] ?? grant));
}

function readAuthentication(
  metadata: JsonObject,
  { authMethods }: MetadataRules,
): Pick<DescribedSettings, 'authMethod' | 'jwks' | 'jwksUri'> {
  const named = text(metadata, 'token_endpoint_auth_method') ?? authMethods[0];
  const authMethod = authMethods.find((method) => method === named);
  if (authMethod === undefined) throw refuse('token_endpoint_auth_method', `must be one of ${authMethods.join(', ')}`);
  const jwks = (metadata['jwks'] ?? null) as JsonWebKeySet | null;
  const jwksUri = webUri(metadata, 'jwks_uri') ?? '';
  if (jwks !== null) {
    if (jwksUri !== '') throw refuse('jwks', 'and jwks_uri must not both be present');
    if (typeof jwks !== 'object') throw refuse('jwks', 'must be a JSON Web Key Set');
    const [violation] = keySetViolations(jwks);
    if (violation) throw refuse(violation.field, violation.description);
  }
  if (authMethod === 'private_key_jwt' && jwks === null && jwksUri === '')
    throw refuse('jwks', 'or jwks_uri is required for private_key_jwt');
  if (lacksCertificate({ authMethod, jwks, jwksUri }))
    throw refuse('jwks', 'with a certificate (x5c), or jwks_uri, is required for self_signed_tls_client_auth');
  return { authMethod, jwks, jwksUri };
}

/** The demands by which the application wants to be held: RFC 9449 §5.2, RFC 8705 §3.4, RFC 9126 §6, RFC 9101 §10.5. */
function readDemands(
  metadata: JsonObject,
): Pick<
  DescribedSettings,
  'dpopBoundAccessTokens' | 'tlsBoundAccessTokens' | 'requirePushedRequests' | 'requireSignedRequests'
> {
  const requireSignedRequests = flag(metadata, 'require_signed_request_object');
  if (requireSignedRequests && metadata['jwks'] === undefined && metadata['jwks_uri'] === undefined)
    throw refuse('jwks', 'or jwks_uri is required for require_signed_request_object');
  return {
    dpopBoundAccessTokens: flag(metadata, 'dpop_bound_access_tokens'),
    tlsBoundAccessTokens: flag(metadata, 'tls_client_certificate_bound_access_tokens'),
    requirePushedRequests: flag(metadata, 'require_pushed_authorization_requests'),
    requireSignedRequests,
  };
}

/** RFC 8705 §2.1.2: one of five members, for `tls_client_auth`. */
function readCertificateName(metadata: JsonObject): Pick<DescribedSettings, 'tlsClientNameType' | 'tlsClientName'> {
  const named = CERTIFICATE_NAME_KINDS.filter((kind) => metadata[`tls_client_auth_${kind}`] !== undefined);
  const [kind, another] = named;
  if (metadata['token_endpoint_auth_method'] !== 'tls_client_auth' || kind === undefined) {
    if (metadata['token_endpoint_auth_method'] === 'tls_client_auth')
      throw refuse('tls_client_auth_subject_dn', 'or another name of the certificate is required for tls_client_auth');
    return { tlsClientNameType: 'unspecified', tlsClientName: '' };
  }
  if (another !== undefined) throw refuse(`tls_client_auth_${another}`, 'must not be beside another name');
  const value = text(metadata, `tls_client_auth_${kind}`) ?? '';
  const problem = certificateNameProblem({ kind, value });
  if (problem !== undefined) throw refuse(`tls_client_auth_${kind}`, problem);
  return { tlsClientNameType: kind, tlsClientName: value };
}

/**
 * OpenID Connect Back-Channel Logout 1.0 §2.2. We call it, so that it must be as public and as safe as a redirect URI.
 */
function readLogoutUri(metadata: JsonObject, { redirectHosts }: MetadataRules): string {
  flag(metadata, 'backchannel_logout_session_required');
  const uri = webUri(metadata, 'backchannel_logout_uri') ?? '';
  if (uri === '') return '';
  if (!uri.startsWith('https://')) throw refuse('backchannel_logout_uri', 'must use https');
  if (redirectHosts.length > 0 && !redirectHosts.includes(new URL(uri).hostname))
    throw refuse('backchannel_logout_uri', `must be on ${redirectHosts.join(', ')}`);
  return uri;
}

/** OpenID Connect Registration §2. We fetch what is there, as with a logout URI; the objects must be signed. */
function readRequestUris(metadata: JsonObject, { takesRequestUris, redirectHosts }: MetadataRules): string[] {
  const uris = texts(metadata, 'request_uris') ?? [];
  // Request addresses that are not offered are left out of the answer, as discovery says (RFC 7591 §3.2.1).
  if (uris.length === 0 || !takesRequestUris) return [];
  if (metadata['jwks'] === undefined && metadata['jwks_uri'] === undefined)
    throw refuse('jwks', 'or jwks_uri is required for request_uris: request objects must be signed');
  if (uris.length > MOST_REQUEST_URIS) throw refuse('request_uris', `must have at most ${MOST_REQUEST_URIS} entries`);
  if (new Set(uris).size < uris.length) throw refuse('request_uris', 'must not name a URI twice');
  for (const uri of uris) {
    const problem = requestUriProblem(uri) ?? (/^https:/i.test(uri) ? undefined : 'must use https');
    if (problem !== undefined) throw refuse('request_uris', problem);
    if (redirectHosts.length > 0 && !redirectHosts.includes(new URL(uri).hostname))
      throw refuse('request_uris', `must be on ${redirectHosts.join(', ')}`);
  }
  return uris;
}

function readAbout(metadata: JsonObject, defaultName: string): ClientAbout {
  const given = text(metadata, 'client_name') ?? defaultName;
  const name = readableName(given);
  if (name === undefined) throw refuse('client_name', 'must have 1 to 100 readable characters');
  const uris = {
    clientUri: webUri(metadata, 'client_uri'),
    policyUri: webUri(metadata, 'policy_uri'),
    tosUri: webUri(metadata, 'tos_uri'),
  };
  return { name, ...(Object.fromEntries(Object.entries(uris).filter(([, uri]) => uri !== undefined)) as object) };
}

function webUri(metadata: JsonObject, member: string): string | undefined {
  const uri = text(metadata, member);
  if (uri === undefined || uri === '') return undefined;
  const problem = redirectUriProblem(uri, WEB);
  if (problem !== undefined) throw refuse(member, problem);
  return uri;
}

function text(metadata: JsonObject, member: string): string | undefined {
  const value = metadata[member] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw refuse(member, 'must be a string');
  return value;
}

function flag(metadata: JsonObject, member: string): boolean {
  const value = metadata[member] ?? false;
  if (typeof value !== 'boolean') throw refuse(member, 'must be true or false');
  return value;
}

function texts(
  metadata: JsonObject,
  member: string,
  error: MetadataRefused['error'] = 'invalid_client_metadata',
): string[] | undefined {
  const value = metadata[member] ?? undefined;
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string'))
    throw new MetadataRefused(error, member, 'must be a list of strings');
  if (value.length > MAX_URIS) throw new MetadataRefused(error, member, `must have at most ${MAX_URIS} entries`);
  return value;
}
