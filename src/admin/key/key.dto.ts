import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Flag, Moment, Named, Part, Parts, Span, Struct, Text } from '../kit/wire/fields.js';
import { ListDetails } from '../kit/wire/list.dto.js';

const SIGNING_KEY_STATE = wireEnum('SigningKeyState', {
  SIGNING_KEY_STATE_UNSPECIFIED: [0, 'unspecified'],
  SIGNING_KEY_STATE_NEXT: [1, 'next'],
  SIGNING_KEY_STATE_ACTIVE: [2, 'active'],
  SIGNING_KEY_STATE_RETIRED: [3, 'retired'],
});

const SIGNING_ALGORITHM = wireEnum('SigningAlgorithm', {
  SIGNING_ALGORITHM_UNSPECIFIED: [0, 'unspecified'],
  SIGNING_ALGORITHM_RS256: [1, 'RS256'],
  SIGNING_ALGORITHM_ES256: [2, 'ES256'],
  SIGNING_ALGORITHM_EDDSA: [3, 'EdDSA'],
});

const SIGNING_KEY_PURPOSE = wireEnum('SigningKeyPurpose', {
  SIGNING_KEY_PURPOSE_UNSPECIFIED: [0, 'unspecified'],
  SIGNING_KEY_PURPOSE_GENERAL: [1, 'general'],
  SIGNING_KEY_PURPOSE_STRICT: [2, 'strict'],
});

@Named('SigningKeyEntry')
export class SigningKeyEntry {
  @Text(1, { description: 'The `kid`.', example: EXAMPLE.signingKey })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Choice(3, SIGNING_KEY_STATE, {
    description:
      'Next (published, not used yet), active (signing), or retired (published to verify tokens that it has signed).',
    example: 'SIGNING_KEY_STATE_ACTIVE',
  })
  readonly state!: ValueOf<typeof SIGNING_KEY_STATE>;

  @Choice(4, SIGNING_ALGORITHM, { example: 'SIGNING_ALGORITHM_RS256', description: 'The signature algorithm.' })
  readonly algorithm!: ValueOf<typeof SIGNING_ALGORITHM>;

  @Struct(5, { description: 'The public key as a JSON Web Key.' })
  readonly publicKey!: object;

  @Moment(6, {
    description: 'When the key will become active; absent once it has.',
    example: '2026-12-20T08:30:00.000Z',
  })
  readonly dueDate?: Date | undefined;

  @Moment(7, { example: '2026-11-20T08:30:00.000Z', description: 'When the key became active; absent before.' })
  readonly activationDate?: Date | undefined;

  @Moment(8, { description: 'When the key was retired; absent before.' })
  readonly retirementDate?: Date | undefined;

  @Choice(9, SIGNING_KEY_PURPOSE, {
    description:
      'General (signs everything), or strict (signs for applications with SECURITY_PROFILE_FAPI_2_0 while the general key uses RS256, which the profile excludes). Each purpose has one active key.',
    example: 'SIGNING_KEY_PURPOSE_GENERAL',
  })
  readonly purpose!: ValueOf<typeof SIGNING_KEY_PURPOSE>;
}

@Named('SigningKeyResponse')
export class SigningKeyResponse {
  @Part(1, () => SigningKeyEntry)
  readonly key!: SigningKeyEntry;
}

@Named('CreateSigningKeyResponse')
export class CreateSigningKeyResponse extends SigningKeyResponse {
  @Flag(2, { description: 'False if the next key existed already.', example: true })
  readonly created!: boolean;
}

@Named('SigningKeyIdRequest')
export class SigningKeyIdRequest {
  @Text(1, { min: 1, max: 200, description: 'The `kid`.', example: EXAMPLE.signingKey })
  readonly id!: string;
}

@Named('ListSigningKeysResponse')
export class ListSigningKeysResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => SigningKeyEntry)
  readonly result!: readonly SigningKeyEntry[];
}

/** A key is used for a day at least, and for ten years at most. */
const MAX_AGE_SECONDS = 315_360_000;

@Named('SigningSettings')
export class SigningSettings {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Choice(2, SIGNING_ALGORITHM, { example: 'SIGNING_ALGORITHM_RS256', description: 'The algorithm of the next key.' })
  readonly algorithm!: ValueOf<typeof SIGNING_ALGORITHM>;

  @Span(3, { description: 'How long a key signs before the next one takes over.', example: '2592000s' })
  readonly rotationAge!: number;
}

@Named('SigningSettingsResponse')
export class SigningSettingsResponse {
  @Part(1, () => SigningSettings)
  readonly settings!: SigningSettings;
}

@Named('SetSigningSettingsRequest')
export class SetSigningSettingsRequest {
  @Choice(1, SIGNING_ALGORITHM, {
    required: true,
    description: 'The algorithm of keys created from now on.',
    example: 'SIGNING_ALGORITHM_RS256',
  })
  readonly algorithm!: ValueOf<typeof SIGNING_ALGORITHM>;

  @Span(2, {
    maxSeconds: MAX_AGE_SECONDS,
    description: 'How long a key signs before the next one takes over: at least one day. Defaults to 30 days.',
    example: '2592000s',
  })
  readonly rotationAge?: number;
}

const LIFETIME = { maxSeconds: 7_776_000 };

@Named('OidcSettings')
export class OidcSettings {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Span(2, {
    example: '43200s',
    description: 'Lifetime of access tokens, unless the application has its own.',
  })
  readonly accessTokenLifetime!: number;

  @Span(3, {
    example: '43200s',
    description: 'Lifetime of ID tokens, unless the application has its own.',
  })
  readonly idTokenLifetime!: number;

  @Span(4, { description: 'How long a refresh token may stay unused.', example: '2592000s' })
  readonly refreshTokenIdleExpiration!: number;

  @Span(5, { description: 'How long refresh tokens can be used after a sign-in.', example: '7776000s' })
  readonly refreshTokenExpiration!: number;
}

@Named('OidcSettingsResponse')
export class OidcSettingsResponse {
  @Part(1, () => OidcSettings)
  readonly settings!: OidcSettings;
}

@Named('UpdateOidcSettingsRequest')
export class UpdateOidcSettingsRequest {
  @Span(1, { ...LIFETIME, description: 'One minute to 90 days. Defaults to 12 hours.', example: '43200s' })
  readonly accessTokenLifetime?: number;

  @Span(2, { ...LIFETIME, description: 'One minute to 90 days. Defaults to 12 hours.', example: '43200s' })
  readonly idTokenLifetime?: number;

  @Span(3, {
    maxSeconds: 315_360_000,
    description: 'How long a refresh token may stay unused: at least one minute. Defaults to 30 days.',
    example: '2592000s',
  })
  readonly refreshTokenIdleExpiration?: number;

  @Span(4, {
    maxSeconds: 315_360_000,
    description: 'How long refresh tokens can be used after a sign-in: at least one minute. Defaults to 90 days.',
    example: '7776000s',
  })
  readonly refreshTokenExpiration?: number;
}
