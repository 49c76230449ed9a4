import type { Condition } from '../../foundation/database/condition.js';
import type { Page } from '../../foundation/database/listing.js';
import type { ClientEntry } from '../../project/client/client-directory.js';
import { clientWhere } from '../../project/client/client-directory.js';
import type { ClientKey } from '../../project/client/client-key.entity.js';
import { type ClientSettings, USUAL_FLOW } from '../../project/client/client-settings.js';
import {
  apiComplianceProblems,
  type CertificateHeaders,
  type ComplianceProblem,
  complianceProblems,
  complianceText,
  type KnownGrants,
  type RequestObjectSource,
} from '../../project/client/compliance.js';
import { allowedOrigins } from '../../project/client/origin.js';
import type { LocalizedMessage } from '../event/event.dto.js';
import { toDetails } from '../kit/wire/details.dto.js';
import { toListDetails } from '../kit/wire/list.dto.js';
import { chosenHeaderType } from '../kit/wire/token-header-type.js';
import type { App, AppApiConfig, AppQuery, ListAppsResponse, UpdateApiAppConfigRequest } from './app.dto.js';
import type { AppKey, ListAppKeysResponse } from './app-key.dto.js';
import { fromAssertionSettings, toAssertionSettings } from './assertion-settings.js';
import type { UpdateOidcAppConfigRequest } from './oidc-app.dto.js';
import type { AppOidcConfig, LoginVersion } from './oidc-config.dto.js';

/** What the compliance of an application depends on besides itself. */
export interface Surroundings {
  readonly headers: CertificateHeaders;
  readonly grants: KnownGrants;
  readonly requests: RequestObjectSource;
}

export function toApp(client: ClientEntry, orgId: string, around: Surroundings): App {
  const { id, name, state, administration } = client;
  const config =
    client.kind === 'oidc' ? { oidcConfig: toOidcConfig(client, around) } : { apiConfig: toApiConfig(client, around) };
  return { id, details: toDetails(client, orgId), state, name, ...config, administration };
}

export function toAppList(page: Page<ClientEntry>, orgId: string, around: Surroundings): ListAppsResponse {
  return { details: toListDetails(page), result: page.rows.map((client) => toApp(client, orgId, around)) };
}

export function toAppConditions(queries: readonly AppQuery[]): Condition[] {
  return queries.flatMap(({ nameQuery }) => (nameQuery ? [clientWhere.name(nameQuery.method, nameQuery.name)] : []));
}

/** Departures from the standards, each with a text to show. */
export function toCompliance(
  problems: readonly ComplianceProblem[],
  client: Partial<Pick<ClientSettings, 'extensionGrants'>>,
  grants: KnownGrants,
): {
  noneCompliant: boolean;
  complianceProblems: LocalizedMessage[];
} {
  return {
    noneCompliant: problems.length > 0,
    complianceProblems: problems.map((key) => ({ key, localizedMessage: complianceText(key, client, grants) })),
  };
}

export function toAppKey(key: ClientKey, orgId: string): AppKey {
  return { id: key.id, details: toDetails(key, orgId), type: 'json', expirationDate: key.expiresAt };
}

export function toAppKeyList(page: Page<ClientKey>, orgId: string): ListAppKeysResponse {
  return { details: toListDetails(page), result: page.rows.map((key) => toAppKey(key, orgId)) };
}

type OidcSettings = Omit<ClientSettings, 'projectId' | 'kind' | 'name' | 'origin' | 'about' | Kept> &
  Partial<Pick<ClientSettings, Kept>>;
/** Unchanged if absent: clients written for another vendor's interface do not know them. */
type Kept =
  | 'accessTokenHeaderType'
  | 'strictAuthMethod'
  | 'dpopBoundAccessTokens'
  | 'securityProfile'
  | 'tlsBoundAccessTokens'
  | 'tlsClientNameType'
  | 'tlsClientName'
  | 'jwks'
  | 'jwksUri'
  | 'assertionAudience'
  | 'requireAssertionId'
  | 'requirePushedRequests'
  | 'requireSignedRequests'
  | 'extensionGrants'
  | 'requestUris'
  | 'signedUserinfo';

