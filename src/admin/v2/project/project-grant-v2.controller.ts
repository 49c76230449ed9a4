import { Controller, Delete, Post } from '@nestjs/common';
import type { ListFilter } from '../../../foundation/database/condition.js';
import { ProjectGrants } from '../../../management/project/project-grants.js';
import { orgNotFound } from '../../../org/org.errors.js';
import {
  projectGrantExists,
  projectGrantNotFound,
  projectGrantStateUnchanged,
  projectGrantToOwner,
  projectNotFound,
  rolesUnknown,
} from '../../../project/project.errors.js';
import type { ProjectGrantState } from '../../../project/project-grant.entity.js';
import { type ProjectGrantEntry, projectGrantWhere } from '../../../project/project-grant-directory.js';
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
  CreateProjectGrantRequestV2,
  CreateProjectGrantResponseV2,
  DeleteProjectGrantResponseV2,
  ListProjectGrantsRequestV2,
  ListProjectGrantsResponseV2,
  ProjectGrantReferenceV2,
  type ProjectGrantSearchFilterV2,
  type ProjectGrantV2,
  UpdateProjectGrantRequestV2,
} from './project-grant.dto.js';

/** Grants are named by their project and the organization that received them: there is one of each pair. */
@Tagged('Projects v2')
@Controller('v2')
@InService('project')
export class ProjectGrantV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly grants: ProjectGrants,
  ) {}

  @Post('projects/:projectId/grants')
  @Requires('project.grant.write', { named: true })
  @Operation({
    id: 'CreateProjectGrantV2',
    sameAs: ['AddProjectGrant'],
    summary: 'Grant a project to another organization, whose managers can then grant its roles',
    request: CreateProjectGrantRequestV2,
    returns: CreateProjectGrantResponseV2,
    refuses: [
      projectNotFound(),
      orgNotFound(),
      rolesUnknown(['inspector'], 'roleKeys'),
      projectGrantToOwner(),
      projectGrantExists(),
    ],
  })
  async create(
    @Asking() caller: Caller,
    @Message() { projectId, grantedOrganizationId: grantedOrgId, roleKeys }: CreateProjectGrantRequestV2,
  ): Promise<CreateProjectGrantResponseV2> {
    const actor = await this.reach.project(caller, 'project.grant.write', projectId);
    const { mark } = await this.grants.add(actor, { projectId, grantedOrgId, roleKeys });
    return { creationDate: mark.at };
  }

  @Post('project_grants/_search')
  @Requires('project.grant.read', { named: true })
  @Operation({
    id: 'ListProjectGrantsV2',
    sameAs: ['ListProjectGrants', 'ListAllProjectGrants'],
    summary: 'Search the project grants that the caller may read: given and received',
    request: ListProjectGrantsRequestV2,
    returns: ListProjectGrantsResponseV2,
  })
  async list(
    @Asking() caller: Caller,
    @Message() { pagination, sortingColumn = 'unspecified', filters }: ListProjectGrantsRequestV2,
  ): Promise<ListProjectGrantsResponseV2> {
    const page = await this.grants.listAll(caller.rights, {
      ...toRange(pagination),
      sortBy: sortingColumn === 'unspecified' ? 'id' : sortingColumn,
      where: toConditions(filters),
    });
    return { pagination: toPagination(page, pagination), projectGrants: page.rows.map(toGrant) };
  }

  @Post('projects/:projectId/grants/:grantedOrganizationId')
  @Requires('project.grant.write', { named: true })
  @Operation({
    id: 'UpdateProjectGrantV2',
    sameAs: ['UpdateProjectGrant'],
    summary: 'Update the roles of a project grant; users lose the roles that are removed from it',
    request: UpdateProjectGrantRequestV2,
    returns: ProjectChangedV2,
    refuses: [projectNotFound(), projectGrantNotFound(), rolesUnknown(['inspector'], 'roleKeys')],
  })
  async update(@Asking() caller: Caller, @Message() request: UpdateProjectGrantRequestV2): Promise<ProjectChangedV2> {
    const { projectId, roleKeys } = request;
    const actor = await this.reach.project(caller, 'project.grant.write', projectId);
    const { id } = await this.grants.getTo(actor, projectId, request.grantedOrganizationId);
    return { changeDate: (await this.grants.change(actor, projectId, id, roleKeys)).at };
  }

  @Post('projects/:projectId/grants/:grantedOrganizationId/deactivate')
  @Requires('project.grant.write', { named: true })
  @Operation({
    id: 'DeactivateProjectGrantV2',
    sameAs: ['DeactivateProjectGrant'],
    summary: 'Deactivate a project grant: user grants based on it have no effect',
    request: ProjectGrantReferenceV2,
    returns: ProjectChangedV2,
    refuses: [projectNotFound(), projectGrantNotFound(), projectGrantStateUnchanged('inactive')],
  })
  async deactivate(@Asking() caller: Caller, @Message() place: ProjectGrantReferenceV2): Promise<ProjectChangedV2> {
    return this.changeState(caller, place, 'inactive');
  }

  @Post('projects/:projectId/grants/:grantedOrganizationId/activate')
  @Requires('project.grant.write', { named: true })
  @Operation({
    id: 'ActivateProjectGrantV2',
    sameAs: ['ReactivateProjectGrant'],
    summary: 'Reactivate a project grant',
    request: ProjectGrantReferenceV2,
    returns: ProjectChangedV2,
    refuses: [projectNotFound(), projectGrantNotFound(), projectGrantStateUnchanged('active')],
  })
  async activate(@Asking() caller: Caller, @Message() place: ProjectGrantReferenceV2): Promise<ProjectChangedV2> {
    return this.changeState(caller, place, 'active');
  }

  @Delete('projects/:projectId/grants/:grantedOrganizationId')
  @Requires('project.grant.delete', { named: true })
  @Operation({
    id: 'DeleteProjectGrantV2',
    sameAs: ['RemoveProjectGrant'],
    summary: 'Remove a project grant and all user grants based on it',
    request: ProjectGrantReferenceV2,
    returns: DeleteProjectGrantResponseV2,
    refuses: [projectNotFound(), projectGrantNotFound()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { projectId, grantedOrganizationId }: ProjectGrantReferenceV2,
  ): Promise<DeleteProjectGrantResponseV2> {
    const actor = await this.reach.project(caller, 'project.grant.delete', projectId);
    const { id } = await this.grants.getTo(actor, projectId, grantedOrganizationId);
    return { deletionDate: (await this.grants.remove(actor, projectId, id)).at };
  }

  private async changeState(
    caller: Caller,
    { projectId, grantedOrganizationId }: ProjectGrantReferenceV2,
    state: ProjectGrantState,
  ): Promise<ProjectChangedV2> {
    const actor = await this.reach.project(caller, 'project.grant.write', projectId);
    const { id } = await this.grants.getTo(actor, projectId, grantedOrganizationId);
    return { changeDate: (await this.grants.changeState(actor, projectId, id, state)).at };
  }
}

function toConditions(filters: readonly ProjectGrantSearchFilterV2[]): ListFilter[] {
  return filters.flatMap((filter) => [
    ...(filter.projectNameFilter
      ? [projectGrantWhere.projectName(filter.projectNameFilter.method, filter.projectNameFilter.projectName)]
      : []),
    ...(filter.roleKeyFilter ? [projectGrantWhere.roleKey(filter.roleKeyFilter.method, filter.roleKeyFilter.key)] : []),
    ...(filter.inProjectIdsFilter ? [projectGrantWhere.ofProjects(filter.inProjectIdsFilter.ids)] : []),
    ...(filter.organizationIdFilter ? [projectGrantWhere.ofOrg(filter.organizationIdFilter.id)] : []),
    ...(filter.grantedOrganizationIdFilter ? [projectGrantWhere.toOrg(filter.grantedOrganizationIdFilter.id)] : []),
  ]);
}

function toGrant(entry: ProjectGrantEntry): ProjectGrantV2 {
  return {
    organizationId: entry.orgId,
    creationDate: entry.creationDate,
    changeDate: entry.changeDate,
    grantedOrganizationId: entry.grantedOrgId,
    grantedOrganizationName: entry.grantedOrgName,
    grantedRoleKeys: entry.roleKeys,
    projectId: entry.projectId,
    projectName: entry.projectName,
    state: entry.state,
  };
}
