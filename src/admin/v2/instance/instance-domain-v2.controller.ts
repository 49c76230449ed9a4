import { Controller, Delete, Post } from '@nestjs/common';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { Clock } from '../../../foundation/time/clock.js';
import {
  instanceDomainsConfigured,
  instanceNotFound,
  noTrustedDomains,
} from '../../../org/instance/instance.errors.js';
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
  AddInstanceDomainResponseV2,
  CustomDomainRequestV2,
  ListCustomDomainsRequestV2,
  ListCustomDomainsResponseV2,
  ListTrustedDomainsRequestV2,
  ListTrustedDomainsResponseV2,
  RemoveInstanceDomainResponseV2,
  TrustedDomainRequestV2,
} from './instance.dto.js';
import { customDomainOf, hasFilters } from './instance.mapping.js';

/** The domains of the instance: the public address of the configuration, and no other. */
@Tagged('Instance v2')
@Controller('v2/instances/:instanceId')
@InService('instance')
export class InstanceDomainV2Controller {
  constructor(
    private readonly instances: InstanceService,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
  ) {}

  @Post('custom_domains/_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListCustomDomainsV2',
    sameAs: ['ListInstanceDomains'],
    summary: 'Search the domains of the instance: the host of its public URL',
    request: ListCustomDomainsRequestV2,
    returns: ListCustomDomainsResponseV2,
    refuses: [instanceNotFound()],
  })
  async listCustom(
    @Asking() _actor: Actor,
    @Message() { instanceId, pagination, filters }: ListCustomDomainsRequestV2,
  ): Promise<ListCustomDomainsResponseV2> {
    const domain = customDomainOf(await this.instances.getById(instanceId), this.issuer);
    const found = hasFilters(domain, filters) ? [domain] : [];
    const page = pageOfKnown(found, toRange(pagination), this.clock.now());
    return { domains: page.rows, pagination: toPagination(page, pagination) };
  }

  @Post('custom_domains')
  @Requires('iam.write')
  @Operation({
    id: 'AddCustomDomainV2',
    summary: 'Refused: the address of the service is in its configuration',
    request: CustomDomainRequestV2,
    returns: AddInstanceDomainResponseV2,
    refuses: [instanceNotFound(), instanceDomainsConfigured()],
  })
  async addCustom(
    @Asking() _actor: Actor,
    @Message() { instanceId }: CustomDomainRequestV2,
  ): Promise<AddInstanceDomainResponseV2> {
    await this.instances.getById(instanceId);
    throw instanceDomainsConfigured();
  }

  @Delete('custom_domains/:customDomain')
  @Requires('iam.write')
  @Operation({
    id: 'RemoveCustomDomainV2',
    summary: 'Refused: the address of the service is in its configuration',
    request: CustomDomainRequestV2,
    returns: RemoveInstanceDomainResponseV2,
    refuses: [instanceNotFound(), instanceDomainsConfigured()],
  })
  async removeCustom(
    @Asking() _actor: Actor,
    @Message() { instanceId }: CustomDomainRequestV2,
  ): Promise<RemoveInstanceDomainResponseV2> {
    await this.instances.getById(instanceId);
    throw instanceDomainsConfigured();
  }

  @Post('trusted_domains/_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListTrustedDomainsV2',
    sameAs: ['ListInstanceTrustedDomains'],
    summary: 'Search the trusted domains of the instance: there are none',
    request: ListTrustedDomainsRequestV2,
    returns: ListTrustedDomainsResponseV2,
    refuses: [instanceNotFound()],
  })
  async listTrusted(
    @Asking() _actor: Actor,
    @Message() { instanceId, pagination }: ListTrustedDomainsRequestV2,
  ): Promise<ListTrustedDomainsResponseV2> {
    await this.instances.getById(instanceId);
    const page = pageOfKnown([], toRange(pagination), this.clock.now());
    return { trustedDomain: [], pagination: toPagination(page, pagination) };
  }

  @Post('trusted_domains')
  @Requires('iam.write')
  @Operation({
    id: 'AddTrustedDomainV2',
    summary: 'Refused: no domain but that of the public URL is trusted',
    request: TrustedDomainRequestV2,
    returns: AddInstanceDomainResponseV2,
    refuses: [instanceNotFound(), noTrustedDomains()],
  })
  async addTrusted(
    @Asking() _actor: Actor,
    @Message() { instanceId }: TrustedDomainRequestV2,
  ): Promise<AddInstanceDomainResponseV2> {
    await this.instances.getById(instanceId);
    throw noTrustedDomains();
  }

  @Delete('trusted_domains/:trustedDomain')
  @Requires('iam.write')
  @Operation({
    id: 'RemoveTrustedDomainV2',
    summary: 'Refused: there are no trusted domains',
    request: TrustedDomainRequestV2,
    returns: RemoveInstanceDomainResponseV2,
    refuses: [instanceNotFound(), noTrustedDomains()],
  })
  async removeTrusted(
    @Asking() _actor: Actor,
    @Message() { instanceId }: TrustedDomainRequestV2,
  ): Promise<RemoveInstanceDomainResponseV2> {
    await this.instances.getById(instanceId);
    throw noTrustedDomains();
  }
}
