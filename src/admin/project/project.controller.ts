import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Projects } from '../../management/project/projects.js';
import {
  projectNameTaken,
  projectNotFound,
  projectStateUnchanged,
  systemProjectKept,
} from '../../project/project.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { userNotFound } from '../../user/user.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  AddProjectRequest,
  AddProjectResponse,
  ListProjectsRequest,
  ListProjectsResponse,
  ProjectIdRequest,
  ProjectResponse,
  UpdateProjectRequest,
} from './project.dto.js';
import { toProject, toProjectConditions, toProjectList, toSettings } from './project.mapping.js';

@Tagged('Projects')
@Controller('management/v1/projects')
@OfOrg()
export class ProjectController {
  constructor(private readonly projects: Projects) {}

  @Post('_search')
  @Requires('project.read', { some: ['project'] })
  @Operation({
    id: 'ListProjects',
    summary: 'Search the projects of the organization, sorted by name',
    request: ListProjectsRequest,
    returns: ListProjectsResponse,
    description: 'A manager of individual projects sees only those.',
  })
  async list(
    @Asking() actor: Actor,
    @Message() { query, queries }: ListProjectsRequest,
  ): Promise<ListProjectsResponse> {
    return toProjectList(
      await this.projects.list(actor, { ...toRange(query), sortBy: 'name', where: toProjectConditions(queries) }),
    );
  }

  @Post('')
  @Requires('project.create')
  @Operation({
    id: 'AddProject',
    summary: 'Create a project',
    request: AddProjectRequest,
    returns: AddProjectResponse,
    refuses: [projectNameTaken(), userNotFound()],
  })
  async add(@Asking() actor: Actor, @Message() request: AddProjectRequest): Promise<AddProjectResponse> {
    const project = await this.projects.add(actor, toSettings(request), request.admins);
    return { id: project.id, details: toDetails(project, project.orgId) };
  }

  @Get(':id')
  @Requires('project.read', { project: 'id' })
  @Operation({
    id: 'GetProjectByID',
    summary: 'Get a project',
    request: ProjectIdRequest,
    exampleWith: { id: EXAMPLE.systemProject },
    returns: ProjectResponse,
    refuses: [projectNotFound()],
  })
  async get(@Asking() actor: Actor, @Message() { id }: ProjectIdRequest): Promise<ProjectResponse> {
    return { project: toProject(await this.projects.get(actor, id)) };
  }

  @Put(':id')
  @Requires('project.write', { project: 'id' })
  @Operation({
    id: 'UpdateProject',
    summary: 'Update the name and settings of a project',
    request: UpdateProjectRequest,
    returns: DetailsResponse,
    refuses: [projectNotFound(), projectNameTaken()],
  })
  async update(@Asking() actor: Actor, @Message() request: UpdateProjectRequest): Promise<DetailsResponse> {
    return {
      details: toChangedDetails(await this.projects.change(actor, request.id, toSettings(request)), actor.orgId),
    };
  }

  @Post(':id/_deactivate')
  @Requires('project.write', { project: 'id' })
  @Operation({
    id: 'DeactivateProject',
    summary: 'Deactivate a project: sign-ins to its applications are refused and their tokens become invalid',
    request: ProjectIdRequest,
    returns: DetailsResponse,
    refuses: [projectNotFound(), projectStateUnchanged('inactive'), systemProjectKept()],
  })
  async deactivate(@Asking() actor: Actor, @Message() { id }: ProjectIdRequest): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.projects.changeState(actor, id, 'inactive'), actor.orgId) };
  }

  @Post(':id/_reactivate')
  @Requires('project.write', { project: 'id' })
  @Operation({
    id: 'ReactivateProject',
    summary: 'Reactivate a project',
    request: ProjectIdRequest,
    returns: DetailsResponse,
    refuses: [projectNotFound(), projectStateUnchanged('active')],
  })
  async reactivate(@Asking() actor: Actor, @Message() { id }: ProjectIdRequest): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.projects.changeState(actor, id, 'active'), actor.orgId) };
  }

  @Delete(':id')
  @Requires('project.delete', { project: 'id' })
  @Operation({
    id: 'RemoveProject',
    summary: 'Remove a project with its applications, project grants, members and user grants',
    request: ProjectIdRequest,
    returns: DetailsResponse,
    refuses: [projectNotFound(), systemProjectKept()],
  })
  async remove(@Asking() actor: Actor, @Message() { id }: ProjectIdRequest): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.projects.remove(actor, id), actor.orgId) };
  }
}
