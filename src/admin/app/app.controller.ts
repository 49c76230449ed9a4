import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { HttpConfig, IssuerConfig } from '../../foundation/config/config.js';
import { Applications } from '../../management/project/applications.js';
import {
  clientDescribedElsewhere,
  clientNameTaken,
  clientNotFound,
  clientStateUnchanged,
  documentationClientKept,
} from '../../project/client/client.errors.js';
import { ExtGrants } from '../../project/client/ext-grants.js';
import { projectNotFound } from '../../project/project.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import { AppReference, AppResponse, ListAppsRequest, ListAppsResponse, UpdateAppRequest } from './app.dto.js';
import { type Surroundings, toApp, toAppConditions, toAppList } from './app.mapping.js';

/** The operations that both kinds of applications have in common. */
@Tagged('Applications')
@Controller('management/v1/projects/:projectId/apps')
@OfOrg()
export class AppController {
  constructor(
    private readonly applications: Applications,
    private readonly http: HttpConfig,
    private readonly grants: ExtGrants,
    private readonly issuer: IssuerConfig,
  ) {}

  @Post('_search')
  @Requires('project.app.read', { project: 'projectId' })
  @Operation({
    id: 'ListApps',
    summary: 'List the applications of a project, sorted by name',
    request: ListAppsRequest,
    exampleWith: { projectId: EXAMPLE.systemProject },
    returns: ListAppsResponse,
    refuses: [projectNotFound()],
  })
  async list(
    @Asking() actor: Actor,
    @Message() { projectId, query, queries }: ListAppsRequest,
  ): Promise<ListAppsResponse> {
    const page = await this.applications.list(actor, projectId, {
      ...toRange(query),
      sortBy: 'name',
      where: toAppConditions(queries),
    });
    return toAppList(page, actor.orgId, this.around());
  }

  @Get(':appId')
  @Requires('project.app.read', { project: 'projectId' })
  @Operation({
    id: 'GetAppByID',
    summary: 'Get an application',
    request: AppReference,
    exampleWith: { projectId: EXAMPLE.systemProject, appId: EXAMPLE.documentationApp },
    returns: AppResponse,
    refuses: [projectNotFound(), clientNotFound()],
  })
  async get(@Asking() actor: Actor, @Message() { projectId, appId }: AppReference): Promise<AppResponse> {
    return {
      app: toApp(await this.applications.get(actor, { projectId, appId }), actor.orgId, this.around()),
    };
  }

  @Put(':appId')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'UpdateApp',
    summary: 'Update the name of an application',
    request: UpdateAppRequest,
    returns: DetailsResponse,
    refuses: [projectNotFound(), clientNotFound(), clientNameTaken(), clientDescribedElsewhere()],
  })
  async update(
    @Asking() actor: Actor,
    @Message() { projectId, appId, name }: UpdateAppRequest,
  ): Promise<DetailsResponse> {
    return {
      details: toChangedDetails(await this.applications.rename(actor, { projectId, appId }, name), actor.orgId),
    };
  }

  @Post(':appId/_deactivate')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'DeactivateApp',
    summary: 'Deactivate an application: sign-ins are refused and its tokens become invalid',
    request: AppReference,
    returns: DetailsResponse,
    refuses: [projectNotFound(), clientNotFound(), clientStateUnchanged('inactive')],
  })
  async deactivate(@Asking() actor: Actor, @Message() { projectId, appId }: AppReference): Promise<DetailsResponse> {
    return {
      details: toChangedDetails(
        await this.applications.changeState(actor, { projectId, appId }, 'inactive'),
        actor.orgId,
      ),
    };
  }

  @Post(':appId/_reactivate')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'ReactivateApp',
    summary: 'Reactivate an application',
    request: AppReference,
    returns: DetailsResponse,
    refuses: [projectNotFound(), clientNotFound(), clientStateUnchanged('active')],
  })
  async reactivate(@Asking() actor: Actor, @Message() { projectId, appId }: AppReference): Promise<DetailsResponse> {
    return {
      details: toChangedDetails(
        await this.applications.changeState(actor, { projectId, appId }, 'active'),
        actor.orgId,
      ),
    };
  }

  @Delete(':appId')
  @Requires('project.app.delete', { project: 'projectId' })
  @Operation({
    id: 'RemoveApp',
    summary: 'Remove an application; its secret, keys and tokens become invalid',
    request: AppReference,
    returns: DetailsResponse,
    refuses: [projectNotFound(), clientNotFound(), documentationClientKept()],
  })
  async remove(@Asking() actor: Actor, @Message() { projectId, appId }: AppReference): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.applications.remove(actor, { projectId, appId }), actor.orgId) };
  }

  private around(): Surroundings {
    return { headers: this.http, grants: this.grants, requests: this.issuer };
  }
}
