import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Filter, Flag, Moment, Named, Part, Parts, Text, Texts } from '../../kit/wire/fields.js';
import { TEXT_QUERY_METHOD } from '../../kit/wire/list.dto.js';
import { CHANGED, CREATED, REMOVED } from '../kit/dates.js';
import { FILTERS, InIdsFilterV2 } from '../kit/filter.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../kit/page.dto.js';

const INSTANCE_STATE = wireEnum(
  'InstanceStateV2',
  {
    STATE_UNSPECIFIED: [0, 'unspecified'],
    STATE_CREATING: [1, 'creating'],
    STATE_RUNNING: [2, 'running'],
    STATE_STOPPING: [3, 'stopping'],
    STATE_STOPPED: [4, 'stopped'],
  },
  {},
  'InstanceV2',
);

const FIELD_NAME = wireEnum('InstanceFieldNameV2', {
  FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
  FIELD_NAME_ID: [1, 'id'],
  FIELD_NAME_NAME: [2, 'name'],
  FIELD_NAME_CREATION_DATE: [3, 'creationDate'],
});

const DOMAIN_FIELD_NAME = wireEnum(
  'CustomDomainFieldNameV2',
  {
    DOMAIN_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
    DOMAIN_FIELD_NAME_DOMAIN: [1, 'domain'],
    DOMAIN_FIELD_NAME_PRIMARY: [2, 'primary'],
    DOMAIN_FIELD_NAME_GENERATED: [3, 'generated'],
    DOMAIN_FIELD_NAME_CREATION_DATE: [4, 'creationDate'],
  },
  {},
  'CustomDomainV2',
);

const TRUSTED_DOMAIN_FIELD_NAME = wireEnum('TrustedDomainFieldNameV2', {
  TRUSTED_DOMAIN_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
  TRUSTED_DOMAIN_FIELD_NAME_DOMAIN: [1, 'domain'],
  TRUSTED_DOMAIN_FIELD_NAME_CREATION_DATE: [2, 'creationDate'],
});

const ID = { min: 1, max: 200, description: 'ID of the instance.', example: EXAMPLE.instance } as const;
const DOMAIN = { min: 1, max: 253, description: 'A host name.', example: 'id.birkenhof.example' } as const;
const NO_MATTER = { description: 'Makes no difference: the list has at most one entry.' } as const;

@Named('CustomDomainV2')
export class CustomDomainV2 {
  @Text(1, { example: EXAMPLE.instance })
  readonly instanceId!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;

  @Text(3, { example: 'id.birkenhof.example', description: 'The host of the public URL.' })
  readonly domain!: string;

  @Flag(4, { description: 'Whether this is the primary domain. Always true.' })
  readonly primary!: boolean;

  @Flag(5, { description: 'Whether the service generated the domain. Always false.' })
  readonly generated!: boolean;
}

@Named('InstanceV2')
export class InstanceV2 {
  @Text(1, { example: EXAMPLE.instance })
  readonly id!: string;

  @Moment(2, CHANGED)
  readonly changeDate?: Date;

  @Moment(3, CREATED)
  readonly creationDate?: Date;

  @Choice(4, INSTANCE_STATE, { example: 'STATE_RUNNING', description: 'Always running.' })
  readonly state!: ValueOf<typeof INSTANCE_STATE>;

  @Text(5, { example: 'Acme' })
  readonly name!: string;

  @Text(6, { description: 'Version of the program.', example: '0.1.0' })
  readonly version!: string;

  @Parts(7, () => CustomDomainV2)
  readonly customDomains!: readonly CustomDomainV2[];
}

@Named('InstanceIdRequestV2')
export class InstanceIdRequestV2 {
  @Text(1, ID)
  readonly instanceId!: string;
}

@Named('GetInstanceResponseV2')
export class GetInstanceResponseV2 {
  @Part(1, () => InstanceV2)
  readonly instance!: InstanceV2;
}

@Named('UpdateInstanceRequestV2')
export class UpdateInstanceRequestV2 {
  @Text(1, ID)
  readonly instanceId!: string;

  @Text(2, {
    min: 1,
    max: 200,
    description: 'Named on pages and in e-mails that concern no organization.',
    example: 'Acme',
  })
  readonly instanceName!: string;
}

@Named('UpdateInstanceResponseV2')
export class UpdateInstanceResponseV2 {
  @Moment(1, CHANGED)
  readonly changeDate?: Date;
}

@Named('DeleteInstanceResponseV2')
export class DeleteInstanceResponseV2 {
  @Moment(1, REMOVED)
  readonly deletionDate?: Date;
}

