import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { IDP_OWNER_TYPE } from '../../idp/idp.enums.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Named, Text } from '../kit/wire/fields.js';
import { TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';

@Named('IdpIdQuery')
export class IdpIdQuery {
  @Text(1, { max: 200, example: EXAMPLE.idp })
  readonly id!: string;
}

@Named('IdpNameQuery')
export class IdpNameQuery {
  @Text(1, { max: 200, example: 'Example' })
  readonly name!: string;

  @Choice(2, TEXT_QUERY_METHOD, {
    example: 'TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE',
    description: 'How the text is matched.',
  })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('IdpOwnerTypeQuery')
export class IdpOwnerTypeQuery {
  @Choice(1, IDP_OWNER_TYPE, {
    required: true,
    description: 'Only those of the instance, or only those of the organization.',
    example: 'IDP_OWNER_TYPE_ORG',
  })
  readonly ownerType!: ValueOf<typeof IDP_OWNER_TYPE>;
}
