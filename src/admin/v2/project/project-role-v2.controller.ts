import { Controller, Delete, Post } from '@nestjs/common';
import { ProjectRoles } from '../../../management/project/project-roles.js';
import { projectNotFound, roleNotFound, roleTaken } from '../../../project/project.errors.js';
import { roleWhere } from '../../../project/project-directory.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { toRange } from '../../kit/wire/list.dto.js';
import { Message } from '../../kit/wire/message.js';
import { toPagination } from '../kit/page.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import { ProjectChangedV2 } from './project.dto.js';
import {
  AddProjectRoleRequestV2,
  AddProjectRoleResponseV2,
  ListProjectRolesRequestV2,
  ListProjectRolesResponseV2,
  RemoveProjectRoleRequestV2,
  RemoveProjectRoleResponseV2,
  UpdateProjectRoleRequestV2,
} from './project-role.dto.js';

@Tagged('Projects v2')
@Controller('v2/projects/:projectId/roles')
@InService('project')
export class ProjectRoleV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly roles: ProjectRoles,
  ) {}

  @Post()
  @Requires('project.role.write', { named: true })
  @Operation({
    id: 'AddProjectRoleV2',
    sameAs: ['AddProjectRole'],
    summary: 'Add a role to a project',
    request: AddProjectRoleRequestV2,
    returns: AddProjectRoleResponseV2,
    refuses: [projectNotFound(), roleTaken('inspector')],
  })
  async add(@Asking() caller: Caller, @Message() request: AddProjectRoleRequestV2): Promise<AddProjectRoleResponseV2> {
    const { projectId, roleKey: key, displayName, group = '' } = request;
    const actor = await this.reach.project(caller, 'project.role.write', projectId);
    return { creationDate: (await this.roles.add(actor, projectId, { key, displayName, roleGroup: group })).at };
  }

  @Post('_search')
  @Requires('project.role.read', { named: true })
  @Operation({
    id: 'ListProjectRolesV2',
    sameAs: ['ListProjectRoles'],
    summary: 'Search the roles of a project',
    request: ListProjectRolesRequestV2,
    returns: ListProjectRolesResponseV2,
    refuses: [projectNotFound()],
  })
  async list(
    @Asking() caller: Caller,
    @Message() { projectId, pagination, sortingColumn = 'unspecified', filters }: ListProjectRolesRequestV2,
  ): Promise<ListProjectRolesResponseV2> {
    const actor = await this.reach.project(caller, 'project.role.read', projectId);
    const page = await this.roles.list(actor, projectId, {
      ...toRange(pagination),
      sortBy: sortingColumn === 'unspecified' ? 'key' : sortingColumn,
      where: filters.flatMap(({ roleKeyFilter, displayNameFilter }) => [
        ...(roleKeyFilter ? [roleWhere.key(roleKeyFilter.method, roleKeyFilter.key)] : []),
        ...(displayNameFilter ? [roleWhere.displayName(displayNameFilter.method, displayNameFilter.displayName)] : []),
      ]),
    });
    const projectRoles = page.rows.map(({ key, displayName, roleGroup, creationDate, changeDate }) => ({
      ...{ projectId, key, creationDate, changeDate, displayName },
      group: roleGroup,
    }));
    return { pagination: toPagination(page, pagination), projectRoles };
  }

  @Post(':roleKey')
  @Requires('project.role.write', { named: true })
  @Operation({
    id: 'UpdateProjectRoleV2',
    sameAs: ['UpdateProjectRole'],
    summary: 'Update the display name and group of a role',
    description: 'What is not sent stays as it is.',
    request: UpdateProjectRoleRequestV2,
    returns: ProjectChangedV2,
    refuses: [projectNotFound(), roleNotFound()],
  })
  async update(@Asking() caller: Caller, @Message() request: UpdateProjectRoleRequestV2): Promise<ProjectChangedV2> {
    const { projectId, roleKey: key, displayName, group } = request;
    const actor = await this.reach.project(caller, 'project.role.write', projectId);
    const changes = {
      ...(displayName === undefined ? {} : { displayName }),
      ...(group === undefined ? {} : { roleGroup: group }),
    };
    return { changeDate: (await this.roles.change(actor, projectId, { key, ...changes })).at };
  }

  @Delete(':roleKey')
  @Requires('project.role.delete', { named: true })
  @Operation({
    id: 'RemoveProjectRoleV2',
    sameAs: ['RemoveProjectRole'],
    summary: 'Remove a role from a project, its project grants and its user grants',
    request: RemoveProjectRoleRequestV2,
    returns: RemoveProjectRoleResponseV2,
    refuses: [projectNotFound(), roleNotFound()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { projectId, roleKey }: RemoveProjectRoleRequestV2,
  ): Promise<RemoveProjectRoleResponseV2> {
    const actor = await this.reach.project(caller, 'project.role.delete', projectId);
    return { removalDate: (await this.roles.remove(actor, projectId, roleKey)).at };
  }
}
