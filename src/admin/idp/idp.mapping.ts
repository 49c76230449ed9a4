import { Secret } from '../../foundation/config/secret.js';
import type { JsonObject } from '../../foundation/outbound/outbound-client.js';
import { isExtType } from '../../idp/idp.entity.js';
import type { OidcOptions } from '../../idp/idp-rules.js';
import type { FoundIdp, IdpFilter } from '../../idp/idp-search.js';
import type { CommonSettings, NewExtIdp, NewJwtIdp, NewOidcIdp } from '../../idp/new-idp.js';
import { toDetails } from '../kit/wire/details.dto.js';
import type { AddJwtIdpRequest, AddOidcIdpRequest, IdpDto, OrgIdpQuery } from './idp.dto.js';
import type { AddExtensionProviderRequest } from './provider.dto.js';
import { toOptions } from './provider-options.dto.js';

type WithOptions = Pick<CommonSettings, 'options'>;

/** Field by field, so that no other property is passed on. */
export function toNewOidcIdp(request: AddOidcIdpRequest & WithOptions & { settings?: OidcOptions }): NewOidcIdp {
  const {
    name,
    stylingType,
    autoRegister,
    options,
    clientId,
    clientSecret,
    issuer,
    scopes,
    displayNameMapping,
    usernameMapping,
    settings,
  } = request;
  return {
    name,
    stylingType,
    autoRegister,
    options,
    clientId,
    clientSecret: new Secret(clientSecret),
    issuer,
    scopes,
    displayNameMapping,
    usernameMapping,
    ...(settings && Object.keys(settings).length > 0 ? { settings } : {}),
  };
}

export function toNewJwtIdp(request: AddJwtIdpRequest & WithOptions): NewJwtIdp {
  const { name, stylingType, autoRegister, options, jwtEndpoint, issuer, keysEndpoint, headerName } = request;
  return { name, stylingType, autoRegister, options, jwtEndpoint, issuer, keysEndpoint, headerName };
}

export type NewExtensionProvider = Omit<AddExtensionProviderRequest, 'providerOptions' | 'offerUntested'> & {
  readonly autoRegister: boolean;
} & WithOptions;

export function toNewExtIdp(request: NewExtensionProvider): NewExtIdp {
  const { name, stylingType, autoRegister, options, kind, clientId, clientSecret } = request;
  const { settings = {}, displayNameMapping, usernameMapping } = request;
  return {
    name,
    stylingType,
    autoRegister,
    options,
    kind,
    clientId,
    clientSecret: new Secret(clientSecret),
    settings,
    displayNameMapping,
    usernameMapping,
  };
}

/** `isAvailable`: the extension with its kind is loaded. */
export function toIdp(idp: FoundIdp, instanceId: string, isAvailable: boolean): IdpDto {
  const { id, ownerId, state, name, stylingType, autoRegister, type } = idp;
  return {
    id,
    details: toDetails(idp, ownerId),
    state,
    name,
    stylingType,
    autoRegister,
    providerOptions: toOptions(idp),
    owner: ownerId === instanceId ? 'instance' : 'org',
    ...(isExtType(type)
      ? { extensionConfig: toExtensionConfig(idp, isAvailable) }
      : type === 'oidc'
        ? { oidcConfig: toOidcConfig(idp) }
        : { jwtConfig: toJwtConfig(idp) }),
  };
}

export function toFilter(
  { idpIdQuery, idpNameQuery, ownerTypeQuery }: OrgIdpQuery,
  ownerIds: { instance: string; org: string },
): IdpFilter {
  const ownerType = ownerTypeQuery?.ownerType ?? 'unspecified';
  return {
    ...(idpIdQuery ? { id: idpIdQuery.id } : {}),
    ...(idpNameQuery ? { name: { text: idpNameQuery.name, how: idpNameQuery.method } } : {}),
    ...(ownerType === 'unspecified' ? {} : { ownerId: ownerIds[ownerType] }),
  };
}

function toOidcConfig({
  clientId,
  issuer,
  scopes,
  displayNameMapping,
  usernameMapping,
}: FoundIdp): NonNullable<IdpDto['oidcConfig']> {
  return { clientId, issuer, scopes, displayNameMapping, usernameMapping };
}

function toJwtConfig({ jwtEndpoint, issuer, keysEndpoint, headerName }: FoundIdp): NonNullable<IdpDto['jwtConfig']> {
  return { jwtEndpoint, issuer, keysEndpoint, headerName };
}

export function toExtensionConfig(
  { type, clientId, settings, displayNameMapping, usernameMapping }: FoundIdp,
  isAvailable: boolean,
): NonNullable<IdpDto['extensionConfig']> {
  return { kind: type, clientId, settings: settings as JsonObject, displayNameMapping, usernameMapping, isAvailable };
}
