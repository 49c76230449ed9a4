import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { Name } from '../../idp/idp-fields.js';
import { ProviderOptions } from '../../idp/provider-options.dto.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Flag, Named, Part, Parts, Text } from '../../kit/wire/fields.js';
import { ListDetailsV2 } from '../kit/object.dto.js';
import { RequestContextV2 } from './settings.dto.js';

/** Kinds that extensions bring are all the last one; the others below it have no providers here. */
const IDENTITY_PROVIDER_TYPE = wireEnum('IdentityProviderTypeV2', {
  IDENTITY_PROVIDER_TYPE_UNSPECIFIED: [0, 'unspecified'],
  IDENTITY_PROVIDER_TYPE_OIDC: [1, 'oidc'],
  IDENTITY_PROVIDER_TYPE_JWT: [2, 'jwt'],
  IDENTITY_PROVIDER_TYPE_LDAP: [3, 'ldap'],
  IDENTITY_PROVIDER_TYPE_OAUTH: [4, 'oauth'],
  IDENTITY_PROVIDER_TYPE_AZURE_AD: [5, 'azure_ad'],
  IDENTITY_PROVIDER_TYPE_GITHUB: [6, 'github'],
  IDENTITY_PROVIDER_TYPE_GITHUB_ES: [7, 'github_es'],
  IDENTITY_PROVIDER_TYPE_GITLAB: [8, 'gitlab'],
  IDENTITY_PROVIDER_TYPE_GITLAB_SELF_HOSTED: [9, 'gitlab_self_hosted'],
  IDENTITY_PROVIDER_TYPE_GOOGLE: [10, 'google'],
  IDENTITY_PROVIDER_TYPE_SAML: [11, 'saml'],
  IDENTITY_PROVIDER_TYPE_APPLE: [12, 'apple'],
  IDENTITY_PROVIDER_TYPE_SERVICE: [13, 'service'],
  IDENTITY_PROVIDER_TYPE_EXTENSION: [100, 'extension'],
});

@Named('GetActiveIdentityProvidersRequestV2')
export class GetActiveIdentityProvidersRequestV2 {
  @Part(1, () => RequestContextV2, { description: "Whose settings. Defaults to the caller's organization." })
  readonly ctx?: RequestContextV2;

  @Flag(2, { optional: true, description: 'Only those where users may get an account, or may not.' })
  readonly creationAllowed?: boolean;

  @Flag(3, { optional: true, description: 'Only those with which users may link an account, or may not.' })
  readonly linkingAllowed?: boolean;

  @Flag(4, { optional: true, description: 'Only those where users get an account without a question, or do not.' })
  readonly autoCreation?: boolean;

  @Flag(5, { optional: true, description: 'Only those with an option for linking by name or address, or without.' })
  readonly autoLinking?: boolean;
}

@Named('IdentityProviderV2')
export class IdentityProviderV2 {
  @Text(1, { example: EXAMPLE.idp, description: 'ID of the identity provider.' })
  readonly id!: string;

  @Name(2, 'Example accounts')
  readonly name!: string;

  @Choice(3, IDENTITY_PROVIDER_TYPE, {
    description: 'IDENTITY_PROVIDER_TYPE_EXTENSION: its kind is one that an extension brings.',
    example: 'IDENTITY_PROVIDER_TYPE_OIDC',
  })
  readonly type!: ValueOf<typeof IDENTITY_PROVIDER_TYPE>;

  @Part(4, () => ProviderOptions, { description: 'What users may do.' })
  readonly options!: ProviderOptions;
}

@Named('GetActiveIdentityProvidersResponseV2')
export class GetActiveIdentityProvidersResponseV2 {
  @Part(1, () => ListDetailsV2)
  readonly details!: ListDetailsV2;

  @Parts(2, () => IdentityProviderV2, { description: 'By name.' })
  readonly identityProviders!: readonly IdentityProviderV2[];
}
