import { Bytes, Moment, Named, Part, Parts, Text, Texts } from '../../kit/wire/fields.js';
import { CHANGED } from '../kit/dates.js';
import { FILTERS } from '../kit/filter.dto.js';
import { MetadataSearchFilterV2, MetadataV2 } from '../kit/metadata.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../kit/page.dto.js';
import { ORGANIZATION_ID } from './organization.dto.js';

const KEY = { min: 1, max: 200, description: 'Key of the entry.', example: 'contract' } as const;
const VALUE = { min: 1, max: 500_000, description: 'Arbitrary bytes; base64 in JSON.', example: 'Z29sZA==' } as const;

@Named('OrganizationMetadataValueV2')
export class OrganizationMetadataValueV2 {
  @Text(1, KEY)
  readonly key!: string;

  @Bytes(2, VALUE)
  readonly value!: Buffer;
}

@Named('SetOrganizationMetadataRequestV2')
export class SetOrganizationMetadataRequestV2 {
  @Text(1, ORGANIZATION_ID)
  readonly organizationId!: string;

  @Parts(2, () => OrganizationMetadataValueV2, {
    maxItems: 100,
    description: 'Either all of them are set, or none.',
    example: [{ key: 'contract', value: 'Z29sZA==' }],
  })
  readonly metadata!: OrganizationMetadataValueV2[];
}

@Named('SetOrganizationMetadataResponseV2')
export class SetOrganizationMetadataResponseV2 {
  @Moment(1, CHANGED)
  readonly setDate?: Date;
}

@Named('ListOrganizationMetadataRequestV2')
export class ListOrganizationMetadataRequestV2 {
  @Text(1, ORGANIZATION_ID)
  readonly organizationId!: string;

  @Part(2, () => PaginationRequestV2, { description: 'At most 100 entries at once.' })
  readonly pagination?: PaginationRequestV2;

  @Parts(3, () => MetadataSearchFilterV2, FILTERS)
  readonly filters!: MetadataSearchFilterV2[];
}

@Named('ListOrganizationMetadataResponseV2')
export class ListOrganizationMetadataResponseV2 {
  @Part(1, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;

  @Parts(2, () => MetadataV2)
  readonly metadata!: readonly MetadataV2[];
}

@Named('DeleteOrganizationMetadataRequestV2')
export class DeleteOrganizationMetadataRequestV2 {
  @Text(1, ORGANIZATION_ID)
  readonly organizationId!: string;

  @Texts(2, {
    min: 1,
    max: 200,
    maxItems: 100,
    description: 'Keys of the entries: either all of them are removed, or none.',
    example: ['contract'],
  })
  readonly keys!: string[];
}
