import { Controller, Delete, Post } from '@nestjs/common';
import { OrgDomains } from '../../../management/org/org-domains.js';
import {
  domainAdded,
  domainAddressInUse,
  domainInUse,
  domainNamesCollide,
  domainNotFound,
  domainPrimary,
  domainTaken,
  domainVerified,
  orgNotFound,
  validationFailed,
  validationNotStarted,
} from '../../../org/org.errors.js';
import type { OrgDomain } from '../../../org/org-domain.entity.js';
import { OrgDomainService } from '../../../org/org-domain.service.js';
import { userNamesBusy } from '../../../user/user.errors.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { toRange } from '../../kit/wire/list.dto.js';
import { Message } from '../../kit/wire/message.js';
import { toPagination } from '../kit/page.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import { OrganizationChangedV2, OrganizationDeletedV2 } from './organization.dto.js';
import {
  AddOrganizationDomainResponseV2,
  GenerateOrganizationDomainValidationRequestV2,
  GenerateOrganizationDomainValidationResponseV2,
  ListOrganizationDomainsRequestV2,
  ListOrganizationDomainsResponseV2,
  OrganizationDomainRequestV2,
  type OrganizationDomainV2,
} from './organization-domain.dto.js';

@Tagged('Organizations v2')
@Controller('v2/organizations/:organizationId/domains')
@InService('org')
export class OrganizationDomainV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly domains: OrgDomainService,
    private readonly claims: OrgDomains,
  ) {}

  @Post()
  @Requires('org.write', { named: true })
  @Operation({
    id: 'AddOrganizationDomainV2',
    sameAs: ['AddOrgDomain'],
    summary: 'Add a domain to an organization',
    description:
      'The domain is verified immediately, unless the domain policy requires validation. Until it is validated, it serves login names of the organization alone.',
    request: OrganizationDomainRequestV2,
    returns: AddOrganizationDomainResponseV2,
    refuses: [
      orgNotFound(),
      domainAdded('kiefernhof.example'),
      domainTaken('kiefernhof.example'),
      domainInUse('kiefernhof.example'),
      domainAddressInUse('kiefernhof.example', 'edda'),
      domainNamesCollide('kiefernhof.example', 'edda@kiefernhof.example'),
      userNamesBusy(),
    ],
  })
  async add(
    @Asking() caller: Caller,
    @Message() { organizationId, domain }: OrganizationDomainRequestV2,
  ): Promise<AddOrganizationDomainResponseV2> {
    const { orgId, userId } = await this.reach.org(caller, 'org.write', organizationId);
    return { creationDate: (await this.claims.add(orgId, domain, userId)).at };
  }

  @Post('search')
  @Requires('org.read', { named: true })
  @Operation({
    id: 'ListOrganizationDomainsV2',
    sameAs: ['ListOrgDomains'],
    summary: 'Search the domains of an organization',
    request: ListOrganizationDomainsRequestV2,
    returns: ListOrganizationDomainsResponseV2,
    refuses: [orgNotFound()],
  })
  async list(
    @Asking() caller: Caller,
    @Message() { organizationId, pagination, filters, sortingColumn }: ListOrganizationDomainsRequestV2,
  ): Promise<ListOrganizationDomainsResponseV2> {
    const { orgId } = await this.reach.org(caller, 'org.read', organizationId);
    const names = filters.flatMap(({ domainFilter }) =>
      domainFilter ? [{ how: domainFilter.method, name: domainFilter.domain }] : [],
    );
    const sortBy = sortingColumn === 'unspecified' ? 'domain' : sortingColumn;
    const page = await this.domains.list(orgId, { ...toRange(pagination), sortBy }, names);
    return { pagination: toPagination(page, pagination), domains: page.rows.map(toDomain) };
  }

  @Delete()
  @Requires('org.write', { named: true })
  @Operation({
    id: 'DeleteOrganizationDomainV2',
    sameAs: ['RemoveOrgDomain'],
    summary: 'Remove a domain from an organization',
    request: OrganizationDomainRequestV2,
    returns: OrganizationDeletedV2,
    refuses: [orgNotFound(), domainNotFound(), domainPrimary()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { organizationId, domain }: OrganizationDomainRequestV2,
  ): Promise<OrganizationDeletedV2> {
    const { orgId, userId } = await this.reach.org(caller, 'org.write', organizationId);
    return { deletionDate: (await this.claims.remove(orgId, domain, userId)).at };
  }

  @Post('validation/generate')
  @Requires('org.write', { named: true })
  @Operation({
    id: 'GenerateOrganizationDomainValidationV2',
    sameAs: ['GenerateOrgDomainValidation'],
    summary: 'Generate the validation token of a domain',
    request: GenerateOrganizationDomainValidationRequestV2,
    returns: GenerateOrganizationDomainValidationResponseV2,
    refuses: [orgNotFound(), domainNotFound(), domainVerified('kiefernhof.example')],
  })
  async generate(
    @Asking() caller: Caller,
    @Message() { organizationId, domain, type }: GenerateOrganizationDomainValidationRequestV2,
  ): Promise<GenerateOrganizationDomainValidationResponseV2> {
    const { orgId, userId } = await this.reach.org(caller, 'org.write', organizationId);
    return this.claims.startValidation(orgId, domain, type, userId);
  }

  @Post('validation/verify')
  @Requires('org.write', { named: true })
  @Operation({
    id: 'VerifyOrganizationDomainV2',
    sameAs: ['ValidateOrgDomain'],
    summary: 'Verify a domain by the token that it publishes',
    request: OrganizationDomainRequestV2,
    returns: OrganizationChangedV2,
    refuses: [
      orgNotFound(),
      domainNotFound(),
      validationNotStarted('kiefernhof.example'),
      domainTaken('kiefernhof.example'),
      domainNamesCollide('kiefernhof.example', 'edda@kiefernhof.example'),
      validationFailed('There is no TXT record _service-challenge.kiefernhof.example (ENOTFOUND).'),
      userNamesBusy(),
    ],
  })
  async verify(
    @Asking() caller: Caller,
    @Message() { organizationId, domain }: OrganizationDomainRequestV2,
  ): Promise<OrganizationChangedV2> {
    const { orgId, userId } = await this.reach.org(caller, 'org.write', organizationId);
    return { changeDate: (await this.claims.validate(orgId, domain, userId)).at };
  }
}

function toDomain({ orgId: organizationId, ...row }: OrgDomain): OrganizationDomainV2 {
  const { domain, isVerified, isPrimary, validationType, isProved } = row;
  return { organizationId, domain, isVerified, isPrimary, validationType, isProved };
}
