import type { Condition } from '../../foundation/database/condition.js';
import type { Page } from '../../foundation/database/listing.js';
import type { JsonWebKeySet } from '../../project/client/assertion-settings.js';
import type { ClientEntry } from '../../project/client/client-directory.js';
import { clientWhere } from '../../project/client/client-directory.js';
import type { ClientKey } from '../../project/client/client-key.entity.js';
import {
  type ClientSettings,
  type Configured,
  SETTING_NAMES,
  settingsOf,
  USUAL_FLOW,
} from '../../project/client/client-settings.js';
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
import type { App, AppApiConfig, AppQuery, ListAppsResponse, UpdateApiAppConfigRequest } from './app.dto.js';
import type { AppKey, ListAppKeysResponse } from './app-key.dto.js';
import type { SentApiSettings } from './assertion-settings.dto.js';
import type { AddOidcAppRequest, UpdateOidcAppConfigRequest } from './oidc-app.dto.js';
import type { AppOidcConfig, LoginVersion } from './oidc-config.dto.js';

/** The facts besides an application on which its compliance depends. */
export interface Surroundings {
  readonly headers: CertificateHeaders;
  readonly grants: KnownGrants;
  readonly requests: RequestObjectSource;
}

export function toApp(client: ClientEntry, orgId: string, around: Surroundings): App {
  const { id, name, state, administration } = client;
  return { id, details: toDetails(client, orgId), state, name, ...configOf(client, around), administration };
}

/** What an application is configured with; that of one which an extension answers is with the extension. */
export function configOf(
  client: ClientEntry,
  around: Surroundings,
): Pick<App, 'oidcConfig'> | Pick<App, 'apiConfig'> | Pick<App, 'extension'> {
  switch (client.kind) {
    case 'oidc':
      return { oidcConfig: toOidcConfig(client, around) };
    case 'api':
      return { apiConfig: toApiConfig(client, around) };
    default:
      return { extension: client.kind.slice('ext:'.length) };
  }
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

/** Settings in requests about an application that signs users in; a request that lacks a setting does not compile. */
type SentConfig = Pick<AddOidcAppRequest, Configured> | Pick<UpdateOidcAppConfigRequest, Configured>;
export type SentSettings = Partial<ClientSettings> & Pick<ClientSettings, 'authMethod'>;

/**
 * The settings of a request: those that it lacks have their zero value, as in any change; but for the flow, which is
 * the usual one, and for what has no zero value (`specified`).
 */
export function toOidcSettings(config: SentConfig): SentSettings {
  const { appType, authMethodType, clockSkew, loginVersion, accessTokenLifetime, idTokenLifetime, ...same } = config;
  const { responseTypes, grantTypes, extensionGrants, requestUris, ...others } = same;
  return {
    ...specified(others),
    clientType: appType,
    authMethod: authMethodType,
    responseTypes: responseTypes.length > 0 ? responseTypes : USUAL_FLOW.responseTypes,
    grantTypes: grantTypes.length > 0 ? grantTypes : USUAL_FLOW.grantTypes,
    ...(extensionGrants && { extensionGrants: extensionGrants.names }),
    ...(requestUris && { requestUris: requestUris.uris }),
    clockSkewSeconds: clockSkew ?? 0,
    loginVersion: loginVersion?.loginV2 ? 'v2' : loginVersion?.loginV1 ? 'v1' : 'unspecified',
    loginBaseUri: loginVersion?.loginV2?.baseUri ?? null,
    accessTokenSeconds: accessTokenLifetime ?? null,
    idTokenSeconds: idTokenLifetime ?? null,
  };
}

export function toApiSettings({
  authMethodType,
  ...same
}: Omit<UpdateApiAppConfigRequest, 'projectId' | 'appId'>): SentSettings {
  return { ...specified(same), authMethod: authMethodType };
}

/** Enumerations of which unspecified says nothing. */
const CHOICES = ['accessTokenHeaderType', 'assertionAudience', 'securityProfile', 'tlsClientNameType'] as const;
type Choice = (typeof CHOICES)[number];

type SentByName = {
  readonly [Name in Exclude<keyof ClientSettings, 'jwks'>]?:
    | ClientSettings[Name]
    | (Name extends Choice ? 'unspecified' : never)
    | undefined;
} & Pick<SentApiSettings, 'jwks' | 'tlsClientNameType'>;

/**
 * The settings that a request says by their own names. What it does not say is left out, so that a new application has
 * the default and another one keeps what it has: clients written for another vendor's interface do not know them.
 */
export function specified({ jwks, tlsClientName = '', ...same }: SentByName): Partial<ClientSettings> {
  const sent: Readonly<Record<string, unknown>> = same;
  const isLeftOpen = (name: string): boolean => sent[name] === 'unspecified' && CHOICES.some((each) => each === name);
  const names = SETTING_NAMES.filter((name) => sent[name] !== undefined && !isLeftOpen(name));
  return {
    ...Object.fromEntries(names.map((name) => [name, sent[name]])),
    ...(jwks && { jwks: toKeySet(jwks) }),
    ...(same.tlsClientNameType !== 'unspecified' && { tlsClientName }),
  };
}

/** The keys of a request, which are checked with the other settings. */
function toKeySet(sent: object): JsonWebKeySet | null {
  const isEmpty =
    Object.keys(sent).length === 0 || ('keys' in sent && Array.isArray(sent.keys) && sent.keys.length === 0);
  return isEmpty ? null : (sent as JsonWebKeySet);
}

function toOidcConfig(
  client: ClientEntry,
  { headers, grants, requests }: Surroundings,
): AppOidcConfig & Pick<AppOidcConfig, Configured> {
  return {
    ...settingsOf(client),
    clientId: client.clientId,
    version: '1.0',
    ...toCompliance(complianceProblems(client, headers, grants, requests), client, grants),
    appType: client.clientType,
    authMethodType: client.authMethod,
    jwks: client.jwks ?? undefined,
    extensionGrants: { names: client.extensionGrants },
    requestUris: { uris: client.requestUris },
    clockSkew: client.clockSkewSeconds,
    allowedOrigins: allowedOrigins(client.redirectUris, client.additionalOrigins),
    loginVersion: toLoginVersion(client),
    accessTokenLifetime: client.accessTokenSeconds ?? undefined,
    idTokenLifetime: client.idTokenSeconds ?? undefined,
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
    ...settingsOf(client),
    clientId: client.clientId,
    authMethodType: authMethod === 'client_secret_post' || authMethod === 'none' ? 'client_secret_basic' : authMethod,
    jwks: client.jwks ?? undefined,
    ...toCompliance(apiComplianceProblems(client, headers), client, grants),
  };
}
