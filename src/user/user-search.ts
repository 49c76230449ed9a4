import {
  allOf,
  anyOf,
  type Condition,
  equals,
  isOneOf,
  type MomentMatch,
  momentMatches,
  not,
  type SearchedText,
  searched,
  type TextMatch,
  textMatches,
} from '../foundation/database/condition.js';
import { toStoredEmail } from '../org/email-address.js';
import { isWithinOrg } from '../org/name-scope.js';
import { loginNamePartElsewhere } from './user.errors.js';
import { isOfOrg, parseLoginName, toNameKey } from './user-name.js';

/** The filters of a list of users; the list itself restricts it to an organization. */
export type UserSearch =
  | { readonly by: TextField; readonly how: TextMatch; readonly text: string }
  | { readonly by: 'loginName'; readonly how: TextMatch; readonly text: string }
  | { readonly by: 'state' | 'kind'; readonly is: string }
  | { readonly by: 'id' | 'emailAddress'; readonly oneOf: readonly string[] }
  | { readonly by: 'phone'; readonly is: string }
  | { readonly by: 'phoneText'; readonly how: TextMatch; readonly text: string }
  | { readonly by: 'org'; readonly id: string }
  | { readonly by: 'creationDate' | 'changeDate'; readonly how: MomentMatch; readonly at: Date }
  | { readonly by: 'group'; readonly id: string }
  /** A SELECT of ids, over tables that the product does not know. */
  | { readonly by: 'select'; readonly ids: Condition }
  | { readonly anyOf: readonly UserSearch[] }
  | { readonly allOf: readonly UserSearch[] }
  | { readonly not: UserSearch };

export type TextField = 'userName' | 'email' | 'firstName' | 'lastName' | 'nickName' | 'displayName';

/** The searched texts: each has a column in the one index of trigrams (schema/tables/search.ts). */
export const SEARCHED_OF_USER: Readonly<Record<TextField, SearchedText>> = {
  userName: { column: 'u.user_name', folded: 'u.user_name_key', fold: toNameKey },
  email: { column: 'u.email', folded: 'u.email_key', fold: toNameKey, spell: toStoredEmail },
  firstName: searched('u.first_name'),
  lastName: searched('u.last_name'),
  nickName: searched('u.nick_name'),
  displayName: searched('u.display_name'),
};

const SERVICE_NAME = searched('u.service_name');

/** The name that is shown of a user: of people their display name, of service users their name. */
export function displayNameMatches(how: TextMatch, text: string): Condition {
  return anyOf([
    allOf([equals('u.kind', 'human'), textMatches(SEARCHED_OF_USER.displayName, how, text)]),
    allOf([equals('u.kind', 'service'), textMatches(SERVICE_NAME, how, text)]),
  ]);
}

/** Numbers are stored without spaces and punctuation. */
const PHONE: SearchedText = {
  column: 'u.phone',
  folded: 'u.phone',
  fold: (text) => text,
  spell: (typed) => typed.replace(/[\s().\-/]/g, ''),
};

/** The sort expression of each column. */
export const USER_SORT = {
  id: 'u.id',
  userName: 'u.user_name_key',
  firstName: SEARCHED_OF_USER.firstName.folded,
  lastName: SEARCHED_OF_USER.lastName.folded,
  nickName: SEARCHED_OF_USER.nickName.folded,
  displayName: SEARCHED_OF_USER.displayName.folded,
  email: 'u.email_key',
  state: 'u.state',
  kind: 'u.kind',
  creationDate: 'u.creation_date',
} as const;

export type UserColumn = keyof typeof USER_SORT;

/** The rules by which the login names of an organization are formed. */
export interface LoginNameRules {
  /** The verified domains of the organization. */
  readonly domains: readonly string[];
  /** Whether its users must type one of them: see org/name-scope.ts. */
  readonly mustBeDomain: boolean;
}

/** Finds a text in any name or address of a user, regardless of case, by the index of trigrams. */
export function mentions(text: string): Condition {
  return anyOf(Object.values(SEARCHED_OF_USER).map((field) => textMatches(field, 'contains_ignore_case', text)));
}

/**
 * SQL: all names and addresses of the user `u` in one text, each after a space, as it is indexed. Words are looked up
 * in it together, where columns of their own would be searched one after the other, for each word.
 */
const NAMES_AND_ADDRESSES = `((' ' || u.user_name_key || ' ' || u.email_key
  || ' ' || lower(u.first_name || ' ' || u.last_name || ' ' || u.nick_name || ' ' || u.display_name
  || ' ' || u.service_name)) COLLATE "C")`;

/** Texts within which PostgreSQL finds trigrams: three letters, or fewer at the edge of a word. */
const HAS_TRIGRAMS = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u;
const HAS_LETTERS = /[\p{L}\p{N}]/u;

/**
 * Finds users by words without spaces, regardless of case: each in some name or address, or at the beginning of a word
 * of one if it is short. What has no letters is not looked for, and alone finds nobody.
 */
export function mentionsAll(words: readonly string[]): Condition {
  const asked = words.filter((word) => HAS_LETTERS.test(word));
  return asked.length === 0 ? anyOf([]) : allOf(asked.map(mentionsWord));
}

function mentionsWord(word: string): Condition {
  const start = HAS_TRIGRAMS.test(word) ? '' : ' ';
  // Names stand there as they were typed, user names and addresses in the form in which they are compared.
  const forms = [word, toNameKey(word), toNameKey(toStoredEmail(word))].map((form) => form.toLowerCase());
  const field = { column: NAMES_AND_ADDRESSES, folded: NAMES_AND_ADDRESSES };
  return anyOf([...new Set(forms)].map((form) => textMatches(field, 'contains_ignore_case', start + form)));
}

