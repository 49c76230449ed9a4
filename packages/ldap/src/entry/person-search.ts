import { AndFilter, type Client, EqualityFilter, type Filter, OrFilter, ResultCodeError } from 'ldapts';
import type { LdapSettings } from '../ldap.settings.js';
import { isWithin } from './distinguished-name.js';
import { type Found, toFound } from './found.js';

/** RFC 4511 §4.1.10: what is elsewhere is not looked for there. */
const REFERRAL = 10;
const SECONDS = 10;

/** The attributes by whose values people are found; never a piece of a filter. */
export function namesOf({ userFilters }: Pick<LdapSettings, 'userFilters'>): readonly string[] {
  return userFilters.length === 0 ? ['uid'] : userFilters;
}

export function idAttributeOf({ idAttribute }: Pick<LdapSettings, 'idAttribute'>): string {
  return idAttribute === '' ? 'entryUUID' : idAttribute;
}

/** Built of objects: what was typed is a value, whatever is in it. */
export function personFilter(settings: Pick<LdapSettings, 'userFilters' | 'userObjectClasses'>, name: string): Filter {
  const classes = settings.userObjectClasses.length === 0 ? ['person'] : settings.userObjectClasses;
  return new AndFilter({
    filters: [
      ...classes.map((value) => new EqualityFilter({ attribute: 'objectClass', value })),
      new OrFilter({
        filters: namesOf(settings).map((attribute) => new EqualityFilter({ attribute, value: name })),
      }),
    ],
  });
}

/** The only person below the base with this name; undefined if there is none, or more than one. */
export async function findPerson(client: Client, settings: LdapSettings, name: string): Promise<Found | undefined> {
  const { userBase } = settings;
  const entries = await search(client, settings, name);
  const [only, ...others] = entries.filter(({ dn }) => isWithin(dn, userBase));
  return others.length > 0 ? undefined : only;
}

async function search(client: Client, settings: LdapSettings, name: string): Promise<readonly Found[]> {
  const id = idAttributeOf(settings);
  try {
    const { searchEntries } = await client.search(settings.userBase, {
      scope: 'sub',
      derefAliases: 'never',
      filter: personFilter(settings, name),
      sizeLimit: 2,
      timeLimit: SECONDS,
      attributes: attributesOf(settings),
      explicitBufferAttributes: [...new Set([id, 'objectGUID'])],
    });
    return searchEntries.map(toFound);
  } catch (error) {
    if (error instanceof ResultCodeError && error.code === REFERRAL) return [];
    throw error;
  }
}

function attributesOf(settings: LdapSettings): string[] {
  const wanted = [
    idAttributeOf(settings),
    settings.firstNameAttribute,
    settings.lastNameAttribute,
    settings.displayNameAttribute,
    settings.nickNameAttribute,
    settings.userNameAttribute,
    settings.emailAttribute,
    settings.phoneAttribute,
    settings.languageAttribute,
    settings.memberOfAttribute,
    ...namesOf(settings),
    'userAccountControl',
  ];
  return [...new Set(wanted.filter((name) => name !== ''))];
}
