import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { IDP_TYPE, wireTypeOf } from '../../idp/idp.enums.js';
import type { LinkedIdp } from '../../idp/idp-links.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Moment, Named, Part, Parts, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';

const OWN_ID = "The provider's ID of the user: the `sub` of its tokens.";
const USER = 'ID of the user.';

@Named('ListHumanLinkedIDPsRequest')
export class ListHumanLinkedIDPsRequest {
  @Text(1, { min: 1, max: 200, description: USER, example: EXAMPLE.importedPerson })
  readonly userId!: string;

  @Part(2, () => ListQuery, { description: 'Which page of the list to return.' })
  readonly query?: ListQuery;
}

@Named('RemoveHumanLinkedIDPRequest')
export class RemoveHumanLinkedIDPRequest {
  @Text(1, { min: 1, max: 200, description: USER, example: EXAMPLE.importedPerson })
  readonly userId!: string;

  @Text(2, { min: 1, max: 200, description: 'ID of the identity provider.', example: EXAMPLE.idp })
  readonly idpId!: string;

  @Text(3, { min: 1, max: 255, description: OWN_ID, example: 'u-4471' })
  readonly linkedUserId!: string;
}

/** A person's account at an identity provider. */
@Named('IDPUserLink')
export class IDPUserLink {
  @Text(1, { description: USER, example: EXAMPLE.importedPerson })
  readonly userId!: string;

  @Text(2, { description: 'ID of the identity provider.', example: EXAMPLE.idp })
  readonly idpId!: string;

  @Text(3, { description: 'Name of the identity provider.', example: 'Example accounts' })
  readonly idpName!: string;

  @Text(4, { description: OWN_ID, example: 'u-4471' })
  readonly providedUserId!: string;

  @Text(5, { description: 'Name of the user at the identity provider.', example: 'ada@example.com' })
  readonly providedUserName!: string;

  @Choice(6, IDP_TYPE, { example: 'IDP_TYPE_OIDC', description: 'Type of the identity provider.' })
  readonly idpType!: ValueOf<typeof IDP_TYPE>;

  @Moment(100, { description: 'When the account was linked.', example: '2026-11-20T08:30:00.000Z' })
  readonly linkedAt!: Date;
}

export function toUserLinks(links: readonly LinkedIdp[]): IDPUserLink[] {
  return links.map(({ externalUserId, displayName, idpType, ...link }) => ({
    ...link,
    idpType: wireTypeOf(idpType),
    providedUserId: externalUserId,
    providedUserName: displayName,
  }));
}

@Named('ListHumanLinkedIDPsResponse')
export class ListHumanLinkedIDPsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => IDPUserLink)
  readonly result!: readonly IDPUserLink[];
}
