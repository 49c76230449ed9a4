import { type ValueOf, wireEnum } from '../../../../foundation/http/wire-enum.js';
import { RECOVERY_CODES } from '../../../../user/factor/recovery-codes.js';
import { EXAMPLE } from '../../../kit/wire/example-ids.js';
import { Choice, Count, Named, Part, Struct, Text, Texts } from '../../../kit/wire/fields.js';
import { DetailsV2 } from '../../kit/object.dto.js';

const OWN_ID = { min: 1, max: 200, description: 'ID of the calling user.', example: EXAMPLE.personV2 } as const;
const DOMAIN = {
  max: 253,
  description: 'The domain of the sign-in pages, or empty: keys are made for that one.',
} as const;
/** WebAuthn Level 3 has both in JSON: `PublicKeyCredentialCreationOptionsJSON` and `RegistrationResponseJSON`. */
const OPTIONS = {
  description:
    'The options for `navigator.credentials.create()`: an object `{"publicKey": …}`, whose member is what `PublicKeyCredential.parseCreationOptionsFromJSON()` reads, with binary values in base64url. They are valid for five minutes, once, and for the sign-in of this access token.',
  example: { publicKey: { challenge: 'AAAA', rp: { id: 'id.example.com', name: 'Acme' } } },
};
const CREDENTIAL = {
  description: 'The credential that was created: what its `toJSON()` returns, with binary values in base64url.',
  example: { id: 'AQ', rawId: 'AQ', type: 'public-key', response: { clientDataJSON: 'e30' } },
};
const KEY_NAME = {
  max: 200,
  description: 'A name of 1 to 100 characters; if empty, the name of the authenticator, if it is known.',
} as const;

export const PASSKEY_AUTHENTICATOR = wireEnum('PasskeyAuthenticatorV2', {
  PASSKEY_AUTHENTICATOR_UNSPECIFIED: [0, 'unspecified'],
  PASSKEY_AUTHENTICATOR_PLATFORM: [1, 'platform'],
  PASSKEY_AUTHENTICATOR_CROSS_PLATFORM: [2, 'cross_platform'],
});

/** A request that names the calling user and nothing else. */
@Named('OwnIdRequestV2')
export class OwnIdRequestV2 {
  @Text(1, OWN_ID)
  readonly userId!: string;
}

@Named('RegisterTOTPResponseV2')
export class RegisterTotpResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Text(2, {
    description: 'The seed and its label as a URI, for a QR code.',
    example: 'otpauth://totp/Acme:hannah.vogt%40birkenhof.example?issuer=Acme&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  readonly uri!: string;

  @Text(3, {
    description: 'The seed alone, in base32, for an app that reads no QR codes. Returned once.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  readonly secret!: string;
}

@Named('VerifyTOTPRegistrationRequestV2')
export class VerifyTotpRegistrationRequestV2 {
  @Text(1, OWN_ID)
  readonly userId!: string;

  @Text(2, { min: 1, max: 20, writeOnly: true, description: 'The code that the app shows now.', example: '287082' })
  readonly code!: string;
}

@Named('GenerateRecoveryCodesRequestV2')
export class GenerateRecoveryCodesRequestV2 {
  @Text(1, OWN_ID)
  readonly userId!: string;

  @Count(2, { max: RECOVERY_CODES, description: `How many; if 0, ${RECOVERY_CODES}.`, example: RECOVERY_CODES })
  readonly count!: number;
}

@Named('GenerateRecoveryCodesResponseV2')
export class GenerateRecoveryCodesResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Texts(2, { description: 'Single-use codes, returned once.', example: ['7Q2MX-K4T9W'] })
  readonly recoveryCodes!: readonly string[];
}

@Named('PasskeyRegistrationCodeV2')
export class PasskeyRegistrationCodeV2 {
  @Text(1, { max: 200, description: 'ID of the code.' })
  readonly id!: string;

  @Text(2, { max: 200, writeOnly: true, description: 'The code of the link.' })
  readonly code!: string;
}

@Named('RegisterPasskeyRequestV2')
export class RegisterPasskeyRequestV2 {
  @Text(1, OWN_ID)
  readonly userId!: string;

  @Part(2, () => PasskeyRegistrationCodeV2, {
    description:
      'Refused: the code of a link is used on the page that the link opens, which asks for what else the user holds.',
  })
  readonly code?: PasskeyRegistrationCodeV2;

  @Choice(3, PASSKEY_AUTHENTICATOR, {
    description: 'Where the browser offers first to keep the passkey: on its own device, or on another one.',
  })
  readonly authenticator!: ValueOf<typeof PASSKEY_AUTHENTICATOR>;

  @Text(4, DOMAIN)
  readonly domain!: string;
}

@Named('RegisterPasskeyResponseV2')
export class RegisterPasskeyResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Text(2, { description: 'The ID that the passkey will have.', example: EXAMPLE.passkey })
  readonly passkeyId!: string;

  @Struct(3, OPTIONS)
  readonly publicKeyCredentialCreationOptions!: object;
}

@Named('VerifyPasskeyRegistrationRequestV2')
export class VerifyPasskeyRegistrationRequestV2 {
  @Text(1, OWN_ID)
  readonly userId!: string;

  @Text(2, { min: 1, max: 200, description: 'The ID from RegisterPasskey.', example: EXAMPLE.passkey })
  readonly passkeyId!: string;

  @Struct(3, CREDENTIAL)
  readonly publicKeyCredential?: object;

  @Text(4, { ...KEY_NAME, example: 'My laptop' })
  readonly passkeyName!: string;
}

@Named('RegisterU2FRequestV2')
export class RegisterU2fRequestV2 {
  @Text(1, OWN_ID)
  readonly userId!: string;

  @Text(2, DOMAIN)
  readonly domain!: string;
}

@Named('RegisterU2FResponseV2')
export class RegisterU2fResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Text(2, {
    description: 'The ID that the security key will have.',
    example: EXAMPLE.securityKey,
    protoName: 'u2f_id',
  })
  readonly u2fId!: string;

  @Struct(3, OPTIONS)
  readonly publicKeyCredentialCreationOptions!: object;
}

@Named('VerifyU2FRegistrationRequestV2')
export class VerifyU2fRegistrationRequestV2 {
  @Text(1, OWN_ID)
  readonly userId!: string;

  @Text(2, {
    min: 1,
    max: 200,
    description: 'The ID from RegisterU2F.',
    example: EXAMPLE.securityKey,
    protoName: 'u2f_id',
  })
  readonly u2fId!: string;

  @Struct(3, CREDENTIAL)
  readonly publicKeyCredential?: object;

  @Text(4, { ...KEY_NAME, example: 'Blue key' })
  readonly tokenName!: string;
}
