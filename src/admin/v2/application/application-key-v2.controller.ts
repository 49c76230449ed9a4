import { Controller, Delete, Get, Post } from '@nestjs/common';
import type { Condition } from '../../../foundation/database/condition.js';
import { Applications } from '../../../management/project/applications.js';
import { clientKeyNotFound, clientNotFound, clientWithoutKeys } from '../../../project/client/client.errors.js';
import { clientKeyWhere } from '../../../project/client/client-directory.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { toRange } from '../../kit/wire/list.dto.js';
import { Message } from '../../kit/wire/message.js';
import { toPagination } from '../kit/page.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import {
  type ApplicationKeySearchFilterV2,
  CreateApplicationKeyRequestV2,
  CreateApplicationKeyResponseV2,
  DeleteApplicationKeyRequestV2,
  DeleteApplicationKeyResponseV2,
  GetApplicationKeyRequestV2,
  GetApplicationKeyResponseV2,
  ListApplicationKeysRequestV2,
  ListApplicationKeysResponseV2,
} from './application-key.dto.js';

/** Keys with which applications authenticate (private_key_jwt). */
@Tagged('Applications v2')
@Controller('v2')
@InService('application')
export class ApplicationKeyV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly applications: Applications,
  ) {}

  @Post('applications/:applicationId/keys')
  @Requires('project.app.write', { named: true })
  @Operation({
    id: 'CreateApplicationKeyV2',
    sameAs: ['AddAppKey'],
    summary: 'Create a key for an application; the private half is returned once',
    request: CreateApplicationKeyRequestV2,
    returns: CreateApplicationKeyResponseV2,
    refuses: [clientNotFound(), clientWithoutKeys()],
  })
  async create(
    @Asking() caller: Caller,
    @Message() { applicationId, projectId, expirationDate }: CreateApplicationKeyRequestV2,
  ): Promise<CreateApplicationKeyResponseV2> {
    const { actor, place } = await this.reach.application(caller, 'project.app.write', applicationId, projectId);
    const made = await this.applications.addKey(actor, place, { expiresAt: expirationDate, publicPem: '' });
    return {
      keyId: made.id,
      creationDate: made.mark.at,
      keyDetails: Buffer.from(made.details?.reveal() ?? ''),
    };
  }

  @Post('application_keys/_search')
  @Requires('project.app.read', { named: true })
  @Operation({
    id: 'ListApplicationKeysV2',
    sameAs: ['ListAppKeys'],
    summary: 'Search the keys of the applications that the caller may read, of all organizations',
    request: ListApplicationKeysRequestV2,
    returns: ListApplicationKeysResponseV2,
  })
  async list(
    @Asking() caller: Caller,
    @Message() { pagination, sortingColumn, filters }: ListApplicationKeysRequestV2,
  ): Promise<ListApplicationKeysResponseV2> {
    const page = await this.applications.listAllKeys(caller.rights, {
      ...toRange(pagination),
      sortBy: sortingColumn === 'type' ? 'id' : sortingColumn,
      where: toConditions(filters),
    });
    const keys = page.rows.map(({ id, clientRowId, projectId, orgId, creationDate, expiresAt }) => ({
      ...{ keyId: id, applicationId: clientRowId, projectId, creationDate },
      ...{ organizationId: orgId, expirationDate: expiresAt },
    }));
    return { keys, pagination: toPagination(page, pagination) };
  }

  @Get('application_keys/:keyId')
  @Requires('project.app.read', { named: true })
  @Operation({
    id: 'GetApplicationKeyV2',
    sameAs: ['GetAppKey'],
    summary: 'Get a key of an application',
    request: GetApplicationKeyRequestV2,
    returns: GetApplicationKeyResponseV2,
    refuses: [clientKeyNotFound()],
  })
  async get(
    @Asking() caller: Caller,
    @Message() { keyId }: GetApplicationKeyRequestV2,
  ): Promise<GetApplicationKeyResponseV2> {
    const { actor, place } = await this.reach.applicationKey(caller, 'project.app.read', keyId);
    const { creationDate, expiresAt } = await this.applications.getKey(actor, place, keyId);
    return { keyId, creationDate, expirationDate: expiresAt };
  }

  @Delete('applications/:applicationId/keys/:keyId')
  @Requires('project.app.write', { named: true })
  @Operation({
    id: 'DeleteApplicationKeyV2',
    sameAs: ['RemoveAppKey'],
    summary: 'Remove a key from an application; assertions signed with it are rejected',
    request: DeleteApplicationKeyRequestV2,
    returns: DeleteApplicationKeyResponseV2,
    refuses: [clientNotFound(), clientKeyNotFound()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { applicationId, projectId, keyId }: DeleteApplicationKeyRequestV2,
  ): Promise<DeleteApplicationKeyResponseV2> {
    const { actor, place } = await this.reach.application(caller, 'project.app.write', applicationId, projectId);
    return { deletionDate: (await this.applications.removeKey(actor, place, keyId)).at };
  }
}

function toConditions(filters: readonly ApplicationKeySearchFilterV2[]): Condition[] {
  return filters.flatMap(({ applicationIdFilter, projectIdFilter, organizationIdFilter }) => [
    ...(applicationIdFilter ? [clientKeyWhere.ofApplication(applicationIdFilter.applicationId)] : []),
    ...(projectIdFilter ? [clientKeyWhere.ofProject(projectIdFilter.projectId)] : []),
    ...(organizationIdFilter ? [clientKeyWhere.ofOrg(organizationIdFilter.organizationId)] : []),
  ]);
}