/**
 * What a request does not say has its zero value, as in any change; but for the flow, which is the usual one, and
 * `Kept`.
 */
export function toOidcSettings(request: Omit<UpdateOidcAppConfigRequest, 'projectId' | 'appId'>): OidcSettings {
  const { appType, authMethodType, clockSkew, loginVersion, accessTokenLifetime, idTokenLifetime, ...same } = request;
  return {
    clientType: appType,
    authMethod: authMethodType,
    ...sentStrictness(same),
    ...(same.dpopBoundAccessTokens === undefined ? {} : { dpopBoundAccessTokens: same.dpopBoundAccessTokens }),
    ...(same.securityProfile === 'unspecified' ? {} : { securityProfile: same.securityProfile }),
    ...sentCertificateSettings(same),
    ...sentWays(same),
    ...toAssertionSettings(same),
    ...(same.extensionGrants && { extensionGrants: [...same.extensionGrants.names] }),
    ...(same.requestUris && { requestUris: [...same.requestUris.uris] }),
    ...(same.signedUserinfo === undefined ? {} : { signedUserinfo: same.signedUserinfo }),
    redirectUris: same.redirectUris,
    postLogoutRedirectUris: same.postLogoutRedirectUris,
    responseTypes: same.responseTypes.length > 0 ? same.responseTypes : [...USUAL_FLOW.responseTypes],
    grantTypes: same.grantTypes.length > 0 ? same.grantTypes : [...USUAL_FLOW.grantTypes],
    accessTokenType: same.accessTokenType,
    ...chosenHeaderType(same.accessTokenHeaderType),
    accessTokenRoleAssertion: same.accessTokenRoleAssertion,
    idTokenRoleAssertion: same.idTokenRoleAssertion,
    idTokenUserinfoAssertion: same.idTokenUserinfoAssertion,
    flatRolesClaim: same.flatRolesClaim,
    devMode: same.devMode,
    consentPage: same.consentPage,
    additionalOrigins: same.additionalOrigins,
    skipNativeAppSuccessPage: same.skipNativeAppSuccessPage,
    backChannelLogoutUri: same.backChannelLogoutUri,
    clockSkewSeconds: clockSkew ?? 0,
    loginVersion: loginVersion?.loginV2 ? 'v2' : loginVersion?.loginV1 ? 'v1' : 'unspecified',
    loginBaseUri: loginVersion?.loginV2?.baseUri ?? null,
    accessTokenSeconds: accessTokenLifetime ?? null,
    idTokenSeconds: idTokenLifetime ?? null,
  };
}

export function toApiSettings(
  config: Omit<UpdateApiAppConfigRequest, 'projectId' | 'appId'>,
): Pick<ClientSettings, 'authMethod'> & Partial<Pick<ClientSettings, Kept>> {
  const { tlsClientNameType, tlsClientName } = config;
  return {
    authMethod: config.authMethodType,
    ...sentStrictness(config),
    ...sentCertificateSettings({ tlsClientNameType, tlsClientName }),
    ...toAssertionSettings(config),
  };
}

function sentStrictness({
  strictAuthMethod,
}: {
  readonly strictAuthMethod?: boolean | undefined;
}): Partial<Pick<ClientSettings, 'strictAuthMethod'>> {
  return strictAuthMethod === undefined ? {} : { strictAuthMethod };
}

function sentCertificateSettings({
  tlsBoundAccessTokens,
  tlsClientNameType,
  tlsClientName = '',
}: Pick<UpdateOidcAppConfigRequest, 'tlsBoundAccessTokens' | 'tlsClientNameType' | 'tlsClientName'>): Partial<
  Pick<ClientSettings, 'tlsBoundAccessTokens' | 'tlsClientNameType' | 'tlsClientName'>
