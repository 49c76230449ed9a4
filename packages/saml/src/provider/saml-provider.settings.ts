import { Flag, Text, Texts } from 'gatehouse/admin';
import { readIdentityProvider } from '../metadata/identity-provider.js';
import { SamlRefusal } from '../refusal.js';
import { isGroupLine } from './group-mapping.js';

type TextForm = NonNullable<NonNullable<Parameters<typeof Text>[1]>['form']>;

const MAX_METADATA_CHARACTERS = 100_000;

/** Until when it holds is asked when it is read: settings are read again at each sign-in. */
const LONG_AGO = new Date(0);

/** What could never be believed is refused when it is stored (SML-011). */
const METADATA: TextForm = {
  fits: (text) => {
    try {
      readIdentityProvider(Buffer.from(text), LONG_AGO, { allowHttp: true });
      return true;
    } catch (error) {
      if (error instanceof SamlRefusal) return false;
      throw error;
    }
  },
  says: 'must be SAML metadata of one identity provider, with a certificate and an address by redirect or POST',
};

const METADATA_URL: TextForm = {
  fits: (text) => /^https?:\/\/[^\s#@]+$/.test(text) && URL.canParse(text),
  says: 'must be an address such as https://idp.acme.example/metadata',
};

/** The names of formats as administrators write them. */
export const NAME_ID_FORMATS = ['persistent', 'transient', 'emailAddress', 'unspecified', 'any'] as const;
export type NameIdWord = (typeof NAME_ID_FORMATS)[number];

const oneOf = (words: readonly string[]): TextForm => ({
  fits: (text) => words.includes(text),
  says: `must be one of ${words.join(', ')}`,
});

const attribute = (what: string, example: string) => ({
  max: 300,
  description: `The attribute with ${what}. Empty: the usual names of SimpleSAMLphp, Keycloak, Shibboleth, Entra ID and AD FS.`,
  example,
});

/** Of each provider, as an administrator enters them. */
export class SamlProviderSettings {
  @Text(1, {
    max: MAX_METADATA_CHARACTERS,
    form: METADATA,
    description: 'The metadata of the identity provider as XML. Either this or metadataUrl.',
  })
  readonly metadata!: string;

  @Text(2, {
    max: 500,
    form: METADATA_URL,
    description: 'Where its metadata is. It is read once a day; a new certificate counts if the entity is the same.',
    example: 'https://login.microsoftonline.com/TENANT/federationmetadata/2007-06/federationmetadata.xml?appid=APP',
  })
  readonly metadataUrl!: string;

  @Text(3, {
    max: 20,
    form: oneOf(NAME_ID_FORMATS),
    description:
      'The kind of name that users are known by; empty is persistent. emailAddress and unspecified are names that may pass on to somebody else: choose them only where they do not. any asks for none, and takes persistent ones.',
    example: 'persistent',
  })
  readonly nameIdFormat!: string;

  @Text(4, {
    max: 300,
    description: 'The attribute by which users are known where their name is transient or missing.',
    example: 'http://schemas.microsoft.com/identity/claims/objectidentifier',
  })
  readonly transientMappingAttribute!: string;

  @Text(5, attribute('the name for signing in', 'uid'))
  readonly userNameAttribute!: string;

  @Text(6, attribute('the given name', 'givenName'))
  readonly givenNameAttribute!: string;

  @Text(7, attribute('the family name', 'sn'))
  readonly familyNameAttribute!: string;

  @Text(8, attribute('the whole name', 'displayName'))
  readonly displayNameAttribute!: string;

  @Text(9, attribute('the e-mail address', 'mail'))
  readonly emailAttribute!: string;

  @Flag(10, {
    description: 'Whether the provider gives nobody an address that is not theirs, so that it counts as verified.',
  })
  readonly isEmailVerified!: boolean;

  @Text(11, attribute('the groups', 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups'))
  readonly groupsAttribute!: string;

  @Texts(12, {
    max: 500,
    maxItems: 200,
    form: { fits: isGroupLine, says: 'must be a value, =, and the id of a group' },
    description: 'Which values of the groups attribute are which groups: the value, =, and the id of the group here.',
    example: ['Night shift=298374650183'],
  })
  readonly groups!: readonly string[];

  @Texts(13, {
    max: 300,
    maxItems: 50,
    description: 'Names of attributes that are kept with the account, for extensions to read. None by default.',
  })
  readonly keptAttributes!: readonly string[];

  @Flag(14, { description: 'Whether requests are signed, also where the metadata does not ask for it.' })
  readonly signRequests!: boolean;

  @Text(15, {
    max: 10,
    form: oneOf(['redirect', 'post']),
    description:
      'How requests are sent: redirect or post. Empty: by redirect where the provider has an address for it.',
  })
  readonly binding!: string;
}
