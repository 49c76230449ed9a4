import { Secret } from '../../foundation/crypto/secret.js';
import type { NewJwtIdp, NewOidcIdp } from '../../idp/idp.service.js';
import type { FoundIdp, IdpFilter } from '../../idp/idp-search.js';
import { toDetails } from '../wire/details.dto.js';
import type { AddJwtIdpRequest, AddOidcIdpRequest, IdpDto, OrgIdpQuery } from './idp.dto.js';

/** Field by field, so that no other property is passed on. */
export function toNewOidcIdp(request: AddOidcIdpRequest): NewOidcIdp {
  const {
    name,
    stylingType,
    autoRegister,
    clientId,
    clientSecret,
    issuer,
    scopes,
    displayNameMapping,
    usernameMapping,
  } = request;
  return {
    name,
    stylingType,
    autoRegister,
    clientId,
    clientSecret: new Secret(clientSecret),
    issuer,
    scopes,
    displayNameMapping,
    usernameMapping,
  };
}

export function toNewJwtIdp(request: AddJwtIdpRequest): NewJwtIdp {
  const { name, stylingType, autoRegister, jwtEndpoint, issuer, keysEndpoint, headerName } = request;
  return { name, stylingType, autoRegister, jwtEndpoint, issuer, keysEndpoint, headerName };
}

export function toIdp(idp: FoundIdp, instanceId: string): IdpDto {
  const { id, ownerId, state, name, stylingType, autoRegister, type } = idp;
  return {
    id,
    details: toDetails(idp, ownerId),
    state,
    name,
    stylingType,
    autoRegister,
    owner: ownerId === instanceId ? 'instance' : 'org',
    ...(type === 'oidc' ? { oidcConfig: toOidcConfig(idp) } : { jwtConfig: toJwtConfig(idp) }),
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
