import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { IdpExtensionConfig } from '../../idp/extension-idp.dto.js';
import {
  CallbackUrl,
  ClientId,
  HeaderName,
  JwtEndpoint,
  JwtIssuer,
  KeysEndpoint,
  Name,
  OidcIssuer,
  Scopes,
} from '../../idp/idp-fields.js';
import { ProviderOptions } from '../../idp/provider-options.dto.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Named, Part, Reserves, Text } from '../../kit/wire/fields.js';
import { DetailsV2 } from '../kit/object.dto.js';

const IDP_STATE_V2 = wireEnum('IDPStateV2', {
  IDP_STATE_UNSPECIFIED: [0, 'unspecified'],
  IDP_STATE_ACTIVE: [1, 'active'],
  IDP_STATE_INACTIVE: [2, 'inactive'],
  IDP_STATE_REMOVED: [3, 'removed'],
  IDP_STATE_MIGRATED: [4, 'migrated'],
});

/** Kinds that extensions bring are all the last one; the others below it have no providers here. */
const IDP_TYPE_V2 = wireEnum('IDPTypeV2', {
  IDP_TYPE_UNSPECIFIED: [0, 'unspecified'],
  IDP_TYPE_OIDC: [1, 'oidc'],
  IDP_TYPE_JWT: [2, 'jwt'],
  IDP_TYPE_LDAP: [3, 'ldap'],
  IDP_TYPE_OAUTH: [4, 'oauth'],
  IDP_TYPE_AZURE_AD: [5, 'azure_ad'],
  IDP_TYPE_GITHUB: [6, 'github'],
  IDP_TYPE_GITHUB_ES: [7, 'github_es'],
  IDP_TYPE_GITLAB: [8, 'gitlab'],
  IDP_TYPE_GITLAB_SELF_HOSTED: [9, 'gitlab_self_hosted'],
  IDP_TYPE_GOOGLE: [10, 'google'],
  IDP_TYPE_APPLE: [11, 'apple'],
  IDP_TYPE_SAML: [12, 'saml'],
  IDP_TYPE_SERVICE: [13, 'service'],
  IDP_TYPE_EXTENSION: [100, 'extension'],
});

@Named('GetIDPByIDRequestV2')
export class GetIdpByIdRequestV2 {
  @Text(1, { min: 1, max: 200, description: 'ID of the identity provider.', example: EXAMPLE.idp })
  readonly id!: string;
}

/** The settings without the secret, which no answer contains. */
@Named('GenericOIDCConfigV2')
@Reserves({ 4: 'is_id_token_mapping' })
export class GenericOidcConfigV2 {
  @OidcIssuer(1)
  readonly issuer!: string;

  @ClientId(2)
  readonly clientId!: string;

  @Scopes(3)
  readonly scopes!: readonly string[];
}

@Named('JWTConfigV2')
@Reserves({ 5: 'audience' })
export class JwtConfigV2 {
  @JwtEndpoint(1)
  readonly jwtEndpoint!: string;

  @JwtIssuer(2)
  readonly issuer!: string;

  @KeysEndpoint(3)
  readonly keysEndpoint!: string;

  @HeaderName(4, { optional: false })
  readonly headerName!: string;
}

@Named('IDPConfigV2')
@Reserves({
  2: 'ldap',
  3: 'google',
  4: 'oauth',
  7: 'github',
  8: 'github_es',
  9: 'gitlab',
  10: 'gitlab_self_hosted',
  11: 'azure_ad',
  12: 'apple',
  13: 'saml',
  14: 'service',
})
export class IdpConfigV2 {
  @Part(1, () => ProviderOptions, { description: 'What users may do.' })
  readonly options!: ProviderOptions;

  @Part(5, () => GenericOidcConfigV2, { oneof: 'config', description: 'Of an OpenID Connect provider.' })
  readonly oidc?: GenericOidcConfigV2;

  @Part(6, () => JwtConfigV2, { oneof: 'config', description: 'Of a JWT provider.' })
  readonly jwt?: JwtConfigV2;

  @Part(100, () => IdpExtensionConfig, {
    oneof: 'config',
    description: 'Of a provider whose kind an extension brings.',
  })
  readonly extension?: IdpExtensionConfig;
}

@Named('IDPV2')
export class IdpV2 {
  @Text(1, { example: EXAMPLE.idp })
  readonly id!: string;

  @Part(2, () => DetailsV2)
  readonly details!: DetailsV2;

  @Choice(3, IDP_STATE_V2, {
    description: 'Users cannot sign in through an inactive identity provider.',
    example: 'IDP_STATE_ACTIVE',
  })
  readonly state!: ValueOf<typeof IDP_STATE_V2>;

  @Name(4, 'Example accounts')
  readonly name!: string;

  @Choice(5, IDP_TYPE_V2, {
    description: 'IDP_TYPE_EXTENSION: its kind is one that an extension brings.',
    example: 'IDP_TYPE_OIDC',
  })
  readonly type!: ValueOf<typeof IDP_TYPE_V2>;

  @Part(6, () => IdpConfigV2)
  readonly config!: IdpConfigV2;
}

@Named('GetIDPByIDResponseV2')
export class GetIdpByIdResponseV2 {
  @Part(1, () => IdpV2)
  readonly idp!: IdpV2;

  @CallbackUrl()
  readonly callbackUrl!: string;
}
