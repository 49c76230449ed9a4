import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { USER_GRANT_STATE } from '../../project/user-grant/user-grant.enums.js';
import { GROUP_ID } from '../group/group.dto.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import { PROJECT_GRANT_ID, PROJECT_ID, ROLE_KEYS } from './user-grant.dto.js';

const GRANT_ID = { min: 1, max: 200, description: 'ID of the group grant.', example: EXAMPLE.groupGrant } as const;

@Named('GroupGrant')
export class GroupGrant {
  @Text(1, { example: EXAMPLE.groupGrant })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(3, { example: EXAMPLE.group })
  readonly groupId!: string;

  @Text(4, { example: 'Night shift' })
  readonly groupName!: string;

  @Text(5, { example: EXAMPLE.project })
  readonly projectId!: string;

  @Text(6, { example: 'Timetable' })
  readonly projectName!: string;

  @Text(7, { description: 'ID of the project grant; empty if the organization owns the project.' })
  readonly projectGrantId!: string;

  @Texts(8, { example: ['reader'], description: 'Keys of the granted roles.' })
  readonly roleKeys!: readonly string[];

  @Choice(9, USER_GRANT_STATE, {
    example: 'USER_GRANT_STATE_ACTIVE',
    description: 'The roles of an inactive grant have no effect.',
  })
  readonly state!: ValueOf<typeof USER_GRANT_STATE>;
}

@Named('ListGroupGrantsRequest')
export class ListGroupGrantsRequest {
  @Text(1, GROUP_ID)
  readonly groupId!: string;

  @Part(2, () => ListQuery)
  readonly query?: ListQuery;
}

@Named('ListGroupGrantsResponse')
export class ListGroupGrantsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => GroupGrant)
  readonly result!: readonly GroupGrant[];
}

@Named('AddGroupGrantRequest')
export class AddGroupGrantRequest {
  @Text(1, GROUP_ID)
  readonly groupId!: string;

  @Text(2, PROJECT_ID)
  readonly projectId!: string;

  @Text(3, PROJECT_GRANT_ID)
  readonly projectGrantId!: string;

  @Texts(4, ROLE_KEYS)
  readonly roleKeys!: string[];
}

@Named('AddGroupGrantResponse')
export class AddGroupGrantResponse {
  @Text(1, { example: EXAMPLE.groupGrant })
  readonly groupGrantId!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('GroupGrantReference')
export class GroupGrantReference {
  @Text(1, GROUP_ID)
  readonly groupId!: string;

  @Text(2, GRANT_ID)
  readonly grantId!: string;
}

@Named('GroupGrantResponse')
export class GroupGrantResponse {
  @Part(1, () => GroupGrant)
  readonly groupGrant!: GroupGrant;
}

@Named('UpdateGroupGrantRequest')
export class UpdateGroupGrantRequest {
  @Text(1, GROUP_ID)
  readonly groupId!: string;

  @Text(2, GRANT_ID)
  readonly grantId!: string;

  @Texts(3, { ...ROLE_KEYS, replaces: true })
  readonly roleKeys!: string[];
}
