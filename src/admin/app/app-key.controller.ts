import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Applications } from '../../management/project/applications.js';
import { clientKeyNotFound, clientNotFound, clientWithoutKeys } from '../../project/client/client.errors.js';
import { projectNotFound } from '../../project/project.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toAddedDetails, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import { toAppKey, toAppKeyList } from './app.mapping.js';
import {
  AddAppKeyRequest,
  AddAppKeyResponse,
  AppKeyReference,
  AppKeyResponse,
  ListAppKeysRequest,
  ListAppKeysResponse,
} from './app-key.dto.js';

/** Keys with which applications authenticate (private_key_jwt). */
@Tagged('Applications')
@Controller('management/v1/projects/:projectId/apps/:appId/keys')
@OfOrg()
export class AppKeyController {
  constructor(private readonly applications: Applications) {}

  @Post('_search')
  @Requires('project.app.read', { project: 'projectId' })
  @Operation({
    id: 'ListAppKeys',
    summary: 'List the keys of an application',
    request: ListAppKeysRequest,
    exampleWith: { projectId: EXAMPLE.systemProject, appId: EXAMPLE.documentationApp },
    returns: ListAppKeysResponse,
    refuses: [projectNotFound(), clientNotFound()],
  })
  async list(
    @Asking() actor: Actor,
    @Message() { projectId, appId, query }: ListAppKeysRequest,
  ): Promise<ListAppKeysResponse> {
    const page = await this.applications.listKeys(
      actor,
      { projectId, appId },
      { ...toRange(query), sortBy: 'id', where: [] },
    );
    return toAppKeyList(page, actor.orgId);
  }

  @Get(':keyId')
  @Requires('project.app.read', { project: 'projectId' })
  @Operation({
    id: 'GetAppKey',
    summary: 'Get a key of an application',
    request: AppKeyReference,
    returns: AppKeyResponse,
    refuses: [projectNotFound(), clientNotFound(), clientKeyNotFound()],
  })
  async get(@Asking() actor: Actor, @Message() { projectId, appId, keyId }: AppKeyReference): Promise<AppKeyResponse> {
    return { key: toAppKey(await this.applications.getKey(actor, { projectId, appId }, keyId), actor.orgId) };
  }

  @Post('')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'AddAppKey',
    summary: 'Add a key to an application',
    request: AddAppKeyRequest,
    exampleWith: { publicKey: undefined },
    returns: AddAppKeyResponse,
    refuses: [projectNotFound(), clientNotFound(), clientWithoutKeys()],
  })
  async add(@Asking() actor: Actor, @Message() request: AddAppKeyRequest): Promise<AddAppKeyResponse> {
    const { projectId, appId, expirationDate, publicKey } = request;
    const { id, mark, details } = await this.applications.addKey(
      actor,
      { projectId, appId },
      { expiresAt: expirationDate, publicPem: publicKey.toString() },
    );
    return { id, details: toAddedDetails(mark, actor.orgId), keyDetails: Buffer.from(details?.reveal() ?? '') };
  }

  @Delete(':keyId')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'RemoveAppKey',
    summary: 'Remove a key from an application; assertions signed with it are rejected',
    request: AppKeyReference,
    returns: DetailsResponse,
    refuses: [projectNotFound(), clientNotFound(), clientKeyNotFound()],
  })
  async remove(
    @Asking() actor: Actor,
    @Message() { projectId, appId, keyId }: AppKeyReference,
  ): Promise<DetailsResponse> {
    return {
      details: toChangedDetails(await this.applications.removeKey(actor, { projectId, appId }, keyId), actor.orgId),
    };
  }
}
