import {
  allOf,
  anyOf,
  type Condition,
  equals,
  isOneOf,
  not,
  type TextMatch,
} from '../foundation/database/condition.js';
import type { SqlValue } from '../foundation/database/statement.js';
import { toStoredEmail } from '../org/email-address.js';
import { toNameKey } from './user-name.js';

/** The filters of a list of users; the list itself restricts it to an organization. */
export type UserSearch =
  | { readonly by: TextField; readonly how: TextMatch; readonly text: string }
  | { readonly by: 'loginName'; readonly how: TextMatch; readonly text: string }
  | { readonly by: 'state' | 'kind'; readonly is: string }
  | { readonly by: 'id' | 'emailAddress'; readonly oneOf: readonly string[] }
  | { readonly anyOf: readonly UserSearch[] }
  | { readonly allOf: readonly UserSearch[] }
  | { readonly not: UserSearch };

export type TextField = 'userName' | 'email' | 'firstName' | 'lastName' | 'nickName' | 'displayName';

interface SearchedColumn {
  readonly column: string;
  /** The column in lower case, as it is indexed. */
  readonly folded: string;
  /**
   * Converts a text for comparison with `folded`: by us if the column holds normalized names, otherwise by the
   * database.
   */
  readonly fold: ((text: string) => string) | undefined;
  /** Converts texts to the form that the column holds, if that is not the form in which they are typed. */
  readonly spell?: (text: string) => string;
}

function plain(column: string): SearchedColumn {
  return { column, folded: `(lower(${column}) COLLATE "C")`, fold: undefined };
}

const COLUMNS: Readonly<Record<TextField, SearchedColumn>> = {
  userName: { column: 'u.user_name', folded: 'u.user_name_key', fold: toNameKey },
  email: { column: 'u.email', folded: 'u.email_key', fold: toNameKey, spell: toStoredEmail },
  firstName: plain('u.first_name'),
  lastName: plain('u.last_name'),
  nickName: plain('u.nick_name'),
  displayName: plain('u.display_name'),
};

/** The sort expression of each column. */
export const USER_SORT = {
  userName: 'u.user_name_key',
  firstName: COLUMNS.firstName.folded,
  lastName: COLUMNS.lastName.folded,
  nickName: COLUMNS.nickName.folded,
  displayName: COLUMNS.displayName.folded,
  email: 'u.email_key',
  state: 'u.state',
  kind: 'u.kind',
  creationDate: 'u.creation_date',
} as const;

export type UserColumn = keyof typeof USER_SORT;

/** Shorter texts occur in so many others that the trigram index is of no use. */
const TRIGRAM = 3;

/** Everything that can be searched, as in the trigram index (schema-change/6-user.ts). */
const SEARCHED = `lower(u.user_name_key || E'\\n' || u.email_key || E'\\n' || u.first_name || E'\\n' || u.last_name || E'\\n' || u.nick_name || E'\\n' || u.display_name)`;

/** What login names of an organization consist of. */
export interface LoginNameRules {
  /** The verified domains of the organization. */
  readonly domains: readonly string[];
  /** Whether its users must type one of them: see org/name-scope.ts. */
  readonly mustBeDomain: boolean;
}

/** In any name or address of a user of any organization, regardless of case; the trigram index finds it. */
export function mentions(text: string): Condition {
  return (bind) => `${SEARCHED} LIKE lower(${bind(toPattern('contains', toNameKey(text)))})`;
}

/** The filter as SQL. */
export function toCondition(search: UserSearch, names: LoginNameRules): Condition {
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
    case 'loginName':
      return loginNameMatches(search.how, search.text, names);
    default:
      return textMatches(COLUMNS[search.by], search.how, search.text);
  }
}

/** Uses the index in either case: a case-sensitive comparison filters what the case-insensitive one has found. */
function textMatches(
  { column, folded, fold, spell = (text) => text }: SearchedColumn,
  how: TextMatch,
  typed: string,
): Condition {
  const ignoresCase = how.endsWith('_ignore_case');
  const compare = how.startsWith('equals') ? '=' : 'LIKE';
  const text = spell(typed);
  const asCompared = (one: string): string => (how.startsWith('equals') ? one : toPattern(how, one));
  const value = asCompared(text);
  const foldedValue = asCompared(fold ? fold(text) : text);
  const side = (bind: (value: SqlValue) => string): string =>
    fold ? bind(foldedValue) : `lower(${bind(foldedValue)})`;
  return allOf([
    (bind) => `${folded} ${compare} ${side(bind)}`,
    // A CASE, whose selectivity the planner does not estimate; it would otherwise take the same condition for two
    // independent ones.
    ...(ignoresCase
      ? []
      : [(bind: (value: SqlValue) => string) => `CASE WHEN ${column} ${compare} ${bind(value)} THEN true END`]),
    ...(/^(contains|ends)/.test(how) && [...text].length >= TRIGRAM
      ? [
          (bind: (value: SqlValue) => string) =>
            `${SEARCHED} LIKE lower(${bind(toPattern('contains', fold ? fold(text) : text))})`,
        ]
      : []),
  ]);
}

/**
 * Login names are compared regardless of case. A user's are the user name at each verified domain, and the name alone
 * if it is unique in the instance; so a text is searched before the @, in the domains, and across both.
 */
function loginNameMatches(how: TextMatch, text: string, { domains, mustBeDomain }: LoginNameRules): Condition {
  const typed = toNameKey(text);
  const places = domains.map((domain) => `@${domain}`);
  const name = (match: TextMatch, part: string): Condition => textMatches(COLUMNS.userName, match, part);
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

function toPattern(how: TextMatch, text: string): string {
  const start = how.startsWith('starts') ? '' : '%';
  const end = how.startsWith('ends') ? '' : '%';
  return start + text.replace(/[\\%_]/g, '\\$&') + end;
}
