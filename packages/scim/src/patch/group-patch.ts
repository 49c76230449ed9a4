import { invalidPath, invalidValue } from '../error/scim-error.js';
import type { Filter } from '../filter/filter.js';
import type { Complex } from '../resource/document.js';
import { readList } from '../resource/read-value.js';
import { subOf } from '../schema/attribute.js';
import { MEMBERS, MOST_MEMBERS } from '../schema/group.schema.js';
import type { Operation } from './patch-request.js';

/** What a PATCH does to the members of a group: there may be more than could be read and written each time. */
export type MemberChange =
  | { readonly is: 'add' | 'remove' | 'replace'; readonly userIds: readonly string[] }
  | { readonly is: 'empty' }
  /** Those whom the filter finds, of whom there must be one (SCM-013). */
  | { readonly is: 'removeChosen'; readonly filter: Filter };

/**
 * The changes of members among the operations, in their order.
 * @throws ScimError, also for more members than a request may name (SCM-012)
 */
export function memberChanges(operations: readonly Operation[]): readonly MemberChange[] {
  const changes = operations.filter(({ attribute }) => attribute === MEMBERS).map(toChange);
  const named = changes.reduce((sum, change) => sum + ('userIds' in change ? change.userIds.length : 0), 0);
  if (named > MOST_MEMBERS) throw invalidValue('members', `has more than ${MOST_MEMBERS} values`);
  return changes;
}

function toChange({ op, filter, sub, value }: Operation): MemberChange {
  if (sub) throw invalidPath('Members are added and removed as a whole.');
  if (filter) {
    if (op !== 'remove') throw invalidPath('Members are added without a filter.');
    return { is: 'removeChosen', filter };
  }
  // RFC 7644 §3.5.2.2: without values all go. Entra names them beside the path, and none in an empty list.
  if (op === 'remove' && (value === undefined || value === null)) return { is: 'empty' };
  return { is: op, userIds: memberIdsOf(readList(MEMBERS, value)) };
}

/**
 * The users whom the values of `members` name, each once.
 * @throws ScimError `invalidValue` for groups, which are no members (SCM-012)
 */
export function memberIdsOf(members: readonly Complex[]): readonly string[] {
  const type = subOf(MEMBERS, 'type');
  if (members.some((member) => String(member.get(type) ?? 'User').toLowerCase() !== 'user'))
    throw invalidValue('members.type', 'must be User: groups contain no groups');
  const value = subOf(MEMBERS, 'value');
  return [...new Set(members.map((member) => String(member.get(value))))];
}

/** The users whom the filter names one by one; undefined if it says anything else. */
export function namedByFilter(filter: Filter): readonly string[] | undefined {
  if (filter.is === 'or') {
    const parts = filter.filters.map(namedByFilter);
    return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
  }
  const isEquality = filter.is === 'compare' && filter.operator === 'eq' && typeof filter.value === 'string';
  if (!isEquality || filter.path.sub !== undefined || filter.path.name.toLowerCase() !== 'value') return undefined;
  return [String(filter.value)];
}
