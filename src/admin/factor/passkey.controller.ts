import { Controller, Delete, Post } from '@nestjs/common';
import { passkeyNotFound } from '../../factor/factor.errors.js';
import { PasskeyService } from '../../factor/passkey.service.js';
import type { Actor } from '../../permission/actor.js';
import { userTooStrong } from '../../permission/permission.errors.js';
import { checkPerson } from '../../user/person.service.js';
import { notPerson, userNotFound } from '../../user/user.errors.js';
import { UserDirectory } from '../../user/user-directory.js';
import { ManagedUsers } from '../../user-management/managed-users.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { OfOrg, Operation } from '../operation.js';
import { UserByUserId } from '../user/user.dto.js';
import { DetailsResponse, toChangedDetails } from '../wire/details.dto.js';
import { Tagged } from '../wire/documentation.js';
import { EXAMPLE } from '../wire/example-ids.js';
import { Message } from '../wire/message.js';
import { ListHumanPasswordlessResponse, RemoveHumanPasswordlessRequest } from './auth-factor.dto.js';

/** The passkeys of users. Managers remove those of devices that were lost. */
@Tagged('Human users')
@Controller('management/v1/users/:userId/passwordless')
@OfOrg()
export class PasskeyController {
  constructor(
    private readonly passkeys: PasskeyService,
    private readonly directory: UserDirectory,
    private readonly managed: ManagedUsers,
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

  @Delete(':tokenId')
  @Requires('user.write')
  @Operation({
    id: 'RemoveHumanPasswordless',
    summary: 'Remove a passkey of a user',
    request: RemoveHumanPasswordlessRequest,
    returns: DetailsResponse,
    description:
      'For a device that was lost. Existing sessions continue. Also removes the last way to sign in: the user then needs a new password or another provider.',
    refuses: [userNotFound(), userTooStrong(), notPerson(), passkeyNotFound()],
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
