import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { OrgRemoval } from '../../management/org/org-removal.js';
import { OrgSetup } from '../../management/org/org-setup.js';
import {
  defaultOrgKept,
  domainInUse,
  domainTaken,
  orgNameTaken,
  orgNotFound,
  orgStateUnchanged,
  systemOrgKept,
} from '../../org/org.errors.js';
import { OrgService } from '../../org/org.service.js';
import { OrgDirectory } from '../../org/org-directory.js';
import type { Actor } from '../../user/permission/actor.js';
import { lastOwner, userTooStrong } from '../../user/permission/permission.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import { AddOrgRequest, AddOrgResponse, OrgByDomainRequest, OrgResponse, UpdateOrgRequest } from './org.dto.js';
import { toOrg } from './org.mapping.js';

/** The organization that a call is about, as its own managers see it. */
@Tagged('Organizations')
@Controller('management/v1')
@OfOrg()
export class MyOrgController {
  constructor(
    private readonly orgs: OrgService,
    private readonly directory: OrgDirectory,
    private readonly setup: OrgSetup,
    private readonly removal: OrgRemoval,
  ) {}

  @Get('orgs/me')
  @Requires('org.read')
  @Operation({ id: 'GetMyOrg', summary: 'Get the organization', returns: OrgResponse })
  async get(@Asking() actor: Actor): Promise<OrgResponse> {
    return { org: toOrg(await this.directory.get(actor.orgId)) };
  }

  @Get('global/orgs/_by_domain')
  @Requires('org.global.read')
  @Operation({
    id: 'GetOrgByDomainGlobal',
    summary: 'Get an organization by its verified domain',
    request: OrgByDomainRequest,
    returns: OrgResponse,
    refuses: [orgNotFound()],
  })
  async getByDomain(@Asking() _actor: Actor, @Message() { domain }: OrgByDomainRequest): Promise<OrgResponse> {
    return { org: toOrg(await this.directory.getByDomain(domain)) };
  }

  @Post('orgs')
  @Requires('org.create')
  @Operation({
    id: 'AddOrg',
    summary: 'Create an organization owned by the caller',
    request: AddOrgRequest,
    returns: AddOrgResponse,
    refuses: [domainTaken('second-house.localhost'), domainInUse('second-house.localhost'), orgNameTaken()],
  })
  async add(@Asking() actor: Actor, @Message() { name }: AddOrgRequest): Promise<AddOrgResponse> {
    const org = await this.setup.add(actor, name);
    return { id: org.id, details: toDetails(org, org.id) };
  }

  @Put('orgs/me')
  @Requires('org.write')
  @Operation({
    id: 'UpdateOrg',
    summary: 'Update the name of the organization',
    request: UpdateOrgRequest,
    returns: DetailsResponse,
    refuses: [orgNameTaken()],
  })
  async update(@Asking() actor: Actor, @Message() { name }: UpdateOrgRequest): Promise<DetailsResponse> {
    const row = await this.orgs.rename(actor.orgId, name, actor.userId);
    return { details: toDetails(row, actor.orgId) };
  }

  @Post('orgs/me/_deactivate')
  @Requires('org.write')
  @Operation({
    id: 'DeactivateOrg',
    exampleOrg: EXAMPLE.otherOrg,
    summary: 'Deactivate the organization: its users cannot sign in, and its tokens become invalid',
    returns: DetailsResponse,
    refuses: [orgStateUnchanged('inactive'), defaultOrgKept(), systemOrgKept(), userTooStrong(), lastOwner()],
  })
  async deactivate(@Asking() actor: Actor): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.removal.changeState(actor, actor.orgId, 'inactive'), actor.orgId) };
  }

  @Post('orgs/me/_reactivate')
  @Requires('org.write')
  @Operation({
    id: 'ReactivateOrg',
    exampleOrg: EXAMPLE.otherOrg,
    summary: 'Reactivate the organization',
    returns: DetailsResponse,
    refuses: [orgStateUnchanged('active')],
  })
  async reactivate(@Asking() actor: Actor): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.removal.changeState(actor, actor.orgId, 'active'), actor.orgId) };
  }

  @Delete('orgs/me')
  @Requires('org.delete')
  @Operation({
    id: 'RemoveMyOrg',
    exampleOrg: EXAMPLE.otherOrg,
    summary: 'Remove the organization and everything that it owns',
    returns: DetailsResponse,
    refuses: [defaultOrgKept(), systemOrgKept(), userTooStrong(), lastOwner()],
  })
  async remove(@Asking() actor: Actor): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.removal.remove(actor, actor.orgId), actor.orgId) };
  }
}
