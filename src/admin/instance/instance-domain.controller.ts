import { Controller, Post } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Clock } from '../../foundation/time/clock.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { pageOfKnown, textFits } from '../kit/wire/known-list.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import type { InstanceDomain } from './instance.dto.js';
import {
  type InstanceDomainSearchQuery,
  ListInstanceDomainsRequest,
  ListInstanceDomainsResponse,
  ListInstanceTrustedDomainsRequest,
  ListInstanceTrustedDomainsResponse,
} from './instance-domain.dto.js';

/** The domains of the instance: the public address of the configuration, and no other. */
@Tagged('Instance')
@Controller('admin/v1')
export class InstanceDomainController {
  constructor(
    private readonly instances: InstanceService,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
  ) {}

  @Post('domains/_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListInstanceDomains',
    summary: 'Search the domains of the instance: the host of its public URL',
    request: ListInstanceDomainsRequest,
    returns: ListInstanceDomainsResponse,
  })
  async list(
    @Asking() _actor: Actor,
    @Message() { query, sortingColumn, queries }: ListInstanceDomainsRequest,
  ): Promise<ListInstanceDomainsResponse> {
    const instance = await this.instances.get();
    const details = toDetails(instance, instance.id);
    const domain = { details, domain: new URL(this.issuer.publicUrl).hostname, primary: true, generated: false };
    const found = queries.every((one) => fits(domain, one)) ? [domain] : [];
    const page = pageOfKnown(found, toRange(query), this.clock.now());
    return { details: toListDetails(page), sortingColumn, result: page.rows };
  }

  @Post('trusted_domains/_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListInstanceTrustedDomains',
    summary: 'Search the trusted domains of the instance: there are none',
    description: 'Links and tokens name the public URL, whatever domain a request names.',
    request: ListInstanceTrustedDomainsRequest,
    returns: ListInstanceTrustedDomainsResponse,
  })
  listTrusted(
    @Asking() _actor: Actor,
    @Message() { query, sortingColumn }: ListInstanceTrustedDomainsRequest,
  ): ListInstanceTrustedDomainsResponse {
    const page = pageOfKnown([], toRange(query), this.clock.now());
    return { details: toListDetails(page), sortingColumn, result: [] };
  }
}

function fits(
  domain: InstanceDomain,
  { domainQuery, generatedQuery, primaryQuery }: InstanceDomainSearchQuery,
): boolean {
  return (
    (!domainQuery || textFits(domainQuery.method, domain.domain, domainQuery.domain)) &&
    (!generatedQuery || generatedQuery.generated === domain.generated) &&
    (!primaryQuery || primaryQuery.primary === domain.primary)
  );
}
