import { SIGNATURE_ALGORITHMS } from '../../../foundation/crypto/verification-key.js';
import type { ClientAuthMethod, ClientGrantType, ResponseType } from '../../../project/client/client.entity.js';
import { settingsViolations } from '../../../project/client/client-settings.js';
import { originProblem } from '../../../project/client/origin.js';
import { MOST_REQUEST_URIS, requestUriProblem } from '../../../project/client/request-uri.js';
import type { Entry } from '../document.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';
import { addressesOf } from './addresses.js';
import { keysOf } from './client-keys.js';
import { attributesOf, authenticatorOf, BY_SECRET, headerTypeOf, type KnownClient } from './known-client.js';

const MAX_ORIGINS = 100;
/** Keycloak's name of private_key_jwt. */
const BY_KEY = 'client-jwt';
/** Spellings by which Keycloak's console writes that request objects are optional. */
const NOT_REQUIRED = ['', 'not required'];
const BY_KEY_PAIR = /^(RS|PS|ES|Ed)/;

/** The settings of a client that people sign in to, but for its project. */
export function oidcAppOf(client: KnownClient, usualLifespan: number, report: Report): Entry<'oidcApps'>['app'] {
  const { source, clientId, name, isPublic } = client;
  const { redirectUris, postLogoutRedirectUris, devMode, clientType } = addressesOf(source, clientId, isPublic, report);
  const attributes = attributesOf(client);
  const requireSignedRequests = mustSignRequests(client, report);
  return {
    name,
    redirectUris,
    postLogoutRedirectUris,
    additionalOrigins: originsOf(source, clientId, report),
    ...flowsOf(client),
    appType: clientType,
    authMethodType: authMethodOf(client, report),
    ...(usesKey(client) || requireSignedRequests ? keysOf(client, report) : {}),
    devMode,
    // Keycloak's tokens are signed and contain roles, and its id_tokens contain the profile.
    accessTokenType: 'jwt',
    accessTokenHeaderType: headerTypeOf(client),
    dpopBoundAccessTokens: attributes.flag('dpop.bound.access.tokens'),
    tlsBoundAccessTokens: isBoundToCertificate(client, report),
    requirePushedRequests: attributes.flag('require.pushed.authorization.requests'),
    requireSignedRequests,
    accessTokenRoleAssertion: true,
    idTokenUserinfoAssertion: true,
    consentPage: source.flag('consentRequired'),
    accessTokenLifetime: lifetimeOf(client, usualLifespan),
    backChannelLogoutUri: backChannelOf(client, report),
    requestUris: requestUrisOf(client, report),
    signedUserinfo: isUserinfoSigned(client, report),
  };
}

function flowsOf(client: KnownClient): { responseTypes: ResponseType[]; grantTypes: ClientGrantType[] } {
  const { source, isPublic } = client;
  const attributes = attributesOf(client);
  const isDevice = attributes.flag('oauth2.device.authorization.grant.enabled');
  // Keycloak ignores it for a public client as well.
  const isExchange = attributes.flag('standard.token.exchange.enabled') && !isPublic;
  const byCode = source.flag('standardFlowEnabled', true);
  const isImplicit = source.flag('implicitFlowEnabled');
  return {
    responseTypes: [
      ...(byCode ? (['code'] as const) : []),
      ...(isImplicit ? (['id_token', 'id_token token'] as const) : []),
    ],
    grantTypes: [
      ...(byCode ? (['authorization_code'] as const) : []),
      ...(byCode || isDevice ? (['refresh_token'] as const) : []),
      ...(isDevice ? (['device_code'] as const) : []),
      ...(isExchange ? (['token_exchange'] as const) : []),
      ...(isImplicit ? (['implicit'] as const) : []),
    ],
  };
}

/** The lifetime in seconds; undefined for that of the instance. */
function lifetimeOf(client: KnownClient, usualLifespan: number): number | undefined {
  const lifespan = attributesOf(client).number('access.token.lifespan') ?? usualLifespan;
  return lifespan > 0 ? Math.floor(lifespan) : undefined;
}

