import { EXAMPLE } from '../../../kit/wire/example-ids.js';
import { Named, Part, Parts, Text } from '../../../kit/wire/fields.js';
import { ListQuery } from '../../../kit/wire/list.dto.js';
import { ListDetailsV2 } from '../../kit/object.dto.js';
import { IdpLinkV2 } from '../human.dto.js';
import { USER_ID } from '../user.dto.js';

@Named('AddIDPLinkRequestV2')
export class AddIdpLinkRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Part(2, () => IdpLinkV2, {
    required: true,
    example: { idpId: EXAMPLE.idp, userId: 'u-8823', userName: 'hannah@example.com' },
  })
  readonly idpLink!: IdpLinkV2;
}

@Named('ListIDPLinksRequestV2')
export class ListIdpLinksRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Part(2, () => ListQuery, { description: 'Which page of the list to return.' })
  readonly query?: ListQuery;
}

@Named('ListIDPLinksResponseV2')
export class ListIdpLinksResponseV2 {
  @Part(1, () => ListDetailsV2)
  readonly details!: ListDetailsV2;

  @Parts(2, () => IdpLinkV2)
  readonly result!: readonly IdpLinkV2[];
}

@Named('RemoveIDPLinkRequestV2')
export class RemoveIdpLinkRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, { min: 1, max: 200, description: 'ID of the identity provider.', example: EXAMPLE.idp })
  readonly idpId!: string;

  @Text(3, {
    min: 1,
    max: 255,
    description: "The provider's ID of the user: the `sub` of its tokens.",
    example: 'u-8823',
  })
  readonly linkedUserId!: string;
}
