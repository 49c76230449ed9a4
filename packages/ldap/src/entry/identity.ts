import type { IdpIdentity } from 'gatehouse';
import type { LdapSettings } from '../ldap.settings.js';
import { type Found, textsOf } from './found.js';
import { idAttributeOf, namesOf } from './person-search.js';

/** 16 bytes without an order that everybody agrees on, so they are kept as they are: in hexadecimal. */
const BINARY = 'objectguid';

/**
 * The identity of an entry.
 * @throws Error if it has no id, or several
 */
export function identityOf(found: Found, settings: LdapSettings): IdpIdentity {
  const first = (name: string): string | undefined => (name === '' ? undefined : textsOf(found, name)[0]);
  const email = first(settings.emailAttribute);
  const facts = {
    preferredUserName: first(settings.userNameAttribute === '' ? namesOf(settings)[0]! : settings.userNameAttribute),
    email,
    givenName: first(settings.firstNameAttribute),
    familyName: first(settings.lastNameAttribute),
    name: first(settings.displayNameAttribute),
    nickName: first(settings.nickNameAttribute),
    phone: first(settings.phoneAttribute),
    locale: first(settings.languageAttribute),
  };
  return {
    ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)),
    subject: subjectOf(found, idAttributeOf(settings)),
    emailVerified: email !== undefined && settings.isEmailVerified,
  };
}

function subjectOf({ attributes }: Found, name: string): string {
  const [only, ...others] = attributes.get(name.toLowerCase()) ?? [];
  if (only === undefined || only.length === 0 || others.length > 0)
    throw new Error(`An entry has ${others.length > 0 ? 'several values' : 'no value'} of ${name}, its id.`);
  return name.toLowerCase() === BINARY ? Buffer.from(only).toString('hex') : only.toString();
}
