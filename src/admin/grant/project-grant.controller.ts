import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ProjectGrants } from '../../management/project/project-grants.js';
import { orgNotFound } from '../../org/org.errors.js';
import {
  projectGrantExists,
  projectGrantNotFound,
  projectGrantStateUnchanged,
  projectGrantToOwner,
  projectNotFound,
  rolesUnknown,
} from '../../project/project.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toAddedDetails, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
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
@Tagged('Project grants')
@Controller('management/v1')
@OfOrg()
export class ProjectGrantController {
  constructor(private readonly grants: ProjectGrants) {}

  @Post('projects/:projectId/grants/_search')
  @Requires('project.grant.read', { project: 'projectId' })
  @Operation({
    id: 'ListProjectGrants',
    summary: 'Search the grants of a project',
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
    summary: 'Search the grants of all projects of the organization',
    request: ListAllProjectGrantsRequest,
    returns: ListProjectGrantsResponse,
    description: 'A manager of individual projects sees only the grants of those projects.',
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
    summary: 'Get a project grant',
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
    summary: 'Add a project grant: grant a project to another organization',
    request: AddProjectGrantRequest,
    returns: AddProjectGrantResponse,
    description:
      "The managers of that organization can then grant these roles to their own users. Those users pass the project's organization check (hasProjectCheck).",
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
    summary: 'Update the roles of a project grant; users lose the roles that are removed from it',
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
    summary: 'Deactivate a project grant: user grants based on it have no effect',
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
    summary: 'Reactivate a project grant',
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
    summary: 'Remove a project grant and all user grants based on it',
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
