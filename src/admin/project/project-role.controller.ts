import { Controller, Delete, Post, Put } from '@nestjs/common';
import { ProjectRoles } from '../../management/project/project-roles.js';
import { projectNotFound, roleNotFound, roleTaken } from '../../project/project.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toAddedDetails, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import { toRoleConditions, toRoleList } from './project.mapping.js';
import {
  AddProjectRoleRequest,
  BulkAddProjectRolesRequest,
  ListProjectRolesRequest,
  ListProjectRolesResponse,
  RemoveProjectRoleRequest,
  UpdateProjectRoleRequest,
} from './project-role.dto.js';

@Tagged('Projects')
@Controller('management/v1/projects/:projectId/roles')
@OfOrg()
export class ProjectRoleController {
  constructor(private readonly roles: ProjectRoles) {}

  @Post('_search')
  @Requires('project.role.read', { project: 'projectId' })
  @Operation({
    id: 'ListProjectRoles',
    summary: 'Search the roles of a project, sorted by key',
    request: ListProjectRolesRequest,
    exampleWith: { projectId: EXAMPLE.systemProject },
    returns: ListProjectRolesResponse,
    refuses: [projectNotFound()],
  })
  async list(
    @Asking() actor: Actor,
    @Message() { projectId, query, queries }: ListProjectRolesRequest,
  ): Promise<ListProjectRolesResponse> {
    const page = await this.roles.list(actor, projectId, {
      ...toRange(query),
      sortBy: 'key',
      where: toRoleConditions(queries),
    });
    return toRoleList(page, actor.orgId);
  }

  @Post('')
  @Requires('project.role.write', { project: 'projectId' })
  @Operation({
    id: 'AddProjectRole',
    summary: 'Add a role to a project',
    request: AddProjectRoleRequest,
    returns: DetailsResponse,
    refuses: [projectNotFound(), roleTaken('reader')],
  })
  async add(
    @Asking() actor: Actor,
    @Message() { projectId, roleKey, displayName, group }: AddProjectRoleRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.roles.add(actor, projectId, { key: roleKey, displayName, roleGroup: group });
    return { details: toAddedDetails(mark, actor.orgId) };
  }

  @Post('_bulk')
  @Requires('project.role.write', { project: 'projectId' })
  @Operation({
    id: 'BulkAddProjectRoles',
    summary: 'Add several roles to a project',
    request: BulkAddProjectRolesRequest,
    returns: DetailsResponse,
    refuses: [projectNotFound(), roleTaken('reader')],
  })
  async addMany(
    @Asking() actor: Actor,
    @Message() { projectId, roles }: BulkAddProjectRolesRequest,
  ): Promise<DetailsResponse> {
    const added = roles.map(({ key, displayName, group }) => ({ key, displayName, roleGroup: group }));
    return { details: toAddedDetails(await this.roles.addMany(actor, projectId, added), actor.orgId) };
  }

  @Put(':roleKey')
  @Requires('project.role.write', { project: 'projectId' })
  @Operation({
    id: 'UpdateProjectRole',
    summary: 'Update the display name and group of a role',
    request: UpdateProjectRoleRequest,
    returns: DetailsResponse,
    refuses: [projectNotFound(), roleNotFound()],
  })
  async update(
    @Asking() actor: Actor,
    @Message() { projectId, roleKey, displayName, group }: UpdateProjectRoleRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.roles.change(actor, projectId, { key: roleKey, displayName, roleGroup: group });
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Delete(':roleKey')
  @Requires('project.role.delete', { project: 'projectId' })
  @Operation({
    id: 'RemoveProjectRole',
    summary: 'Remove a role from a project, its project grants and its user grants',
    request: RemoveProjectRoleRequest,
    returns: DetailsResponse,
    refuses: [projectNotFound(), roleNotFound()],
  })
  async remove(
    @Asking() actor: Actor,
    @Message() { projectId, roleKey }: RemoveProjectRoleRequest,
  ): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.roles.remove(actor, projectId, roleKey), actor.orgId) };
  }
}