function originsOf(source: SourceObject, clientId: string, report: Report): string[] {
  const origins = source
    .texts('webOrigins')
    .filter((origin) => origin !== '+' && origin !== '')
    .filter((origin) => {
      const isOrigin = originProblem(origin) === undefined;
      if (!isOrigin) report.note('Web origins that are not valid: left out', `${clientId} ${origin}`);
      return isOrigin;
    });
  return [...new Set(origins)].slice(0, MAX_ORIGINS);
}

function backChannelOf(client: KnownClient, report: Report): string | undefined {
  const backChannelLogoutUri = attributesOf(client).text('backchannel.logout.url');
  if (backChannelLogoutUri === '') return undefined;
  const violations = settingsViolations({
    projectId: '',
    kind: 'oidc',
    name: 'x',
    authMethod: 'none',
    backChannelLogoutUri,
  });
  if (violations.length === 0) return backChannelLogoutUri;
  report.note('Back-channel logout URIs that are not valid: left out', `${client.clientId} ${backChannelLogoutUri}`);
  return undefined;
}

/**
 * Keycloak separates them by two number signs. Those with an asterisk are patterns, and what is fetched here is
 * compared exactly.
 */
function requestUrisOf(client: KnownClient, report: Report): string[] {
  const uris = attributesOf(client)
    .text('request.uris')
    .split('##')
    .filter((uri) => {
      const isUsable = uri === '' || (!uri.includes('*') && requestUriProblem(uri) === undefined);
      if (!isUsable) report.note('Request URIs that cannot be used here: left out', `${client.clientId} ${uri}`);
      return isUsable && uri !== '';
    });
  return [...new Set(uris)].slice(0, MOST_REQUEST_URIS);
}

/**
 * Keycloak also accepts request objects without a signature, or with one by the secret, unless the client names an
 * algorithm.
 */
function mustSignRequests(client: KnownClient, report: Report): boolean {
  const attributes = attributesOf(client);
  if (NOT_REQUIRED.includes(attributes.text('request.object.required'))) return false;
  const algorithm = attributes.text('request.object.signature.alg');
  if (SIGNATURE_ALGORITHMS.includes(algorithm)) return true;
  // Required signatures are dropped, since all requests of this client would be refused here.
  if (BY_KEY_PAIR.test(algorithm))
    report.lose(
      `Clients that must sign request objects with an algorithm that is not accepted here: may send plain requests; sign with one of ${SIGNATURE_ALGORITHMS.join(', ')}, and require signed requests`,
      `${client.clientId} ${algorithm}`,
    );
  else
    report.note(
      'Clients that must send request objects, without a key to sign them: may send plain requests here',
      `${client.clientId} ${algorithm}`.trim(),
    );
  return false;
}

function isBoundToCertificate(client: KnownClient, report: Report): boolean {
  const isBound = attributesOf(client).flag('tls.client.certificate.bound.access.tokens');
  if (isBound)
    report.note('Clients whose tokens are bound to certificates: CLIENT_CERT_HEADER must be set', client.clientId);
  return isBound;
}

function isUserinfoSigned(client: KnownClient, report: Report): boolean {
  const algorithm = attributesOf(client).text('user.info.response.signature.alg');
  if (algorithm === '' || algorithm === 'unsigned' || algorithm === 'none') return false;
  report.note('Clients with signed userinfo: here it is signed as ID tokens are', `${client.clientId} ${algorithm}`);
  return true;
}

function usesKey({ source, isPublic }: KnownClient): boolean {
  return !isPublic && authenticatorOf(source) === BY_KEY;
}

function authMethodOf({ source, clientId, isPublic }: KnownClient, report: Report): ClientAuthMethod {
  if (isPublic) return 'none';
  const method = authenticatorOf(source);
  if (method === BY_KEY) return 'private_key_jwt';
  if (method !== BY_SECRET)
    report.lose(`Clients that authenticate with ${method}: use a secret here; generate one`, clientId);
  return 'client_secret_basic';
}
