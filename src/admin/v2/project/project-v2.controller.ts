import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Projects } from '../../../management/project/projects.js';
import { orgNotFound } from '../../../org/org.errors.js';
import {
  projectIdTaken,
  projectNameTaken,
  projectNotFound,
  systemProjectKept,
} from '../../../project/project.errors.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { toRange } from '../../kit/wire/list.dto.js';
import { Message } from '../../kit/wire/message.js';
import { toPagination } from '../kit/page.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import {
  CreateProjectRequestV2,
  CreateProjectResponseV2,
  DeleteProjectResponseV2,
  GetProjectResponseV2,
  ListProjectsRequestV2,
  ListProjectsResponseV2,
  ProjectChangedV2,
  ProjectIdRequestV2,
  UpdateProjectRequestV2,
} from './project.dto.js';
import { grantedToIn, toChanges, toNewSettings, toProject, toProjectConditions } from './project.mapping.js';

@Tagged('Projects v2')
@Controller('v2/projects')
@InService('project')
export class ProjectV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly projects: Projects,
  ) {}

  @Post()
  @Requires('project.create', { named: true })
  @Operation({
    id: 'CreateProjectV2',
    sameAs: ['AddProject'],
    summary: 'Create a project',
    request: CreateProjectRequestV2,
    returns: CreateProjectResponseV2,
    refuses: [orgNotFound(), projectNameTaken(), projectIdTaken()],
  })
  async create(@Asking() caller: Caller, @Message() request: CreateProjectRequestV2): Promise<CreateProjectResponseV2> {
    const actor = await this.reach.org(caller, 'project.create', request.organizationId);
    const project = await this.projects.add(actor, toNewSettings(request), []);
    return { projectId: project.id, creationDate: project.creationDate };
  }

  @Post('_search')
  @Requires('project.read', { named: true })
  @Operation({
    id: 'ListProjectsV2',
    sameAs: ['ListProjects', 'ListGrantedProjects'],
    summary: 'Search the projects that the caller may read, of all organizations',
    request: ListProjectsRequestV2,
    returns: ListProjectsResponseV2,
  })
  async list(@Asking() caller: Caller, @Message() request: ListProjectsRequestV2): Promise<ListProjectsResponseV2> {
    const { pagination, sortingColumn = 'unspecified', filters } = request;
    const page = await this.projects.listAll(caller.rights, {
      ...toRange(pagination),
      sortBy: sortingColumn === 'unspecified' ? 'id' : sortingColumn,
      where: toProjectConditions(filters),
      grantedTo: grantedToIn(filters),
    });
    return { pagination: toPagination(page, pagination), projects: page.rows.map(toProject) };
  }

  @Get(':projectId')
  @Requires('project.read', { named: true })
  @Operation({
    id: 'GetProjectV2',
    sameAs: ['GetProjectByID'],
    summary: 'Get a project',
    request: ProjectIdRequestV2,
    exampleWith: { projectId: EXAMPLE.systemProject },
    returns: GetProjectResponseV2,
    refuses: [projectNotFound()],
  })
  async get(@Asking() caller: Caller, @Message() { projectId }: ProjectIdRequestV2): Promise<GetProjectResponseV2> {
    const actor = await this.reach.project(caller, 'project.read', projectId);
    return { project: toProject(await this.projects.get(actor, projectId)) };
  }

  @Post(':projectId')
  @Requires('project.write', { named: true })
  @Operation({
    id: 'UpdateProjectV2',
    sameAs: ['UpdateProject'],
    summary: 'Update the name and settings of a project',
    description: 'What is not sent stays as it is.',
    request: UpdateProjectRequestV2,
    returns: ProjectChangedV2,
    refuses: [projectNotFound(), projectNameTaken()],
  })
  async update(@Asking() caller: Caller, @Message() request: UpdateProjectRequestV2): Promise<ProjectChangedV2> {
    const actor = await this.reach.project(caller, 'project.write', request.projectId);
    return { changeDate: (await this.projects.change(actor, request.projectId, toChanges(request))).at };
  }

  @Post(':projectId/deactivate')
  @Requires('project.write', { named: true })
  @Operation({
    id: 'DeactivateProjectV2',
    sameAs: ['DeactivateProject'],
    summary: 'Deactivate a project: sign-ins to its applications are refused and their tokens become invalid',
    description: 'A project that is inactive already stays so.',
    request: ProjectIdRequestV2,
    returns: ProjectChangedV2,
    refuses: [projectNotFound(), systemProjectKept()],
  })
  async deactivate(@Asking() caller: Caller, @Message() { projectId }: ProjectIdRequestV2): Promise<ProjectChangedV2> {
    const actor = await this.reach.project(caller, 'project.write', projectId);
    return { changeDate: (await this.projects.ensureState(actor, projectId, 'inactive')).at };
  }

  @Post(':projectId/activate')
  @Requires('project.write', { named: true })
  @Operation({
    id: 'ActivateProjectV2',
    sameAs: ['ReactivateProject'],
    summary: 'Reactivate a project',
    description: 'A project that is active already stays so.',
    request: ProjectIdRequestV2,
    returns: ProjectChangedV2,
    refuses: [projectNotFound()],
  })
  async activate(@Asking() caller: Caller, @Message() { projectId }: ProjectIdRequestV2): Promise<ProjectChangedV2> {
    const actor = await this.reach.project(caller, 'project.write', projectId);
    return { changeDate: (await this.projects.ensureState(actor, projectId, 'active')).at };
  }

  @Delete(':projectId')
  @Requires('project.delete', { named: true })
  @Operation({
    id: 'DeleteProjectV2',
    sameAs: ['RemoveProject'],
    summary: 'Remove a project with its applications, project grants, members and user grants',
    request: ProjectIdRequestV2,
    returns: DeleteProjectResponseV2,
    refuses: [projectNotFound(), systemProjectKept()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { projectId }: ProjectIdRequestV2,
  ): Promise<DeleteProjectResponseV2> {
    const actor = await this.reach.project(caller, 'project.delete', projectId);
    return { deletionDate: (await this.projects.remove(actor, projectId)).at };
  }
}
