import { Controller, Delete, Get, Post } from '@nestjs/common';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { readVersion } from '../../../foundation/config/version.js';
import { Clock } from '../../../foundation/time/clock.js';
import type { Instance } from '../../../org/instance/instance.entity.js';
import { instanceKept, instanceNotFound } from '../../../org/instance/instance.errors.js';
import { InstanceService } from '../../../org/instance/instance.service.js';
import type { Actor } from '../../../user/permission/actor.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { pageOfKnown } from '../../kit/wire/known-list.js';
import { toRange } from '../../kit/wire/list.dto.js';
import { Message } from '../../kit/wire/message.js';
import { toPagination } from '../kit/page.dto.js';
import {
  DeleteInstanceResponseV2,
  GetInstanceResponseV2,
  InstanceIdRequestV2,
  type InstanceV2,
  ListInstancesRequestV2,
  ListInstancesResponseV2,
  UpdateInstanceRequestV2,
  UpdateInstanceResponseV2,
} from './instance.dto.js';
import { customDomainOf } from './instance.mapping.js';

const VERSION = readVersion();

/** The instance, of which a service has one. */
@Tagged('Instance v2')
@Controller('v2/instances')
@InService('instance')
export class InstanceV2Controller {
  constructor(
    private readonly instances: InstanceService,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
  ) {}

  @Post('_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListInstancesV2',
    summary: 'Search the instances: the one of this service',
    request: ListInstancesRequestV2,
    returns: ListInstancesResponseV2,
  })
  async list(
    @Asking() _actor: Actor,
    @Message() { pagination, filters }: ListInstancesRequestV2,
  ): Promise<ListInstancesResponseV2> {
    const instance = this.toInstance(await this.instances.get());
    const domains = instance.customDomains.map(({ domain }) => domain);
    const fits = filters.every(
      ({ inIdsFilter, customDomainsFilter }) =>
        (inIdsFilter?.ids.includes(instance.id) ?? true) &&
        (customDomainsFilter?.domains.some((one) => domains.includes(one)) ?? true),
    );
    const page = pageOfKnown(fits ? [instance] : [], toRange(pagination), this.clock.now());
    return { instances: page.rows, pagination: toPagination(page, pagination) };
  }

  @Get(':instanceId')
  @Requires('iam.read')
  @Operation({
    id: 'GetInstanceV2',
    sameAs: ['GetMyInstance'],
    summary: 'Get the instance',
    request: InstanceIdRequestV2,
    returns: GetInstanceResponseV2,
    refuses: [instanceNotFound()],
  })
  async get(@Asking() _actor: Actor, @Message() { instanceId }: InstanceIdRequestV2): Promise<GetInstanceResponseV2> {
    return { instance: this.toInstance(await this.instances.getById(instanceId)) };
  }

  @Post(':instanceId')
  @Requires('iam.write')
  @Operation({
    id: 'UpdateInstanceV2',
    summary: 'Update the name of the instance',
    request: UpdateInstanceRequestV2,
    returns: UpdateInstanceResponseV2,
    refuses: [instanceNotFound()],
  })
  async update(
    @Asking() { userId }: Actor,
    @Message() { instanceId, instanceName }: UpdateInstanceRequestV2,
  ): Promise<UpdateInstanceResponseV2> {
    await this.instances.getById(instanceId);
    return { changeDate: (await this.instances.rename(instanceName, userId)).changeDate };
  }

  @Delete(':instanceId')
  @Requires('iam.write')
  @Operation({
    id: 'DeleteInstanceV2',
    summary: 'Refused: an instance is deleted with its database',
    request: InstanceIdRequestV2,
    returns: DeleteInstanceResponseV2,
    refuses: [instanceNotFound(), instanceKept()],
  })
  async remove(
    @Asking() _actor: Actor,
    @Message() { instanceId }: InstanceIdRequestV2,
  ): Promise<DeleteInstanceResponseV2> {
    await this.instances.getById(instanceId);
    throw instanceKept();
  }

  private toInstance(row: Instance): InstanceV2 {
    const { id, name, creationDate, changeDate } = row;
    return {
      ...{ id, changeDate, creationDate, name },
      state: 'running',
      version: VERSION,
      customDomains: [customDomainOf(row, this.issuer)],
    };
  }
}
