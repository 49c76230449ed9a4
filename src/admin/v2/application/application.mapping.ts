import type { Condition } from '../../../foundation/database/condition.js';
import { DomainError, invalidFields } from '../../../foundation/error/domain-error.js';
import type { ClientKind, ResponseType } from '../../../project/client/client.entity.js';
import { type ClientEntry, clientWhere } from '../../../project/client/client-directory.js';
import type { ClientSettings } from '../../../project/client/client-settings.js';
import type { AppApiConfig } from '../../app/app.dto.js';
import {
  configOf,
  type SentSettings,
  type Surroundings,
  specified,
  toApiSettings,
  toOidcSettings,
} from '../../app/app.mapping.js';
import type { AppOidcConfig } from '../../app/oidc-config.dto.js';
import type {
  ApiConfigurationV2,
  ApplicationSearchFilterV2,
  ApplicationV2,
  CreateApplicationRequestV2,
  UpdateApplicationRequestV2,
} from './application.dto.js';
import type {
  CreateOidcApplicationRequestV2,
  OidcConfigurationV2,
  UpdateOidcApplicationRequestV2,
} from './oidc-application.dto.js';

export function toApplication(client: ClientEntry, around: Surroundings): ApplicationV2 {
  const { id, creationDate, changeDate, state, name, projectId } = client;
  const config = configOf(client, around);
  return {
    ...{ applicationId: id, creationDate, changeDate, state, name, projectId },
    ...('oidcConfig' in config && config.oidcConfig
      ? { oidcConfiguration: toOidcConfiguration(config.oidcConfig) }
      : {}),
    ...('apiConfig' in config && config.apiConfig ? { apiConfiguration: toApiConfiguration(config.apiConfig) } : {}),
    ...('extension' in config ? { extension: config.extension } : {}),
  };
}

function toOidcConfiguration({ appType, devMode, noneCompliant, ...same }: AppOidcConfig): OidcConfigurationV2 {
  return { ...same, applicationType: appType, developmentMode: devMode, nonCompliant: noneCompliant };
}

function toApiConfiguration({ noneCompliant: _, complianceProblems: __, ...same }: AppApiConfig): ApiConfigurationV2 {
  return same;
}

/** @throws DomainError InvalidArgument if the request says of no kind of application that is made here how it is */
export function toNewSettings(request: CreateApplicationRequestV2): SentSettings & { readonly kind: ClientKind } {
  refuseSaml(request);
  if (request.oidcConfiguration) return { ...toNewOidcSettings(request.oidcConfiguration), kind: 'oidc' };
  if (request.apiConfiguration) return { ...toApiSettings(request.apiConfiguration), kind: 'api' };
  throw invalidFields([{ field: 'oidcConfiguration', description: 'must be sent, or else apiConfiguration' }]);
}

function toNewOidcSettings(config: CreateOidcApplicationRequestV2): SentSettings {
  return {
    ...toOidcSettings({
      ...config,
      appType: config.applicationType,
      devMode: config.developmentMode,
      responseTypes: known(config.responseTypes),
      consentPage: config.consentPage ?? false,
      flatRolesClaim: config.flatRolesClaim ?? false,
    }),
    accessTokenSeconds: lifetime(config.accessTokenLifetime ?? 0),
    idTokenSeconds: lifetime(config.idTokenLifetime ?? 0),
  };
}

/**
 * What the request says of the settings, and of which kind of application.
 * @throws DomainError InvalidArgument
 */
export function toChanges(request: UpdateApplicationRequestV2): {
  readonly kind: ClientKind | undefined;
  readonly settings: Partial<ClientSettings>;
} {
  refuseSaml(request);
  const { name, oidcConfiguration, apiConfiguration } = request;
  return {
    kind: oidcConfiguration ? 'oidc' : apiConfiguration ? 'api' : undefined,
    settings: {
      ...(name === '' ? {} : { name }),
      ...(oidcConfiguration ? toOidcChanges(oidcConfiguration) : {}),
      ...(apiConfiguration ? toApiSettings(apiConfiguration) : {}),
    },
  };
}

function toOidcChanges(config: UpdateOidcApplicationRequestV2): Partial<ClientSettings> {
  const { loginVersion } = config;
  return {
    ...specified({
      ...config,
      redirectUris: filled(config.redirectUris),
      responseTypes: filled(known(config.responseTypes)),
      grantTypes: filled(config.grantTypes),
      postLogoutRedirectUris: filled(config.postLogoutRedirectUris),
      additionalOrigins: filled(config.additionalOrigins),
      extensionGrants: config.extensionGrants?.names,
      requestUris: config.requestUris?.uris,
      clientType: config.applicationType,
      authMethod: config.authMethodType,
      devMode: config.developmentMode,
      clockSkewSeconds: config.clockSkew,
      accessTokenSeconds: lifetime(config.accessTokenLifetime),
      idTokenSeconds: lifetime(config.idTokenLifetime),
      loginVersion: undefined,
    }),
    ...(loginVersion?.loginV1 ? { loginVersion: 'v1', loginBaseUri: null } : {}),
    ...(loginVersion?.loginV2 ? { loginVersion: 'v2', loginBaseUri: loginVersion.loginV2.baseUri ?? null } : {}),
  };
}

/** Zero stands for the lifetime of the instance. */
function lifetime<Sent extends number | undefined>(seconds: Sent): Sent | null {
  return seconds === 0 ? null : seconds;
}

function filled<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** The field refuses what is unspecified. */
function known(types: ReadonlyArray<ResponseType | 'unspecified'>): ResponseType[] {
  return types.filter((type) => type !== 'unspecified');
}

function refuseSaml({ samlConfiguration }: Pick<CreateApplicationRequestV2, 'samlConfiguration'>): void {
  if (samlConfiguration === undefined) return;
  const description =
    'is not taken here: SAML applications are added and changed by the operations of the package gatehouse-saml';
  throw invalidFields([{ field: 'samlConfiguration', description }]);
}

/** Has refusals name the fields as they stand in the request, below the configuration. */
export async function fieldsBelow<Result>(
  { oidcConfiguration, apiConfiguration }: { readonly oidcConfiguration?: object; readonly apiConfiguration?: object },
  work: () => Promise<Result>,
): Promise<Result> {
  const part = oidcConfiguration ? 'oidcConfiguration' : apiConfiguration ? 'apiConfiguration' : undefined;
  try {
    return await work();
  } catch (error) {
    if (part === undefined || !(error instanceof DomainError) || error.violations.length === 0) throw error;
    throw invalidFields(
      error.violations.map(({ field, description }) => ({
        field: field === 'name' || field === 'applicationId' ? field : `${part}.${field}`,
        description,
      })),
    );
  }
}

export function toApplicationConditions(filters: readonly ApplicationSearchFilterV2[]): Condition[] {
  return filters.flatMap(({ projectIdFilter, nameFilter, stateFilter, typeFilter, clientIdFilter }) => [
    ...(projectIdFilter ? [clientWhere.ofProject(projectIdFilter.projectId)] : []),
    ...(nameFilter ? [clientWhere.name(nameFilter.method, nameFilter.name)] : []),
    ...(stateFilter && stateFilter !== 'unspecified' ? [clientWhere.state(stateFilter)] : []),
    ...(typeFilter && typeFilter !== 'unspecified' ? [clientWhere.kind(typeFilter)] : []),
    ...(clientIdFilter ? [clientWhere.clientId(clientIdFilter.clientId)] : []),
  ]);
}
