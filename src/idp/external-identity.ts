import type { JsonObject } from '../foundation/outbound/outbound-client.js';
import type { Idp, MappingField } from './idp.entity.js';
import { readAttributes, readGroups } from './said-attributes.js';

/** A user at a provider. Only `subject` identifies them; everything else describes them. @public */
export interface ExternalIdentity {
  /**
   * What identifies the user at the provider for ever, such as `sub`: 1 to 255 printable characters, kept byte for
   * byte.
   */
  readonly subject: string;
  readonly preferredUserName?: string;
  readonly email?: string;
  /** True only if the provider says so explicitly about this very address. */
  readonly emailVerified: boolean;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly name?: string;
  readonly nickName?: string;
  readonly locale?: string;
  readonly phone?: string;
  readonly phoneVerified: boolean;
  /**
   * The provider has not signed the names, as in a form of the browser: they are shown with a new account, and change
   * none later.
   */
  readonly isNameUnproved?: boolean;
  /**
   * Ids of groups of Gatehouse that the user is in, as the provider says. Of those that `IdpKind.groupsIn` names, the
   * user is in these alone from this sign-in on; others are passed over.
   */
  readonly groups?: readonly string[];
  /**
   * What else the provider says, by its own names: 50 names, 20 values each, 8 kB together. Kept with the link
   * (`Users.providerAccounts`), in place of what was said before; absent, that stays.
   */
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
}

/** Longer values are not names and are dropped. */
const MAX_CHARACTERS = 200;
const MAX_SUBJECT_CHARACTERS = 255;
/** Control characters, line and paragraph separators, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Whether a `sub` is valid: OIDC Core §2 allows 255 characters. It is never trimmed or folded (IDP-029). */
export function isSubject(value: unknown): value is string {
  return (
    typeof value === 'string' && value !== '' && [...value].length <= MAX_SUBJECT_CHARACTERS && !UNPRINTABLE.test(value)
  );
}

/**
 * The identity from the claims (OIDC Core §5.1), supplemented by those of the UserInfo endpoint. An address and its
 * verification are taken from the same document, since `email_verified` refers to the address beside it (IDP-028).
 */
export function toExternalIdentity(subject: string, claims: JsonObject, userInfo: JsonObject = {}): ExternalIdentity {
  const find = (name: string): string | undefined => textIn(claims, name) ?? textIn(userInfo, name);
  const withEmail = textIn(claims, 'email') === undefined ? userInfo : claims;
  const withPhone = textIn(claims, 'phone_number') === undefined ? userInfo : claims;
  return present({
    subject,
    preferredUserName: find('preferred_username'),
    email: textIn(withEmail, 'email'),
    emailVerified: isTrue(withEmail['email_verified']),
    givenName: find('given_name'),
    familyName: find('family_name'),
    name: find('name'),
    nickName: find('nickname'),
    locale: find('locale'),
    phone: textIn(withPhone, 'phone_number'),
    phoneVerified: isTrue(withPhone['phone_number_verified']),
    isNameUnproved: undefined,
    groups: undefined,
    attributes: undefined,
  });
}

/**
 * The identity in what an extension has answered; undefined if nobody can be identified by it. What else is malformed
 * is dropped.
 */
export function readIdentity(answer: unknown): ExternalIdentity | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  // Read once: a getter may answer something else the next time.
  const said = { ...answer } as Record<keyof ExternalIdentity, unknown>;
  const { subject } = said;
  if (!isSubject(subject)) return undefined;
  const identity = toExternalIdentity(subject, {
    preferred_username: said.preferredUserName,
    email: said.email,
    email_verified: said.emailVerified,
    given_name: said.givenName,
    family_name: said.familyName,
    name: said.name,
    nickname: said.nickName,
    locale: said.locale,
    phone_number: said.phone,
    phone_number_verified: said.phoneVerified,
  });
  const groups = readGroups(said.groups);
  const attributes = readAttributes(said.attributes);
  return {
    ...identity,
    ...(said.isNameUnproved === true ? { isNameUnproved: true } : {}),
    ...(groups ? { groups } : {}),
    ...(attributes ? { attributes } : {}),
  };
}

/** Whether anything is missing for an account, so that the UserInfo endpoint may help. */
export function isBare({ email, givenName, familyName, preferredUserName }: ExternalIdentity): boolean {
  return [email, givenName, familyName, preferredUserName].includes(undefined);
}

/** The name of the provider's account in lists and on pages. */
export function displayNameAt(identity: ExternalIdentity, idp: Pick<Idp, 'displayNameMapping'>): string {
  const { preferredUserName, email, name } = identity;
  return mappedName(identity, idp) ?? preferredUserName ?? email ?? name ?? '';
}

/** The display name that the provider's settings choose. */
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
 * Candidates for the user name, best first. An unverified address is not used: it may belong to another person, who
 * would find the name taken.
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

/** A user has two names here; for one with a single name, or none, the best available stands for both. */
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

/** Apple and Cognito send booleans as texts. Anything else proves nothing. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
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
