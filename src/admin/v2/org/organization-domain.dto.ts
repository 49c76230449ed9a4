import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Filter, Flag, Moment, Named, Part, Parts, Text } from '../../kit/wire/fields.js';
import { CREATED } from '../kit/dates.js';
import { FILTERS } from '../kit/filter.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../kit/page.dto.js';
import { ORGANIZATION_ID, OrganizationDomainQueryV2 } from './organization.dto.js';

const DOMAIN_VALIDATION_TYPE = wireEnum('DomainValidationTypeV2', {
  DOMAIN_VALIDATION_TYPE_UNSPECIFIED: [0, 'unspecified'],
  DOMAIN_VALIDATION_TYPE_HTTP: [1, 'http'],
  DOMAIN_VALIDATION_TYPE_DNS: [2, 'dns'],
});

const DOMAIN_FIELD_NAME = wireEnum('DomainFieldNameV2', {
  DOMAIN_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
  DOMAIN_FIELD_NAME_NAME: [1, 'domain'],
  DOMAIN_FIELD_NAME_CREATION_DATE: [2, 'creationDate'],
});

const DOMAIN = {
  min: 1,
  max: 200,
  description: 'A domain name. Internationalized names are converted to punycode.',
  example: 'kiefernhof.example',
} as const;

@Named('OrganizationDomainV2')
export class OrganizationDomainV2 {
  @Text(1, { example: EXAMPLE.orgV2 })
  readonly organizationId!: string;

  @Text(2, { example: 'kiefernhof.example' })
  readonly domain!: string;

  @Flag(3, { description: 'Whether the domain is verified. Users have login names only under verified domains.' })
  readonly isVerified!: boolean;

  @Flag(4, { description: 'Whether this is the primary domain, used in login names.' })
  readonly isPrimary!: boolean;

  @Choice(5, DOMAIN_VALIDATION_TYPE, { description: 'The type of the pending validation.' })
  readonly validationType!: ValueOf<typeof DOMAIN_VALIDATION_TYPE>;

  @Flag(100, {
    description:
      'Whether the organization has validated the domain by DNS or HTTP. Only then does the domain lead users to the sign-in page of the organization, and keep other organizations from it.',
  })
  readonly isProved!: boolean;
}

@Named('OrganizationDomainRequestV2')
export class OrganizationDomainRequestV2 {
  @Text(1, ORGANIZATION_ID)
  readonly organizationId!: string;

  @Text(2, DOMAIN)
  readonly domain!: string;
}

@Named('AddOrganizationDomainResponseV2')
export class AddOrganizationDomainResponseV2 {
  @Moment(1, CREATED)
  readonly creationDate?: Date;
}

@Filter()
@Named('DomainSearchFilterV2')
export class DomainSearchFilterV2 {
  @Part(1, () => OrganizationDomainQueryV2, { oneof: 'filter' })
  readonly domainFilter?: OrganizationDomainQueryV2;
}

@Named('ListOrganizationDomainsRequestV2')
export class ListOrganizationDomainsRequestV2 {
  @Text(1, ORGANIZATION_ID)
  readonly organizationId!: string;

  @Part(2, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Parts(3, () => DomainSearchFilterV2, FILTERS)
  readonly filters!: DomainSearchFilterV2[];

  @Choice(4, DOMAIN_FIELD_NAME, { description: 'The field to sort by. Defaults to the name.' })
  readonly sortingColumn!: ValueOf<typeof DOMAIN_FIELD_NAME>;
}

@Named('ListOrganizationDomainsResponseV2')
export class ListOrganizationDomainsResponseV2 {
  @Part(1, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;

  @Parts(2, () => OrganizationDomainV2)
  readonly domains!: readonly OrganizationDomainV2[];
}

@Named('GenerateOrganizationDomainValidationRequestV2')
export class GenerateOrganizationDomainValidationRequestV2 {
  @Text(1, ORGANIZATION_ID)
  readonly organizationId!: string;

  @Text(2, DOMAIN)
  readonly domain!: string;

  @Choice(3, DOMAIN_VALIDATION_TYPE, {
    required: true,
    description: 'Validate by an HTTP file or by a DNS TXT record.',
    example: 'DOMAIN_VALIDATION_TYPE_DNS',
  })
  readonly type!: ValueOf<typeof DOMAIN_VALIDATION_TYPE>;
}

@Named('GenerateOrganizationDomainValidationResponseV2')
export class GenerateOrganizationDomainValidationResponseV2 {
  @Text(1, { description: 'The token to publish, unchanged.', example: 'bM2cQ8xZ1aD4eF6gH7jK9mN0pR3sT5uV' })
  readonly token!: string;

  @Text(2, {
    description: 'The URL of the file, or the name of the TXT record.',
    example: '_service-challenge.kiefernhof.example',
  })
  readonly url!: string;
}
