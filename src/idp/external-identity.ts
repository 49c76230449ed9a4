import type { JsonObject } from '../outbound/outbound-client.js';
import type { Idp, MappingField } from './idp.entity.js';

/** Who somebody is at a provider. Nothing but `subject` says who they are; all else describes them. */
export interface ExternalIdentity {
  /** The `sub` of its tokens, byte for byte. */
  readonly subject: string;
  readonly preferredUserName?: string;
  readonly email?: string;
  /** Only what the provider says in so many words, about this very address. */
  readonly emailVerified: boolean;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly name?: string;
  readonly nickName?: string;
  readonly locale?: string;
  readonly phone?: string;
  readonly phoneVerified: boolean;
}

/** Longer ones are no names, and are left out. */
const MAX_CHARACTERS = 200;
const MAX_SUBJECT_CHARACTERS = 255;
/** Control characters, line and paragraph separators, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Whether a `sub` can name somebody: OIDC Core §2 allows 255 characters. It is never trimmed or folded (IDP-029). */
export function isSubject(value: unknown): value is string {
  return (
    typeof value === 'string' && value !== '' && [...value].length <= MAX_SUBJECT_CHARACTERS && !UNPRINTABLE.test(value)
  );
}

/**
 * What the claims say (OIDC Core §5.1), with what the UserInfo endpoint adds to them. An address and whether it is verified are
 * taken from the same document: a verification beside another address would be one of that address (IDP-028).
 */
export function toExternalIdentity(subject: string, claims: JsonObject, userInfo: JsonObject = {}): ExternalIdentity {
  const find = (name: string): string | undefined => textIn(claims, name) ?? textIn(userInfo, name);
  const withEmail = textIn(claims, 'email') === undefined ? userInfo : claims;
  const withPhone = textIn(claims, 'phone_number') === undefined ? userInfo : claims;
  return present({
    subject,
    preferredUserName: find('preferred_username'),
    email: textIn(withEmail, 'email'),
    emailVerified: withEmail['email_verified'] === true,
    givenName: find('given_name'),
    familyName: find('family_name'),
    name: find('name'),
    nickName: find('nickname'),
    locale: find('locale'),
    phone: textIn(withPhone, 'phone_number'),
    phoneVerified: withPhone['phone_number_verified'] === true,
  });
}

/** Whether a description lacks what an account needs, so that asking the UserInfo endpoint may help. */
export function isBare({ email, givenName, familyName, preferredUserName }: ExternalIdentity): boolean {
  return [email, givenName, familyName, preferredUserName].includes(undefined);
}

/** What the provider's account is called in lists and on pages. */
export function displayNameAt(identity: ExternalIdentity, idp: Pick<Idp, 'displayNameMapping'>): string {
  const { preferredUserName, email, name } = identity;
  return mappedName(identity, idp) ?? preferredUserName ?? email ?? name ?? '';
}

/** What the provider's settings say that somebody is shown as. */
function mappedName(
  { preferredUserName, email }: ExternalIdentity,
  { displayNameMapping }: Pick<Idp, 'displayNameMapping'>,
): string | undefined {
  const mapped: Readonly<Record<MappingField, string | undefined>> = {
    unspecified: undefined,
    preferred_username: preferredUserName,
    email,
  };
  return mapped[displayNameMapping];
}

/**
 * What the person could be called here, the best first. An address that nobody has verified is nobody's name: it may be somebody
 * else's, who would find the name taken.
 */
export function userNamesFor(identity: ExternalIdentity, { usernameMapping }: Pick<Idp, 'usernameMapping'>): string[] {
  const email = identity.emailVerified ? identity.email : undefined;
  const { preferredUserName } = identity;
  const ordered = usernameMapping === 'email' ? [email, preferredUserName] : [preferredUserName, email];
  return ordered.filter((name) => name !== undefined);
}

export interface PersonName {
  readonly firstName: string;
  readonly lastName: string;
  readonly displayName: string;
}

/** A person has two names here; of somebody with one name, or none that is told, the best that is known stands for both. */
export function personNameOf(
  identity: ExternalIdentity,
  idp: Pick<Idp, 'displayNameMapping'>,
  userName: string,
): PersonName {
  const { givenName, familyName, name, nickName } = identity;
  const whole =
    name ?? ([givenName, familyName].filter((part) => part !== undefined).join(' ') || nickName || userName);
  const words = whole.split(' ').filter((word) => word !== '');
  const firstName = givenName ?? (words.slice(0, -1).join(' ') || words[0] || userName);
  const lastName = familyName ?? words.at(-1) ?? userName;
  return { firstName, lastName, displayName: mappedName(identity, idp) ?? whole };
}

function textIn(document: JsonObject, name: string): string | undefined {
  const value = document[name];
  if (typeof value !== 'string' || UNPRINTABLE.test(value)) return undefined;
  const text = value.trim();
  return text === '' || [...text].length > MAX_CHARACTERS ? undefined : text;
}

function present(identity: { [Name in keyof ExternalIdentity]: ExternalIdentity[Name] | undefined }): ExternalIdentity {
  return Object.fromEntries(
    Object.entries(identity).filter(([, value]) => value !== undefined),
  ) as unknown as ExternalIdentity;
}
