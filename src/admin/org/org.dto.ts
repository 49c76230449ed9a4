import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { ORG_STATE } from '../../org/org.enums.js';
import { GENDER } from '../../user/user.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Filter, Flag, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery, TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';

const ORG_FIELD_NAME = wireEnum('OrgFieldName', {
  ORG_FIELD_NAME_UNSPECIFIED: [0, 'id'],
  ORG_FIELD_NAME_NAME: [1, 'name'],
  ORG_FIELD_NAME_CREATION_DATE: [100, 'creationDate'],
});

@Named('Org')
export class Org {
  @Text(1, { example: EXAMPLE.org })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Choice(3, ORG_STATE, {
    example: 'ORG_STATE_ACTIVE',
    description: 'Users of an inactive organization cannot sign in.',
  })
  readonly state!: ValueOf<typeof ORG_STATE>;

  @Text(4, { example: 'Acme' })
  readonly name!: string;

  @Text(5, {
    description: 'The verified domain used in the login names of its users.',
    example: 'acme.localhost',
  })
  readonly primaryDomain!: string;
}

@Named('OrgResponse')
export class OrgResponse {
  @Part(1, () => Org)
  readonly org!: Org;
}

@Named('OrgIdRequest')
export class OrgIdRequest {
  @Text(1, { min: 1, max: 200, protoName: 'id', description: 'ID of the organization.', example: EXAMPLE.org })
  readonly orgId!: string;
}

@Named('OrgReferenceRequest')
export class OrgReferenceRequest {
  @Text(1, { min: 1, max: 200, description: 'ID of the organization.', example: EXAMPLE.org })
  readonly orgId!: string;
}

@Named('IsOrgUniqueRequest')
export class IsOrgUniqueRequest {
  @Text(1, { max: 200, description: 'The name to check. If empty, it is not checked.', example: 'Birkenhof' })
  readonly name!: string;

  @Text(2, { max: 200, description: 'The domain to check. If empty, it is not checked.', example: 'birkenhof.example' })
  readonly domain!: string;
}

@Named('IsOrgUniqueResponse')
export class IsOrgUniqueResponse {
  @Flag(1, { example: true, description: 'True if no organization has the name or the domain.' })
  readonly isUnique!: boolean;
}

@Named('OrgNameQuery')
export class OrgNameQuery {
  @Text(1, { max: 200, example: 'Acme' })
  readonly name!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('OrgDomainQuery')
export class OrgDomainQuery {
  @Text(1, { max: 200, example: 'acme.localhost' })
  readonly domain!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('OrgStateQuery')
export class OrgStateQuery {
  @Choice(1, ORG_STATE, { required: true, example: 'ORG_STATE_ACTIVE', description: 'The state to match.' })
  readonly state!: ValueOf<typeof ORG_STATE>;
}

@Named('OrgIdQuery')
export class OrgIdQuery {
  @Text(1, { max: 200, example: EXAMPLE.org })
  readonly id!: string;
}

/** One condition of a search. */
@Filter()
@Named('OrgQuery')
export class OrgQuery {
  @Part(1, () => OrgNameQuery, { oneof: 'query' })
  readonly nameQuery?: OrgNameQuery;

  @Part(2, () => OrgDomainQuery, { oneof: 'query' })
  readonly domainQuery?: OrgDomainQuery;

  @Part(3, () => OrgStateQuery, { oneof: 'query' })
  readonly stateQuery?: OrgStateQuery;

  @Part(4, () => OrgIdQuery, { oneof: 'query' })
  readonly idQuery?: OrgIdQuery;
}

@Named('ListOrgsRequest')
export class ListOrgsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Choice(2, ORG_FIELD_NAME, {
    description: 'The field to sort by. Defaults to the ID.',
    example: 'ORG_FIELD_NAME_NAME',
  })
  readonly sortingColumn!: ValueOf<typeof ORG_FIELD_NAME>;

  @Parts(3, () => OrgQuery, { maxItems: 20, description: 'Combined with AND.' })
  readonly queries!: OrgQuery[];
}

@Named('ListOrgsResponse')
export class ListOrgsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Choice(2, ORG_FIELD_NAME, { description: 'The field that the list is sorted by.' })
  readonly sortingColumn!: ValueOf<typeof ORG_FIELD_NAME>;

