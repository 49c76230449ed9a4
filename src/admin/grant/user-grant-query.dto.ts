import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { USER_TYPE } from '../../user/user.enums.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Filter, Flag, Named, Part, Text, Texts } from '../kit/wire/fields.js';
import { TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';

type Method = ValueOf<typeof TEXT_QUERY_METHOD>;

@Named('UserGrantProjectIdQuery')
export class UserGrantProjectIdQuery {
  @Text(1, { max: 200, example: EXAMPLE.project })
  readonly projectId!: string;
}

@Named('UserGrantUserIdQuery')
export class UserGrantUserIdQuery {
  @Text(1, { max: 200, example: EXAMPLE.person })
  readonly userId!: string;
}

@Named('UserGrantWithGrantedQuery')
export class UserGrantWithGrantedQuery {
  @Flag(1, {
    description: 'Also include user grants made by organizations that were granted projects of this organization.',
    example: true,
  })
  readonly withGranted!: boolean;
}

@Named('UserGrantRoleKeyQuery')
export class UserGrantRoleKeyQuery {
  @Text(1, { max: 200, example: 'reader' })
  readonly roleKey!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: Method;
}

@Named('UserGrantProjectGrantIdQuery')
export class UserGrantProjectGrantIdQuery {
  @Text(1, { max: 200, example: EXAMPLE.projectGrant })
  readonly projectGrantId!: string;
}

@Named('UserGrantUserNameQuery')
export class UserGrantUserNameQuery {
  @Text(1, { max: 200, example: 'ilse', description: 'The user name: the part of the login name before the domain.' })
  readonly userName!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: Method;
}

@Named('UserGrantFirstNameQuery')
export class UserGrantFirstNameQuery {
  @Text(1, { max: 200, example: 'Ilse' })
  readonly firstName!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: Method;
}

@Named('UserGrantLastNameQuery')
export class UserGrantLastNameQuery {
  @Text(1, { max: 200, example: 'Brandt' })
  readonly lastName!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: Method;
}

@Named('UserGrantEmailQuery')
export class UserGrantEmailQuery {
  @Text(1, { max: 200, example: 'ilse@birkenhof.example' })
  readonly email!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: Method;
}

@Named('UserGrantOrgNameQuery')
export class UserGrantOrgNameQuery {
  @Text(1, { max: 200, example: 'Acme' })
  readonly orgName!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: Method;
}

@Named('UserGrantOrgDomainQuery')
export class UserGrantOrgDomainQuery {
  @Text(1, { max: 200, example: 'acme.localhost' })
  readonly orgDomain!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: Method;
}

@Named('UserGrantProjectNameQuery')
export class UserGrantProjectNameQuery {
  @Text(1, { max: 200, example: 'Timetable' })
  readonly projectName!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: Method;
}

@Named('UserGrantDisplayNameQuery')
export class UserGrantDisplayNameQuery {
  @Text(1, { max: 200, example: 'Ilse Brandt', description: 'Display name of the user.' })
  readonly displayName!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: Method;
}

@Named('UserGrantUserTypeQuery')
export class UserGrantUserTypeQuery {
  @Choice(1, USER_TYPE, { required: true, example: 'TYPE_HUMAN', description: 'Human user or service user.' })
  readonly type!: ValueOf<typeof USER_TYPE>;
}

@Named('UserGrantInUserIdsQuery')
export class UserGrantInUserIdsQuery {
  @Texts(1, { max: 200, example: [EXAMPLE.person], description: 'Any of these values.' })
  readonly inUserIds!: string[];
}

/** One condition of a search. */
@Filter()
@Named('UserGrantQuery')
export class UserGrantQuery {
  @Part(1, () => UserGrantProjectIdQuery, { oneof: 'query' })
  readonly projectIdQuery?: UserGrantProjectIdQuery;

  @Part(2, () => UserGrantUserIdQuery, { oneof: 'query' })
  readonly userIdQuery?: UserGrantUserIdQuery;

  @Part(3, () => UserGrantWithGrantedQuery, { oneof: 'query' })
  readonly withGrantedQuery?: UserGrantWithGrantedQuery;

  @Part(4, () => UserGrantRoleKeyQuery, { oneof: 'query' })
  readonly roleKeyQuery?: UserGrantRoleKeyQuery;

  @Part(5, () => UserGrantProjectGrantIdQuery, { oneof: 'query' })
  readonly projectGrantIdQuery?: UserGrantProjectGrantIdQuery;

  @Part(6, () => UserGrantUserNameQuery, { oneof: 'query' })
  readonly userNameQuery?: UserGrantUserNameQuery;

  @Part(7, () => UserGrantFirstNameQuery, { oneof: 'query' })
  readonly firstNameQuery?: UserGrantFirstNameQuery;

  @Part(8, () => UserGrantLastNameQuery, { oneof: 'query' })
  readonly lastNameQuery?: UserGrantLastNameQuery;

  @Part(9, () => UserGrantEmailQuery, { oneof: 'query' })
  readonly emailQuery?: UserGrantEmailQuery;

  @Part(10, () => UserGrantOrgNameQuery, { oneof: 'query' })
  readonly orgNameQuery?: UserGrantOrgNameQuery;

  @Part(11, () => UserGrantOrgDomainQuery, { oneof: 'query' })
  readonly orgDomainQuery?: UserGrantOrgDomainQuery;

  @Part(12, () => UserGrantProjectNameQuery, { oneof: 'query' })
  readonly projectNameQuery?: UserGrantProjectNameQuery;

  @Part(13, () => UserGrantDisplayNameQuery, { oneof: 'query' })
  readonly displayNameQuery?: UserGrantDisplayNameQuery;

  @Part(14, () => UserGrantUserTypeQuery, { oneof: 'query' })
  readonly userTypeQuery?: UserGrantUserTypeQuery;

  @Part(15, () => UserGrantInUserIdsQuery, { oneof: 'query' })
  readonly inUserIdsQuery?: UserGrantInUserIdsQuery;
}
