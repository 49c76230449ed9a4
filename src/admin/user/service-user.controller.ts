import { Controller, Delete, Post, Put } from '@nestjs/common';
import { lastMark } from '../../foundation/event/journal.js';
import { ManagedUsers } from '../../management/user/managed-users.js';
import { Newcomers } from '../../management/user/newcomers.js';
import type { Actor } from '../../user/permission/actor.js';
import { userTooStrong } from '../../user/permission/permission.errors.js';
import { ServiceUserService } from '../../user/service-user.service.js';
import { notServiceUser, userIdTaken, userNameTaken, userNotFound } from '../../user/user.errors.js';
import { UserService } from '../../user/user.service.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import { chosenHeaderType } from '../kit/wire/token-header-type.js';
import {
  AddMachineUserRequest,
  AddMachineUserResponse,
  GenerateMachineSecretResponse,
  UpdateMachineRequest,
} from './service-user.dto.js';
import { UserByUserId } from './user.dto.js';

/** Users that are programs. */
@Tagged('Service users')
@Controller('management/v1/users')
@OfOrg()
export class ServiceUserController {
  constructor(
    private readonly newcomers: Newcomers,
    private readonly users: UserService,
    private readonly services: ServiceUserService,
    private readonly managed: ManagedUsers,
  ) {}

  @Post('machine')
  @Requires('user.write')
  @Operation({
    id: 'AddMachineUser',
    summary: 'Create a service user',
    request: AddMachineUserRequest,
    returns: AddMachineUserResponse,
    refuses: [userNameTaken(), userIdTaken()],
  })
  async add(
    @Asking() actor: Actor,
    @Message() { userId, accessTokenHeaderType, ...request }: AddMachineUserRequest,
  ): Promise<AddMachineUserResponse> {
    const user = await this.newcomers.addService(actor, {
      ...request,
      ...chosenHeaderType(accessTokenHeaderType),
      ...(userId === undefined ? {} : { id: userId }),
    });
    return { userId: user.id, details: toDetails(user, user.orgId) };
  }

  @Put(':userId/machine')
  @Requires('user.write')
  @Operation({
    id: 'UpdateMachine',
    summary: 'Update a service user',
    request: UpdateMachineRequest,
    returns: DetailsResponse,
    refuses: [userNotFound(), userTooStrong(), notServiceUser()],
  })
  async update(
    @Asking() actor: Actor,
    @Message() { userId, accessTokenHeaderType, ...same }: UpdateMachineRequest,
  ): Promise<DetailsResponse> {
    const settings = { ...same, ...chosenHeaderType(accessTokenHeaderType) };
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.services.update(tx, user, settings, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Put(':userId/secret')
  @Requires('user.write')
  @Operation({
    id: 'GenerateMachineSecret',
    summary: 'Generate a client secret for a service user',
    request: UserByUserId,
    exampleWith: { userId: EXAMPLE.service },
    returns: GenerateMachineSecretResponse,
    description: 'The previous secret, and all tokens issued for it or for a key, become invalid immediately.',
    refuses: [userNotFound(), userTooStrong(), notServiceUser()],
  })
  async generateSecret(
    @Asking() actor: Actor,
    @Message() { userId }: UserByUserId,
  ): Promise<GenerateMachineSecretResponse> {
    const { secret, user } = await this.managed.change(actor, userId, async (tx) => ({
      secret: await this.services.generateSecret(tx, userId, actor.userId),
      user: await this.users.get(tx, userId),
    }));
    const mark = lastMark(user);
    return { clientId: user.userName, clientSecret: secret.reveal(), details: toChangedDetails(mark, actor.orgId) };
  }

  @Delete(':userId/secret')
  @Requires('user.write')
  @Operation({
    id: 'RemoveMachineSecret',
    summary: 'Remove the client secret of a service user',
    request: UserByUserId,
    exampleWith: { userId: EXAMPLE.service },
    returns: DetailsResponse,
    description: 'All tokens issued for the secret become invalid immediately.',
    refuses: [userNotFound(), userTooStrong(), notServiceUser()],
  })
  async removeSecret(@Asking() actor: Actor, @Message() { userId }: UserByUserId): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, (tx) => this.services.removeSecret(tx, userId, actor.userId));
    return { details: toChangedDetails(mark, actor.orgId) };
  }
}
