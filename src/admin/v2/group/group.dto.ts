import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Filter, Moment, Named, Part, Parts, Text } from '../../kit/wire/fields.js';
import { CHANGED, CREATED, REMOVED } from '../kit/dates.js';
import { FILTERS, HOW, IdFilterV2, InIdsFilterV2, TEXT_FILTER_METHOD } from '../kit/filter.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../kit/page.dto.js';

const GROUP_FIELD_NAME = wireEnum(
  'GroupFieldNameV2',
  {
    FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
    FIELD_NAME_ID: [1, 'id'],
    FIELD_NAME_NAME: [2, 'name'],
    FIELD_NAME_CREATION_DATE: [3, 'creationDate'],
    FIELD_NAME_CHANGE_DATE: [4, 'changeDate'],
  },
  {},
  'GroupV2',
);

const GROUP_ID = { min: 1, max: 200, description: 'ID of the group.', example: EXAMPLE.groupV2 } as const;
const ORGANIZATION = { min: 1, max: 200, description: 'ID of its organization.', example: EXAMPLE.org } as const;
const NAME = {
  max: 200,
  description: 'Unique within the organization; upper and lower case make no difference.',
  example: 'Day shift',
} as const;
const DESCRIPTION = {
  max: 500,
  description: 'For managers; applications do not see it.',
  example: 'Everybody who works between six and two',
} as const;

@Named('GroupV2')
export class GroupV2 {
  @Text(1, { example: EXAMPLE.groupV2 })
  readonly id!: string;

  @Text(2, NAME)
  readonly name!: string;

  @Text(3, DESCRIPTION)
  readonly description!: string;

  @Text(4, ORGANIZATION)
  readonly organizationId!: string;

  @Moment(5, CHANGED)
  readonly changeDate!: Date;

  @Moment(6, CREATED)
  readonly creationDate!: Date;
}

@Named('CreateGroupRequestV2')
export class CreateGroupRequestV2 {
  @Text(1, ORGANIZATION)
  readonly organizationId!: string;

  @Text(2, { ...NAME, min: 1 })
  readonly name!: string;

  @Text(3, DESCRIPTION)
  readonly description!: string;

  @Text(4, { max: 200, optional: true, description: 'ID of the group; chosen by the service if it is not sent.' })
  readonly id?: string;
}

@Named('CreateGroupResponseV2')
export class CreateGroupResponseV2 {
  @Text(1, { example: EXAMPLE.groupV2 })
  readonly id!: string;

  @Moment(2, CREATED)
  readonly creationDate!: Date;
}

@Named('GroupIdRequestV2')
export class GroupIdRequestV2 {
  @Text(1, GROUP_ID)
  readonly id!: string;
}

@Named('GetGroupResponseV2')
export class GetGroupResponseV2 {
  @Part(1, () => GroupV2)
  readonly group!: GroupV2;
}

@Named('UpdateGroupRequestV2')
export class UpdateGroupRequestV2 {
  @Text(1, GROUP_ID)
  readonly id!: string;

  @Text(2, { ...NAME, optional: true, description: 'The new name; stays as it is if it is not sent.' })
  readonly name?: string;

  @Text(3, { ...DESCRIPTION, optional: true, description: 'The new description; stays as it is if it is not sent.' })
  readonly description?: string;
}

@Named('UpdateGroupResponseV2')
export class UpdateGroupResponseV2 {
  @Moment(1, CHANGED)
  readonly changeDate!: Date;
}

@Named('DeleteGroupResponseV2')
export class DeleteGroupResponseV2 {
  @Moment(1, REMOVED)
  readonly deletionDate!: Date;
}

@Named('GroupNameFilterV2')
export class GroupNameFilterV2 {
  @Text(1, { min: 1, max: 200, example: 'Day shift' })
  readonly name!: string;

  @Choice(2, TEXT_FILTER_METHOD, HOW)
  readonly method!: ValueOf<typeof TEXT_FILTER_METHOD>;
}

/** One condition of a search. */
@Filter()
@Named('GroupsSearchFilterV2')
export class GroupsSearchFilterV2 {
  @Part(1, () => InIdsFilterV2, { oneof: 'filter' })
  readonly groupIds?: InIdsFilterV2;

  @Part(2, () => GroupNameFilterV2, { oneof: 'filter' })
  readonly nameFilter?: GroupNameFilterV2;

  @Part(3, () => IdFilterV2, { oneof: 'filter', description: 'The organization of the group.' })
  readonly organizationId?: IdFilterV2;
}

@Named('ListGroupsRequestV2')
export class ListGroupsRequestV2 {
  @Parts(1, () => GroupsSearchFilterV2, FILTERS)
  readonly filters!: GroupsSearchFilterV2[];

  @Part(2, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Choice(3, GROUP_FIELD_NAME, { optional: true, description: 'The field to sort by. Defaults to the ID.' })
  readonly sortingColumn?: ValueOf<typeof GROUP_FIELD_NAME>;
}

@Named('ListGroupsResponseV2')
export class ListGroupsResponseV2 {
  @Parts(1, () => GroupV2)
  readonly groups!: readonly GroupV2[];

  @Part(2, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;
}
