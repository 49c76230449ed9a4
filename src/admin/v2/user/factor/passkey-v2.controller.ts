import { Controller, Delete, Post } from '@nestjs/common';
import { Clock } from '../../../../foundation/time/clock.js';
import { ManagedUsers } from '../../../../management/user/managed-users.js';
import { PasskeyLinks } from '../../../../management/user/passkey-links.js';
import { passkeyNotFound, passkeysNotAllowed, passkeysUnavailable } from '../../../../user/factor/factor.errors.js';
import { PasskeyService } from '../../../../user/factor/passkey.service.js';
import { tooManyMails } from '../../../../user/outbox/outbox.errors.js';
import { MAIL_WINDOW_SECONDS } from '../../../../user/outbox/outbox.js';
import { applicationNotTrusted, userTooStrong } from '../../../../user/permission/permission.errors.js';
import { checkPerson } from '../../../../user/person.service.js';
import { emailNotVerified, notPerson, userInitial, userNotFound } from '../../../../user/user.errors.js';
import { UserDirectory } from '../../../../user/user-directory.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { Message } from '../../../kit/wire/message.js';
import { toChangedDetailsV2, toWholeListDetailsV2 } from '../../kit/object.dto.js';
import { type Caller, Reach } from '../../kit/reach.js';
import { UserChangedV2, UserIdRequestV2 } from '../user.dto.js';
import { codeNotReturned, templateRefused } from '../user.mapping.js';
import {
  CreatePasskeyRegistrationLinkRequestV2,
  CreatePasskeyRegistrationLinkResponseV2,
  ListPasskeysResponseV2,
  PasskeyByIdRequestV2,
} from './factor.dto.js';

const REFUSALS = [userNotFound(), notPerson()];
const CHANGE_REFUSALS = [...REFUSALS, userTooStrong(), applicationNotTrusted()];

/** The passkeys of users. Managers remove those of devices that were lost, and send links to add others. */
@Tagged('User factors v2')
@Controller('v2/users/:userId/passkeys')
@InService('user')
export class PasskeyV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly passkeys: PasskeyService,
    private readonly links: PasskeyLinks,
    private readonly directory: UserDirectory,
    private readonly managed: ManagedUsers,
    private readonly clock: Clock,
  ) {}

  @Post('_search')
  @Requires('user.read', { named: true })
  @Operation({
    id: 'ListPasskeysV2',
    sameAs: ['ListHumanPasswordless'],
    summary: 'List the passkeys of a user',
    description: 'Returns the complete list, the oldest first. Security keys are among the second factors.',
    request: UserIdRequestV2,
    returns: ListPasskeysResponseV2,
    refuses: REFUSALS,
  })
  async list(@Asking() caller: Caller, @Message() { userId }: UserIdRequestV2): Promise<ListPasskeysResponseV2> {
    const { orgId } = await this.reach.user(caller, 'user.read', userId);
    checkPerson(await this.directory.get(orgId, userId));
    const keys = (await this.passkeys.list(userId)).filter(({ kind }) => kind === 'passkey');
    return {
      details: toWholeListDetailsV2(keys.length, this.clock.now()),
      result: keys.map(({ id, name }) => ({ id, state: 'ready', name })),
    };
  }

  @Post('registration_link')
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'CreatePasskeyRegistrationLinkV2',
    sameAs: ['SendPasswordlessRegistration'],
    summary: 'Send a user a link to register a passkey',
    description:
      'Goes to the verified e-mail address of the user. It can be used once, within an hour; previous links become invalid. A user who has a second factor or a passkey confirms it first, by a code of the app or a recovery code.',
    request: CreatePasskeyRegistrationLinkRequestV2,
    exampleWith: { sendLink: {}, returnCode: undefined },
    returns: CreatePasskeyRegistrationLinkResponseV2,
    refuses: [
      ...CHANGE_REFUSALS,
      userInitial(),
      passkeysUnavailable(),
      passkeysNotAllowed(),
      emailNotVerified(),
      tooManyMails(MAIL_WINDOW_SECONDS),
    ],
  })
  async sendLink(
    @Asking() caller: Caller,
    @Message() { userId, sendLink, returnCode }: CreatePasskeyRegistrationLinkRequestV2,
  ): Promise<CreatePasskeyRegistrationLinkResponseV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    if (returnCode) throw codeNotReturned('returnCode');
    if ((sendLink?.urlTemplate ?? '') !== '') throw templateRefused('sendLink.urlTemplate');
    return { details: toChangedDetailsV2(await this.links.send(actor, userId), actor.orgId) };
  }

  @Delete(':passkeyId')
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'RemovePasskeyV2',
    sameAs: ['RemoveHumanPasswordless'],
    summary: 'Remove a passkey of a user',
    description:
      'For a device that was lost. Existing sessions continue. Also removes the last way to sign in: the user then needs a new password or another provider.',
    request: PasskeyByIdRequestV2,
    returns: UserChangedV2,
    refuses: [...CHANGE_REFUSALS, passkeyNotFound()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { userId, passkeyId }: PasskeyByIdRequestV2,
  ): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    const mark = await this.managed.change(actor, userId, async (tx, user) => {
      checkPerson(user);
      return this.passkeys.remove(tx, userId, passkeyId, 'passkey', actor.userId);
    });
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }
}
