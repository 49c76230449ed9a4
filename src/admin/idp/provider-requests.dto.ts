import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Filter, Named, Part, Parts, Reserves } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import {
  ClientId,
  HeaderName,
  IdTokenMapping,
  JwtEndpoint,
  JwtIssuer,
  KeysEndpoint,
  Name,
  NewClientSecret,
  OidcIssuer,
  OidcPkce,
  Scopes,
} from './idp-fields.js';
import { IdpIdQuery, IdpNameQuery, IdpOwnerTypeQuery } from './idp-query.dto.js';
import { Provider } from './provider-config.dto.js';
import { ProviderOptions } from './provider-options.dto.js';
import { ProviderId } from './template/vendor-fields.js';

@Named('UpdateGenericOidcProviderRequest')
export class UpdateGenericOidcProviderRequest {
  @ProviderId(1, EXAMPLE.oidcProvider)
  readonly id!: string;

  @Name(2, 'Directory of Acme')
  readonly name!: string;

  @OidcIssuer(3)
  readonly issuer!: string;

  @ClientId(4)
  readonly clientId!: string;

  @NewClientSecret(5)
  readonly clientSecret!: string;

  @Scopes(6)
  readonly scopes!: string[];

  @Part(7, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;

  @IdTokenMapping(8)
  readonly isIdTokenMapping!: boolean;

  @OidcPkce(9)
  readonly usePkce!: boolean;
}

@Reserves({ 8: 'audience' })
@Named('UpdateJwtProviderRequest')
export class UpdateJwtProviderRequest {
  @ProviderId(1, EXAMPLE.jwtProvider)
  readonly id!: string;

  @Name(2, 'Proxy of Acme')
  readonly name!: string;

  @JwtIssuer(3)
  readonly issuer!: string;

  @JwtEndpoint(4)
  readonly jwtEndpoint!: string;

  @KeysEndpoint(5)
  readonly keysEndpoint!: string;

  @HeaderName(6, { optional: false })
  readonly headerName!: string;

  @Part(7, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;
}

@Named('ProviderIdRequest')
export class ProviderIdRequest {
  @ProviderId(1, EXAMPLE.oidcProvider)
  readonly id!: string;
}

@Named('GetProviderByIdResponse')
export class GetProviderByIdResponse {
  @Part(1, () => Provider)
  readonly idp!: Provider;
}

@Filter()
@Named('ProviderQuery')
export class ProviderQuery {
  @Part(1, () => IdpIdQuery, { oneof: 'query' })
  readonly idpIdQuery?: IdpIdQuery;

  @Part(2, () => IdpNameQuery, { oneof: 'query' })
  readonly idpNameQuery?: IdpNameQuery;
}

@Filter()
@Named('ProviderOfOrgQuery')
export class ProviderOfOrgQuery extends ProviderQuery {
  @Part(3, () => IdpOwnerTypeQuery, { oneof: 'query' })
  readonly ownerTypeQuery?: IdpOwnerTypeQuery;
}

@Named('ListProvidersRequest')
export class ListProvidersRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(2, () => ProviderQuery)
  readonly queries!: ProviderQuery[];
}

@Named('ListProvidersOfOrgRequest')
export class ListProvidersOfOrgRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(2, () => ProviderOfOrgQuery)
  readonly queries!: ProviderOfOrgQuery[];
}

@Named('ListProvidersResponse')
export class ListProvidersResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => Provider)
  readonly result!: readonly Provider[];
}
