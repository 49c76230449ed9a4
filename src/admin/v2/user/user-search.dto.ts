import type { ValueOf } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Filter, Named, Part, Parts, Reserves, Text } from '../../kit/wire/fields.js';
import { ListQuery, TEXT_QUERY_METHOD } from '../../kit/wire/list.dto.js';
import {
  InUserEmailsQuery,
  InUserIdsQuery,
  USER_FIELD_NAME,
  UserDisplayNameQuery,
  UserEmailQuery,
  UserFirstNameQuery,
  UserLastNameQuery,
  UserLoginNameQuery,
  UserNameQuery,
  UserNickNameQuery,
  UserTypeQuery,
} from '../../user/user-search.dto.js';
import { ListDetailsV2 } from '../kit/object.dto.js';
import { USER_STATE_V2, UserV2 } from './user.dto.js';

@Named('UserStateQueryV2')
export class UserStateQueryV2 {
  @Choice(1, USER_STATE_V2, { example: 'USER_STATE_ACTIVE', description: 'The state to match.' })
  readonly state!: ValueOf<typeof USER_STATE_V2>;
}

@Named('UserPhoneQueryV2')
export class UserPhoneQueryV2 {
  @Text(1, { min: 1, max: 50, example: '+49301234567', description: 'With or without spaces and punctuation.' })
  readonly number!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the number is matched.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('UserOrganizationIdQueryV2')
export class UserOrganizationIdQueryV2 {
  @Text(1, { min: 1, max: 200, example: EXAMPLE.org })
  readonly organizationId!: string;
}

@Named('UserOrQueryV2')
export class UserOrQueryV2 {
  @Parts(1, () => UserSearchQueryV2, { maxItems: 20, description: 'Combined with OR; an empty list matches no users.' })
  readonly queries!: UserSearchQueryV2[];
}

@Named('UserAndQueryV2')
export class UserAndQueryV2 {
  @Parts(1, () => UserSearchQueryV2, { maxItems: 20, description: 'Combined with AND.' })
  readonly queries!: UserSearchQueryV2[];
}

@Named('UserNotQueryV2')
export class UserNotQueryV2 {
  @Part(1, () => UserSearchQueryV2, { required: true, description: 'The query to negate.' })
  readonly query!: Readonly<UserSearchQueryV2>; // a bare class that is declared later would be asked for as metadata
}

/** One condition of a search. Metadata has no index by which users could be found. */
@Filter()
@Named('UserSearchQueryV2')
@Reserves({ 17: 'metadata_key_filter', 18: 'metadata_value_filter' })
export class UserSearchQueryV2 {
  @Part(1, () => UserNameQuery, { oneof: 'query' })
  readonly userNameQuery?: UserNameQuery;

  @Part(2, () => UserFirstNameQuery, { oneof: 'query' })
  readonly firstNameQuery?: UserFirstNameQuery;

  @Part(3, () => UserLastNameQuery, { oneof: 'query' })
  readonly lastNameQuery?: UserLastNameQuery;

  @Part(4, () => UserNickNameQuery, { oneof: 'query' })
  readonly nickNameQuery?: UserNickNameQuery;

  @Part(5, () => UserDisplayNameQuery, { oneof: 'query' })
  readonly displayNameQuery?: UserDisplayNameQuery;

  @Part(6, () => UserEmailQuery, { oneof: 'query' })
  readonly emailQuery?: UserEmailQuery;

  @Part(7, () => UserStateQueryV2, { oneof: 'query' })
  readonly stateQuery?: UserStateQueryV2;

  @Part(8, () => UserTypeQuery, { oneof: 'query' })
  readonly typeQuery?: UserTypeQuery;

  @Part(9, () => UserLoginNameQuery, {
    oneof: 'query',
    description: 'In several organizations, only whole login names can be searched for: add an organizationIdQuery.',
  })
  readonly loginNameQuery?: UserLoginNameQuery;

  @Part(10, () => InUserIdsQuery, { oneof: 'query' })
  readonly inUserIdsQuery?: InUserIdsQuery;

  @Part(11, () => UserOrQueryV2, { oneof: 'query' })
  readonly orQuery?: UserOrQueryV2;

  @Part(12, () => UserAndQueryV2, { oneof: 'query' })
  readonly andQuery?: UserAndQueryV2;

  @Part(13, () => UserNotQueryV2, { oneof: 'query' })
  readonly notQuery?: UserNotQueryV2;

  @Part(14, () => InUserEmailsQuery, { oneof: 'query' })
  readonly inUserEmailsQuery?: InUserEmailsQuery;

  @Part(15, () => UserOrganizationIdQueryV2, { oneof: 'query' })
  readonly organizationIdQuery?: UserOrganizationIdQueryV2;

  @Part(16, () => UserPhoneQueryV2, { oneof: 'query' })
  readonly phoneQuery?: UserPhoneQueryV2;
}

@Named('ListUsersRequestV2')
export class ListUsersRequestV2 {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Choice(2, USER_FIELD_NAME, {
    description: 'The field to sort by. Defaults to the ID.',
    example: 'USER_FIELD_NAME_USER_NAME',
  })
  readonly sortingColumn!: ValueOf<typeof USER_FIELD_NAME>;

  @Parts(3, () => UserSearchQueryV2, { maxItems: 20, description: 'Combined with AND.' })
  readonly queries!: UserSearchQueryV2[];
}

@Named('ListUsersResponseV2')
export class ListUsersResponseV2 {
  @Part(1, () => ListDetailsV2)
  readonly details!: ListDetailsV2;

  @Choice(2, USER_FIELD_NAME, { description: 'The field that the list is sorted by.' })
  readonly sortingColumn!: ValueOf<typeof USER_FIELD_NAME>;

  @Parts(3, () => UserV2)
  readonly result!: readonly UserV2[];
}
