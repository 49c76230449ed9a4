import type { IdpIdentity } from 'gatehouse';
import type { ReceivedAttribute } from '../sp/attributes.js';
import type { SignedInPerson } from '../sp/read-response.js';
import { mappedGroups } from './group-mapping.js';
import type { SamlProviderSettings } from './saml-provider.settings.js';

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

/** What providers call them where nothing is configured: by name or OID, and the claims of Microsoft. */
const USUAL = {
  userName: ['uid', 'urn:oid:0.9.2342.19200300.100.1.1', 'username', `${CLAIMS}/name`, `${CLAIMS}/upn`],
  givenName: ['givenName', 'urn:oid:2.5.4.42', 'firstName', `${CLAIMS}/givenname`],
  familyName: ['sn', 'urn:oid:2.5.4.4', 'lastName', `${CLAIMS}/surname`],
  displayName: [
    'displayName',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'cn',
    'urn:oid:2.5.4.3',
    'http://schemas.microsoft.com/identity/claims/displayname',
  ],
  email: ['mail', 'urn:oid:0.9.2342.19200300.100.1.3', 'email', `${CLAIMS}/emailaddress`],
  groups: [
    'groups',
    'isMemberOf',
    'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
    'memberOf',
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
    'http://schemas.xmlsoap.org/claims/Group',
  ],
} as const;

/** What a provider says of somebody besides who it is, in the words of Gatehouse. */
export function saidOf({ attributes }: SignedInPerson, settings: SamlProviderSettings): Omit<IdpIdentity, 'subject'> {
  const first = (configured: string, usual: readonly string[]): string | undefined =>
    valuesOf(attributes, configured === '' ? usual : [configured])[0];
  const groupNames = settings.groupsAttribute === '' ? USUAL.groups : [settings.groupsAttribute];
  const inGroups = valuesOf(attributes, groupNames);
  const kept = settings.keptAttributes.map((name) => [name, valuesOf(attributes, [name])] as const);
  return withoutAbsent({
    preferredUserName: first(settings.userNameAttribute, USUAL.userName),
    givenName: first(settings.givenNameAttribute, USUAL.givenName),
    familyName: first(settings.familyNameAttribute, USUAL.familyName),
    name: first(settings.displayNameAttribute, USUAL.displayName),
    email: first(settings.emailAttribute, USUAL.email),
    emailVerified: settings.isEmailVerified,
    groups: mappedGroups(settings.groups).flatMap(({ value, groupId }) => (inGroups.includes(value) ? [groupId] : [])),
    attributes: Object.fromEntries(kept),
  });
}

/** Those of the first name that the assertion has. */
function valuesOf(attributes: readonly ReceivedAttribute[], names: readonly string[]): readonly string[] {
  const found = names.map((name) => attributes.filter((one) => one.name === name)).find((some) => some.length > 0);
  return (found ?? []).flatMap(({ values }) => values).map((value) => value.trim());
}

function withoutAbsent(
  said: { [Name in keyof IdpIdentity]?: IdpIdentity[Name] | undefined },
): Omit<IdpIdentity, 'subject'> {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
