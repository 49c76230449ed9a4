import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { IDP_OWNER_TYPE, IDP_TYPE, wireTypeOf } from '../../idp/idp.enums.js';
import type { ListedIdp } from '../../idp/login-policy-idps.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Named, Part, Parts, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import { IdpId } from './idp-fields.js';

@Named('AddIdpToLoginPolicyRequest')
export class AddIdpToLoginPolicyRequest {
  @IdpId(1)
  readonly idpId!: string;
}

@Named('AddIdpToOrgLoginPolicyRequest')
export class AddIdpToOrgLoginPolicyRequest {
  @IdpId(1)
  readonly idpId!: string;

  @Choice(2, IDP_OWNER_TYPE, {
    required: true,
    protoName: 'ownerType',
    description: 'Whether the instance or the organization owns the identity provider.',
    example: 'IDP_OWNER_TYPE_ORG',
  })
  readonly ownerType!: ValueOf<typeof IDP_OWNER_TYPE>;
}

@Named('ListLoginPolicyIdpsRequest')
export class ListLoginPolicyIdpsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;
}

/** A provider that a login policy lists. */
@Named('IdpLoginPolicyLink')
export class IdpLoginPolicyLink {
  @Text(1, { example: EXAMPLE.idp })
  readonly idpId!: string;

  @Text(2, { example: 'Example accounts', description: 'Name shown on the login page.' })
  readonly idpName!: string;

  @Choice(3, IDP_TYPE, { example: 'IDP_TYPE_OIDC', description: 'Type of the identity provider.' })
  readonly idpType!: ValueOf<typeof IDP_TYPE>;
}

export function toPolicyLinks(idps: readonly ListedIdp[]): IdpLoginPolicyLink[] {
  return idps.map(({ idpId, idpName, idpType }) => ({ idpId, idpName, idpType: wireTypeOf(idpType) }));
}

@Named('ListLoginPolicyIdpsResponse')
export class ListLoginPolicyIdpsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => IdpLoginPolicyLink)
  readonly result!: readonly IdpLoginPolicyLink[];
}
