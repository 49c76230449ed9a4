import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { IDP_OWNER_TYPE, IDP_STATE } from '../../idp/idp.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Named, Part, Reserves, Text } from '../kit/wire/fields.js';
import { IdpExtensionConfig } from './extension-idp.dto.js';
import {
  ClientId,
  HeaderName,
  IdTokenMapping,
  JwtEndpoint,
  JwtIssuer,
  KeysEndpoint,
  Name,
  OidcIssuer,
  OidcPkce,
  Scopes,
} from './idp-fields.js';
import { ProviderOptions } from './provider-options.dto.js';
import { AppleConfig } from './template/apple.template.js';
import { AzureAdConfig } from './template/azure-ad.template.js';
import { GithubServerConfig } from './template/github.template.js';
import { OwnGitlabConfig } from './template/gitlab.template.js';
import { OauthConfig } from './template/oauth.template.js';
import { FurtherScopes, VendorClientId } from './template/vendor-fields.js';

export const PROVIDER_TYPE = wireEnum('ProviderType', {
  PROVIDER_TYPE_UNSPECIFIED: [0, 'unspecified'],
  PROVIDER_TYPE_OIDC: [1, 'oidc'],
  PROVIDER_TYPE_JWT: [2, 'jwt'],
  PROVIDER_TYPE_LDAP: [3, 'ldap'],
  PROVIDER_TYPE_OAUTH: [4, 'oauth'],
  PROVIDER_TYPE_AZURE_AD: [5, 'azureAd'],
  PROVIDER_TYPE_GITHUB: [6, 'github'],
  PROVIDER_TYPE_GITHUB_ES: [7, 'githubEs'],
  PROVIDER_TYPE_GITLAB: [8, 'gitlab'],
  PROVIDER_TYPE_GITLAB_SELF_HOSTED: [9, 'gitlabSelfHosted'],
  PROVIDER_TYPE_GOOGLE: [10, 'google'],
  PROVIDER_TYPE_APPLE: [11, 'apple'],
  PROVIDER_TYPE_SAML: [12, 'saml'],
  PROVIDER_TYPE_SERVICE: [13, 'service'],
  PROVIDER_TYPE_EXTENSION: [100, 'extension'],
});

@Named('GenericOIDCConfig')
export class GenericOidcConfig {
  @OidcIssuer(1)
  readonly issuer!: string;

  @ClientId(2)
  readonly clientId!: string;

  @Scopes(3)
  readonly scopes!: readonly string[];

  @IdTokenMapping(4)
  readonly isIdTokenMapping!: boolean;

  @OidcPkce(5)
  readonly usePkce!: boolean;
}

@Reserves({ 5: 'audience' })
@Named('ProviderJwtConfig')
export class ProviderJwtConfig {
  @JwtEndpoint(1)
  readonly jwtEndpoint!: string;

  @JwtIssuer(2)
  readonly issuer!: string;

  @KeysEndpoint(3)
  readonly keysEndpoint!: string;

  @HeaderName(4, { optional: false })
  readonly headerName!: string;
}

/** What GitHub, GitLab and Google need. */
@Named('VendorConfig')
export class VendorConfig {
  @VendorClientId(1, 'gatehouse')
  readonly clientId!: string;

  @FurtherScopes(2)
  readonly scopes!: readonly string[];
}

@Reserves({ 2: 'ldap', 13: 'saml', 14: 'service' })
@Named('ProviderConfig')
export class ProviderConfig {
  @Part(1, () => ProviderOptions)
  readonly options!: ProviderOptions;

  @Part(3, () => VendorConfig, { oneof: 'config' })
  readonly google?: VendorConfig;

  @Part(4, () => OauthConfig, { oneof: 'config' })
  readonly oauth?: OauthConfig;

  @Part(5, () => GenericOidcConfig, { oneof: 'config' })
  readonly oidc?: GenericOidcConfig;

  @Part(6, () => ProviderJwtConfig, { oneof: 'config' })
  readonly jwt?: ProviderJwtConfig;

  @Part(7, () => VendorConfig, { oneof: 'config' })
  readonly github?: VendorConfig;

  @Part(8, () => GithubServerConfig, { oneof: 'config' })
  readonly githubEs?: GithubServerConfig;

  @Part(9, () => VendorConfig, { oneof: 'config' })
  readonly gitlab?: VendorConfig;

  @Part(10, () => OwnGitlabConfig, { oneof: 'config' })
  readonly gitlabSelfHosted?: OwnGitlabConfig;

  @Part(11, () => AzureAdConfig, { oneof: 'config' })
  readonly azureAd?: AzureAdConfig;

  @Part(12, () => AppleConfig, { oneof: 'config' })
  readonly apple?: AppleConfig;

  @Part(100, () => IdpExtensionConfig, {
    oneof: 'config',
    description: 'Of any other kind that an extension brings, and of one of these where its settings say more.',
  })
  readonly extension?: IdpExtensionConfig;
}

@Named('Provider')
export class Provider {
  @Text(1, { example: EXAMPLE.oidcProvider })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Choice(3, IDP_STATE, { description: 'Inactive ones are not offered.', example: 'IDP_STATE_ACTIVE' })
  readonly state!: ValueOf<typeof IDP_STATE>;

  @Name(4, 'Company directory')
  readonly name!: string;

  @Choice(5, IDP_OWNER_TYPE, {
    description: 'Whether it is of the instance or of the organization.',
    example: 'IDP_OWNER_TYPE_SYSTEM',
  })
  readonly owner!: ValueOf<typeof IDP_OWNER_TYPE>;

  @Choice(6, PROVIDER_TYPE, { description: 'Which configuration it has.', example: 'PROVIDER_TYPE_OIDC' })
  readonly type!: ValueOf<typeof PROVIDER_TYPE>;

  @Part(7, () => ProviderConfig)
  readonly config!: ProviderConfig;
}
