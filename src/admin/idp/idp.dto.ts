import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { IDP_OWNER_TYPE, IDP_STATE, IDP_STYLING_TYPE, OIDC_MAPPING_FIELD } from '../../idp/idp.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Filter, Named, Part, Parts, Reserves, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import { IdpExtensionConfig } from './extension-idp.dto.js';
import {
  AddedIdpId,
  AutoRegister,
  CallbackUrl,
  ClientId,
  DisplayNameMapping,
  HeaderName,
  IdpId,
  JwtEndpoint,
  JwtIssuer,
  KeysEndpoint,
  Name,
  NewClientSecret,
  OidcIssuer,
  Scopes,
  Styling,
  UsernameMapping,
} from './idp-fields.js';
import { IdpIdQuery, IdpNameQuery, IdpOwnerTypeQuery } from './idp-query.dto.js';
import { ProviderOptions } from './provider-options.dto.js';

const IDP_FIELD_NAME = wireEnum('IDPFieldName', {
  IDP_FIELD_NAME_UNSPECIFIED: [0, 'id'],
  IDP_FIELD_NAME_NAME: [1, 'name'],
});

type StylingType = ValueOf<typeof IDP_STYLING_TYPE>;
type MappingField = ValueOf<typeof OIDC_MAPPING_FIELD>;

@Named('AddOidcIdpRequest')
export class AddOidcIdpRequest {
  @Name(1, 'Example accounts')
  readonly name!: string;

  @Styling(2)
  readonly stylingType!: StylingType;

  @ClientId(3)
  readonly clientId!: string;

  @Text(4, {
    min: 1,
    max: 200,
    writeOnly: true,
    description: 'The client secret that the provider issued to this service. Stored encrypted, never returned.',
    example: 'the secret of this client',
  })
  readonly clientSecret!: string;

  @OidcIssuer(5)
  readonly issuer!: string;

  @Scopes(6)
  readonly scopes!: string[];

  @DisplayNameMapping(7)
  readonly displayNameMapping!: MappingField;

  @UsernameMapping(8)
  readonly usernameMapping!: MappingField;

  @AutoRegister(9)
  readonly autoRegister!: boolean;
}

@Named('AddJwtIdpRequest')
export class AddJwtIdpRequest {
  @Name(1, 'Example proxy')
  readonly name!: string;

  @Styling(2)
  readonly stylingType!: StylingType;

  @JwtEndpoint(3)
  readonly jwtEndpoint!: string;

  @JwtIssuer(4)
  readonly issuer!: string;

  @KeysEndpoint(5)
  readonly keysEndpoint!: string;

  @HeaderName(6, { optional: true })
  readonly headerName?: string;

  @AutoRegister(7)
  readonly autoRegister!: boolean;
}

/** The answer of each operation that adds one; its example names the one that it adds. */
class AddedIdp {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @CallbackUrl()
  readonly callbackUrl!: string;
}

@Named('AddOidcIdpResponse')
export class AddOidcIdpResponse extends AddedIdp {
  @AddedIdpId(EXAMPLE.idp)
  readonly idpId!: string;
}

@Named('AddJwtIdpResponse')
export class AddJwtIdpResponse extends AddedIdp {
  @AddedIdpId(EXAMPLE.jwtIdp)
  readonly idpId!: string;
}

@Named('AddOrgOidcIdpResponse')
export class AddOrgOidcIdpResponse extends AddedIdp {
  @AddedIdpId(EXAMPLE.orgIdp)
  readonly idpId!: string;
}

@Named('AddOrgJwtIdpResponse')
export class AddOrgJwtIdpResponse extends AddedIdp {
  @AddedIdpId(EXAMPLE.orgJwtIdp)
  readonly idpId!: string;
}

/** The .proto calls the id of the provider that is read `id`. */
@Named('GetIdpRequest')
export class GetIdpRequest {
  @IdpId(1, { protoName: 'id' })
  readonly idpId!: string;
}

@Named('IdpIdRequest')
export class IdpIdRequest {
  @IdpId(1)
  readonly idpId!: string;
}

@Named('UpdateIdpRequest')
export class UpdateIdpRequest {
  @IdpId(1)
  readonly idpId!: string;

  @Name(2, 'Example accounts for all')
  readonly name!: string;

  @Styling(3)
  readonly stylingType!: StylingType;

  @AutoRegister(4)
  readonly autoRegister!: boolean;

  @Part(100, () => ProviderOptions, {
    description:
      'What users may do. If it is sent, `autoRegister` is what its `isAutoCreation` says; otherwise the rest stays.',
  })
  readonly providerOptions?: ProviderOptions;
}

@Named('UpdateIdpOidcConfigRequest')
export class UpdateIdpOidcConfigRequest {
  @IdpId(1)
  readonly idpId!: string;

  @OidcIssuer(2)
  readonly issuer!: string;

  @ClientId(3)
  readonly clientId!: string;

  @NewClientSecret(4)
  readonly clientSecret!: string;

  @Scopes(5)
  readonly scopes!: string[];

  @DisplayNameMapping(6)
  readonly displayNameMapping!: MappingField;

  @UsernameMapping(7)
  readonly usernameMapping!: MappingField;
}

/** Has the fields of the request for a provider of the instance, three of them with other numbers in the .proto. */
@Named('UpdateOrgIdpOidcConfigRequest')
export class UpdateOrgIdpOidcConfigRequest {
  @IdpId(1)
  readonly idpId!: string;

