import type { ListRequest, Page } from '../../foundation/database/listing.js';
import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { type MemberColumn, type MemberEntry, memberWhere } from '../../user/permission/managers.js';
import { toDetails } from '../kit/wire/details.dto.js';
import { type ListQuery, toListDetails, toRange } from '../kit/wire/list.dto.js';
import type { ListMembersResponse, MEMBER_FIELD_NAME, Member, MemberSearchQuery } from './member.dto.js';

type SortingColumn = ValueOf<typeof MEMBER_FIELD_NAME>;

interface MemberSearch {
  readonly query?: ListQuery;
  readonly queries: readonly MemberSearchQuery[];
  readonly sortingColumn: SortingColumn;
}

export function toMemberSearch({ query, queries, sortingColumn }: MemberSearch): ListRequest<MemberColumn> {
  const where = queries.flatMap(({ firstNameQuery, lastNameQuery, emailQuery, userIdQuery }) => [
    ...(firstNameQuery ? [memberWhere.firstName(firstNameQuery.method, firstNameQuery.firstName)] : []),
    ...(lastNameQuery ? [memberWhere.lastName(lastNameQuery.method, lastNameQuery.lastName)] : []),
    ...(emailQuery ? [memberWhere.email(emailQuery.method, emailQuery.email)] : []),
    ...(userIdQuery ? [memberWhere.userId(userIdQuery.userId)] : []),
  ]);
  return { ...toRange(query), sortBy: sortingColumn === 'unspecified' ? 'userId' : sortingColumn, where };
}

export function toMemberList(
  page: Page<MemberEntry>,
  owner: string,
  sortingColumn: SortingColumn,
): ListMembersResponse {
  return { details: toListDetails(page), result: page.rows.map((row) => toMember(row, owner)), sortingColumn };
}

function toMember(row: MemberEntry, owner: string): Member {
  const { userId, roles, preferredLoginName, email, firstName, lastName, displayName, userType, userOrgId } = row;
  return {
    userId,
    details: toDetails(row, owner),
    roles,
    preferredLoginName,
    email,
    firstName,
    lastName,
    displayName,
    avatarUrl: '',
    userType,
    userResourceOwner: userOrgId,
  };
}
