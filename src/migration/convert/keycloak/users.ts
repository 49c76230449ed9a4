import { flagIn, objectIn, objectsIn, textIn, textsIn, type Json } from '../json.js';
import { toMetadataEntry } from '../metadata.js';
import { toHumanEntry } from '../person.js';
import type { Report } from '../report.js';
import { credentialsOf } from './credential.js';

const READ = new Set([
  'id', 'username', 'enabled', 'totp', 'emailVerified', 'firstName', 'lastName', 'email', 'attributes', 'credentials', 'requiredActions', 'realmRoles', 'clientRoles', 'groups', 'federatedIdentities',
  'serviceAccountClientId', 'disableableCredentialTypes', 'notBefore', 'access', 'self', 'origin', 'federationLink',
]);
/** Attributes that the mappers of a new realm read into claims of OpenID Connect, and what they are here. */
const PROFILE: Readonly<Record<string, string>> = {
  middleName: 'middleName', nickname: 'nickName', nickName: 'nickName', profile: 'profileUrl', picture: 'pictureUrl', website: 'website', birthdate: 'birthdate', zoneinfo: 'zoneinfo', locale: 'preferredLanguage', gender: 'gender',
};
const ADDRESS: Readonly<Record<string, string>> = { formatted: 'formatted', street: 'streetAddress', locality: 'locality', region: 'region', postal_code: 'postalCode', country: 'country' };
const PHONE = 'phoneNumber';
const TAKEN = new Set([...Object.keys(PROFILE), ...Object.keys(ADDRESS), PHONE, 'phoneNumberVerified']);
const GENDERS = new Set(['female', 'male', 'diverse']);
/** As many as one person may have here. */
const MAX_LINKS = 20;

export function humanOf(user: Json, idByAlias: ReadonlyMap<string, string>, report: Report): object {
  const name = textIn(user, 'username');
  const credentials = credentialsOf(user, name, report);
  const links = linksOf(user, name, idByAlias, report);
  report.rest('User', name, user, READ);
  for (const action of textsIn(user, 'requiredActions')) {
    if (action !== 'UPDATE_PASSWORD' && action !== 'VERIFY_EMAIL') report.note(`Users who must do ${action} next: not asked`, name);
  }
  if (textIn(user, 'federationLink') !== '') report.note('Users of a directory elsewhere: without a password, for it is kept there', name);
  return toHumanEntry({
    userId: textIn(user, 'id') || name, userName: name, profile: profileOf(user, name, report), email: textIn(user, 'email'), emailVerified: flagIn(user, 'emailVerified'),
    phone: attributeOf(user, PHONE), phoneVerified: attributeOf(user, 'phoneNumberVerified') === 'true', isActive: user['enabled'] !== false, ...credentials,
    passwordChangeRequired: credentials.passwordChangeRequired || textsIn(user, 'requiredActions').includes('UPDATE_PASSWORD'), hasEmailCodes: false, links,
  }, report);
}

function profileOf(user: Json, name: string, report: Report): object {
  const address = Object.fromEntries(Object.entries(ADDRESS).map(([attribute, member]) => [member, attributeOf(user, attribute)] as const).filter(([, value]) => value !== ''));
  const profile: Record<string, unknown> = { firstName: textIn(user, 'firstName'), lastName: textIn(user, 'lastName') };
  for (const [attribute, member] of Object.entries(PROFILE)) profile[member] ||= attributeOf(user, attribute);
  if (!GENDERS.has(profile['gender'] as string)) {
    if (profile['gender'] !== '') report.note('Genders that have no word here: left out', name);
    profile['gender'] = '';
  }
  return Object.keys(address).length === 0 ? profile : { ...profile, address };
}

/** The first value: Keycloak keeps lists. */
function attributeOf(user: Json, name: string): string {
  const attributes = objectIn(user, 'attributes');
  return textIn(attributes, name) || (textsIn(attributes, name)[0] ?? '');
}

/** Entries in `userMetadata`: all other attributes. */
export function metadataOf(user: Json, report: Report): object[] {
  const userId = textIn(user, 'id') || textIn(user, 'username');
  return Object.entries(objectIn(user, 'attributes')).filter(([name]) => !TAKEN.has(name)).flatMap(([name, value]) => {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    const single = values.length === 1 ? values[0] : values;
    const entry = toMetadataEntry(userId, name, single, report);
    return entry ? [entry] : [];
  });
}

function linksOf(user: Json, name: string, idByAlias: ReadonlyMap<string, string>, report: Report): Array<{ configId: string; externalUserId: string; displayName: string }> {
  const links = objectsIn(user, 'federatedIdentities').flatMap((identity) => {
    const alias = textIn(identity, 'identityProvider');
    const [configId, externalUserId] = [idByAlias.get(alias), textIn(identity, 'userId')];
    if (configId !== undefined && externalUserId !== '' && externalUserId.length <= 200) return [{ configId, externalUserId, displayName: [...textIn(identity, 'userName')].slice(0, 200).join('') }];
    report.note('Links to providers that are left out', `${name} ${alias}`);
    return [];
  });
  for (const { configId } of links.slice(MAX_LINKS)) report.note(`Links beyond the first ${MAX_LINKS} of a person`, `${name} ${configId}`);
  return links.slice(0, MAX_LINKS);
}

/** What a realm adds to somebody whom another directory keeps. */
export function tellFederated(user: Json, report: Report): void {
  report.note('Additions to users of a directory elsewhere: left out', textIn(user, 'id'));
}
