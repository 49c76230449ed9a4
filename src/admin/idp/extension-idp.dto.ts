import type { ValueOf } from '../../foundation/http/wire-enum.js';
import type { JsonObject } from '../../foundation/outbound/outbound-client.js';
import type { OIDC_MAPPING_FIELD } from '../../idp/idp.enums.js';
import { Flag, Named } from '../kit/wire/fields.js';
import {
  DisplayNameMapping,
  ExtensionKind,
  IdpId,
  KindSettings,
  NewClientSecret,
  OptionalClientId,
  UsernameMapping,
} from './idp-fields.js';

type MappingField = ValueOf<typeof OIDC_MAPPING_FIELD>;

@Named('UpdateIdpExtensionConfigRequest')
export class UpdateIdpExtensionConfigRequest {
  @IdpId(1)
  readonly idpId!: string;

  @OptionalClientId(2)
  readonly clientId!: string;

  @NewClientSecret(3)
  readonly clientSecret!: string;

  @KindSettings(4, 'The settings of its kind. Secrets that are absent or empty are kept.')
  readonly settings?: JsonObject;

  @DisplayNameMapping(5)
  readonly displayNameMapping!: MappingField;

  @UsernameMapping(6)
  readonly usernameMapping!: MappingField;
}

@Named('IdpExtensionConfig')
export class IdpExtensionConfig {
  @ExtensionKind(1)
  readonly kind!: string;

  @OptionalClientId(2)
  readonly clientId!: string;

  @KindSettings(3, 'The settings of its kind, without secrets.')
  readonly settings!: JsonObject;

  @DisplayNameMapping(4)
  readonly displayNameMapping!: MappingField;

  @UsernameMapping(5)
  readonly usernameMapping!: MappingField;

  @Flag(6, {
    description:
      'Whether the extension with this kind is loaded. If not, the provider is not offered on the login page, and its settings cannot be changed.',
    example: true,
  })
  readonly isAvailable!: boolean;
}