@Named('CustomDomainsFilterV2')
export class CustomDomainsFilterV2 {
  @Texts(1, { min: 1, max: 253, maxItems: 100, description: 'Domains of which it must have one.' })
  readonly domains!: string[];
}

@Filter()
@Named('InstanceFilterV2')
export class InstanceFilterV2 {
  @Part(1, () => InIdsFilterV2, { oneof: 'filter' })
  readonly inIdsFilter?: InIdsFilterV2;

  @Part(2, () => CustomDomainsFilterV2, { oneof: 'filter' })
  readonly customDomainsFilter?: CustomDomainsFilterV2;
}

@Named('ListInstancesRequestV2')
export class ListInstancesRequestV2 {
  @Part(1, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Choice(2, FIELD_NAME, NO_MATTER)
  readonly sortingColumn!: ValueOf<typeof FIELD_NAME>;

  @Parts(3, () => InstanceFilterV2, FILTERS)
  readonly filters!: InstanceFilterV2[];
}

@Named('ListInstancesResponseV2')
export class ListInstancesResponseV2 {
  @Parts(1, () => InstanceV2)
  readonly instances!: readonly InstanceV2[];

  @Part(2, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;
}

@Named('InstanceDomainFilterV2')
export class InstanceDomainFilterV2 {
  @Text(1, { max: 253, example: 'birkenhof' })
  readonly domain!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is compared.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Filter()
@Named('CustomDomainFilterV2')
export class CustomDomainFilterV2 {
  @Part(1, () => InstanceDomainFilterV2, { oneof: 'filter' })
  readonly domainFilter?: InstanceDomainFilterV2;

  @Flag(2, { oneof: 'filter', description: 'Whether the service generated it.' })
  readonly generatedFilter?: boolean;

  @Flag(3, { oneof: 'filter', description: 'Whether it is the primary one.' })
  readonly primaryFilter?: boolean;
}

@Named('ListCustomDomainsRequestV2')
export class ListCustomDomainsRequestV2 {
  @Text(1, ID)
  readonly instanceId!: string;

  @Part(2, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Choice(3, DOMAIN_FIELD_NAME, NO_MATTER)
  readonly sortingColumn!: ValueOf<typeof DOMAIN_FIELD_NAME>;

  @Parts(4, () => CustomDomainFilterV2, FILTERS)
  readonly filters!: CustomDomainFilterV2[];
}

@Named('ListCustomDomainsResponseV2')
export class ListCustomDomainsResponseV2 {
  @Parts(1, () => CustomDomainV2)
  readonly domains!: readonly CustomDomainV2[];

  @Part(2, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;
}

@Named('CustomDomainRequestV2')
export class CustomDomainRequestV2 {
  @Text(1, ID)
  readonly instanceId!: string;

  @Text(2, DOMAIN)
  readonly customDomain!: string;
}

@Named('AddInstanceDomainResponseV2')
export class AddInstanceDomainResponseV2 {
  @Moment(1, CREATED)
  readonly creationDate?: Date;
}

@Named('RemoveInstanceDomainResponseV2')
export class RemoveInstanceDomainResponseV2 {
  @Moment(1, REMOVED)
  readonly deletionDate?: Date;
}

@Named('TrustedDomainV2')
export class TrustedDomainV2 {
  @Text(1, { example: EXAMPLE.instance })
  readonly instanceId!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;

  @Text(3, { example: 'login.birkenhof.example' })
  readonly domain!: string;
}

@Filter()
@Named('TrustedDomainFilterV2')
export class TrustedDomainFilterV2 {
  @Part(1, () => InstanceDomainFilterV2, { oneof: 'filter' })
  readonly domainFilter?: InstanceDomainFilterV2;
}

@Named('ListTrustedDomainsRequestV2')
export class ListTrustedDomainsRequestV2 {
  @Text(1, ID)
  readonly instanceId!: string;

  @Part(2, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Choice(3, TRUSTED_DOMAIN_FIELD_NAME, NO_MATTER)
  readonly sortingColumn!: ValueOf<typeof TRUSTED_DOMAIN_FIELD_NAME>;

  @Parts(4, () => TrustedDomainFilterV2, FILTERS)
  readonly filters!: TrustedDomainFilterV2[];
}

@Named('ListTrustedDomainsResponseV2')
export class ListTrustedDomainsResponseV2 {
  @Parts(1, () => TrustedDomainV2, { description: 'Always empty.' })
  readonly trustedDomain!: readonly TrustedDomainV2[];

  @Part(2, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;
}

@Named('TrustedDomainRequestV2')
export class TrustedDomainRequestV2 {
  @Text(1, ID)
  readonly instanceId!: string;

  @Text(2, DOMAIN)
  readonly trustedDomain!: string;
}
