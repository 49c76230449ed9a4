import { USER_IN_PATH } from '../../../user/in-path.js';
import type { Profile } from '../../../user/profile.js';
import type { Entry } from '../document.js';
import { keptId, madeId } from '../made-id.js';
import { toMetadataEntry } from '../metadata.js';
import type { PeopleSettings, UserNames } from '../people-settings.js';
import { type Link, toHumanEntry } from '../person.js';
import { hasPlaceholder } from '../placeholder.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';
import { credentialsOf } from './credential.js';
import type { RpIds } from './passkeys.js';

/**
 * Attributes that the default mappers turn into OpenID Connect claims, and the members of the profile that they become.
 * If several become one member, the first that is set counts.
 */
const PROFILE = {
  middleName: 'middleName',
  nickname: 'nickName',
  nickName: 'nickName',
  profile: 'profileUrl',
  picture: 'pictureUrl',
  website: 'website',
  birthdate: 'birthdate',
  zoneinfo: 'zoneinfo',
  locale: 'preferredLanguage',
} as const;
const GENDER = 'gender';
const ADDRESS = {
  formatted: 'formatted',
  street: 'streetAddress',
  locality: 'locality',
  region: 'region',
  postal_code: 'postalCode',
  country: 'country',
} as const;
const PHONE = 'phoneNumber';
const PHONE_VERIFIED = 'phoneNumberVerified';
const TAKEN = new Set([...Object.keys(PROFILE), GENDER, ...Object.keys(ADDRESS), PHONE, PHONE_VERIFIED]);
const GENDERS = ['female', 'male', 'diverse'] as const;
/** The limit that this service has per user. */
const MAX_LINKS = 20;

/** The facts that the conversion needs besides a user; they are the same for all users of a realm. */
export interface UserContext {
  readonly orgId: string;
  /** The id of each provider, by alias. */
  readonly idByAlias: ReadonlyMap<string, string>;
  readonly names: UserNames;
  readonly settings: PeopleSettings;
  /** Whether the realm requires a verified address to sign in. */
  readonly verifiesEmail: boolean;
  readonly rpIds: RpIds;
}

/** Several realms may have users of one name without ids, as in files that were written by hand. */
export function idOf(user: SourceObject, orgId: string, report: Report): string {
  const id = user.text('id') || madeId('keycloak', orgId, user.text('username') || user.text('email'));
  return keptId(id, USER_IN_PATH, orgId, report);
}

export function humanOf(
  user: SourceObject,
  { orgId, idByAlias, names, settings, verifiesEmail, rpIds }: UserContext,
  report: Report,
): Entry<'humanUsers'> {
  const name = user.text('username');
  const credentials = credentialsOf(user, name, rpIds, report);
  const links = linksOf(user, name, idByAlias, report);
  const actions = user.texts('requiredActions');
  for (const action of actions) {
    if (action !== 'UPDATE_PASSWORD' && action !== 'VERIFY_EMAIL')
      report.note(`Users with the required action ${action}: not asked for it`, name);
  }
  if (user.text('federationLink') !== '')
    report.lose('Users of an external directory: without a password, which only the directory has', name);
  user.ignore('totp', 'disableableCredentialTypes', 'notBefore', 'access', 'self', 'origin');
  return toHumanEntry(
    {
      userId: idOf(user, orgId, report),
      userName: names.nameOf(name, report),
      profile: profileOf(user, name, report),
      email: user.text('email'),
      emailVerified: user.flag('emailVerified'),
      hadToProveEmail: verifiesEmail || actions.includes('VERIFY_EMAIL'),
      phone: attributeOf(user, PHONE),
      phoneVerified: attributeOf(user, PHONE_VERIFIED) === 'true',
      isActive: user.flag('enabled', true),
      ...credentials,
      passwordChangeRequired: credentials.passwordChangeRequired || actions.includes('UPDATE_PASSWORD'),
      hasEmailCodes: false,
      links,
    },
    settings,
    report,
  );
}

function profileOf(user: SourceObject, name: string, report: Report): Partial<Profile> {
  const address = membersOf(user, ADDRESS);
  return {
    firstName: user.text('firstName'),
    lastName: user.text('lastName'),
    ...membersOf(user, PROFILE),
    gender: genderOf(user, name, report),
    ...(Object.keys(address).length === 0 ? {} : { address }),
  };
}

function genderOf(user: SourceObject, name: string, report: Report): Profile['gender'] {
  const text = attributeOf(user, GENDER);
  const known = GENDERS.find((gender) => gender === text);
  if (known === undefined && text !== '') report.note('Genders without a counterpart: left out', name);
  return known ?? '';
}

/** The members for which the user has an attribute that is not empty. */
function membersOf<Member extends string>(
  user: SourceObject,
  memberOf: Readonly<Record<string, Member>>,
): { [Name in Member]?: string } {
  const members: { [Name in Member]?: string } = {};
  for (const [attribute, member] of Object.entries(memberOf)) {
    const value = attributeOf(user, attribute);
    if (value !== '') members[member] ??= value;
  }
  return members;
}

/** The first value: Keycloak stores lists. */
function attributeOf(user: SourceObject, name: string): string {
  const attributes = user.object('attributes');
  return attributes.text(name) || (attributes.texts(name)[0] ?? '');
}

/** Entries of `userMetadata`: all other attributes. */
export function metadataOf(user: SourceObject, userId: string, report: Report): Array<Entry<'userMetadata'>> {
  return user
    .object('attributes')
    .entries()
    .filter(([name]) => !TAKEN.has(name))
    .flatMap(([name, value]) => {
      const values: unknown[] = Array.isArray(value) ? value : [value];
      const single = values.length === 1 ? values[0] : values;
      if (values.some((each) => typeof each === 'string' && hasPlaceholder(each))) {
        report.lose('Attributes that are placeholders: left out', `${user.label.name} ${name}`);
        return [];
      }
      const entry = toMetadataEntry(userId, name, single, report);
      return entry ? [entry] : [];
    });
}

function linksOf(user: SourceObject, name: string, idByAlias: ReadonlyMap<string, string>, report: Report): Link[] {
  const links = user.objects('federatedIdentities').flatMap((identity) => {
    const alias = identity.text('identityProvider');
    const configId = idByAlias.get(alias);
    const externalUserId = identity.text('userId');
    const displayName = [...identity.text('userName')].slice(0, 200).join('');
    if (configId !== undefined && externalUserId !== '' && externalUserId.length <= 200)
      return [{ configId, externalUserId, displayName }];
    report.lose('Links to identity providers that are left out', `${name} ${alias}`);
    return [];
  });
  for (const { configId } of links.slice(MAX_LINKS))
    report.lose(`Links of a user beyond the first ${MAX_LINKS}`, `${name} ${configId}`);
  return links.slice(0, MAX_LINKS);
}
