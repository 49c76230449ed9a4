import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { OrgRemoval } from '../../management/org/org-removal.js';
import { OrgSetup } from '../../management/org/org-setup.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import {
  defaultOrgKept,
  domainInUse,
  domainTaken,
  orgInactive,
  orgNameTaken,
  orgNotFound,
  systemOrgKept,
} from '../../org/org.errors.js';
import { OrgService } from '../../org/org.service.js';
import { OrgDirectory } from '../../org/org-directory.js';
import type { Actor } from '../../user/permission/actor.js';
import { lastOwner, roleTooStrong } from '../../user/permission/permission.errors.js';
import { userNameTaken } from '../../user/user.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  IsOrgUniqueRequest,
  IsOrgUniqueResponse,
  ListOrgsRequest,
  ListOrgsResponse,
  OrgIdRequest,
  OrgReferenceRequest,
  OrgResponse,
  SetUpOrgRequest,
  SetUpOrgResponse,
} from './org.dto.js';
import { toConditions, toNewOrg, toOrg } from './org.mapping.js';

/** Organizations, as managers of the instance see them: all of them. */
@Tagged('Organizations')
@Controller('admin/v1/orgs')
export class OrgController {
  constructor(
    private readonly orgs: OrgService,
    private readonly directory: OrgDirectory,
    private readonly setup: OrgSetup,
    private readonly removal: OrgRemoval,
    private readonly instances: InstanceService,
  ) {}

  @Post('_setup')
  @Requires('iam.write')
  @Operation({
    id: 'SetUpOrg',
    summary: 'Set up an organization with a user who manages it',
    request: SetUpOrgRequest,
    returns: SetUpOrgResponse,
    description: 'All or nothing: creates the organization, its domain, the user and their roles.',
    refuses: [
      domainTaken('birkenhof.localhost'),
      domainInUse('birkenhof.localhost'),
      orgNameTaken(),
      userNameTaken(),
      roleTooStrong('ORG_OWNER'),
    ],
  })
  async setUp(@Asking() actor: Actor, @Message() request: SetUpOrgRequest): Promise<SetUpOrgResponse> {
    const { org, userId } = await this.setup.setUp(actor, toNewOrg(request));
    return { details: toDetails(org, org.id), orgId: org.id, userId };
  }

  @Post('_search')
  @Requires('iam.read')
  @Operation({ id: 'ListOrgs', summary: 'Search organizations', request: ListOrgsRequest, returns: ListOrgsResponse })
  async list(
    @Asking() _actor: Actor,
    @Message() { query, sortingColumn, queries }: ListOrgsRequest,
  ): Promise<ListOrgsResponse> {
    const page = await this.directory.list({ ...toRange(query), sortBy: sortingColumn, where: toConditions(queries) });
    return { details: toListDetails(page), sortingColumn, result: page.rows.map(toOrg) };
  }

  @Get('_is_unique')
  @Requires('iam.read')
  @Operation({
    id: 'IsOrgUnique',
    summary: 'Check whether a name and a domain are available',
    request: IsOrgUniqueRequest,
    returns: IsOrgUniqueResponse,
  })
  async isUnique(
    @Asking() _actor: Actor,
    @Message() { name, domain }: IsOrgUniqueRequest,
  ): Promise<IsOrgUniqueResponse> {
    return { isUnique: await this.directory.isUnique(name, domain) };
  }

  @Get('default')
  @Requires('iam.read')
  @Operation({ id: 'GetDefaultOrg', summary: 'Get the default organization', returns: OrgResponse })
  async getDefault(): Promise<OrgResponse> {
    const { defaultOrgId } = await this.instances.get();
    return { org: toOrg(await this.directory.get(defaultOrgId)) };
  }

  @Put('default/:orgId')
  @Requires('iam.write')
  @Operation({
    id: 'SetDefaultOrg',
    summary: 'Set the default organization',
    request: OrgReferenceRequest,
    returns: DetailsResponse,
    refuses: [orgNotFound(), orgInactive()],
  })
  async setDefault(@Asking() actor: Actor, @Message() { orgId }: OrgReferenceRequest): Promise<DetailsResponse> {
    const instance = await this.instances.setDefaultOrg(orgId, actor.userId, (tx) => this.orgs.holdActive(tx, orgId));
    return { details: toDetails(instance, instance.id) };
  }

  @Get(':orgId')
  @Requires('iam.read')
  @Operation({
    id: 'GetOrgByID',
    summary: 'Get an organization by its ID',
    request: OrgIdRequest,
    returns: OrgResponse,
    refuses: [orgNotFound()],
  })
  async get(@Asking() _actor: Actor, @Message() { orgId }: OrgIdRequest): Promise<OrgResponse> {
    return { org: toOrg(await this.directory.get(orgId)) };
  }

  @Delete(':orgId')
  @Requires('iam.write')
  @Operation({
    id: 'RemoveOrg',
    summary: 'Remove an organization and everything that it owns',
    request: OrgReferenceRequest,
    exampleWith: { orgId: EXAMPLE.setUpOrg },
    returns: DetailsResponse,
    refuses: [orgNotFound(), defaultOrgKept(), systemOrgKept(), lastOwner()],
  })
  async remove(@Asking() actor: Actor, @Message() { orgId }: OrgReferenceRequest): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.removal.remove(actor, orgId), orgId) };
  }
}
