import { Flag, Named, Part, Texts } from '../../kit/wire/fields.js';
import { DetailsV2 } from '../kit/object.dto.js';

@Named('EmbeddedIframeSettingsV2')
export class EmbeddedIframeSettingsV2 {
  @Flag(1, { description: 'Not supported: pages are never shown in frames. Only false is accepted.' })
  readonly enabled!: boolean;

  @Texts(2, { maxItems: 0, description: 'Not supported, because pages are never shown in frames. Must be empty.' })
  readonly allowedOrigins!: readonly string[];
}

@Named('DynamicClientRegistrationSettingsV2')
export class DynamicClientRegistrationSettingsV2 {
  @Flag(1, { description: 'Whether applications may register themselves. It is a setting of the process.' })
  readonly enabled!: boolean;

  @Flag(2, { description: 'Whether they may without a token.' })
  readonly allowUnauthenticated!: boolean;
}

@Named('SetSecuritySettingsRequestV2')
export class SetSecuritySettingsRequestV2 {
  @Part(1, () => EmbeddedIframeSettingsV2)
  readonly embeddedIframe?: EmbeddedIframeSettingsV2;

  @Flag(2, {
    description:
      'Whether users with an impersonator role may act for other users, by exchanging tokens (RFC 8693). When it is turned off, the tokens of those who act for others become invalid.',
    example: false,
  })
  readonly enableImpersonation!: boolean;

  @Part(3, () => DynamicClientRegistrationSettingsV2, {
    description: 'Cannot be changed here: REGISTRATION decides. Refused if it differs from that.',
  })
  readonly dynamicClientRegistration?: DynamicClientRegistrationSettingsV2;
}

@Named('SetSecuritySettingsResponseV2')
export class SetSecuritySettingsResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;
}

@Named('SecuritySettingsV2')
export class SecuritySettingsV2 {
  @Part(1, () => EmbeddedIframeSettingsV2)
  readonly embeddedIframe!: EmbeddedIframeSettingsV2;

  @Flag(2, { description: 'Whether users with an impersonator role may act for other users.' })
  readonly enableImpersonation!: boolean;

  @Part(3, () => DynamicClientRegistrationSettingsV2)
  readonly dynamicClientRegistration!: DynamicClientRegistrationSettingsV2;
}

@Named('GetSecuritySettingsResponseV2')
export class GetSecuritySettingsResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Part(2, () => SecuritySettingsV2)
  readonly settings!: SecuritySettingsV2;
}
