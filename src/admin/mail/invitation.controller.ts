import { Controller, Post } from '@nestjs/common';
import { ManagedUsers } from '../../management/user/managed-users.js';
import { tooManyMails } from '../../user/outbox/outbox.errors.js';
import { MAIL_WINDOW_SECONDS } from '../../user/outbox/outbox.js';
import type { Actor } from '../../user/permission/actor.js';
import { applicationNotTrusted, userTooStrong } from '../../user/permission/permission.errors.js';
import { PersonService } from '../../user/person.service.js';
import { notPerson, userNotFound, userNotInitial } from '../../user/user.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Named, Text } from '../kit/wire/fields.js';
import { Message } from '../kit/wire/message.js';
import { USER_ID } from '../user/user-id.js';

@Named('CreateInviteCodeRequest')
export class CreateInviteCodeRequest {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, {
    max: 200,
    description: 'What the user is invited to. Defaults to the organization.',
    example: 'Birkenhof',
  })
  readonly applicationName!: string;
}

/** Invitations: the code for setting up an account, in an e-mail that names an application. */
@Tagged('Human users')
@Controller('management/v1/users')
@OfOrg()
export class InvitationController {
  constructor(
    private readonly persons: PersonService,
    private readonly managed: ManagedUsers,
  ) {}

  @Post(':userId/_invite')
  @Requires('user.write')
  @Operation({
    id: 'CreateInviteCode',
    summary: 'Invite a user to set up their account',
    request: CreateInviteCodeRequest,
    exampleWith: { userId: EXAMPLE.importedPerson },
    returns: DetailsResponse,
    description: 'The new code replaces the one that was sent before.',
    refuses: [
      userNotFound(),
      userTooStrong(),
      applicationNotTrusted(),
      notPerson(),
      userNotInitial(),
      tooManyMails(MAIL_WINDOW_SECONDS),
    ],
  })
  async invite(
    @Asking() actor: Actor,
    @Message() { userId, applicationName }: CreateInviteCodeRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.persons.invite(tx, user, applicationName, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId) };
  }
}
