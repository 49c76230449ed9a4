import { Controller, Delete, Post } from '@nestjs/common';
import { orgMetadataNotFound, orgNotFound } from '../../../org/org.errors.js';
import { OrgMetadataService } from '../../../org/org-metadata.service.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { toRange } from '../../kit/wire/list.dto.js';
import { Message } from '../../kit/wire/message.js';
import { toKeyFilters, toMetadataV2 } from '../kit/metadata.dto.js';
import { toPagination } from '../kit/page.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import { OrganizationDeletedV2 } from './organization.dto.js';
import {
  DeleteOrganizationMetadataRequestV2,
  ListOrganizationMetadataRequestV2,
  ListOrganizationMetadataResponseV2,
  SetOrganizationMetadataRequestV2,
  SetOrganizationMetadataResponseV2,
} from './organization-metadata.dto.js';

@Tagged('Organizations v2')
@Controller('v2/organizations/:organizationId/metadata')
@InService('org')
export class OrganizationMetadataV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly metadata: OrgMetadataService,
  ) {}

  @Post()
  @Requires('org.write', { named: true })
  @Operation({
    id: 'SetOrganizationMetadataV2',
    sameAs: ['SetOrgMetadata', 'BulkSetOrgMetadata'],
    summary: 'Set metadata entries of an organization',
    request: SetOrganizationMetadataRequestV2,
    elsewhere: 'value',
    returns: SetOrganizationMetadataResponseV2,
    refuses: [orgNotFound()],
  })
  async set(
    @Asking() caller: Caller,
    @Message() { organizationId, metadata }: SetOrganizationMetadataRequestV2,
  ): Promise<SetOrganizationMetadataResponseV2> {
    const { orgId, userId } = await this.reach.org(caller, 'org.write', organizationId);
    return { setDate: (await this.metadata.set(orgId, metadata, userId)).at };
  }

  @Post('search')
  @Requires('org.read', { named: true })
  @Operation({
    id: 'ListOrganizationMetadataV2',
    sameAs: ['ListOrgMetadata', 'GetOrgMetadata'],
    summary: 'Search the metadata of an organization',
    request: ListOrganizationMetadataRequestV2,
    elsewhere: 'value',
    returns: ListOrganizationMetadataResponseV2,
    refuses: [orgNotFound()],
  })
  async list(
    @Asking() caller: Caller,
    @Message() { organizationId, pagination, filters }: ListOrganizationMetadataRequestV2,
  ): Promise<ListOrganizationMetadataResponseV2> {
    const { orgId } = await this.reach.org(caller, 'org.read', organizationId);
    const page = await this.metadata.list(orgId, toKeyFilters(filters), toRange(pagination));
    return { pagination: toPagination(page, pagination), metadata: page.rows.map(toMetadataV2) };
  }

  @Delete()
  @Requires('org.write', { named: true })
  @Operation({
    id: 'DeleteOrganizationMetadataV2',
    sameAs: ['RemoveOrgMetadata', 'BulkRemoveOrgMetadata'],
    summary: 'Remove metadata entries of an organization',
    request: DeleteOrganizationMetadataRequestV2,
    returns: OrganizationDeletedV2,
    refuses: [orgNotFound(), orgMetadataNotFound()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { organizationId, keys }: DeleteOrganizationMetadataRequestV2,
  ): Promise<OrganizationDeletedV2> {
    const { orgId, userId } = await this.reach.org(caller, 'org.write', organizationId);
    return { deletionDate: (await this.metadata.remove(orgId, keys, userId)).at };
  }
}
