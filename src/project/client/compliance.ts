import { usesCertificate } from './certificate-settings.js';
import type { ClientRow } from './client.entity.js';
import type { ExtGrants } from './ext-grants.js';

/**
 * Settings of an application that deviate from the standards' advice, or that cannot work here; the rest of it works
 * nevertheless.
 */
export type ComplianceProblem = keyof typeof COMPLIANCE_TEXTS;

/**
 * The keys are those that consoles know, but for `TokenExchange`, `BoundTokens`, `BackChannelLogoutUri`,
 * `RequestObject`, `RequestUri`, `Assertion` and `Certificate`, which are about this service.
 */
export const COMPLIANCE_TEXTS = {
  'Application.OIDC.V1.NotCompliant':
    'The configuration deviates from OpenID Connect 1.0 or the OAuth 2.0 security best current practice (RFC 9700).',
  'Application.OIDC.V1.NoRedirectUris': 'At least one redirect URI is required: without it, users cannot sign in.',
  'Application.OIDC.V1.NotAllCombinationsAreAllowed':
    'Some combinations of grant types and redirect URIs will not work together.',
  'Application.OIDC.V1.GrantType.Refresh.NoAuthCode':
    'The grant type refresh token requires the grant type authorization code or device code.',
  'Application.OIDC.V1.GrantType.TokenExchange.NotConfidential':
    'The grant type token exchange is refused to an application that does not authenticate, or whose users consent on a page.',
  'Application.OIDC.V1.GrantType.Extension.NotLoaded':
    'No extension that is loaded has these grants, so that they are refused:',
  'Application.OIDC.V1.BoundTokens.ImplicitAccessToken':
    'Access tokens must be bound to a key or a certificate, which the implicit flow cannot do: the response type id_token token is refused.',
  'Application.OIDC.V1.Code.RedirectUris.HttpOnlyForWeb':
    'With authorization code, http redirect URIs are only for web applications.',
  'Application.OIDC.V1.Code.RedirectUris.CustomOnlyForNative':
    'With authorization code, custom schemes are only for native applications.',
  'Application.OIDC.V1.Implicit.RedirectUris.CustomNotAllowed':
    'With the implicit flow, custom schemes are not allowed.',
  'Application.OIDC.V1.Implicit.RedirectUris.HttpNotAllowed':
    'With the implicit flow, http redirect URIs are not allowed.',
  'Application.OIDC.V1.Native.RedirectUris.MustBeHttpLocalhost':
    'http redirect URIs of native applications must be loopback addresses: 127.0.0.1, [::1] or localhost.',
  'Application.OIDC.V1.BackChannelLogoutUri.NotHttps':
    'The back-channel logout URI uses http: it is called during development on this machine only.',
  'Application.OIDC.V1.RequestObject.NoKey':
    'Requests must be signed, but the application has no key: users cannot sign in.',
  'Application.OIDC.V1.RequestUri.NotFetched':
    'The application has request URIs, but this service fetches none: REQUEST_URI is not set, so a request that names one is refused.',
  'Application.OIDC.V1.Assertion.AudienceAny':
    'Assertions may name more than the issuer as their audience, so that another server which they name could use them here: ASSERTION_AUDIENCE_ISSUER_ONLY excludes that, if the client library allows it.',
  'Application.OIDC.V1.Certificate.NotRead':
    'The application needs a certificate, but this service reads none: CLIENT_CERT_HEADER is not set, so its requests are refused.',
  'Application.OIDC.V1.Certificate.NotVerified':
    'The certificate of the application must be verified, but CLIENT_CERT_VERIFY_HEADER is not set: it cannot authenticate.',
  'Application.OIDC.V1.Native.AuthMethodType.NotNone':
    'A native application cannot keep a secret: its authentication method should be none, with PKCE.',
  'Application.OIDC.V1.UserAgent.AuthMethodType.NotNone':
    'An application in a browser cannot keep a secret: its authentication method should be none, with PKCE.',
} as const;

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

type JudgedSettings = Pick<
  ClientRow,
  'clientType' | 'authMethod' | 'grantTypes' | 'redirectUris' | 'responseTypes' | 'backChannelLogoutUri'
