import { withoutIndex } from '../foundation/database/condition.js';
import { parseMailDomain } from '../org/domain-name.js';
import { isWithinOrg } from '../org/name-scope.js';
import type { UserState } from './user.entity.js';

const IS_ASCII = /^\p{ASCII}*$/u;
/** White space, control and invisible formatting characters, which make different names look alike. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * The form in which names are compared: compatibility-normalized and regardless of case, so that `Ａlice` and `ALICE`
 * are `alice`; with the domain after an @ as domains are stored, so that `anna@bücher.example` is
 * `anna@xn--bcher-kva.example`.
 */
export function toNameKey(name: string): string {
  const plain = name.normalize('NFKC');
  const domain = plain.slice(plain.lastIndexOf('@') + 1);
  const ascii = domain.length === plain.length || IS_ASCII.test(domain) ? undefined : parseMailDomain(domain);
  return ascii === undefined ? fold(plain) : fold(plain.slice(0, -domain.length)) + ascii;
}

function fold(normalized: string): string {
  return normalized.toLowerCase().normalize('NFKC');
}

export function hasInvisibleCharacters(text: string): boolean {
  return INVISIBLE.test(text);
}

/** `username@primarydomain`; unchanged if the user name is already an e-mail address. */
export function toLoginName(userName: string, primaryDomain: string | null): string {
  return userName.includes('@') || !primaryDomain ? userName : `${userName}@${primaryDomain}`;
}

/** What a user's login name depends on. */
export interface Named {
  readonly userName: string;
  /** Empty if names are unique in the instance. */
  readonly nameScope: string;
  readonly orgDomain: string | null;
}

/** The login name that is shown: always with the domain if the domain policy says so. */
export function loginNameOf({ userName, nameScope, orgDomain }: Named): string {
  return nameScope !== '' && orgDomain ? `${userName}@${orgDomain}` : toLoginName(userName, orgDomain);
}

/**
 * Everything that the user may type to sign in, starting with the name that is shown; `domains` are verified, the
 * primary one first.
 */
export function loginNamesOf(
  { userName, nameScope }: Pick<Named, 'userName' | 'nameScope'>,
  domains: readonly string[],
): string[] {
  const atDomains = domains.map((domain) => `${userName}@${domain}`);
  if (nameScope !== '') return atDomains.length > 0 ? atDomains : [userName];
  return userName.includes('@') ? [userName] : [...atDomains, userName];
}

/** The two interpretations of what was typed: a whole user name, or a user name at an organization's domain. */
export interface TypedLoginName {
  readonly nameKey: string;
  readonly localKey: string;
  readonly domain: string;
}

export function parseLoginName(typed: string): TypedLoginName {
  const nameKey = toNameKey(typed.trim());
  const at = nameKey.lastIndexOf('@');
  return { nameKey, localKey: at > 0 ? nameKey.slice(0, at) : '', domain: at > 0 ? nameKey.slice(at + 1) : '' };
}

/*
 * Names of sets, as SQL over a name in the form in which names are compared. A test
 * (test/domain/names-in-sql) holds each against its twin above.
 */

/** `localKey` of `parseLoginName`; null where it is empty. */
export const localKeyIn = (nameKey: string): string => `substring(${nameKey} FROM '^(.+)@[^@]*$')`;

/** `domain` of `parseLoginName` for a name at a domain, in the collation of domains: other indexes cannot be used. */
export const domainIn = (nameKey: string): string => `(split_part(${nameKey}, '@', -1) COLLATE "default")`;

/** Whether a user is of a kind, beside a look-up by name or id: no plan reads all of them by an index of lists. */
export const isOfKind = (alias: string, kind: 'human' | 'service'): string =>
  `${withoutIndex(`${alias}.kind`)} = '${kind}'`;

/** Whether a user is in a state, as `isOfKind`. */
export const isInState = (alias: string, state: UserState): string => `${withoutIndex(`${alias}.state`)} = '${state}'`;

/** Whether a user is of an organization, whose id is SQL, as `isOfKind`. */
export const isOfOrg = (alias: string, orgId: string): string => `${withoutIndex(`${alias}.org_id`)} = ${orgId}`;

/** Whether `domain` of `parseLoginName` is not empty. */
export const isAtDomainIn = (nameKey: string): string => `${nameKey} LIKE '_%@%'`;

/** Names that continue another one after an @: a range of the index, which is in byte order, where A follows @. */
export const extendsName = (longer: string, name: string): string =>
  `(${longer} > ${name} || '@' AND ${longer} < ${name} || 'A')`;

/**
 * Whether the user `alias` is a person who signs in by a whole name that ends with the domain. Names that are unique
 * within an organization only do not count: they are typed with its own domain.
 */
export const isPersonAtDomain = (alias: string, domain: string): string =>
  `(split_part(${alias}.user_name_key, '@', -1) = ${domain}
    AND ${alias}.user_name_key LIKE '%@%'
    AND ${alias}.kind = 'human'
    AND NOT ${isWithinOrg(alias)})`;
