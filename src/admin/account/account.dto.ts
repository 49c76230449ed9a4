import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Filter, Flag, Moment, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import { User } from '../user/user.dto.js';

@Named('Membership')
export class Membership {
  @Text(1, { example: EXAMPLE.person })
  readonly userId!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Texts(3, { example: ['ORG_OWNER'], description: 'The manager roles held.' })
  readonly roles!: readonly string[];

  @Text(4, { description: 'Name of the instance, organization or project.', example: 'Acme' })
  readonly displayName!: string;

  @Flag(5, { oneof: 'type', description: 'On the instance.' })
  readonly iam?: boolean;

  @Text(6, { oneof: 'type', description: 'On this organization.', example: EXAMPLE.org })
  readonly orgId?: string;

  @Text(7, { oneof: 'type', description: 'On this project.' })
  readonly projectId?: string;

  @Text(8, { oneof: 'type', description: 'On this project grant.' })
  readonly projectGrantId?: string;
}

@Named('MembershipOrgQuery')
export class MembershipOrgQuery {
  @Text(1, { max: 200 })
  readonly orgId!: string;
}

@Named('MembershipProjectQuery')
export class MembershipProjectQuery {
  @Text(1, { max: 200 })
  readonly projectId!: string;
}

@Named('MembershipProjectGrantQuery')
export class MembershipProjectGrantQuery {
  @Text(1, { max: 200 })
  readonly projectGrantId!: string;
}

@Named('MembershipIamQuery')
export class MembershipIamQuery {
  @Flag(1, { description: 'True for a membership on the instance.' })
  readonly iam!: boolean;
}

/** One condition of a search. */
@Filter()
@Named('MembershipQuery')
export class MembershipQuery {
  @Part(1, () => MembershipOrgQuery, { oneof: 'query' })
  readonly orgQuery?: MembershipOrgQuery;

  @Part(2, () => MembershipProjectQuery, { oneof: 'query' })
  readonly projectQuery?: MembershipProjectQuery;

  @Part(3, () => MembershipProjectGrantQuery, { oneof: 'query' })
  readonly projectGrantQuery?: MembershipProjectGrantQuery;

  @Part(4, () => MembershipIamQuery, { oneof: 'query' })
  readonly iamQuery?: MembershipIamQuery;
}

@Named('ListMyMembershipsRequest')
export class ListMyMembershipsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(2, () => MembershipQuery, { maxItems: 20, description: 'Combined with AND.' })
  readonly queries!: MembershipQuery[];
}

@Named('ListUserMembershipsRequest')
export class ListUserMembershipsRequest {
  @Text(1, { min: 1, max: 200, description: 'ID of the user.', example: EXAMPLE.person })
  readonly userId!: string;

  @Part(2, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(3, () => MembershipQuery, { maxItems: 20, description: 'Combined with AND.' })
  readonly queries!: MembershipQuery[];
}

@Named('ListMembershipsResponse')
export class ListMembershipsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => Membership)
  readonly result!: readonly Membership[];
}

@Named('ListMyPermissionsResponse')
export class ListMyPermissionsResponse {
  @Texts(1, {
    description:
      'A permission limited to one project or project grant ends in its ID: `project.read:312909075212468227`.',
    example: ['iam.read', 'org.read'],
  })
  readonly result!: readonly string[];
}

@Named('GetMyUserResponse')
export class GetMyUserResponse {
  @Part(1, () => User)
  readonly user!: User;

  @Moment(2, {
    description: 'Absent for service users, and when the last sign-in was long ago.',
    example: '2026-11-20T08:30:00.000Z',
  })
  readonly lastLogin?: Date | undefined;
}
