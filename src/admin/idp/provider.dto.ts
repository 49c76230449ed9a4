import type { Type } from '@nestjs/common';
import { type ValueOf } from '../../foundation/http/wire-enum.js';
import type { JsonObject } from '../../foundation/outbound/outbound-client.js';
import { IDP_STATE, type IDP_STYLING_TYPE, type OIDC_MAPPING_FIELD } from '../../idp/idp.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Flag, Named, Part, Parts, Reserves, Text } from '../kit/wire/fields.js';
import {
  CallbackUrl,
  ClientId,
  DisplayNameMapping,
  ExtensionKind,
  HeaderName,
  IdTokenMapping,
  JwtEndpoint,
  JwtIssuer,
  KeysEndpoint,
  KindSettings,
  Name,
  OidcIssuer,
  OidcPkce,
  OptionalClientId,
  Scopes,
  Styling,
  UsernameMapping,
} from './idp-fields.js';
import { TestedPart } from './idp-test.dto.js';
import { ProviderOptions } from './provider-options.dto.js';

const OfferUntested = (): PropertyDecorator =>
  Flag(103, {
    description: 'Offer the provider on the login page even if the test of its configuration fails.',
    example: false,
  });

@Named('AddGenericOidcProviderRequest')
export class AddGenericOidcProviderRequest {
  @Name(1, 'Company directory')
  readonly name!: string;

  @OidcIssuer(2)
  readonly issuer!: string;

  @ClientId(3)
  readonly clientId!: string;

  @Text(4, {
    min: 1,
    max: 1_000,
    writeOnly: true,
    description: 'The client secret that the provider issued to this service. Stored encrypted, never returned.',
    example: 'the secret of this client',
  })
  readonly clientSecret!: string;

  @Scopes(5)
  readonly scopes!: string[];

  @Part(6, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;

  @IdTokenMapping(7)
  readonly isIdTokenMapping!: boolean;

  @OidcPkce(8)
  readonly usePkce!: boolean;

  @Styling(100)
  readonly stylingType!: ValueOf<typeof IDP_STYLING_TYPE>;

  @DisplayNameMapping(101)
  readonly displayNameMapping!: ValueOf<typeof OIDC_MAPPING_FIELD>;

  @UsernameMapping(102)
  readonly usernameMapping!: ValueOf<typeof OIDC_MAPPING_FIELD>;

  @OfferUntested()
  readonly offerUntested!: boolean;
}

@Reserves({ 7: 'audience' })
@Named('AddJwtProviderRequest')
export class AddJwtProviderRequest {
  @Name(1, 'Company proxy')
  readonly name!: string;

  @JwtIssuer(2)
  readonly issuer!: string;

  @JwtEndpoint(3)
  readonly jwtEndpoint!: string;

  @KeysEndpoint(4)
  readonly keysEndpoint!: string;

  @HeaderName(5, { optional: false })
  readonly headerName!: string;

  @Part(6, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;

  @Styling(100)
  readonly stylingType!: ValueOf<typeof IDP_STYLING_TYPE>;

  @OfferUntested()
  readonly offerUntested!: boolean;
}

@Named('AddExtensionProviderRequest')
export class AddExtensionProviderRequest {
  @Name(1, 'Company code hosting')
  readonly name!: string;

  @ExtensionKind(2)
  readonly kind!: string;

  @OptionalClientId(3)
  readonly clientId!: string;

  @Text(4, {
    max: 1_000,
    writeOnly: true,
    description:
      'The client secret that the provider issued to this service, if it has issued one. Stored encrypted, never returned.',
    example: 'the secret of this client',
  })
  readonly clientSecret!: string;

  @KindSettings(
    5,
    'The settings of the kind, as its extension declares them. Secrets among them are stored encrypted, and never returned.',
  )
  readonly settings?: JsonObject;

  @Part(6, () => ProviderOptions)
  readonly providerOptions?: ProviderOptions;

  @Styling(7)
  readonly stylingType!: ValueOf<typeof IDP_STYLING_TYPE>;

  @DisplayNameMapping(8)
  readonly displayNameMapping!: ValueOf<typeof OIDC_MAPPING_FIELD>;

  @UsernameMapping(9)
  readonly usernameMapping!: ValueOf<typeof OIDC_MAPPING_FIELD>;

  @OfferUntested()
  readonly offerUntested!: boolean;
}

/** The answer of each operation that adds a provider; its example names the one that it adds. */
export class AddedProvider {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @CallbackUrl()
  readonly callbackUrl!: string;

  @Choice(101, IDP_STATE, {
    description: 'Active, and so offered on the login page, if the test succeeded or its result was to be ignored.',
    example: 'IDP_STATE_INACTIVE',
  })
  readonly state!: ValueOf<typeof IDP_STATE>;

  @Parts(102, () => TestedPart, { description: 'The checks of its configuration, in order, as of TestIDP.' })
  readonly parts!: readonly TestedPart[];
}

const AddedId = (example: string): PropertyDecorator =>
  Text(2, { description: 'ID of the new identity provider.', example });

/** The answer of an operation whose example adds the provider with that id. */
export function addedProvider(name: string, example: string): Type<AddedProvider> {
  class Added extends AddedProvider {
    @AddedId(example)
    readonly id!: string;
  }
  Named(name)(Added);
  return Added;
}

@Named('AddGenericOidcProviderResponse')
export class AddGenericOidcProviderResponse extends AddedProvider {
  @AddedId(EXAMPLE.oidcProvider)
  readonly id!: string;
}

@Named('AddJwtProviderResponse')
export class AddJwtProviderResponse extends AddedProvider {
  @AddedId(EXAMPLE.jwtProvider)
  readonly id!: string;
}

@Named('AddGenericOidcProviderOfOrgResponse')
export class AddGenericOidcProviderOfOrgResponse extends AddedProvider {
  @AddedId(EXAMPLE.orgOidcProvider)
  readonly id!: string;
}

@Named('AddJwtProviderOfOrgResponse')
export class AddJwtProviderOfOrgResponse extends AddedProvider {
  @AddedId(EXAMPLE.orgJwtProvider)
  readonly id!: string;
}

@Named('AddExtensionProviderResponse')
export class AddExtensionProviderResponse extends AddedProvider {
  @AddedId(EXAMPLE.extensionProvider)
  readonly id!: string;
}

@Named('AddExtensionProviderOfOrgResponse')
export class AddExtensionProviderOfOrgResponse extends AddedProvider {
  @AddedId(EXAMPLE.orgExtensionProvider)
  readonly id!: string;
}
