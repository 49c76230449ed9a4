import type { SignedIn } from 'gatehouse';
import { isKnownAttribute, knownAttribute, namedAttribute } from '../idp/attribute-names.js';
import type { Attribute } from '../idp/write-response.js';
import { ATTRIBUTE_NAME_FORMAT } from '../protocol/uris.js';

/**
 * What of a user an attribute may say. Addresses and phone numbers that nobody has proved say nothing: applications
 * take them for who somebody is.
 */
const VALUES = {
  id: ({ user }) => [user.id],
  userName: ({ user }) => [user.userName],
  loginName: ({ user }) => [user.loginName],
  firstName: ({ user }) => [user.firstName],
  middleName: ({ user }) => [user.middleName],
  lastName: ({ user }) => [user.lastName],
  nickName: ({ user }) => [user.nickName],
  displayName: ({ user }) => [user.displayName],
  preferredLanguage: ({ user }) => [user.preferredLanguage],
  email: ({ user }) => (user.emailVerified ? [user.email] : []),
  phone: ({ user }) => (user.phoneVerified ? [user.phone] : []),
  roles: ({ roles }) => roles,
  groups: ({ groups }) => groups,
} as const satisfies Record<string, (signedIn: SignedIn) => readonly string[]>;

export type AttributeSource = keyof typeof VALUES;
export const ATTRIBUTE_SOURCES = Object.keys(VALUES) as readonly AttributeSource[];

export function isAttributeSource(word: string): word is AttributeSource {
  return Object.hasOwn(VALUES, word);
}

/** Under which name an application is told something. */
export interface AttributeMapping {
  readonly source: AttributeSource;
  /** One of those that directories have (`mail`), a URI, or any other. */
  readonly name: string;
}

/** What an application is told unless its managers say otherwise. */
export const DEFAULT_MAPPING: readonly AttributeMapping[] = [
  { source: 'userName', name: 'uid' },
  { source: 'loginName', name: 'eduPersonPrincipalName' },
  { source: 'email', name: 'mail' },
  { source: 'firstName', name: 'givenName' },
  { source: 'lastName', name: 'sn' },
  { source: 'displayName', name: 'displayName' },
  { source: 'groups', name: 'isMemberOf' },
  { source: 'roles', name: 'roles' },
];

const URI = /^[a-z][a-z0-9+.-]*:/i;

/** One attribute for each name, with the values of all sources that have it. */
export function attributesOf(mapping: readonly AttributeMapping[], signedIn: SignedIn): Attribute[] {
  const names = [...new Set(mapping.map(({ name }) => name))];
  return names.map((name) => {
    const values = mapping.filter((one) => one.name === name).flatMap(({ source }) => VALUES[source](signedIn));
    return attribute(
      name,
      [...new Set(values)].filter((value) => value !== ''),
    );
  });
}

function attribute(name: string, values: readonly string[]): Attribute {
  if (isKnownAttribute(name)) return knownAttribute(name, values);
  if (URI.test(name)) return { name, nameFormat: ATTRIBUTE_NAME_FORMAT.uri, values };
  return namedAttribute(name, values);
}
