import { parseMailDomain } from '../org/domain-name.js';

const IS_ASCII = /^\p{ASCII}*$/u;
/** White space, control and invisible formatting characters: they make two different names look alike. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * How names are compared: compatibility-normalised and without case, so that `Ａlice` and `ALICE` are `alice`; and with the domain
 * behind an @ as domains are stored, so that `anna@bücher.example` is `anna@xn--bcher-kva.example`.
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

/** `username@primarydomain`; plain when the user name is an e-mail address already. */
export function toLoginName(userName: string, primaryDomain: string | null): string {
  return userName.includes('@') || !primaryDomain ? userName : `${userName}@${primaryDomain}`;
}

/** What somebody's login name depends on. */
export interface Named {
  readonly userName: string;
  /** Empty where names are unique in the instance. */
  readonly nameScope: string;
  readonly orgDomain: string | null;
}

/** The login name that people see: always at the domain where the domain policy says so. */
export function loginNameOf({ userName, nameScope, orgDomain }: Named): string {
  return nameScope !== '' && orgDomain ? `${userName}@${orgDomain}` : toLoginName(userName, orgDomain);
}

/** Everything that somebody may type to sign in, the name that people see first; `domains` are verified, the primary one first. */
export function loginNamesOf(
  { userName, nameScope }: Pick<Named, 'userName' | 'nameScope'>,
  domains: readonly string[],
): string[] {
  const atDomains = domains.map((domain) => `${userName}@${domain}`);
  if (nameScope !== '') return atDomains.length > 0 ? atDomains : [userName];
  return userName.includes('@') ? [userName] : [...atDomains, userName];
}

/** The two ways to read what somebody typed: a whole user name, or a user name at an organization's domain. */
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
