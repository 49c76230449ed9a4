import { Flag, Text, Texts } from 'gatehouse/admin';
import { ATTRIBUTE, DISTINGUISHED_NAME, GROUP_MAPPING, PEM, SERVER } from './settings-forms.js';

/** A person's attribute; empty if the directory has none. */
const PERSON = { max: 100, form: ATTRIBUTE } as const;

/** Of each provider, as an administrator enters them. */
export class LdapSettings {
  @Texts(1, {
    maxItems: 5,
    form: SERVER,
    description:
      'The servers of one directory, at least one, tried in this order: `ldaps://host`, or `ldap://host` with `startTls`. Ports default to 636 and 389.',
    example: ['ldaps://dc1.acme.example', 'ldaps://dc2.acme.example'],
  })
  readonly servers!: readonly string[];

  @Flag(2, {
    description: 'Whether connections to `ldap://` are encrypted by StartTLS, and refused if they cannot be.',
    example: false,
  })
  readonly startTls!: boolean;

  @Text(3, {
    max: 20_000,
    form: PEM,
    description:
      'The certificates of the authorities that issue those of the servers, as PEM. Empty for those that this machine trusts.',
    example: '',
  })
  readonly rootCa!: string;

  @Text(4, {
    min: 1,
    max: 500,
    form: DISTINGUISHED_NAME,
    description: 'The account that looks people up. It needs to read them, and nothing else.',
    example: 'cn=gatehouse,ou=services,dc=acme,dc=example',
  })
  readonly bindDn!: string;

  @Text(5, { min: 1, max: 200, writeOnly: true, description: 'The password of that account.', example: 'a-long-one' })
  readonly bindPassword!: string;

  @Text(6, {
    min: 1,
    max: 500,
    form: DISTINGUISHED_NAME,
    description: 'People are found below this entry, at any depth.',
    example: 'ou=people,dc=acme,dc=example',
  })
  readonly userBase!: string;

  @Texts(7, {
    maxItems: 5,
    form: ATTRIBUTE,
    description:
      'The attributes of which one must equal what was typed. Defaults to `uid`; for Active Directory `sAMAccountName`, `userPrincipalName`.',
    example: ['uid', 'mail'],
  })
  readonly userFilters!: readonly string[];

  @Texts(8, {
    maxItems: 5,
    form: ATTRIBUTE,
    description: 'Object classes of people, all of which an entry must have. Defaults to `person`.',
    example: ['inetOrgPerson'],
  })
  readonly userObjectClasses!: readonly string[];

  @Text(9, {
    ...PERSON,
    description:
      'What never changes and is never given to somebody else: `entryUUID`, the default, or `objectGUID` of Active Directory.',
    example: 'entryUUID',
  })
  readonly idAttribute!: string;

  @Text(10, { ...PERSON, description: 'First names.', example: 'givenName' })
  readonly firstNameAttribute!: string;

  @Text(11, { ...PERSON, description: 'Last names.', example: 'sn' })
  readonly lastNameAttribute!: string;

  @Text(12, { ...PERSON, description: 'Names as they are shown.', example: 'displayName' })
  readonly displayNameAttribute!: string;

  @Text(13, { ...PERSON, description: 'Nicknames.', example: '' })
  readonly nickNameAttribute!: string;

  @Text(14, { ...PERSON, description: 'User names. Defaults to the first of `userFilters`.', example: 'uid' })
  readonly userNameAttribute!: string;

  @Text(15, { ...PERSON, description: 'E-mail addresses, of which the first counts.', example: 'mail' })
  readonly emailAttribute!: string;

  @Flag(16, {
    description: 'Whether these addresses count as verified: only if people cannot write them themselves.',
    example: true,
  })
  readonly isEmailVerified!: boolean;

  @Text(17, { ...PERSON, description: 'Telephone numbers, of which the first counts.', example: 'telephoneNumber' })
  readonly phoneAttribute!: string;

  @Text(18, { ...PERSON, description: 'Languages, such as de-CH.', example: 'preferredLanguage' })
  readonly languageAttribute!: string;

  @Text(19, {
    ...PERSON,
    description: 'The attribute with the groups of a person, as DNs, if the directory keeps one.',
    example: 'memberOf',
  })
  readonly memberOfAttribute!: string;

  @Text(20, {
    max: 500,
    form: DISTINGUISHED_NAME,
    description: 'Groups are searched below this entry by their members. Empty if `memberOfAttribute` is enough.',
    example: '',
  })
  readonly groupBase!: string;

  @Text(21, {
    ...PERSON,
    description: 'The attribute of a group with the DNs of its members. Defaults to `member`.',
    example: 'member',
  })
  readonly groupMemberAttribute!: string;

  @Flag(22, {
    description: 'Whether members of groups in groups are found too, by a rule that only Active Directory knows.',
    example: false,
  })
  readonly nestedGroups!: boolean;

  @Texts(23, {
    maxItems: 200,
    form: GROUP_MAPPING,
    description: 'Groups of Gatehouse that follow groups of the directory, each as `id=DN`.',
    example: ['220000000000000001=cn=admins,ou=groups,dc=acme,dc=example'],
  })
  readonly groupMappings!: readonly string[];
}
