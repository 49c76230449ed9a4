import { Controller, Delete, Get, Post } from '@nestjs/common';
import { orgMetadataNotFound } from '../../org/org.errors.js';
import type { OrgMetadata } from '../../org/org-metadata.entity.js';
import { OrgMetadataService } from '../../org/org-metadata.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import { ListUserMetadataResponse, type UserMetadataEntry, UserMetadataResponse } from '../user/user-metadata.dto.js';
import {
  BulkRemoveOrgMetadataRequest,
  BulkSetOrgMetadataRequest,
  ListOrgMetadataRequest,
  OrgMetadataByKey,
  SetOrgMetadataRequest,
} from './org-metadata.dto.js';

/** Values that applications keep about the organization. */
@Tagged('Organizations')
@Controller('management/v1/metadata')
@OfOrg()
export class OrgMetadataController {
  constructor(private readonly metadata: OrgMetadataService) {}

  @Post('_bulk')
  @Requires('org.write')
  @Operation({
    id: 'BulkSetOrgMetadata',
    summary: 'Set several metadata entries of the organization',
    request: BulkSetOrgMetadataRequest,
    elsewhere: 'value',
    returns: DetailsResponse,
  })
  async setMany(@Asking() actor: Actor, @Message() { metadata }: BulkSetOrgMetadataRequest): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.metadata.set(actor.orgId, metadata, actor.userId), actor.orgId) };
  }

  @Post('_search')
  @Requires('org.read')
  @Operation({
    id: 'ListOrgMetadata',
    summary: 'Search the metadata of the organization',
    request: ListOrgMetadataRequest,
    elsewhere: 'value',
    returns: ListUserMetadataResponse,
  })
  async list(
    @Asking() actor: Actor,
    @Message() { query, queries }: ListOrgMetadataRequest,
  ): Promise<ListUserMetadataResponse> {
    const keys = queries.flatMap(({ keyQuery }) => (keyQuery ? [{ how: keyQuery.method, text: keyQuery.key }] : []));
    const page = await this.metadata.list(actor.orgId, keys, toRange(query));
    return { details: toListDetails(page), result: page.rows.map(toEntry) };
  }

  @Post(':key')
  @Requires('org.write')
  @Operation({
    id: 'SetOrgMetadata',
    summary: 'Set a metadata entry of the organization',
    request: SetOrgMetadataRequest,
    returns: DetailsResponse,
  })
  async set(@Asking() actor: Actor, @Message() { key, value }: SetOrgMetadataRequest): Promise<DetailsResponse> {
    const mark = await this.metadata.set(actor.orgId, [{ key, value }], actor.userId);
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Get(':key')
  @Requires('org.read')
  @Operation({
    id: 'GetOrgMetadata',
    summary: 'Get a metadata entry of the organization',
    request: OrgMetadataByKey,
    returns: UserMetadataResponse,
    refuses: [orgMetadataNotFound()],
  })
  async get(@Asking() actor: Actor, @Message() { key }: OrgMetadataByKey): Promise<UserMetadataResponse> {
    return { metadata: toEntry(await this.metadata.get(actor.orgId, key)) };
  }

  @Delete('_bulk')
  @Requires('org.write')
  @Operation({
    id: 'BulkRemoveOrgMetadata',
    summary: 'Remove several metadata entries of the organization',
    request: BulkRemoveOrgMetadataRequest,
    returns: DetailsResponse,
    refuses: [orgMetadataNotFound()],
  })
  async removeMany(
    @Asking() actor: Actor,
    @Message() { keys }: BulkRemoveOrgMetadataRequest,
  ): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.metadata.remove(actor.orgId, keys, actor.userId), actor.orgId) };
  }

  @Delete(':key')
  @Requires('org.write')
  @Operation({
    id: 'RemoveOrgMetadata',
    summary: 'Remove a metadata entry of the organization',
    request: OrgMetadataByKey,
    returns: DetailsResponse,
    refuses: [orgMetadataNotFound()],
  })
  async remove(@Asking() actor: Actor, @Message() { key }: OrgMetadataByKey): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.metadata.remove(actor.orgId, [key], actor.userId), actor.orgId) };
  }
}

function toEntry(row: OrgMetadata): UserMetadataEntry {
  return { details: toDetails(row, row.orgId), key: row.key, value: row.value };
}