> &
  Partial<
    Pick<
      ClientRow,
      | 'extensionGrants'
      | 'dpopBoundAccessTokens'
      | 'tlsBoundAccessTokens'
      | 'consentPage'
      | 'assertionAudience'
      | 'securityProfile'
      | 'requireSignedRequests'
      | 'requestUris'
      | 'jwks'
      | 'jwksUri'
    >
  >;

/** The words of proxies for certificates of clients, as in `HttpConfig`; undefined if they have none. */
export interface CertificateHeaders {
  readonly certificateHeader: string | undefined;
  readonly certificateVerdictHeader: string | undefined;
}

/** Whether request objects are fetched at all: as in `IssuerConfig`. */
export interface RequestObjectSource {
  readonly fetchesRequestObjects: boolean;
}

/** The grants of extensions that are loaded. */
export type KnownGrants = Pick<ExtGrants, 'lacking'>;

/** The compliance as administrators see it. The names of grants are those of the application. */
export function complianceText(
  problem: ComplianceProblem,
  { extensionGrants = [] }: Pick<JudgedSettings, 'extensionGrants'>,
  grants: KnownGrants,
): string {
  const text = COMPLIANCE_TEXTS[problem];
  return problem === 'Application.OIDC.V1.GrantType.Extension.NotLoaded'
    ? `${text} ${grants.lacking(extensionGrants).join(', ')}.`
    : text;
}

/** Every problem, the general one first; empty for a compliant application. */
export function complianceProblems(
  client: JudgedSettings,
  headers: CertificateHeaders,
  grants: KnownGrants,
  requests: RequestObjectSource,
): ComplianceProblem[] {
  const problems = [
    ...grantProblems(client, grants),
    ...tokenProblems(client),
    ...redirectProblems(client),
    ...logoutProblems(client),
    ...signingProblems(client),
    ...requestUriProblems(client, requests),
    ...assertionProblems(client),
    ...certificateProblems(client, headers),
    ...authMethodProblems(client),
  ];
  return problems.length === 0 ? [] : ['Application.OIDC.V1.NotCompliant', ...problems];
}

function grantProblems(
  { grantTypes, extensionGrants = [], authMethod, consentPage }: JudgedSettings,
  grants: KnownGrants,
): ComplianceProblem[] {
  const problems: ComplianceProblem[] = [];
  const startsFamilies =
    grantTypes.includes('authorization_code') || grantTypes.includes('device_code') || extensionGrants.length > 0;
  if (grantTypes.includes('refresh_token') && !startsFamilies)
    problems.push('Application.OIDC.V1.GrantType.Refresh.NoAuthCode');
  if (grantTypes.includes('token_exchange') && (authMethod === 'none' || consentPage === true))
    problems.push('Application.OIDC.V1.GrantType.TokenExchange.NotConfidential');
  if (grants.lacking(extensionGrants).length > 0) problems.push('Application.OIDC.V1.GrantType.Extension.NotLoaded');
  return problems;
}

function tokenProblems({
  dpopBoundAccessTokens = false,
  tlsBoundAccessTokens = false,
  responseTypes,
}: JudgedSettings): ComplianceProblem[] {
  const isRefused = (dpopBoundAccessTokens || tlsBoundAccessTokens) && responseTypes.includes('id_token token');
  return isRefused ? ['Application.OIDC.V1.BoundTokens.ImplicitAccessToken'] : [];
}