/**
 * SQL: the ids of the users with a login name, in its two interpretations, each with an index of its own. The arguments
 * are SQL for the members of `parseLoginName`.
 */
export function idsByLoginName(nameKey: string, localKey: string, domain: string): string {
  return `SELECT n.id
     FROM user_account n
     WHERE n.name_scope = '' AND n.user_name_key = ${nameKey} AND NOT ${isWithinOrg('n')}
     UNION ALL
     SELECT n.id
     FROM org_domain v
     JOIN user_account n
       ON n.name_scope IN ('', v.org_id) AND n.user_name_key = ${localKey} AND ${isOfOrg('n', 'v.org_id')}
     WHERE v.domain = ${domain} AND v.is_verified`;
}

/**
 * The filter as SQL. `names`: the rules of the organization to which the list is restricted; undefined for a list of
 * several, which can only be searched for whole login names.
 * @throws DomainError InvalidArgument for parts of login names in several organizations
 */
export function toCondition(search: UserSearch, names: LoginNameRules | undefined): Condition {
  if ('anyOf' in search) return anyOf(search.anyOf.map((one) => toCondition(one, names)));
  if ('allOf' in search) return allOf(search.allOf.map((one) => toCondition(one, names)));
  if ('not' in search) return not(toCondition(search.not, names));
  switch (search.by) {
    case 'state':
      return equals('u.state', search.is);
    case 'kind':
      return equals('u.kind', search.is);
    case 'id':
      return isOneOf('u.id', search.oneOf);
    case 'emailAddress':
      return isOneOf('u.email_key', search.oneOf.map(toNameKey));
    case 'phone':
      // Those without a number are not in the index.
      return search.is === ''
        ? equals('u.phone', '')
        : allOf([equals('u.phone', search.is), (): string => "u.phone <> ''"]);
    case 'phoneText':
      return allOf([(): string => "u.phone <> ''", textMatches(PHONE, search.how, search.text)]);
    case 'org':
      return equals('u.org_id', search.id);
    case 'creationDate':
      return momentMatches('u.creation_date', search.how, search.at);
    case 'changeDate':
      return momentMatches('u.change_date', search.how, search.at);
    case 'group':
      return (bind) => `u.id IN (SELECT m.user_id FROM user_group_member m WHERE m.group_id = ${bind(search.id)})`;
    case 'select':
      return (bind) => `u.id IN (${search.ids(bind)})`;
    case 'loginName':
      return names ? loginNameMatches(search.how, search.text, names) : hasLoginName(search.how, search.text);
    default:
      return textMatches(SEARCHED_OF_USER[search.by], search.how, search.text);
  }
}

/**
 * Those of several organizations: each has domains of its own, so that only a whole name has an index.
 * @throws DomainError InvalidArgument for parts of login names
 */
export function hasLoginName(how: TextMatch, text: string): Condition {
  if (how !== 'equals' && how !== 'equals_ignore_case') throw loginNamePartElsewhere();
  const { nameKey, localKey, domain } = parseLoginName(text);
  return (bind) => `u.id IN (${idsByLoginName(bind(nameKey), bind(localKey), bind(domain))})`;
}

/**
 * Login names are compared regardless of case. A user's are the user name at each verified domain, and the name alone
 * if it is unique in the instance; so a text is searched before the @, in the domains, and across both.
 */
function loginNameMatches(how: TextMatch, text: string, { domains, mustBeDomain }: LoginNameRules): Condition {
  const typed = toNameKey(text);
  const places = domains.map((domain) => `@${domain}`);
  const name = (match: TextMatch, part: string): Condition => textMatches(SEARCHED_OF_USER.userName, match, part);
  // Names of service users are whole, whatever the policy.
  const isWhole: Condition = mustBeDomain ? equals('u.kind', 'service') : () => 'true';
  const alone = (match: TextMatch): Condition => allOf([isWhole, name(match, typed)]);
  const isAny = (yes: boolean): Condition[] => (yes ? [() => 'true'] : []);
  switch (how) {
    case 'equals':
    case 'equals_ignore_case':
      return allOf([
        isOneOf('u.user_name_key', [
          typed,
          ...places.filter((place) => typed.endsWith(place)).map((place) => typed.slice(0, -place.length)),
        ]),
        anyOf([isWhole, not(equals('u.user_name_key', typed))]),
      ]);
    case 'starts_with':
    case 'starts_with_ignore_case':
      return anyOf([
        name('starts_with_ignore_case', typed),
        ...splits(typed)
          .filter(({ rest }) => places.some((place) => place.startsWith(rest)))
          .map(({ start }) => name('equals_ignore_case', start)),
      ]);
    case 'ends_with':
    case 'ends_with_ignore_case':
      return anyOf([
        alone('ends_with_ignore_case'),
        ...isAny(places.some((place) => place.endsWith(typed))),
        ...places
          .filter((place) => typed.endsWith(place))
          .map((place) => name('ends_with_ignore_case', typed.slice(0, -place.length))),
      ]);
    case 'contains':
    case 'contains_ignore_case':
      return anyOf([
        name('contains_ignore_case', typed),
        ...isAny(places.some((place) => place.includes(typed))),
        ...splits(typed)
          .filter(({ rest }) => places.some((place) => place.startsWith(rest)))
          .map(({ start }) => name('ends_with_ignore_case', start)),
      ]);
  }
}

/** The positions at which an @ of the text may separate a name from its domain. */
function splits(text: string): Array<{ start: string; rest: string }> {
  return [...text.matchAll(/@/g)].map(({ index }) => ({ start: text.slice(0, index), rest: text.slice(index) }));
}
