import { Controller, Get, Put } from '@nestjs/common';
import { ProjectResources } from '../../management/project/project-resources.js';
import { projectNotFound, resourceTaken } from '../../project/project.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import {
  ProjectResourcesRequest,
  ProjectResourcesResponse,
  SetProjectResourcesRequest,
} from './project-resource.dto.js';

@Tagged('Projects')
@Controller('management/v1/projects/:projectId/resources')
@OfOrg()
export class ProjectResourceController {
  constructor(private readonly resources: ProjectResources) {}

  @Get('')
  @Requires('project.read', { project: 'projectId' })
  @Operation({
    id: 'ListProjectResources',
    summary: 'List the protected resources of a project',
    request: ProjectResourcesRequest,
    returns: ProjectResourcesResponse,
    refuses: [projectNotFound()],
  })
  async list(
    @Asking() actor: Actor,
    @Message() { projectId }: ProjectResourcesRequest,
  ): Promise<ProjectResourcesResponse> {
    return { uris: await this.resources.list(actor, projectId) };
  }

  @Put('')
  @Requires('project.write', { project: 'projectId' })
  @Operation({
    id: 'SetProjectResources',
    summary: 'Replace the protected resources of a project: its APIs and MCP servers, as clients name them (RFC 8707)',
    request: SetProjectResourcesRequest,
    returns: DetailsResponse,
    refuses: [projectNotFound(), resourceTaken('https://mcp.example.com/')],
  })
  async set(
    @Asking() actor: Actor,
    @Message() { projectId, uris, takeOver }: SetProjectResourcesRequest,
  ): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.resources.set(actor, projectId, uris, takeOver), actor.orgId) };
  }
}