  @Parts(3, () => Org)
  readonly result!: readonly Org[];
}

@Named('SetUpOrgOrg')
export class SetUpOrgOrg {
  @Text(1, { min: 1, max: 200, example: 'Birkenhof Logistik' })
  readonly name!: string;

  @Text(2, {
    max: 200,
    description: 'The verified primary domain. If empty, it is derived from the name.',
    example: 'birkenhof.localhost',
  })
  readonly domain!: string;
}

@Named('SetUpOrgProfile')
export class SetUpOrgProfile {
  @Text(1, { min: 1, max: 200, example: 'Marta' })
  readonly firstName!: string;

  @Text(2, { min: 1, max: 200, example: 'Keller' })
  readonly lastName!: string;

  @Text(3, { max: 200 })
  readonly nickName!: string;

  @Text(4, { max: 200, description: 'Display name. Defaults to first and last name.' })
  readonly displayName!: string;

  @Text(5, { max: 10, description: 'Language tag.', example: 'de' })
  readonly preferredLanguage!: string;

  @Choice(6, GENDER, { description: 'The gender.' })
  readonly gender!: ValueOf<typeof GENDER>;
}

@Named('SetUpOrgEmail')
export class SetUpOrgEmail {
  @Text(1, { min: 1, max: 200, example: 'marta@birkenhof.example' })
  readonly email!: string;

  @Flag(2, { example: true, description: 'Whether it is verified.' })
  readonly isEmailVerified!: boolean;
}

@Named('SetUpOrgPhone')
export class SetUpOrgPhone {
  @Text(1, {
    min: 1,
    max: 50,
    form: { fits: (text) => text.startsWith('+'), says: 'must start with +' },
    example: '+49301234567',
  })
  readonly phone!: string;

  @Flag(2, { description: 'Whether it is verified.' })
  readonly isPhoneVerified!: boolean;
}

@Named('SetUpOrgHuman')
export class SetUpOrgHuman {
  @Text(1, {
    min: 1,
    max: 200,
    example: 'marta.keller',
    description: 'The user name: the part of the login name before the domain. May be an e-mail address.',
  })
  readonly userName!: string;

  @Part(2, () => SetUpOrgProfile, { required: true })
  readonly profile!: SetUpOrgProfile;

  @Part(3, () => SetUpOrgEmail, { required: true })
  readonly email!: SetUpOrgEmail;

  @Part(4, () => SetUpOrgPhone)
  readonly phone?: SetUpOrgPhone;

  @Text(5, {
    max: 200,
    writeOnly: true,
    description: 'If empty, the user sets up the account by e-mail.',
  })
  readonly password!: string;
}

@Named('SetUpOrgRequest')
export class SetUpOrgRequest {
  @Part(1, () => SetUpOrgOrg, { required: true })
  readonly org!: SetUpOrgOrg;

  @Part(2, () => SetUpOrgHuman, {
    required: true,
    oneof: 'user',
    description: 'The first user, who manages the organization.',
  })
  readonly human!: SetUpOrgHuman;

  @Texts(3, {
    max: 200,
    maxItems: 20,
    description: 'Manager roles on the organization. Defaults to ORG_OWNER.',
    example: ['ORG_OWNER'],
  })
  readonly roles!: string[];
}

@Named('SetUpOrgResponse')
export class SetUpOrgResponse {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(2, { example: EXAMPLE.setUpOrg })
  readonly orgId!: string;

  @Text(3, { example: EXAMPLE.setUpPerson, description: 'ID of the first user.' })
  readonly userId!: string;
}

@Named('AddOrgRequest')
export class AddOrgRequest {
  @Text(1, { min: 1, max: 200, example: 'Second house' })
  readonly name!: string;
}

@Named('AddOrgResponse')
export class AddOrgResponse {
  @Text(1, { example: EXAMPLE.otherOrg })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('UpdateOrgRequest')
export class UpdateOrgRequest {
  @Text(1, { min: 1, max: 200, example: 'Acme' })
  readonly name!: string;
}

@Named('OrgByDomainRequest')
export class OrgByDomainRequest {
  @Text(1, { min: 1, max: 200, description: 'A verified domain.', example: 'acme.localhost' })
  readonly domain!: string;
}
