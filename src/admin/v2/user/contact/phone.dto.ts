import { Flag, Named, Part, Reserves, Text } from '../../../kit/wire/fields.js';
import { DetailsV2 } from '../../kit/object.dto.js';
import { ReturnPhoneVerificationCodeV2, SendPhoneVerificationCodeV2 } from '../human.dto.js';
import { USER_ID } from '../user.dto.js';

@Named('SetPhoneRequestV2')
export class SetPhoneRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, {
    min: 1,
    max: 50,
    form: { fits: (text) => text.startsWith('+'), says: 'must start with +' },
    description: 'Phone number with country code; stored without spaces and punctuation.',
    example: '+49 30 1234567',
  })
  readonly phone!: string;

  @Part(3, () => SendPhoneVerificationCodeV2, { oneof: 'verification', description: 'Refused: no SMS are sent.' })
  readonly sendCode?: SendPhoneVerificationCodeV2;

  @Part(4, () => ReturnPhoneVerificationCodeV2, {
    oneof: 'verification',
    description: 'Refused: phone numbers are not verified by codes.',
  })
  readonly returnCode?: ReturnPhoneVerificationCodeV2;

  @Flag(5, { oneof: 'verification', description: 'Whether it is verified.' })
  readonly isVerified?: boolean;
}

@Named('SetPhoneResponseV2')
@Reserves({ 2: 'verification_code' })
export class SetPhoneResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;
}
