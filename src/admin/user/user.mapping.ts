import { invalidFields } from '../../foundation/error/domain-error.js';
import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { type ProfileMember, profileOf } from '../../user/profile.js';
import type { UserEntry } from '../../user/user-directory.js';
import type { UserColumn, UserSearch } from '../../user/user-search.js';
import { toDetails } from '../kit/wire/details.dto.js';
import type { UserProfile } from './profile.dto.js';
import type { Human, Machine, User } from './user.dto.js';
import type { USER_FIELD_NAME, UserSearchQuery } from './user-search.dto.js';

/** Deeper queries are not written by hand, and each level costs planning time in the database. */
const MAX_DEPTH = 5;
const MAX_CONDITIONS = 100;

const NO_ADDRESS = { formatted: '', streetAddress: '', locality: '', region: '', postalCode: '', country: '' };

export function toUser(entry: UserEntry): User {
  const { id, orgId, state, userName, loginNames, preferredLoginName } = entry;
  const type = entry.kind === 'human' ? { human: toHuman(entry) } : { machine: toMachine(entry) };
  return { id, details: toDetails(entry, orgId), state, userName, loginNames, preferredLoginName, ...type };
}

function toHuman(entry: UserEntry): Human {
  const { email, emailVerified, phone, phoneVerified, passwordChangedAt } = entry;
  return {
    profile: toProfile(entry),
    email: { email, isEmailVerified: emailVerified },
    phone: phone === '' ? undefined : { phone, isPhoneVerified: phoneVerified },
    passwordChanged: passwordChangedAt ?? undefined,
  };
}

/** A message that lacks a member of the profile does not compile. */
export function toProfile(entry: UserEntry): Pick<UserProfile, ProfileMember | 'avatarUrl'> {
  const { address, ...same } = profileOf(entry);
  const shown = { ...same, avatarUrl: same.pictureUrl };
  return Object.keys(address).length > 0 ? { ...shown, address: { ...NO_ADDRESS, ...address } } : shown;
}

function toMachine({
  serviceName,
  description,
  hasSecret,
  accessTokenType,
  accessTokenHeaderType,
}: UserEntry): Machine {
  return { name: serviceName, description, hasSecret, accessTokenType, accessTokenHeaderType };
}

export function toUserColumn(sortingColumn: ValueOf<typeof USER_FIELD_NAME>): UserColumn {
  return sortingColumn === 'unspecified' ? 'creationDate' : sortingColumn;
}

/** @throws DomainError InvalidArgument for conditions that are nested too deep, or too many */
export function toSearches(queries: readonly UserSearchQuery[]): UserSearch[] {
  return toSearchTree(queries, toLeaf);
}

/** A condition, or several of them combined. */
interface Query<Q> {
  readonly orQuery?: { readonly queries: readonly Q[] };
  readonly andQuery?: { readonly queries: readonly Q[] };
  readonly notQuery?: { readonly query: Q };
}

/** `toSearches` for conditions of another shape: those of the second generation. */
export function toSearchTree<Q extends Query<Q>>(
  queries: readonly Q[],
  leafOf: (query: Q) => UserSearch,
): UserSearch[] {
  let left = MAX_CONDITIONS;
  const toSearch = (query: Q, path: string, depth: number): UserSearch => {
    if (depth > MAX_DEPTH)
      throw invalidFields([{ field: path, description: `must not be nested more than ${MAX_DEPTH} levels deep` }]);
    left -= 1;
    if (left < 0)
      throw invalidFields([{ field: 'queries', description: `must contain at most ${MAX_CONDITIONS} conditions` }]);
    const inner = (part: readonly Q[], name: string): UserSearch[] =>
      part.map((one, index) => toSearch(one, `${path}.${name}.queries[${index}]`, depth + 1));
    if (query.orQuery) return { anyOf: inner(query.orQuery.queries, 'orQuery') };
    if (query.andQuery) return { allOf: inner(query.andQuery.queries, 'andQuery') };
    if (query.notQuery) return { not: toSearch(query.notQuery.query, `${path}.notQuery.query`, depth + 1) };
    return leafOf(query);
  };
  return queries.map((query, index) => toSearch(query, `queries[${index}]`, 1));
}

export function toLeaf(query: Omit<UserSearchQuery, 'orQuery' | 'andQuery' | 'notQuery'>): UserSearch {
  const {
    userNameQuery,
    firstNameQuery,
    lastNameQuery,
    nickNameQuery,
    displayNameQuery,
    emailQuery,
    stateQuery,
    typeQuery,
    loginNameQuery,
  } = query;
  if (userNameQuery) return { by: 'userName', how: userNameQuery.method, text: userNameQuery.userName };
  if (firstNameQuery) return { by: 'firstName', how: firstNameQuery.method, text: firstNameQuery.firstName };
  if (lastNameQuery) return { by: 'lastName', how: lastNameQuery.method, text: lastNameQuery.lastName };
  if (nickNameQuery) return { by: 'nickName', how: nickNameQuery.method, text: nickNameQuery.nickName };
  if (displayNameQuery) return { by: 'displayName', how: displayNameQuery.method, text: displayNameQuery.displayName };
  if (emailQuery) return { by: 'email', how: emailQuery.method, text: emailQuery.emailAddress };
  if (loginNameQuery) return { by: 'loginName', how: loginNameQuery.method, text: loginNameQuery.loginName };
  // A state or type that no user has matches no users.
  if (stateQuery) return { by: 'state', is: stateQuery.state };
  if (typeQuery) return { by: 'kind', is: typeQuery.type };
  if (query.inUserEmailsQuery) return { by: 'emailAddress', oneOf: query.inUserEmailsQuery.userEmails };
  return { by: 'id', oneOf: query.inUserIdsQuery!.userIds };
}
