import { Controller, Delete, Post } from '@nestjs/common';
import { OrgDomains } from '../../management/org/org-domains.js';
import {
  domainAdded,
  domainAddressInUse,
  domainInUse,
  domainNamesCollide,
  domainNotFound,
  domainNotVerified,
  domainPrimary,
  domainTaken,
  domainVerified,
  validationFailed,
  validationNotStarted,
} from '../../org/org.errors.js';
import type { OrgDomain } from '../../org/org-domain.entity.js';
import { OrgDomainService } from '../../org/org-domain.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { userNamesBusy } from '../../user/user.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toAddedDetails, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  GenerateOrgDomainValidationRequest,
  GenerateOrgDomainValidationResponse,
  ListOrgDomainsRequest,
  ListOrgDomainsResponse,
  type OrgDomainEntry,
  OrgDomainRequest,
} from './org-domain.dto.js';

@Tagged('Organizations')
@Controller('management/v1/orgs/me/domains')
@OfOrg()
export class OrgDomainController {
  constructor(
    private readonly domains: OrgDomainService,
    private readonly claims: OrgDomains,
  ) {}

  @Post('_search')
  @Requires('org.read')
  @Operation({
    id: 'ListOrgDomains',
    summary: 'Search the domains of the organization',
    request: ListOrgDomainsRequest,
    returns: ListOrgDomainsResponse,
  })
  async list(
    @Asking() actor: Actor,
    @Message() { query, queries }: ListOrgDomainsRequest,
  ): Promise<ListOrgDomainsResponse> {
    const names = queries.flatMap(({ domainNameQuery }) =>
      domainNameQuery ? [{ how: domainNameQuery.method, name: domainNameQuery.name }] : [],
    );
    const page = await this.domains.list(actor.orgId, { ...toRange(query), sortBy: 'domain' }, names);
    return { details: toListDetails(page), result: page.rows.map(toEntry) };
  }

  @Post()
  @Requires('org.write')
  @Operation({
    id: 'AddOrgDomain',
    summary: 'Add a domain to the organization',
    request: OrgDomainRequest,
    returns: DetailsResponse,
    description:
      'The domain is verified immediately, unless the domain policy requires validation. Until it is validated, it serves login names of the organization alone.',
    refuses: [
      domainAdded('birkenhof.example'),
      domainTaken('birkenhof.example'),
      domainInUse('birkenhof.example'),
      domainAddressInUse('birkenhof.example', 'ilse'),
      domainNamesCollide('birkenhof.example', 'ilse@birkenhof.example'),
      userNamesBusy(),
    ],
  })
  async add(@Asking() actor: Actor, @Message() { domain }: OrgDomainRequest): Promise<DetailsResponse> {
    return { details: toAddedDetails(await this.claims.add(actor.orgId, domain, actor.userId), actor.orgId) };
  }

  @Delete(':domain')
  @Requires('org.write')
  @Operation({
    id: 'RemoveOrgDomain',
    summary: 'Remove a domain from the organization',
    request: OrgDomainRequest,
    returns: DetailsResponse,
    refuses: [domainNotFound(), domainPrimary()],
  })
  async remove(@Asking() actor: Actor, @Message() { domain }: OrgDomainRequest): Promise<DetailsResponse> {
    const mark = await this.claims.remove(actor.orgId, domain, actor.userId);
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Post(':domain/validation/_generate')
  @Requires('org.write')
  @Operation({
    id: 'GenerateOrgDomainValidation',
    summary: 'Generate the validation token of a domain',
    request: GenerateOrgDomainValidationRequest,
    returns: GenerateOrgDomainValidationResponse,
    refuses: [domainNotFound(), domainVerified('birkenhof.example')],
  })
  async generate(
    @Asking() actor: Actor,
    @Message() { domain, type }: GenerateOrgDomainValidationRequest,
  ): Promise<GenerateOrgDomainValidationResponse> {
    return this.claims.startValidation(actor.orgId, domain, type, actor.userId);
  }

  @Post(':domain/validation/_validate')
  @Requires('org.write')
  @Operation({
    id: 'ValidateOrgDomain',
    summary: 'Validate a domain: check the published token and verify the domain',
    request: OrgDomainRequest,
    returns: DetailsResponse,
    refuses: [
      domainNotFound(),
      validationNotStarted('birkenhof.example'),
      domainTaken('birkenhof.example'),
      domainNamesCollide('birkenhof.example', 'ilse@birkenhof.example'),
      validationFailed('There is no TXT record _service-challenge.birkenhof.example (ENOTFOUND).'),
      userNamesBusy(),
    ],
  })
  async validate(@Asking() actor: Actor, @Message() { domain }: OrgDomainRequest): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.claims.validate(actor.orgId, domain, actor.userId), actor.orgId) };
  }

  @Post(':domain/_set_primary')
  @Requires('org.write')
  @Operation({
    id: 'SetPrimaryOrgDomain',
    summary: 'Set the primary domain of the organization',
    request: OrgDomainRequest,
    exampleWith: { domain: 'acme.localhost' },
    returns: DetailsResponse,
    refuses: [domainNotFound(), domainNotVerified('birkenhof.example')],
  })
  async setPrimary(@Asking() actor: Actor, @Message() { domain }: OrgDomainRequest): Promise<DetailsResponse> {
    const mark = await this.claims.setPrimary(actor.orgId, domain, actor.userId);
    return { details: toChangedDetails(mark, actor.orgId) };
  }
}

function toEntry(row: OrgDomain): OrgDomainEntry {
  const { orgId, domain, isVerified, isPrimary, isProved, validationType } = row;
  return { orgId, details: toDetails(row, orgId), domainName: domain, isVerified, isPrimary, isProved, validationType };
}
