import { type Client, EqualityFilter, ExtensibleFilter, type Filter } from 'ldapts';
import { isSameName } from '../entry/distinguished-name.js';
import { type Found, textsOf } from '../entry/found.js';
import type { LdapSettings } from '../ldap.settings.js';

/** LDAP_MATCHING_RULE_IN_CHAIN of Active Directory: members of groups in groups. */
const IN_CHAIN = '1.2.840.113556.1.4.1941';
const MOST_GROUPS = 1_000;

export type GroupSettings = Pick<
  LdapSettings,
  'memberOfAttribute' | 'groupBase' | 'groupMemberAttribute' | 'nestedGroups' | 'groupMappings'
>;

export function groupFilter({ groupMemberAttribute, nestedGroups }: GroupSettings, dn: string): Filter {
  const attribute = groupMemberAttribute === '' ? 'member' : groupMemberAttribute;
  return nestedGroups
    ? new ExtensibleFilter({ matchType: attribute, rule: IN_CHAIN, value: dn })
    : new EqualityFilter({ attribute, value: dn });
}

/** The groups of the directory that a person is in, as DNs: those that the entry names, and those that are found. */
export async function groupsOf(client: Client, settings: GroupSettings, person: Found): Promise<readonly string[]> {
  const named = settings.memberOfAttribute === '' ? [] : textsOf(person, settings.memberOfAttribute);
  if (settings.groupBase === '') return named;
  const { searchEntries } = await client.search(settings.groupBase, {
    scope: 'sub',
    derefAliases: 'never',
    filter: groupFilter(settings, person.dn),
    sizeLimit: MOST_GROUPS,
    attributes: ['1.1'],
  });
  return [...named, ...searchEntries.map(({ dn }) => dn)];
}

/** The groups of Gatehouse that follow these, by their ids. */
export function mappedGroups({ groupMappings }: GroupSettings, dns: readonly string[]): readonly string[] {
  const followed = groupMappings.map((mapping) => {
    const place = mapping.indexOf('=');
    return { id: mapping.slice(0, place), dn: mapping.slice(place + 1) };
  });
  const ids = followed.filter(({ dn }) => dns.some((each) => isSameName(each, dn))).map(({ id }) => id);
  return [...new Set(ids)];
}

/** All groups of Gatehouse about which the directory decides. */
export function groupsDecided({ groupMappings }: GroupSettings): readonly string[] {
  return [...new Set(groupMappings.map((mapping) => mapping.slice(0, mapping.indexOf('='))))];
}
