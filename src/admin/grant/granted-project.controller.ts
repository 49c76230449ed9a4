import { Controller, Get, Post } from '@nestjs/common';
import { ProjectGrants } from '../../management/project/project-grants.js';
import { ProjectRoles } from '../../management/project/project-roles.js';
import { projectGrantNotFound } from '../../project/project.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import { toRoleConditions, toRoleList } from '../project/project.mapping.js';
import { ListGrantedProjectRolesRequest, ListProjectRolesResponse } from '../project/project-role.dto.js';
import {
  GrantedProjectResponse,
  ListGrantedProjectsRequest,
  ListProjectGrantsResponse,
  ProjectGrantReference,
} from './project-grant.dto.js';
import { toGrantedConditions, toGrantedProject, toGrantList } from './project-grant.mapping.js';

/** Projects that other organizations have granted to this one. */
@Tagged('Project grants')
@Controller('management/v1/granted_projects')
@OfOrg()
export class GrantedProjectController {
  constructor(
    private readonly grants: ProjectGrants,
    private readonly roles: ProjectRoles,
  ) {}

  @Post('_search')
  @Requires('project.read', { some: ['project_grant'] })
  @Operation({
    id: 'ListGrantedProjects',
    exampleOrg: EXAMPLE.otherOrg,
    summary: 'Search the projects that other organizations have granted to this one',
    request: ListGrantedProjectsRequest,
    returns: ListProjectGrantsResponse,
    description: 'A manager of individual grants sees only those.',
  })
  async list(
    @Asking() actor: Actor,
    @Message() { query, queries }: ListGrantedProjectsRequest,
  ): Promise<ListProjectGrantsResponse> {
    return toGrantList(
      await this.grants.listReceived(actor, {
        ...toRange(query),
        sortBy: 'projectName',
        where: toGrantedConditions(queries),
      }),
    );
  }

  @Get(':projectId/grants/:grantId')
  @Requires('project.read', { grant: 'grantId' })
  @Operation({
    id: 'GetGrantedProjectByID',
    exampleOrg: EXAMPLE.otherOrg,
    summary: 'Get a granted project',
    request: ProjectGrantReference,
    returns: GrantedProjectResponse,
    refuses: [projectGrantNotFound()],
  })
  async get(
    @Asking() actor: Actor,
    @Message() { projectId, grantId }: ProjectGrantReference,
  ): Promise<GrantedProjectResponse> {
    return { grantedProject: toGrantedProject(await this.grants.getReceived(actor, projectId, grantId)) };
  }

  @Post(':projectId/grants/:grantId/roles/_search')
  @Requires('project.role.read', { grant: 'grantId' })
  @Operation({
    id: 'ListGrantedProjectRoles',
    exampleOrg: EXAMPLE.otherOrg,
    summary: 'List the roles of a granted project',
    request: ListGrantedProjectRolesRequest,
    returns: ListProjectRolesResponse,
    refuses: [projectGrantNotFound()],
  })
  async listRoles(
    @Asking() actor: Actor,
    @Message() request: ListGrantedProjectRolesRequest,
  ): Promise<ListProjectRolesResponse> {
    return this.findRoles(actor, request);
  }

  @Get(':projectId/grants/:grantId/roles/_search')
  @Requires('project.role.read', { grant: 'grantId' })
  @Operation({
    id: 'ListGrantedProjectRolesByQuery',
    binds: 'ListGrantedProjectRoles',
    exampleOrg: EXAMPLE.otherOrg,
    summary: 'List the roles of a granted project',
    description:
      'Same as `ListGrantedProjectRoles`, for clients that use GET. Filters are not supported in the query string.',
    request: ListGrantedProjectRolesRequest,
    returns: ListProjectRolesResponse,
    refuses: [projectGrantNotFound()],
  })
  async listRolesByQuery(
    @Asking() actor: Actor,
    @Message() request: ListGrantedProjectRolesRequest,
  ): Promise<ListProjectRolesResponse> {
    return this.findRoles(actor, request);
  }

  private async findRoles(
    actor: Actor,
    { projectId, grantId, query, queries }: ListGrantedProjectRolesRequest,
  ): Promise<ListProjectRolesResponse> {
    const page = await this.roles.listGranted(actor, projectId, grantId, {
      ...toRange(query),
      sortBy: 'key',
      where: toRoleConditions(queries),
    });
    return toRoleList(page, (await this.grants.getReceived(actor, projectId, grantId)).orgId);
  }
}
