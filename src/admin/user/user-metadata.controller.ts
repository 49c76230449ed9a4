import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ManagedUsers } from '../../management/user/managed-users.js';
import type { Actor } from '../../user/permission/actor.js';
import { applicationNotTrusted, userTooStrong } from '../../user/permission/permission.errors.js';
import { metadataNotFound, userNotFound } from '../../user/user.errors.js';
import { UserDirectory } from '../../user/user-directory.js';
import type { UserMetadata } from '../../user/user-metadata.entity.js';
import { UserMetadataService } from '../../user/user-metadata.service.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  BulkRemoveUserMetadataRequest,
  BulkSetUserMetadataRequest,
  ListUserMetadataRequest,
  ListUserMetadataResponse,
  SetUserMetadataRequest,
  SetUserMetadataResponse,
  UserMetadataByKey,
  type UserMetadataEntry,
  UserMetadataResponse,
} from './user-metadata.dto.js';

/** Values that applications keep about users. */
@Tagged('Users')
@Controller('management/v1/users/:id/metadata')
@OfOrg()
export class UserMetadataController {
  constructor(
    private readonly metadata: UserMetadataService,
    private readonly directory: UserDirectory,
    private readonly managed: ManagedUsers,
  ) {}

  @Post('_bulk')
  @Requires('user.write')
  @Operation({
    id: 'BulkSetUserMetadata',
    summary: 'Set several metadata entries of a user',
    request: BulkSetUserMetadataRequest,
    elsewhere: 'value',
    returns: DetailsResponse,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted()],
  })
  async setMany(
    @Asking() actor: Actor,
    @Message() { id, metadata }: BulkSetUserMetadataRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, id, (tx, user) =>
      this.metadata.set(tx, user, metadata, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Post('_search')
  @Requires('user.read')
  @Operation({
    id: 'ListUserMetadata',
    summary: 'Search the metadata of a user',
    request: ListUserMetadataRequest,
    elsewhere: 'value',
    exampleWith: { id: EXAMPLE.administrator },
    returns: ListUserMetadataResponse,
    refuses: [userNotFound()],
  })
  async list(
    @Asking() actor: Actor,
    @Message() { id, query, queries }: ListUserMetadataRequest,
  ): Promise<ListUserMetadataResponse> {
    await this.directory.get(actor.orgId, id);
    const keys = queries.flatMap(({ keyQuery }) => (keyQuery ? [{ how: keyQuery.method, text: keyQuery.key }] : []));
    const page = await this.metadata.list(id, keys, toRange(query));
    return { details: toListDetails(page), result: page.rows.map((row) => toMetadataEntry(row, actor.orgId)) };
  }

  @Post(':key')
  @Requires('user.write')
  @Operation({
    id: 'SetUserMetadata',
    summary: 'Set a metadata entry of a user',
    request: SetUserMetadataRequest,
    returns: SetUserMetadataResponse,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted()],
  })
  async set(
    @Asking() actor: Actor,
    @Message() { id, key, value }: SetUserMetadataRequest,
  ): Promise<SetUserMetadataResponse> {
    const mark = await this.managed.change(actor, id, (tx, user) =>
      this.metadata.set(tx, user, [{ key, value }], actor.userId),
    );
    return { id, details: toChangedDetails(mark, actor.orgId) };
  }

  @Get(':key')
  @Requires('user.read')
  @Operation({
    id: 'GetUserMetadata',
    summary: 'Get a metadata entry of a user',
    request: UserMetadataByKey,
    returns: UserMetadataResponse,
    refuses: [userNotFound(), metadataNotFound()],
  })
  async get(@Asking() actor: Actor, @Message() { id, key }: UserMetadataByKey): Promise<UserMetadataResponse> {
    await this.directory.get(actor.orgId, id);
    return { metadata: toMetadataEntry(await this.metadata.get(id, key), actor.orgId) };
  }

  @Delete('_bulk')
  @Requires('user.write')
  @Operation({
    id: 'BulkRemoveUserMetadata',
    summary: 'Remove several metadata entries of a user',
    request: BulkRemoveUserMetadataRequest,
    returns: DetailsResponse,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), metadataNotFound()],
  })
  async removeMany(
    @Asking() actor: Actor,
    @Message() { id, keys }: BulkRemoveUserMetadataRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, id, (tx, user) => this.metadata.remove(tx, user, keys, actor.userId));
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Delete(':key')
  @Requires('user.write')
  @Operation({
    id: 'RemoveUserMetadata',
    summary: 'Remove a metadata entry of a user',
    request: UserMetadataByKey,
    returns: DetailsResponse,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), metadataNotFound()],
  })
  async remove(@Asking() actor: Actor, @Message() { id, key }: UserMetadataByKey): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, id, (tx, user) =>
      this.metadata.remove(tx, user, [key], actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId) };
  }
}

export function toMetadataEntry(row: UserMetadata, orgId: string): UserMetadataEntry {
  return { details: toDetails(row, orgId), key: row.key, value: row.value };
}
