import { Controller, Delete, Post } from '@nestjs/common';
import { ManagedUsers } from '../../../management/user/managed-users.js';
import { applicationNotTrusted, lastOwner, userTooStrong } from '../../../user/permission/permission.errors.js';
import { userNotFound, userNotInState, userStateUnchanged } from '../../../user/user.errors.js';
import { UserService } from '../../../user/user.service.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { Message } from '../../kit/wire/message.js';
import { toChangedDetailsV2 } from '../kit/object.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import { UserChangedV2, UserIdRequestV2 } from './user.dto.js';

const REFUSALS = [userNotFound(), userTooStrong(), applicationNotTrusted()];

/** Whether a user can sign in, until removal. */
@Tagged('Users v2')
@Controller('v2/users/:userId')
@InService('user')
export class UserStateV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly users: UserService,
    private readonly managed: ManagedUsers,
  ) {}

  @Post('deactivate')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'DeactivateUserV2',
    sameAs: ['DeactivateUser'],
    summary: 'Deactivate a user and end their sessions and tokens',
    request: UserIdRequestV2,
    returns: UserChangedV2,
    refuses: [...REFUSALS, userStateUnchanged('inactive'), lastOwner()],
  })
  async deactivate(@Asking() caller: Caller, @Message() { userId }: UserIdRequestV2): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.write', userId);
    return { details: toChangedDetailsV2(await this.managed.deactivate(actor, userId), actor.orgId) };
  }

  @Post('reactivate')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'ReactivateUserV2',
    sameAs: ['ReactivateUser'],
    summary: 'Reactivate a user: an account that was never set up waits for that again',
    request: UserIdRequestV2,
    returns: UserChangedV2,
    refuses: [...REFUSALS, userNotInState('inactive')],
  })
  async reactivate(@Asking() caller: Caller, @Message() { userId }: UserIdRequestV2): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.write', userId);
    const mark = await this.managed.change(actor, userId, (tx, user) => this.users.reactivate(tx, user, actor.userId));
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }

  @Post('lock')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'LockUserV2',
    sameAs: ['LockUser'],
    summary: 'Lock a user and end their sessions and tokens',
    request: UserIdRequestV2,
    returns: UserChangedV2,
    refuses: [...REFUSALS, userNotInState('active'), lastOwner()],
  })
  async lock(@Asking() caller: Caller, @Message() { userId }: UserIdRequestV2): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.write', userId);
    return { details: toChangedDetailsV2(await this.managed.lock(actor, userId), actor.orgId) };
  }

  @Post('unlock')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'UnlockUserV2',
    sameAs: ['UnlockUser'],
    summary: 'Unlock a user who was locked by a manager or after wrong passwords',
    request: UserIdRequestV2,
    returns: UserChangedV2,
    refuses: [...REFUSALS, userNotInState('locked')],
  })
  async unlock(@Asking() caller: Caller, @Message() { userId }: UserIdRequestV2): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.write', userId);
    const mark = await this.managed.change(actor, userId, (tx, user) => this.users.unlock(tx, user, actor.userId));
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }

  @Delete()
  @Requires('user.delete', { named: true })
  @Operation({
    id: 'DeleteUserV2',
    sameAs: ['RemoveUser'],
    summary: 'Remove a user and everything that belongs to them',
    request: UserIdRequestV2,
    returns: UserChangedV2,
    refuses: [...REFUSALS, lastOwner()],
  })
  async remove(@Asking() caller: Caller, @Message() { userId }: UserIdRequestV2): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.delete', userId);
    return { details: toChangedDetailsV2(await this.managed.remove(actor, userId), actor.orgId) };
  }
}
