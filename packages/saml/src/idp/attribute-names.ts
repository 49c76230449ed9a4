import { ATTRIBUTE_NAME_FORMAT } from '../protocol/uris.js';
import type { Attribute } from './write-response.js';

/** By what service providers call them: the OIDs of inetOrgPerson (RFC 2798), RFC 4519 and eduPerson. */
const OIDS = {
  uid: '0.9.2342.19200300.100.1.1',
  mail: '0.9.2342.19200300.100.1.3',
  cn: '2.5.4.3',
  sn: '2.5.4.4',
  givenName: '2.5.4.42',
  displayName: '2.16.840.1.113730.3.1.241',
  preferredLanguage: '2.16.840.1.113730.3.1.39',
  telephoneNumber: '2.5.4.20',
  o: '2.5.4.10',
  eduPersonPrincipalName: '1.3.6.1.4.1.5923.1.1.1.6',
  eduPersonEntitlement: '1.3.6.1.4.1.5923.1.1.1.7',
  eduPersonScopedAffiliation: '1.3.6.1.4.1.5923.1.1.1.9',
  eduPersonAssurance: '1.3.6.1.4.1.5923.1.1.1.11',
  isMemberOf: '1.3.6.1.4.1.5923.1.5.1.1',
} as const;

export type KnownAttribute = keyof typeof OIDS;

export function isKnownAttribute(name: string): name is KnownAttribute {
  return Object.hasOwn(OIDS, name);
}

/** An attribute under its OID, as directories name it (SAML Profiles §8.2). */
export function knownAttribute(name: KnownAttribute, values: readonly string[]): Attribute {
  return { name: `urn:oid:${OIDS[name]}`, nameFormat: ATTRIBUTE_NAME_FORMAT.uri, friendlyName: name, values };
}

/** An attribute under a name that an administrator has given it (SAML Profiles §8.1). */
export function namedAttribute(name: string, values: readonly string[]): Attribute {
  return { name, nameFormat: ATTRIBUTE_NAME_FORMAT.basic, values };
}
