import { Controller, Post } from '@nestjs/common';
import { MailedProofs } from '../../../../management/user/mailed-proofs.js';
import { ManagedUsers } from '../../../../management/user/managed-users.js';
import { applicationNotTrusted, userTooStrong } from '../../../../user/permission/permission.errors.js';
import { PersonService } from '../../../../user/person.service.js';
import {
  emailVerifiedAlready,
  notPerson,
  registrationUnproven,
  selfServiceClosed,
  userInitial,
  userNotFound,
} from '../../../../user/user.errors.js';
import { MyEmail } from '../../../account/my-email.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { AUTHENTICATED } from '../../../kit/guard/demand.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { EXAMPLE } from '../../../kit/wire/example-ids.js';
import { Message } from '../../../kit/wire/message.js';
import { toChangedDetailsV2 } from '../../kit/object.dto.js';
import { type Caller, Reach } from '../../kit/reach.js';
import { UserChangedV2 } from '../user.dto.js';
import { checkSending, toEmail } from '../user.mapping.js';
import {
  EmailCodeRequestV2,
  EmailCodeResponseV2,
  SetEmailRequestV2,
  SetEmailResponseV2,
  VerifyEmailRequestV2,
} from './email.dto.js';

const REFUSALS = [userNotFound(), userTooStrong(), applicationNotTrusted(), notPerson()];

/** The e-mail addresses of people. */
@Tagged('User contact v2')
@Controller('v2/users/:userId/email')
@InService('user')
export class EmailV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly persons: PersonService,
    private readonly managed: ManagedUsers,
    private readonly proofs: MailedProofs,
    private readonly own: MyEmail,
  ) {}

  @Post()
  @Requires('user.write', { named: true })
  @Operation({
    id: 'SetEmailV2',
    sameAs: ['UpdateHumanEmail'],
    summary: 'Set or verify the e-mail address of a human user',
    description: 'Codes that were sent to the previous address become invalid.',
    request: SetEmailRequestV2,
    exampleWith: { sendCode: undefined, returnCode: undefined, isVerified: false },
    returns: SetEmailResponseV2,
    refuses: REFUSALS,
  })
  async set(@Asking() caller: Caller, @Message() request: SetEmailRequestV2): Promise<SetEmailResponseV2> {
    const actor = await this.reach.user(caller, 'user.write', request.userId);
    const { address, isVerified } = toEmail(request, '');
    const mark = await this.managed.change(actor, request.userId, (tx, user) =>
      this.persons.changeEmail(tx, user, address, isVerified, actor.userId),
    );
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }

  @Post('resend')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'ResendEmailCodeV2',
    sameAs: ['ResendHumanEmailVerification', 'ResendHumanInitialization'],
    summary: 'Send the code of an e-mail address again',
    description: 'The previous code becomes invalid. If the account is not set up yet, the code for that is sent.',
    request: EmailCodeRequestV2,
    exampleWith: { userId: EXAMPLE.addedPersonV2, returnCode: undefined, sendCode: {} },
    returns: EmailCodeResponseV2,
    refuses: [...REFUSALS, userInitial(), emailVerifiedAlready()],
  })
  async resend(@Asking() caller: Caller, @Message() request: EmailCodeRequestV2): Promise<EmailCodeResponseV2> {
    return this.sendCode(caller, request);
  }

  @Post('send')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'SendEmailCodeV2',
    sameAs: ['ResendHumanEmailVerification', 'ResendHumanInitialization'],
    summary: 'Send a code to verify the e-mail address of a human user',
    description: 'The previous code becomes invalid. If the account is not set up yet, the code for that is sent.',
    request: EmailCodeRequestV2,
    exampleWith: { userId: EXAMPLE.addedPersonV2, returnCode: undefined, sendCode: {} },
    returns: EmailCodeResponseV2,
    refuses: [...REFUSALS, userInitial(), emailVerifiedAlready()],
  })
  async send(@Asking() caller: Caller, @Message() request: EmailCodeRequestV2): Promise<EmailCodeResponseV2> {
    return this.sendCode(caller, request);
  }

  @Post('verify')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'VerifyEmailV2',
    sameAs: ['VerifyMyEmail'],
    summary: 'Verify an e-mail address by its code',
    description:
      "The caller's own, or with user.write that of another user. An account with a password is set up by that. A new address that users have asked for themselves needs a token of a recent sign-in.",
    request: VerifyEmailRequestV2,
    returns: UserChangedV2,
    refuses: [...REFUSALS, userInitial(), registrationUnproven(), selfServiceClosed('changeEmail')],
  })
  async verify(@Asking() caller: Caller, @Message() request: VerifyEmailRequestV2): Promise<UserChangedV2> {
    const { userId, verificationCode: text } = request;
    const isOwn = userId === caller.userId;
    const actor = isOwn ? this.reach.own(caller) : await this.reach.user(caller, 'user.write', userId);
    const field = 'verificationCode';
    const mark =
      isOwn && (await this.own.isAwaited(actor))
        ? await this.own.verify(actor, text, field)
        : await this.proofs.verifyEmail(actor, userId, { text, field });
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }

  private async sendCode(caller: Caller, request: EmailCodeRequestV2): Promise<EmailCodeResponseV2> {
    const actor = await this.reach.user(caller, 'user.write', request.userId);
    checkSending(request, '');
    const mark = await this.managed.change(actor, request.userId, (tx, user) =>
      this.persons.resendEmailCode(tx, user, actor.userId),
    );
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }
}
