import { Moment, Named, Part, Parts, Text, Texts } from '../../../kit/wire/fields.js';
import { CHANGED, REMOVED } from '../../kit/dates.js';
import { FILTERS } from '../../kit/filter.dto.js';
import { MetadataSearchFilterV2, MetadataV2 } from '../../kit/metadata.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../../kit/page.dto.js';
import { SetMetadataEntryV2 } from '../human.dto.js';
import { USER_ID } from '../user.dto.js';

@Named('SetUserMetadataRequestV2')
export class SetUserMetadataRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Parts(2, () => SetMetadataEntryV2, {
    maxItems: 100,
    description: 'Either all of them are set, or none.',
    example: [{ key: 'department', value: 'bG9naXN0aWNz' }],
  })
  readonly metadata!: SetMetadataEntryV2[];
}

@Named('SetUserMetadataResponseV2')
export class SetUserMetadataResponseV2 {
  @Moment(1, CHANGED)
  readonly setDate?: Date;
}

@Named('ListUserMetadataRequestV2')
export class ListUserMetadataRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Part(2, () => PaginationRequestV2, { description: 'At most 100 entries at once.' })
  readonly pagination?: PaginationRequestV2;

  @Parts(3, () => MetadataSearchFilterV2, FILTERS)
  readonly filters!: MetadataSearchFilterV2[];
}

@Named('ListUserMetadataResponseV2')
export class ListUserMetadataResponseV2 {
  @Part(1, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;

  @Parts(2, () => MetadataV2)
  readonly metadata!: readonly MetadataV2[];
}

@Named('DeleteUserMetadataRequestV2')
export class DeleteUserMetadataRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Texts(2, {
    min: 1,
    max: 200,
    maxItems: 100,
    description: 'Keys of the entries: either all of them are removed, or none.',
    example: ['department'],
  })
  readonly keys!: string[];
}

@Named('DeleteUserMetadataResponseV2')
export class DeleteUserMetadataResponseV2 {
  @Moment(1, REMOVED)
  readonly deletionDate?: Date;
}
