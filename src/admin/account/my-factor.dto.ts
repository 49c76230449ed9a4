import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Bytes, Named, Part, Text } from '../kit/wire/fields.js';

/** WebAuthn Level 3 has both in JSON: `PublicKeyCredentialCreationOptionsJSON` and `RegistrationResponseJSON`. */
const OPTIONS = { publicKey: { challenge: 'AAAA', rp: { id: 'id.example.com', name: 'Acme' } } };
const CREDENTIAL = { id: 'AQ', rawId: 'AQ', type: 'public-key', response: { clientDataJSON: 'e30' } };
/** An answer without certificates is much shorter; longer ones are refused unread. */
export const MAX_CREDENTIAL_BYTES = 16_384;

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** The options for an authenticator. */
@Named('WebAuthNKey')
export class WebAuthNKey {
  @Bytes(1, {
    description:
      'The options for `navigator.credentials.create()`, as JSON: an object `{"publicKey": …}`. Its member is what `PublicKeyCredential.parseCreationOptionsFromJSON()` reads, with binary values in base64url. They are valid for five minutes, once, and for the sign-in of this access token.',
    example: base64(OPTIONS),
  })
  readonly publicKey!: Buffer;
}

/** The answer of an authenticator. */
@Named('WebAuthNVerification')
export class WebAuthNVerification {
  @Bytes(1, {
    min: 1,
    max: MAX_CREDENTIAL_BYTES,
    description:
      'The credential that was created, as JSON: what its `toJSON()` returns, with binary values in base64url.',
    example: base64(CREDENTIAL),
  })
  readonly publicKeyCredential!: Buffer;

  @Text(2, {
    max: 200,
    description: 'A name of 1 to 100 characters; if empty, the name of the authenticator, if it is known.',
    example: 'Blue key',
  })
  readonly tokenName!: string;
}

@Named('NewKeyResponse')
export class NewKeyResponse {
  @Part(1, () => WebAuthNKey)
  readonly key!: WebAuthNKey;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('VerifyMyKeyRequest')
export class VerifyMyKeyRequest {
  @Part(1, () => WebAuthNVerification, { required: true })
  readonly verification!: WebAuthNVerification;
}

@Named('RemoveMyAuthFactorU2FRequest')
export class RemoveMyAuthFactorU2FRequest {
  @Text(1, { min: 1, max: 200, description: 'ID of the security key.', example: EXAMPLE.securityKey })
  readonly tokenId!: string;
}

@Named('RemoveMyPasswordlessRequest')
export class RemoveMyPasswordlessRequest {
  @Text(1, { min: 1, max: 200, description: 'ID of the passkey.', example: EXAMPLE.passkey })
  readonly tokenId!: string;
}

@Named('AddMyAuthFactorOTPResponse')
export class AddMyAuthFactorOTPResponse {
  @Text(1, {
    description: 'The seed and its label as a URI, for a QR code.',
    example: 'otpauth://totp/Acme:ilse.brandt%40birkenhof.example?issuer=Acme&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  readonly url!: string;

  @Text(2, {
    description: 'The seed alone, in base32, for an app that reads no QR codes. Returned once.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  readonly secret!: string;

  @Part(3, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('VerifyMyAuthFactorOTPRequest')
export class VerifyMyAuthFactorOTPRequest {
  @Text(1, { min: 1, max: 20, writeOnly: true, description: 'The code that the app shows now.', example: '287082' })
  readonly code!: string;
}
