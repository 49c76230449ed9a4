import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Flag, Named, Part, Text } from '../../kit/wire/fields.js';
import { DetailsV2 } from '../kit/object.dto.js';

/*
 * The features of an organization and of a user: there are no switches of their own, here as in the described system.
 */

const ORG_ID = { min: 1, max: 200, description: 'ID of the organization.', example: EXAMPLE.org } as const;
const USER_ID = { min: 1, max: 200, description: 'ID of the user.', example: EXAMPLE.administrator } as const;
const INHERITANCE = { description: 'Makes no difference: nothing is inherited.' } as const;

@Named('OrganizationFeaturesRequestV2')
export class OrganizationFeaturesRequestV2 {
  @Text(1, ORG_ID)
  readonly organizationId!: string;
}

@Named('GetOrganizationFeaturesRequestV2')
export class GetOrganizationFeaturesRequestV2 {
  @Text(1, ORG_ID)
  readonly organizationId!: string;

  @Flag(2, INHERITANCE)
  readonly inheritance!: boolean;
}

@Named('UserFeaturesRequestV2')
export class UserFeaturesRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;
}

@Named('GetUserFeaturesRequestV2')
export class GetUserFeaturesRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Flag(2, INHERITANCE)
  readonly inheritance!: boolean;
}

@Named('GetInstanceFeaturesRequestV2')
export class GetInstanceFeaturesRequestV2 {
  @Flag(1, { description: 'Makes no difference: all features are of the system.' })
  readonly inheritance!: boolean;
}

@Named('FeaturesOfPlaceV2')
export class FeaturesOfPlaceV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;
}