  @ClientId(2)
  readonly clientId!: string;

  @NewClientSecret(3)
  readonly clientSecret!: string;

  @OidcIssuer(4)
  readonly issuer!: string;

  @Scopes(5)
  readonly scopes!: string[];

  @DisplayNameMapping(6)
  readonly displayNameMapping!: MappingField;

  @UsernameMapping(7)
  readonly usernameMapping!: MappingField;
}

@Named('UpdateIdpJwtConfigRequest')
export class UpdateIdpJwtConfigRequest {
  @IdpId(1)
  readonly idpId!: string;

  @JwtEndpoint(2)
  readonly jwtEndpoint!: string;

  @JwtIssuer(3)
  readonly issuer!: string;

  @KeysEndpoint(4)
  readonly keysEndpoint!: string;

  @HeaderName(5, { optional: false })
  readonly headerName!: string;
}

/** The settings without the secret, which no answer contains. */
@Named('IdpOidcConfig')
export class IdpOidcConfig {
  @ClientId(1)
  readonly clientId!: string;

  @OidcIssuer(2)
  readonly issuer!: string;

  @Scopes(3)
  readonly scopes!: readonly string[];

  @DisplayNameMapping(4)
  readonly displayNameMapping!: MappingField;

  @UsernameMapping(5)
  readonly usernameMapping!: MappingField;
}

@Reserves({ 5: 'audience' })
@Named('IdpJwtConfig')
export class IdpJwtConfig {
  @JwtEndpoint(1)
  readonly jwtEndpoint!: string;

  @JwtIssuer(2)
  readonly issuer!: string;

  @KeysEndpoint(3)
  readonly keysEndpoint!: string;

  @HeaderName(4, { optional: false })
  readonly headerName!: string;
}

@Named('IdpDto')
export class IdpDto {
  @Text(1, { example: EXAMPLE.idp })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Choice(3, IDP_STATE, {
    description: 'Users cannot sign in through an inactive identity provider.',
    example: 'IDP_STATE_ACTIVE',
  })
  readonly state!: ValueOf<typeof IDP_STATE>;

  @Name(4, 'Example accounts')
  readonly name!: string;

  @Styling(5)
  readonly stylingType!: StylingType;

  @Choice(6, IDP_OWNER_TYPE, {
    description: 'Whether the instance or an organization owns the identity provider.',
    example: 'IDP_OWNER_TYPE_SYSTEM',
  })
  readonly owner!: ValueOf<typeof IDP_OWNER_TYPE>;

  @Part(7, () => IdpOidcConfig, { oneof: 'config', description: 'Configuration of an OpenID Connect provider.' })
  readonly oidcConfig?: IdpOidcConfig;

  @AutoRegister(8)
  readonly autoRegister!: boolean;

  @Part(9, () => IdpJwtConfig, { oneof: 'config', description: 'Configuration of a JWT provider.' })
  readonly jwtConfig?: IdpJwtConfig;

  @Part(100, () => IdpExtensionConfig, {
    oneof: 'config',
    description: 'Configuration of a provider whose kind an extension brings.',
  })
  readonly extensionConfig?: IdpExtensionConfig;

  @Part(101, () => ProviderOptions, { description: 'What users may do.' })
  readonly providerOptions!: ProviderOptions;
}

@Named('GetIdpResponse')
export class GetIdpResponse {
  @Part(1, () => IdpDto)
  readonly idp!: IdpDto;

  @CallbackUrl()
  readonly callbackUrl!: string;
}

/** One condition of a search. */
@Filter()
@Named('IdpQuery')
export class IdpQuery {
  @Part(1, () => IdpIdQuery, { oneof: 'query' })
  readonly idpIdQuery?: IdpIdQuery;

  @Part(2, () => IdpNameQuery, { oneof: 'query' })
  readonly idpNameQuery?: IdpNameQuery;
}

@Filter()
@Named('OrgIdpQuery')
export class OrgIdpQuery extends IdpQuery {
  @Part(3, () => IdpOwnerTypeQuery, { oneof: 'query' })
  readonly ownerTypeQuery?: IdpOwnerTypeQuery;
}

const QUERIES = { maxItems: 20, description: 'Filters, combined with AND.' };

@Named('ListIdpsRequest')
export class ListIdpsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Choice(2, IDP_FIELD_NAME, {
    description: 'The field to sort by. Defaults to the ID.',
    example: 'IDP_FIELD_NAME_NAME',
  })
  readonly sortingColumn!: ValueOf<typeof IDP_FIELD_NAME>;

  @Parts(3, () => IdpQuery, {
    ...QUERIES,
  })
  readonly queries!: readonly IdpQuery[];
}

@Named('ListOrgIdpsRequest')
export class ListOrgIdpsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Choice(2, IDP_FIELD_NAME, {
    description: 'The field to sort by. Defaults to the ID.',
    example: 'IDP_FIELD_NAME_NAME',
  })
  readonly sortingColumn!: ValueOf<typeof IDP_FIELD_NAME>;

  @Parts(3, () => OrgIdpQuery, QUERIES)
  readonly queries!: readonly OrgIdpQuery[];
}

@Named('ListIdpsResponse')
export class ListIdpsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Choice(2, IDP_FIELD_NAME, { description: 'The field that the list is sorted by.', example: 'IDP_FIELD_NAME_NAME' })
  readonly sortingColumn!: ValueOf<typeof IDP_FIELD_NAME>;

  @Parts(3, () => IdpDto)
  readonly result!: readonly IdpDto[];
}
