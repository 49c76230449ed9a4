import { Flag, Named, Part, Reserves, Text } from '../../../kit/wire/fields.js';
import { DetailsV2 } from '../../kit/object.dto.js';
import { ReturnEmailVerificationCodeV2, SendEmailVerificationCodeV2 } from '../human.dto.js';
import { USER_ID } from '../user.dto.js';

const SENT = {
  oneof: 'verification',
  description: 'A code is sent by e-mail, as it is if nothing is said.',
} as const;
const RETURNED = {
  oneof: 'verification',
  description: 'Refused: a code reaches nobody but the owner of the address.',
} as const;

@Named('SetEmailRequestV2')
export class SetEmailRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, { min: 1, max: 200, example: 'hannah@birkenhof.example' })
  readonly email!: string;

  @Part(3, () => SendEmailVerificationCodeV2, SENT)
  readonly sendCode?: SendEmailVerificationCodeV2;

  @Part(4, () => ReturnEmailVerificationCodeV2, RETURNED)
  readonly returnCode?: ReturnEmailVerificationCodeV2;

  @Flag(5, { oneof: 'verification', description: 'Whether it is verified. If not, a code is sent.', example: true })
  readonly isVerified?: boolean;
}

@Named('SetEmailResponseV2')
@Reserves({ 2: 'verification_code' })
export class SetEmailResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;
}

@Named('EmailCodeRequestV2')
export class EmailCodeRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Part(2, () => SendEmailVerificationCodeV2, SENT)
  readonly sendCode?: SendEmailVerificationCodeV2;

  @Part(3, () => ReturnEmailVerificationCodeV2, RETURNED)
  readonly returnCode?: ReturnEmailVerificationCodeV2;
}

@Named('EmailCodeResponseV2')
@Reserves({ 2: 'verification_code' })
export class EmailCodeResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;
}

@Named('VerifyEmailRequestV2')
export class VerifyEmailRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, {
    min: 1,
    max: 20,
    writeOnly: true,
    example: 'K7QX9M',
    description: 'The code of the e-mail. Upper and lower case are the same.',
  })
  readonly verificationCode!: string;
}