function redirectProblems({
  clientType,
  grantTypes,
  extensionGrants = [],
  redirectUris,
}: Pick<JudgedSettings, 'clientType' | 'grantTypes' | 'extensionGrants' | 'redirectUris'>): ComplianceProblem[] {
  const code = grantTypes.includes('authorization_code');
  const implicit = grantTypes.includes('implicit');
  if (redirectUris.length === 0)
    return code || (!grantTypes.includes('device_code') && extensionGrants.length === 0)
      ? ['Application.OIDC.V1.NoRedirectUris']
      : [];
  const hasHttp = redirectUris.some((uri) => uri.startsWith('http:'));
  const hasCustom = redirectUris.some((uri) => !/^https?:/.test(uri));
  if (!hasHttp && !hasCustom) return [];
  const problems: ComplianceProblem[] = [];
  const native = clientType === 'native';
  if (implicit && hasCustom && !(code && native))
    problems.push('Application.OIDC.V1.Implicit.RedirectUris.CustomNotAllowed');
  if (code && !implicit && hasCustom && !native)
    problems.push('Application.OIDC.V1.Code.RedirectUris.CustomOnlyForNative');
  const leavesMachine = !redirectUris.every(staysOnMachine);
  if (leavesMachine && native) problems.push('Application.OIDC.V1.Native.RedirectUris.MustBeHttpLocalhost');
  if (leavesMachine && code && clientType === 'user_agent')
    problems.push('Application.OIDC.V1.Code.RedirectUris.HttpOnlyForWeb');
  if (hasHttp && implicit && !code && !native)
    problems.push('Application.OIDC.V1.Implicit.RedirectUris.HttpNotAllowed');
  if (code && implicit && problems.length === 0) problems.push('Application.OIDC.V1.NotAllCombinationsAreAllowed');
  return problems;
}

function logoutProblems({ backChannelLogoutUri }: Pick<ClientRow, 'backChannelLogoutUri'>): ComplianceProblem[] {
  return backChannelLogoutUri.startsWith('http:') ? ['Application.OIDC.V1.BackChannelLogoutUri.NotHttps'] : [];
}

/** With `private_key_jwt`, keys may also have been added one by one. */
function signingProblems({
  requireSignedRequests = false,
  authMethod,
  jwks,
  jwksUri,
}: JudgedSettings): ComplianceProblem[] {
  const mayHaveKey = authMethod === 'private_key_jwt' || Boolean(jwks) || Boolean(jwksUri);
  return requireSignedRequests && !mayHaveKey ? ['Application.OIDC.V1.RequestObject.NoKey'] : [];
}

function requestUriProblems(
  { requestUris = [] }: Pick<JudgedSettings, 'requestUris'>,
  { fetchesRequestObjects }: RequestObjectSource,
): ComplianceProblem[] {
  return requestUris.length > 0 && !fetchesRequestObjects ? ['Application.OIDC.V1.RequestUri.NotFetched'] : [];
}

/**
 * CVE-2025-27370: the audience of an assertion can be injected. FAPI 2.0 demands the issuer alone, whatever the setting
 * says.
 */
function assertionProblems({
  authMethod,
  assertionAudience,
  securityProfile = 'none',
}: Pick<JudgedSettings, 'authMethod' | 'assertionAudience' | 'securityProfile'>): ComplianceProblem[] {
  const takesAny = authMethod === 'private_key_jwt' && assertionAudience === 'any' && securityProfile === 'none';
  return takesAny ? ['Application.OIDC.V1.Assertion.AudienceAny'] : [];
}

/** The problems that keep an application which signs nobody in from authenticating. */
export function apiComplianceProblems(
  settings: Pick<ClientRow, 'authMethod'>,
  headers: CertificateHeaders,
): ComplianceProblem[] {
  return certificateProblems(settings, headers);
}

function certificateProblems(
  { authMethod, tlsBoundAccessTokens = false }: Pick<JudgedSettings, 'authMethod' | 'tlsBoundAccessTokens'>,
  { certificateHeader, certificateVerdictHeader }: CertificateHeaders,
): ComplianceProblem[] {
  if (!tlsBoundAccessTokens && !usesCertificate(authMethod)) return [];
  if (certificateHeader === undefined) return ['Application.OIDC.V1.Certificate.NotRead'];
  const isVerified = authMethod !== 'tls_client_auth' || certificateVerdictHeader !== undefined;
  return isVerified ? [] : ['Application.OIDC.V1.Certificate.NotVerified'];
}

function staysOnMachine(uri: string): boolean {
  return !uri.startsWith('http:') || (URL.canParse(uri) && LOOPBACK_HOST.test(new URL(uri).hostname));
}

function authMethodProblems({
  clientType,
  authMethod,
}: Pick<ClientRow, 'clientType' | 'authMethod'>): ComplianceProblem[] {
  if (authMethod === 'none') return [];
  if (clientType === 'native') return ['Application.OIDC.V1.Native.AuthMethodType.NotNone'];
  return clientType === 'user_agent' ? ['Application.OIDC.V1.UserAgent.AuthMethodType.NotNone'] : [];
}
