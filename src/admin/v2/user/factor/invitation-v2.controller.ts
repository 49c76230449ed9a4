import { Controller, Post } from '@nestjs/common';
import type { EventMark } from '../../../../foundation/event/journal.js';
import { MailedProofs } from '../../../../management/user/mailed-proofs.js';
import { ManagedUsers } from '../../../../management/user/managed-users.js';
import { tooManyMails } from '../../../../user/outbox/outbox.errors.js';
import { MAIL_WINDOW_SECONDS } from '../../../../user/outbox/outbox.js';
import type { Actor } from '../../../../user/permission/actor.js';
import { applicationNotTrusted, userTooStrong } from '../../../../user/permission/permission.errors.js';
import { PersonService } from '../../../../user/person.service.js';
import { notPerson, userInitial, userNotFound, userNotInitial } from '../../../../user/user.errors.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { EXAMPLE } from '../../../kit/wire/example-ids.js';
import { Message } from '../../../kit/wire/message.js';
import { toChangedDetailsV2 } from '../../kit/object.dto.js';
import { type Caller, Reach } from '../../kit/reach.js';
import { VerifyEmailRequestV2 } from '../contact/email.dto.js';
import { UserChangedV2, UserIdRequestV2 } from '../user.dto.js';
import { codeNotReturned, templateRefused } from '../user.mapping.js';
import { CreateInviteCodeRequestV2, CreateInviteCodeResponseV2 } from './invitation.dto.js';

/** Has neither a password nor an account at a provider. */
const NEWCOMER = { userId: EXAMPLE.addedPersonV2 };
const REFUSALS = [
  userNotFound(),
  userTooStrong(),
  applicationNotTrusted(),
  notPerson(),
  userNotInitial(),
  tooManyMails(MAIL_WINDOW_SECONDS),
];

/** Invitations: the code for setting up an account, in an e-mail that names an application. */
@Tagged('User factors v2')
@Controller('v2/users/:userId/invite_code')
@InService('user')
export class InvitationV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly persons: PersonService,
    private readonly managed: ManagedUsers,
    private readonly proofs: MailedProofs,
  ) {}

  @Post()
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'CreateInviteCodeV2',
    sameAs: ['CreateInviteCode'],
    summary: 'Invite a user to set up their account',
    description: 'The new code replaces the one that was sent before.',
    request: CreateInviteCodeRequestV2,
    exampleWith: { ...NEWCOMER, sendCode: { applicationName: 'Birkenhof' }, returnCode: undefined },
    returns: CreateInviteCodeResponseV2,
    refuses: REFUSALS,
  })
  async create(
    @Asking() caller: Caller,
    @Message() { userId, sendCode, returnCode }: CreateInviteCodeRequestV2,
  ): Promise<CreateInviteCodeResponseV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    if (returnCode) throw codeNotReturned('returnCode');
    if ((sendCode?.urlTemplate ?? '') !== '') throw templateRefused('sendCode.urlTemplate');
    const mark = await this.invite(actor, userId, sendCode?.applicationName ?? '');
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }

  @Post('resend')
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'ResendInviteCodeV2',
    sameAs: ['CreateInviteCode'],
    summary: 'Invite a user to set up their account, again',
    description: 'Names the organization. The new code replaces the one that was sent before.',
    request: UserIdRequestV2,
    exampleWith: NEWCOMER,
    returns: UserChangedV2,
    refuses: REFUSALS,
  })
  async resend(@Asking() caller: Caller, @Message() { userId }: UserIdRequestV2): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    return { details: toChangedDetailsV2(await this.invite(actor, userId, ''), actor.orgId) };
  }

  @Post('verify')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'VerifyInviteCodeV2',
    summary: 'Set up an account that has a password by the code of its invitation',
    description:
      'The code proves that the address is of the user. An account without a password is set up by SetPassword, with the same code.',
    request: VerifyEmailRequestV2,
    exampleWith: NEWCOMER,
    returns: UserChangedV2,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), notPerson(), userInitial()],
  })
  async verify(
    @Asking() caller: Caller,
    @Message() { userId, verificationCode }: VerifyEmailRequestV2,
  ): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.write', userId);
    const code = { text: verificationCode, field: 'verificationCode' };
    return { details: toChangedDetailsV2(await this.proofs.verifyEmail(actor, userId, code), actor.orgId) };
  }

  private async invite(actor: Actor, userId: string, applicationName: string): Promise<EventMark> {
    return this.managed.change(actor, userId, (tx, user) =>
      this.persons.invite(tx, user, applicationName, actor.userId),
    );
  }
}
