import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { DOMAIN_VALIDATION_TYPE } from '../../org/org.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Filter, Flag, Named, Part, Parts, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery, TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';

@Named('OrgDomainEntry')
export class OrgDomainEntry {
  @Text(1, { example: EXAMPLE.org })
  readonly orgId!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(3, { example: 'birkenhof.example' })
  readonly domainName!: string;

  @Flag(4, { description: 'Whether the domain is verified. Users have login names only under verified domains.' })
  readonly isVerified!: boolean;

  @Flag(5, { description: 'Whether this is the primary domain, used in login names.' })
  readonly isPrimary!: boolean;

  @Choice(6, DOMAIN_VALIDATION_TYPE, { description: 'The type of the pending validation.' })
  readonly validationType!: ValueOf<typeof DOMAIN_VALIDATION_TYPE>;

  @Flag(100, {
    description:
      'Whether the organization has validated the domain by DNS or HTTP. Only then does the domain lead users to the sign-in page of the organization, and keep other organizations from it.',
  })
  readonly isProved!: boolean;
}

@Named('OrgDomainRequest')
export class OrgDomainRequest {
  @Text(1, {
    min: 1,
    max: 200,
    description: 'A domain name. Internationalized names are converted to punycode.',
    example: 'birkenhof.example',
  })
  readonly domain!: string;
}

@Named('DomainNameQuery')
export class DomainNameQuery {
  @Text(1, { max: 200, example: 'birkenhof' })
  readonly name!: string;

  @Choice(2, TEXT_QUERY_METHOD, {
    example: 'TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE',
    description: 'How the text is matched.',
  })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Filter()
@Named('DomainSearchQuery')
export class DomainSearchQuery {
  @Part(1, () => DomainNameQuery, { oneof: 'query' })
  readonly domainNameQuery?: DomainNameQuery;
}

@Named('ListOrgDomainsRequest')
export class ListOrgDomainsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(2, () => DomainSearchQuery, { maxItems: 20 })
  readonly queries!: DomainSearchQuery[];
}

@Named('ListOrgDomainsResponse')
export class ListOrgDomainsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => OrgDomainEntry)
  readonly result!: readonly OrgDomainEntry[];
}

@Named('GenerateOrgDomainValidationRequest')
export class GenerateOrgDomainValidationRequest {
  @Text(1, { min: 1, max: 200, example: 'birkenhof.example' })
  readonly domain!: string;

  @Choice(2, DOMAIN_VALIDATION_TYPE, {
    required: true,
    description: 'Validate by an HTTP file or by a DNS TXT record.',
    example: 'DOMAIN_VALIDATION_TYPE_DNS',
  })
  readonly type!: ValueOf<typeof DOMAIN_VALIDATION_TYPE>;
}

@Named('GenerateOrgDomainValidationResponse')
export class GenerateOrgDomainValidationResponse {
  @Text(1, { description: 'The token to publish, unchanged.', example: 'bM2cQ8xZ1aD4eF6gH7jK9mN0pR3sT5uV' })
  readonly token!: string;

  @Text(2, {
    description: 'The URL of the file, or the name of the TXT record.',
    example: '_service-challenge.birkenhof.example',
  })
  readonly url!: string;
}
