import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { Choice, Filter, Flag, Named, Part, Parts, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery, TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';
import { InstanceDomain } from './instance.dto.js';

const DOMAIN_FIELD_NAME = wireEnum(
  'InstanceDomainFieldName',
  {
    DOMAIN_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
    DOMAIN_FIELD_NAME_DOMAIN: [1, 'domain'],
    DOMAIN_FIELD_NAME_PRIMARY: [2, 'primary'],
    DOMAIN_FIELD_NAME_GENERATED: [3, 'generated'],
    DOMAIN_FIELD_NAME_CREATION_DATE: [4, 'creationDate'],
  },
  {},
  'InstanceDomain',
);

const QUERIES = { maxItems: 20, description: 'Combined with AND.' } as const;
const NO_MATTER = { description: 'Makes no difference: the list has at most one entry.' } as const;

@Named('InstanceDomainQuery')
export class InstanceDomainQuery {
  @Text(1, { max: 253, example: 'birkenhof' })
  readonly domain!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is compared.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('InstanceDomainGeneratedQuery')
export class InstanceDomainGeneratedQuery {
  @Flag(1, { description: 'Whether the service generated it.' })
  readonly generated!: boolean;
}

@Named('InstanceDomainPrimaryQuery')
export class InstanceDomainPrimaryQuery {
  @Flag(1, { description: 'Whether it is the primary one.' })
  readonly primary!: boolean;
}

@Filter()
@Named('InstanceDomainSearchQuery')
export class InstanceDomainSearchQuery {
  @Part(1, () => InstanceDomainQuery, { oneof: 'query' })
  readonly domainQuery?: InstanceDomainQuery;

  @Part(2, () => InstanceDomainGeneratedQuery, { oneof: 'query' })
  readonly generatedQuery?: InstanceDomainGeneratedQuery;

  @Part(3, () => InstanceDomainPrimaryQuery, { oneof: 'query' })
  readonly primaryQuery?: InstanceDomainPrimaryQuery;
}

@Named('ListInstanceDomainsRequest')
export class ListInstanceDomainsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Choice(2, DOMAIN_FIELD_NAME, NO_MATTER)
  readonly sortingColumn!: ValueOf<typeof DOMAIN_FIELD_NAME>;

  @Parts(3, () => InstanceDomainSearchQuery, QUERIES)
  readonly queries!: InstanceDomainSearchQuery[];
}

@Named('ListInstanceDomainsResponse')
export class ListInstanceDomainsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Choice(2, DOMAIN_FIELD_NAME, { description: 'As it was asked for.' })
  readonly sortingColumn!: ValueOf<typeof DOMAIN_FIELD_NAME>;

  @Parts(3, () => InstanceDomain)
  readonly result!: readonly InstanceDomain[];
}

@Named('InstanceTrustedDomain')
export class InstanceTrustedDomain {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(2, { example: 'login.birkenhof.example' })
  readonly domain!: string;
}

@Filter()
@Named('InstanceTrustedDomainSearchQuery')
export class InstanceTrustedDomainSearchQuery {
  @Part(1, () => InstanceDomainQuery, { oneof: 'query' })
  readonly domainQuery?: InstanceDomainQuery;
}

@Named('ListInstanceTrustedDomainsRequest')
export class ListInstanceTrustedDomainsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Choice(2, DOMAIN_FIELD_NAME, NO_MATTER)
  readonly sortingColumn!: ValueOf<typeof DOMAIN_FIELD_NAME>;

  @Parts(3, () => InstanceTrustedDomainSearchQuery, QUERIES)
  readonly queries!: InstanceTrustedDomainSearchQuery[];
}

@Named('ListInstanceTrustedDomainsResponse')
export class ListInstanceTrustedDomainsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Choice(2, DOMAIN_FIELD_NAME, { description: 'As it was asked for.' })
  readonly sortingColumn!: ValueOf<typeof DOMAIN_FIELD_NAME>;

  @Parts(3, () => InstanceTrustedDomain, { description: 'Always empty.' })
  readonly result!: readonly InstanceTrustedDomain[];
}
