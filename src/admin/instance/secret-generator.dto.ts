import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { Choice, Count, Filter, Flag, Named, Part, Parts, Span } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';

export const SECRET_GENERATOR_TYPE = wireEnum('SecretGeneratorType', {
  SECRET_GENERATOR_TYPE_UNSPECIFIED: [0, 'unspecified'],
  SECRET_GENERATOR_TYPE_INIT_CODE: [1, 'init'],
  SECRET_GENERATOR_TYPE_VERIFY_EMAIL_CODE: [2, 'email'],
  SECRET_GENERATOR_TYPE_VERIFY_PHONE_CODE: [3, 'phone'],
  SECRET_GENERATOR_TYPE_PASSWORD_RESET_CODE: [4, 'password_reset'],
  SECRET_GENERATOR_TYPE_PASSWORDLESS_INIT_CODE: [5, 'passkey'],
  SECRET_GENERATOR_TYPE_APP_SECRET: [6, 'app_secret'],
  SECRET_GENERATOR_TYPE_OTP_SMS: [7, 'otp_sms'],
  SECRET_GENERATOR_TYPE_OTP_EMAIL: [8, 'otp_email'],
  SECRET_GENERATOR_TYPE_INVITE_CODE: [9, 'invite'],
});

const TYPE = {
  description: 'What is generated. The service sends nothing to phones.',
  example: 'SECRET_GENERATOR_TYPE_INIT_CODE',
} as const;
const LENGTH = { description: 'Number of characters.', example: 6 } as const;
const EXPIRY = { description: 'How long it is valid; none for secrets of applications.', example: '259200s' } as const;
const LOWER = { description: 'Whether it contains a to z.', example: false } as const;
const UPPER = {
  description: 'Whether it contains A to Z; codes are typed regardless of case, and have no I and O.',
  example: true,
} as const;
const DIGITS = {
  description: 'Whether it contains digits; codes with letters have no 0 and 1.',
  example: true,
} as const;
const SYMBOLS = { description: 'Whether it contains other characters. Always false.', example: false } as const;

@Named('SecretGenerator')
export class SecretGenerator {
  @Choice(1, SECRET_GENERATOR_TYPE, TYPE)
  readonly generatorType!: ValueOf<typeof SECRET_GENERATOR_TYPE>;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Count(3, LENGTH)
  readonly length!: number;

  @Span(4, EXPIRY)
  readonly expiry?: number;

  @Flag(5, LOWER)
  readonly includeLowerLetters!: boolean;

  @Flag(6, UPPER)
  readonly includeUpperLetters!: boolean;

  @Flag(7, DIGITS)
  readonly includeDigits!: boolean;

  @Flag(8, SYMBOLS)
  readonly includeSymbols!: boolean;
}

@Named('GetSecretGeneratorRequest')
export class GetSecretGeneratorRequest {
  @Choice(1, SECRET_GENERATOR_TYPE, { ...TYPE, required: true })
  readonly generatorType!: ValueOf<typeof SECRET_GENERATOR_TYPE>;
}

@Named('GetSecretGeneratorResponse')
export class GetSecretGeneratorResponse {
  @Part(1, () => SecretGenerator)
  readonly secretGenerator!: SecretGenerator;
}

@Named('UpdateSecretGeneratorRequest')
export class UpdateSecretGeneratorRequest {
  @Choice(1, SECRET_GENERATOR_TYPE, { ...TYPE, required: true })
  readonly generatorType!: ValueOf<typeof SECRET_GENERATOR_TYPE>;

  @Count(2, LENGTH)
  readonly length!: number;

  @Span(3, EXPIRY)
  readonly expiry?: number;

  @Flag(4, LOWER)
  readonly includeLowerLetters!: boolean;

  @Flag(5, UPPER)
  readonly includeUpperLetters!: boolean;

  @Flag(6, DIGITS)
  readonly includeDigits!: boolean;

  @Flag(7, SYMBOLS)
  readonly includeSymbols!: boolean;
}

@Named('SecretGeneratorTypeQuery')
export class SecretGeneratorTypeQuery {
  @Choice(1, SECRET_GENERATOR_TYPE, TYPE)
  readonly generatorType!: ValueOf<typeof SECRET_GENERATOR_TYPE>;
}

@Filter()
@Named('SecretGeneratorQuery')
export class SecretGeneratorQuery {
  @Part(1, () => SecretGeneratorTypeQuery, { oneof: 'query' })
  readonly typeQuery?: SecretGeneratorTypeQuery;
}

@Named('ListSecretGeneratorsRequest')
export class ListSecretGeneratorsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(2, () => SecretGeneratorQuery, { maxItems: 20, description: 'Combined with AND.' })
  readonly queries!: SecretGeneratorQuery[];
}

@Named('ListSecretGeneratorsResponse')
export class ListSecretGeneratorsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(3, () => SecretGenerator)
  readonly result!: readonly SecretGenerator[];
}
