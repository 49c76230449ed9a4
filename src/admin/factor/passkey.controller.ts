import { Controller, Delete, Post } from '@nestjs/common';
import { ManagedUsers } from '../../management/user/managed-users.js';
import { PasskeyLinks } from '../../management/user/passkey-links.js';
import { passkeyNotFound, passkeysNotAllowed, passkeysUnavailable } from '../../user/factor/factor.errors.js';
import { PasskeyService } from '../../user/factor/passkey.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { applicationNotTrusted, userTooStrong } from '../../user/permission/permission.errors.js';
import { checkPerson } from '../../user/person.service.js';
import { emailNotVerified, notPerson, userInitial, userNotFound } from '../../user/user.errors.js';
import { UserDirectory } from '../../user/user-directory.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import { UserByUserId } from '../user/user.dto.js';
import {
  AddPasswordlessRegistrationResponse,
  ListHumanPasswordlessResponse,
  RemoveHumanPasswordlessRequest,
} from './auth-factor.dto.js';

const LINK_REFUSALS = [
  userNotFound(),
  userTooStrong(),
  applicationNotTrusted(),
  notPerson(),
  userInitial(),
  passkeysUnavailable(),
  passkeysNotAllowed(),
];
const ABOUT_LINKS =
  'It can be used once, within an hour; previous links become invalid. A user who has a second factor or a passkey confirms it first, by a code of the app or a recovery code.';

/** The passkeys of users. Managers remove those of devices that were lost. */
@Tagged('Human users')
@Controller('management/v1/users/:userId/passwordless')
@OfOrg()
export class PasskeyController {
  constructor(
    private readonly passkeys: PasskeyService,
    private readonly directory: UserDirectory,
    private readonly managed: ManagedUsers,
    private readonly links: PasskeyLinks,
  ) {}

  @Post('_search')
  @Requires('user.read')
  @Operation({
    id: 'ListHumanPasswordless',
    summary: 'List the passkeys of a user',
    request: UserByUserId,
    exampleWith: { userId: EXAMPLE.importedPerson },
    returns: ListHumanPasswordlessResponse,
    description: 'Returns the complete list, the oldest first. Security keys are among the second factors.',
    refuses: [userNotFound(), notPerson()],
  })
  async list(@Asking() actor: Actor, @Message() { userId }: UserByUserId): Promise<ListHumanPasswordlessResponse> {
    checkPerson(await this.directory.get(actor.orgId, userId));
    const keys = (await this.passkeys.list(userId)).filter(({ kind }) => kind === 'passkey');
    return { result: keys.map(({ id, name }) => ({ id, state: 'ready', name })) };
  }

  @Post('_link')
  @Requires('user.credential.write')
  @Operation({
    id: 'AddPasswordlessRegistration',
    summary: 'Add a link to register a passkey',
    request: UserByUserId,
    returns: AddPasswordlessRegistrationResponse,
    description: `Returns the link, which must reach the user and no one else. ${ABOUT_LINKS}`,
    refuses: LINK_REFUSALS,
  })
  async addLink(
    @Asking() actor: Actor,
    @Message() { userId }: UserByUserId,
  ): Promise<AddPasswordlessRegistrationResponse> {
    const { link, lifetimeSeconds, mark } = await this.links.make(actor, userId);
    return { details: toChangedDetails(mark, actor.orgId), link, expiration: lifetimeSeconds };
  }

  @Post('_send_link')
  @Requires('user.write')
  @Operation({
    id: 'SendPasswordlessRegistration',
    summary: 'Send a link to register a passkey',
    request: UserByUserId,
    returns: DetailsResponse,
    description: `Sends the link to the verified e-mail address of the user. ${ABOUT_LINKS}`,
    refuses: [...LINK_REFUSALS, emailNotVerified()],
  })
  async sendLink(@Asking() actor: Actor, @Message() { userId }: UserByUserId): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.links.send(actor, userId), actor.orgId) };
  }

  @Delete(':tokenId')
  @Requires('user.write')
  @Operation({
    id: 'RemoveHumanPasswordless',
    summary: 'Remove a passkey of a user',
    request: RemoveHumanPasswordlessRequest,
    returns: DetailsResponse,
    description:
      'For a device that was lost. Existing sessions continue. Also removes the last way to sign in: the user then needs a new password or another provider.',
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), notPerson(), passkeyNotFound()],
  })
  async remove(
    @Asking() actor: Actor,
    @Message() { userId, tokenId }: RemoveHumanPasswordlessRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, async (tx, user) => {
      checkPerson(user);
      return this.passkeys.remove(tx, userId, tokenId, 'passkey', actor.userId);
    });
    return { details: toChangedDetails(mark, actor.orgId) };
  }
}
