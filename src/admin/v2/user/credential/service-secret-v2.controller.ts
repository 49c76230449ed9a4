import { Controller, Delete, Post } from '@nestjs/common';
import { ManagedUsers } from '../../../../management/user/managed-users.js';
import { userTooStrong } from '../../../../user/permission/permission.errors.js';
import { ServiceUserService } from '../../../../user/service-user.service.js';
import { notServiceUser, userNotFound } from '../../../../user/user.errors.js';
import { UserService } from '../../../../user/user.service.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { Message } from '../../../kit/wire/message.js';
import { type Caller, Reach } from '../../kit/reach.js';
import { AddSecretResponseV2, RemoveSecretResponseV2, ServiceUserIdRequestV2 } from './service-user.dto.js';

const REFUSALS = [userNotFound(), userTooStrong(), notServiceUser()];

/** The client secrets of service users. */
@Tagged('User credentials v2')
@Controller('v2/users/:userId/secret')
@InService('user')
export class ServiceSecretV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly users: UserService,
    private readonly services: ServiceUserService,
    private readonly managed: ManagedUsers,
  ) {}

  @Post()
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'AddSecretV2',
    sameAs: ['GenerateMachineSecret'],
    summary: 'Generate a client secret for a service user',
    description: 'The previous secret, and all tokens issued for it or for a key, become invalid immediately.',
    request: ServiceUserIdRequestV2,
    returns: AddSecretResponseV2,
    refuses: REFUSALS,
  })
  async add(@Asking() caller: Caller, @Message() { userId }: ServiceUserIdRequestV2): Promise<AddSecretResponseV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    return this.managed.change(actor, userId, async (tx) => {
      const clientSecret = (await this.services.generateSecret(tx, userId, actor.userId)).reveal();
      return { creationDate: (await this.users.get(tx, userId)).changeDate, clientSecret };
    });
  }

  @Delete()
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'RemoveSecretV2',
    sameAs: ['RemoveMachineSecret'],
    summary: 'Remove the client secret of a service user',
    description: 'All tokens issued for the secret become invalid immediately.',
    request: ServiceUserIdRequestV2,
    returns: RemoveSecretResponseV2,
    refuses: REFUSALS,
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { userId }: ServiceUserIdRequestV2,
  ): Promise<RemoveSecretResponseV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    const mark = await this.managed.change(actor, userId, (tx) => this.services.removeSecret(tx, userId, actor.userId));
    return { deletionDate: mark.at };
  }
}