> {
  return {
    ...(tlsBoundAccessTokens === undefined ? {} : { tlsBoundAccessTokens }),
    ...(tlsClientNameType === 'unspecified' ? {} : { tlsClientNameType, tlsClientName }),
  };
}

function sentWays({
  requirePushedRequests,
  requireSignedRequests,
}: Pick<UpdateOidcAppConfigRequest, 'requirePushedRequests' | 'requireSignedRequests'>): Partial<
  Pick<ClientSettings, 'requirePushedRequests' | 'requireSignedRequests'>
> {
  return {
    ...(requirePushedRequests === undefined ? {} : { requirePushedRequests }),
    ...(requireSignedRequests === undefined ? {} : { requireSignedRequests }),
  };
}

function toOidcConfig(client: ClientEntry, { headers, grants, requests }: Surroundings): AppOidcConfig {
  return {
    redirectUris: client.redirectUris,
    responseTypes: client.responseTypes,
    grantTypes: client.grantTypes,
    extensionGrants: { names: client.extensionGrants },
    appType: client.clientType,
    clientId: client.clientId,
    authMethodType: client.authMethod,
    strictAuthMethod: client.strictAuthMethod,
    dpopBoundAccessTokens: client.dpopBoundAccessTokens,
    securityProfile: client.securityProfile,
    tlsBoundAccessTokens: client.tlsBoundAccessTokens,
    tlsClientNameType: client.tlsClientNameType,
    tlsClientName: client.tlsClientName,
    requirePushedRequests: client.requirePushedRequests,
    requireSignedRequests: client.requireSignedRequests,
    requestUris: { uris: client.requestUris },
    signedUserinfo: client.signedUserinfo,
    ...fromAssertionSettings(client),
    postLogoutRedirectUris: client.postLogoutRedirectUris,
    version: '1.0',
    ...toCompliance(complianceProblems(client, headers, grants, requests), client, grants),
    devMode: client.devMode,
    accessTokenType: client.accessTokenType,
    accessTokenHeaderType: client.accessTokenHeaderType,
    accessTokenRoleAssertion: client.accessTokenRoleAssertion,
    idTokenRoleAssertion: client.idTokenRoleAssertion,
    idTokenUserinfoAssertion: client.idTokenUserinfoAssertion,
    clockSkew: client.clockSkewSeconds,
    additionalOrigins: client.additionalOrigins,
    allowedOrigins: allowedOrigins(client.redirectUris, client.additionalOrigins),
    skipNativeAppSuccessPage: client.skipNativeAppSuccessPage,
    backChannelLogoutUri: client.backChannelLogoutUri,
    loginVersion: toLoginVersion(client),
    consentPage: client.consentPage,
    flatRolesClaim: client.flatRolesClaim,
    accessTokenLifetime: client.accessTokenSeconds ?? undefined,
    idTokenLifetime: client.idTokenSeconds ?? undefined,
    origin: client.origin,
  };
}

function toLoginVersion({ loginVersion, loginBaseUri }: ClientEntry): LoginVersion | undefined {
  if (loginVersion === 'unspecified') return undefined;
  return loginVersion === 'v1' ? { loginV1: {} } : { loginV2: { baseUri: loginBaseUri ?? undefined } };
}

/**
 * An API application authenticates by a secret, a key or a certificate, never otherwise: `client-settings.ts` sees to
 * it.
 */
function toApiConfig(client: ClientEntry, { headers, grants }: Surroundings): AppApiConfig {
  const { authMethod } = client;
  return {
    clientId: client.clientId,
    authMethodType: authMethod === 'client_secret_post' || authMethod === 'none' ? 'client_secret_basic' : authMethod,
    strictAuthMethod: client.strictAuthMethod,
    tlsClientNameType: client.tlsClientNameType,
    tlsClientName: client.tlsClientName,
    ...toCompliance(apiComplianceProblems(client, headers), client, grants),
    ...fromAssertionSettings(client),
  };
}
