import { Controller, Delete, Post } from '@nestjs/common';
import { ManagedUsers } from '../../../../management/user/managed-users.js';
import { applicationNotTrusted, userTooStrong } from '../../../../user/permission/permission.errors.js';
import { metadataNotFound, userNotFound } from '../../../../user/user.errors.js';
import { UserMetadataService } from '../../../../user/user-metadata.service.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { toRange } from '../../../kit/wire/list.dto.js';
import { Message } from '../../../kit/wire/message.js';
import { toKeyFilters, toMetadataV2 } from '../../kit/metadata.dto.js';
import { toPagination } from '../../kit/page.dto.js';
import { type Caller, Reach } from '../../kit/reach.js';
import {
  DeleteUserMetadataRequestV2,
  DeleteUserMetadataResponseV2,
  ListUserMetadataRequestV2,
  ListUserMetadataResponseV2,
  SetUserMetadataRequestV2,
  SetUserMetadataResponseV2,
} from './user-metadata.dto.js';

const REFUSALS = [userNotFound(), userTooStrong(), applicationNotTrusted()];

/** Values that applications keep about users. */
@Tagged('User contact v2')
@Controller('v2/users/:userId/metadata')
@InService('user')
export class UserMetadataV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly metadata: UserMetadataService,
    private readonly managed: ManagedUsers,
  ) {}

  @Post()
  @Requires('user.write', { named: true })
  @Operation({
    id: 'SetUserMetadataV2',
    sameAs: ['SetUserMetadata', 'BulkSetUserMetadata'],
    summary: 'Set metadata entries of a user',
    request: SetUserMetadataRequestV2,
    elsewhere: 'value',
    returns: SetUserMetadataResponseV2,
    refuses: REFUSALS,
  })
  async set(
    @Asking() caller: Caller,
    @Message() { userId, metadata }: SetUserMetadataRequestV2,
  ): Promise<SetUserMetadataResponseV2> {
    const actor = await this.reach.user(caller, 'user.write', userId);
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.metadata.set(tx, user, metadata, actor.userId),
    );
    return { setDate: mark.at };
  }

  @Post('search')
  @Requires('user.read', { named: true })
  @Operation({
    id: 'ListUserMetadataV2',
    sameAs: ['ListUserMetadata', 'GetUserMetadata'],
    summary: 'Search the metadata of a user',
    request: ListUserMetadataRequestV2,
    elsewhere: 'value',
    returns: ListUserMetadataResponseV2,
    refuses: [userNotFound()],
  })
  async list(
    @Asking() caller: Caller,
    @Message() { userId, pagination, filters }: ListUserMetadataRequestV2,
  ): Promise<ListUserMetadataResponseV2> {
    await this.reach.user(caller, 'user.read', userId);
    const page = await this.metadata.list(userId, toKeyFilters(filters), toRange(pagination));
    return { pagination: toPagination(page, pagination), metadata: page.rows.map(toMetadataV2) };
  }

  @Delete()
  @Requires('user.write', { named: true })
  @Operation({
    id: 'DeleteUserMetadataV2',
    sameAs: ['RemoveUserMetadata', 'BulkRemoveUserMetadata'],
    summary: 'Remove metadata entries of a user',
    request: DeleteUserMetadataRequestV2,
    returns: DeleteUserMetadataResponseV2,
    refuses: [...REFUSALS, metadataNotFound()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { userId, keys }: DeleteUserMetadataRequestV2,
  ): Promise<DeleteUserMetadataResponseV2> {
    const actor = await this.reach.user(caller, 'user.write', userId);
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.metadata.remove(tx, user, keys, actor.userId),
    );
    return { deletionDate: mark.at };
  }
}
