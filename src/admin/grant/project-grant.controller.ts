import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { orgNotFound } from '../../org/org.errors.js';
import type { Actor } from '../../permission/actor.js';
import {
  projectGrantExists,
  projectGrantNotFound,
  projectGrantStateUnchanged,
  projectGrantToOwner,
  projectNotFound,
  rolesUnknown,
} from '../../project/project.errors.js';
import { ProjectGrants } from '../../project-management/project-grants.service.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { OfOrg, Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { DetailsResponse, toAddedDetails, toChangedDetails } from '../wire/details.dto.js';
import { EXAMPLE } from '../wire/example-ids.js';
import { toRange } from '../wire/list.dto.js';
import { Message } from '../wire/message.js';
import {
  AddProjectGrantRequest,
  AddProjectGrantResponse,
  ListAllProjectGrantsRequest,
  ListProjectGrantsRequest,
  ListProjectGrantsResponse,
  ProjectGrantReference,
  ProjectGrantResponse,
  UpdateProjectGrantRequest,
} from './project-grant.dto.js';
import { toGrantConditions, toGrantedProject, toGrantList } from './project-grant.mapping.js';

/** Projects that the organization lends to others. */
@ApiTags('Project grants' satisfies Tag)
@Controller('management/v1')
@OfOrg()
export class ProjectGrantController {
  constructor(private readonly grants: ProjectGrants) {}

  @Post('projects/:projectId/grants/_search')
  @Requires('project.grant.read', { project: 'projectId' })
  @Operation({
    id: 'ListProjectGrants',
    summary: 'The grants of a project',
    request: ListProjectGrantsRequest,
    exampleWith: { projectId: EXAMPLE.systemProject },
    returns: ListProjectGrantsResponse,
    refuses: [projectNotFound()],
  })
  async listOfProject(
    @Asking() actor: Actor,
    @Message() { projectId, query, queries }: ListProjectGrantsRequest,
  ): Promise<ListProjectGrantsResponse> {
    return toGrantList(
      await this.grants.listOfProject(actor, projectId, {
        ...toRange(query),
        sortBy: 'id',
        where: toGrantConditions(queries),
      }),
    );
  }

  @Post('projectgrants/_search')
  @Requires('project.grant.read', { some: ['project'] })
  @Operation({
    id: 'ListAllProjectGrants',
    summary: 'The grants of every project of the organization',
    request: ListAllProjectGrantsRequest,
    returns: ListProjectGrantsResponse,
    description: 'Whoever manages single projects sees the grants of those.',
  })
  async list(
    @Asking() actor: Actor,
    @Message() { query, queries }: ListAllProjectGrantsRequest,
  ): Promise<ListProjectGrantsResponse> {
    return toGrantList(
      await this.grants.list(actor, { ...toRange(query), sortBy: 'id', where: toGrantConditions(queries) }),
    );
  }

  @Get('projects/:projectId/grants/:grantId')
  @Requires('project.grant.read', { project: 'projectId' })
  @Operation({
    id: 'GetProjectGrantByID',
    summary: 'A grant of a project',
    request: ProjectGrantReference,
    returns: ProjectGrantResponse,
    refuses: [projectGrantNotFound()],
  })
  async get(
    @Asking() actor: Actor,
    @Message() { projectId, grantId }: ProjectGrantReference,
  ): Promise<ProjectGrantResponse> {
    return { projectGrant: toGrantedProject(await this.grants.get(actor, projectId, grantId)) };
  }

  @Post('projects/:projectId/grants')
  @Requires('project.grant.write', { project: 'projectId' })
  @Operation({
    id: 'AddProjectGrant',
    summary: 'Grants a project to another organization',
    request: AddProjectGrantRequest,
    returns: AddProjectGrantResponse,
    description:
      'Its managers may then give the granted roles to their own people, who count as people of the project where that asks (hasProjectCheck).',
    refuses: [
      projectNotFound(),
      orgNotFound(),
      rolesUnknown(['reader'], 'roleKeys'),
      projectGrantToOwner(),
      projectGrantExists(),
    ],
  })
  async add(
    @Asking() actor: Actor,
    @Message() { projectId, grantedOrgId, roleKeys }: AddProjectGrantRequest,
  ): Promise<AddProjectGrantResponse> {
    const { id, mark } = await this.grants.add(actor, { projectId, grantedOrgId, roleKeys });
    return { grantId: id, details: toAddedDetails(mark, actor.orgId) };
  }

  @Put('projects/:projectId/grants/:grantId')
  @Requires('project.grant.write', { project: 'projectId' })
  @Operation({
    id: 'UpdateProjectGrant',
    summary: 'Replaces the roles of a project grant; who got one that it loses loses it too',
    request: UpdateProjectGrantRequest,
    returns: DetailsResponse,
    refuses: [projectNotFound(), projectGrantNotFound(), rolesUnknown(['reader'], 'roleKeys')],
  })
  async update(
    @Asking() actor: Actor,
    @Message() { projectId, grantId, roleKeys }: UpdateProjectGrantRequest,
  ): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.grants.change(actor, projectId, grantId, roleKeys), actor.orgId) };
  }

  @Post('projects/:projectId/grants/:grantId/_deactivate')
  @Requires('project.grant.write', { project: 'projectId' })
  @Operation({
    id: 'DeactivateProjectGrant',
    summary: 'Stops a project grant: what was given through it does not count',
    request: ProjectGrantReference,
    returns: DetailsResponse,
    refuses: [projectNotFound(), projectGrantNotFound(), projectGrantStateUnchanged('inactive')],
  })
  async deactivate(
    @Asking() actor: Actor,
    @Message() { projectId, grantId }: ProjectGrantReference,
  ): Promise<DetailsResponse> {
    return {
      details: toChangedDetails(await this.grants.changeState(actor, projectId, grantId, 'inactive'), actor.orgId),
    };
  }

  @Post('projects/:projectId/grants/:grantId/_reactivate')
  @Requires('project.grant.write', { project: 'projectId' })
  @Operation({
    id: 'ReactivateProjectGrant',
    summary: 'Lets a stopped project grant count again',
    request: ProjectGrantReference,
    returns: DetailsResponse,
    refuses: [projectNotFound(), projectGrantNotFound(), projectGrantStateUnchanged('active')],
  })
  async reactivate(
    @Asking() actor: Actor,
    @Message() { projectId, grantId }: ProjectGrantReference,
  ): Promise<DetailsResponse> {
    return {
      details: toChangedDetails(await this.grants.changeState(actor, projectId, grantId, 'active'), actor.orgId),
    };
  }

  @Delete('projects/:projectId/grants/:grantId')
  @Requires('project.grant.delete', { project: 'projectId' })
  @Operation({
    id: 'RemoveProjectGrant',
    summary: 'Takes a project back, and all that was given through the grant',
    request: ProjectGrantReference,
    returns: DetailsResponse,
    refuses: [projectNotFound(), projectGrantNotFound()],
  })
  async remove(
    @Asking() actor: Actor,
    @Message() { projectId, grantId }: ProjectGrantReference,
  ): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.grants.remove(actor, projectId, grantId), actor.orgId) };
  }
}
