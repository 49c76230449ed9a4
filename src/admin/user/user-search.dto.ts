import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { USER_STATE, USER_TYPE } from '../../user/user.enums.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Filter, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery, TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';
import { User } from './user.dto.js';

export const USER_FIELD_NAME = wireEnum('UserFieldName', {
  USER_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
  USER_FIELD_NAME_USER_NAME: [1, 'userName'],
  USER_FIELD_NAME_FIRST_NAME: [2, 'firstName'],
  USER_FIELD_NAME_LAST_NAME: [3, 'lastName'],
  USER_FIELD_NAME_NICK_NAME: [4, 'nickName'],
  USER_FIELD_NAME_DISPLAY_NAME: [5, 'displayName'],
  USER_FIELD_NAME_EMAIL: [6, 'email'],
  USER_FIELD_NAME_STATE: [7, 'state'],
  USER_FIELD_NAME_TYPE: [8, 'kind'],
  USER_FIELD_NAME_CREATION_DATE: [9, 'creationDate'],
});

type TextMethod = ValueOf<typeof TEXT_QUERY_METHOD>;
const METHOD = {
  description: 'How the text is matched; searching for what a text contains or ends with is slowest.',
};

@Named('UserNameQuery')
export class UserNameQuery {
  @Text(1, { max: 200, example: 'ilse', description: 'The user name: the part of the login name before the domain.' })
  readonly userName!: string;

  @Choice(2, TEXT_QUERY_METHOD, METHOD)
  readonly method!: TextMethod;
}

@Named('UserFirstNameQuery')
export class UserFirstNameQuery {
  @Text(1, { max: 200, example: 'Ilse' })
  readonly firstName!: string;

  @Choice(2, TEXT_QUERY_METHOD, METHOD)
  readonly method!: TextMethod;
}

@Named('UserLastNameQuery')
export class UserLastNameQuery {
  @Text(1, { max: 200, example: 'Brandt' })
  readonly lastName!: string;

  @Choice(2, TEXT_QUERY_METHOD, METHOD)
  readonly method!: TextMethod;
}

@Named('UserNickNameQuery')
export class UserNickNameQuery {
  @Text(1, { max: 200, example: 'Ilse' })
  readonly nickName!: string;

  @Choice(2, TEXT_QUERY_METHOD, METHOD)
  readonly method!: TextMethod;
}

@Named('UserDisplayNameQuery')
export class UserDisplayNameQuery {
  @Text(1, { max: 200, example: 'Ilse Brandt', description: 'Display name of the user.' })
  readonly displayName!: string;

  @Choice(2, TEXT_QUERY_METHOD, METHOD)
  readonly method!: TextMethod;
}

@Named('UserEmailQuery')
export class UserEmailQuery {
  @Text(1, { max: 200, example: 'ilse@birkenhof.example', description: 'The e-mail address to match.' })
  readonly emailAddress!: string;

  @Choice(2, TEXT_QUERY_METHOD, METHOD)
  readonly method!: TextMethod;
}

@Named('UserStateQuery')
export class UserStateQuery {
  @Choice(1, USER_STATE, { example: 'USER_STATE_ACTIVE', description: 'The state to match.' })
  readonly state!: ValueOf<typeof USER_STATE>;
}

@Named('UserTypeQuery')
export class UserTypeQuery {
  @Choice(1, USER_TYPE, { example: 'TYPE_HUMAN', description: 'Human user or service user.' })
  readonly type!: ValueOf<typeof USER_TYPE>;
}

@Named('UserLoginNameQuery')
export class UserLoginNameQuery {
  @Text(1, { max: 200, example: 'ilse@birkenhof.localhost', description: 'The login name, including the domain.' })
  readonly loginName!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched; login names are always case-insensitive.' })
  readonly method!: TextMethod;
}

@Named('InUserIdsQuery')
export class InUserIdsQuery {
  @Texts(1, { max: 200, example: [EXAMPLE.person], description: 'Any of these values.' })
  readonly userIds!: string[];
}

@Named('InUserEmailsQuery')
export class InUserEmailsQuery {
  @Texts(1, { max: 200, example: ['ilse@birkenhof.example'], description: 'Any of these values.' })
  readonly userEmails!: string[];
}

@Named('UserOrQuery')
export class UserOrQuery {
  @Parts(1, () => UserSearchQuery, { maxItems: 20, description: 'Combined with OR; an empty list matches no users.' })
  readonly queries!: UserSearchQuery[];
}

@Named('UserAndQuery')
export class UserAndQuery {
  @Parts(1, () => UserSearchQuery, { maxItems: 20, description: 'Combined with AND.' })
  readonly queries!: UserSearchQuery[];
}

@Named('UserNotQuery')
export class UserNotQuery {
  @Part(1, () => UserSearchQuery, { required: true, description: 'The query to negate.' })
  readonly query!: Readonly<UserSearchQuery>; // a bare class that is declared later would be asked for as metadata
}

/** One condition of a search. */
@Filter()
@Named('UserSearchQuery')
export class UserSearchQuery {
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

  @Part(7, () => UserStateQuery, { oneof: 'query' })
  readonly stateQuery?: UserStateQuery;

  @Part(8, () => UserTypeQuery, { oneof: 'query' })
  readonly typeQuery?: UserTypeQuery;

  @Part(9, () => UserLoginNameQuery, { oneof: 'query' })
  readonly loginNameQuery?: UserLoginNameQuery;

  @Part(10, () => InUserIdsQuery, { oneof: 'query' })
  readonly inUserIdsQuery?: InUserIdsQuery;

  @Part(11, () => UserOrQuery, { oneof: 'query' })
  readonly orQuery?: UserOrQuery;

  @Part(12, () => UserAndQuery, { oneof: 'query' })
  readonly andQuery?: UserAndQuery;

  @Part(13, () => UserNotQuery, { oneof: 'query' })
  readonly notQuery?: UserNotQuery;

  @Part(14, () => InUserEmailsQuery, { oneof: 'query' })
  readonly inUserEmailsQuery?: InUserEmailsQuery;
}

@Named('ListUsersRequest')
export class ListUsersRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Choice(2, USER_FIELD_NAME, {
    description: 'The field to sort by. Defaults to the creation date.',
    example: 'USER_FIELD_NAME_USER_NAME',
  })
  readonly sortingColumn!: ValueOf<typeof USER_FIELD_NAME>;

  @Parts(3, () => UserSearchQuery, { maxItems: 20, description: 'Combined with AND.' })
  readonly queries!: UserSearchQuery[];
}

@Named('ListUsersResponse')
export class ListUsersResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Choice(2, USER_FIELD_NAME, { description: 'The field that the list is sorted by.' })
  readonly sortingColumn!: ValueOf<typeof USER_FIELD_NAME>;

  @Parts(3, () => User)
  readonly result!: readonly User[];
}
