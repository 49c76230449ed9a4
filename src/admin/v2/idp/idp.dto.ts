import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { CallbackUrl, Name } from '../../idp/idp-fields.js';
import { ProviderConfig } from '../../idp/provider-config.dto.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Named, Part, Text } from '../../kit/wire/fields.js';
import { DetailsV2 } from '../kit/object.dto.js';

const IDP_STATE_V2 = wireEnum('IDPStateV2', {
  IDP_STATE_UNSPECIFIED: [0, 'unspecified'],
  IDP_STATE_ACTIVE: [1, 'active'],
  IDP_STATE_INACTIVE: [2, 'inactive'],
  IDP_STATE_REMOVED: [3, 'removed'],
  IDP_STATE_MIGRATED: [4, 'migrated'],
});

/** The last one is of kinds that extensions bring, other than those of vendors. */
const IDP_TYPE_V2 = wireEnum('IDPTypeV2', {
  IDP_TYPE_UNSPECIFIED: [0, 'unspecified'],
  IDP_TYPE_OIDC: [1, 'oidc'],
  IDP_TYPE_JWT: [2, 'jwt'],
  IDP_TYPE_LDAP: [3, 'ldap'],
  IDP_TYPE_OAUTH: [4, 'oauth'],
  IDP_TYPE_AZURE_AD: [5, 'azureAd'],
  IDP_TYPE_GITHUB: [6, 'github'],
  IDP_TYPE_GITHUB_ES: [7, 'githubEs'],
  IDP_TYPE_GITLAB: [8, 'gitlab'],
  IDP_TYPE_GITLAB_SELF_HOSTED: [9, 'gitlabSelfHosted'],
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

  @Part(6, () => ProviderConfig)
  readonly config!: ProviderConfig;
}

@Named('GetIDPByIDResponseV2')
export class GetIdpByIdResponseV2 {
  @Part(1, () => IdpV2)
  readonly idp!: IdpV2;

  @CallbackUrl()
  readonly callbackUrl!: string;
}
