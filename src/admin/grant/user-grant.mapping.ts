import type { ListFilter } from '../../foundation/database/condition.js';
import type { Page } from '../../foundation/database/listing.js';
import { type UserGrantEntry, userGrantFilter } from '../../project/user-grant/user-grant-directory.js';
import { toDetails } from '../kit/wire/details.dto.js';
import { toListDetails } from '../kit/wire/list.dto.js';
import type { ListUserGrantsResponse, UserGrant } from './user-grant.dto.js';
import type { UserGrantQuery } from './user-grant-query.dto.js';

export function toUserGrant(entry: UserGrantEntry): UserGrant {
  return {
    id: entry.id,
    details: toDetails(entry, entry.orgId),
    roleKeys: entry.roleKeys,
    state: entry.state,
    userId: entry.userId,
    userName: entry.userName,
    firstName: entry.firstName,
    lastName: entry.lastName,
    email: entry.email,
    displayName: entry.displayName,
    orgId: entry.orgId,
    orgName: entry.orgName,
    orgDomain: entry.orgDomain,
    projectId: entry.projectId,
    projectName: entry.projectName,
    projectGrantId: entry.projectGrantId ?? '',
    avatarUrl: '',
    preferredLoginName: entry.preferredLoginName,
    userType: entry.userKind,
    grantedOrgId: entry.userOrgId,
    grantedOrgName: entry.userOrgName,
    grantedOrgDomain: entry.userOrgDomain,
  };
}

export function toUserGrantList(page: Page<UserGrantEntry>): ListUserGrantsResponse {
  return { details: toListDetails(page), result: page.rows.map(toUserGrant) };
}

export function asksForGranted(queries: readonly UserGrantQuery[]): boolean {
  return queries.some(({ withGrantedQuery }) => withGrantedQuery?.withGranted === true);
}

export function toUserGrantFilters(queries: readonly UserGrantQuery[]): ListFilter[] {
  return queries.flatMap(toFilters);
}

function toFilters(query: UserGrantQuery): ListFilter[] {
  const {
    projectIdQuery,
    userIdQuery,
    roleKeyQuery,
    projectGrantIdQuery,
    userNameQuery,
    firstNameQuery,
    lastNameQuery,
  } = query;
  const {
    emailQuery,
    orgNameQuery,
    orgDomainQuery,
    projectNameQuery,
    displayNameQuery,
    userTypeQuery,
    inUserIdsQuery,
  } = query;
  return [
    projectIdQuery && userGrantFilter.project(projectIdQuery.projectId),
    userIdQuery && userGrantFilter.user(userIdQuery.userId),
    inUserIdsQuery && userGrantFilter.users(inUserIdsQuery.inUserIds),
    roleKeyQuery && userGrantFilter.roleKey(roleKeyQuery.method, roleKeyQuery.roleKey),
    projectGrantIdQuery && userGrantFilter.projectGrant(projectGrantIdQuery.projectGrantId),
    userNameQuery && userGrantFilter.userName(userNameQuery.method, userNameQuery.userName),
    firstNameQuery && userGrantFilter.firstName(firstNameQuery.method, firstNameQuery.firstName),
    lastNameQuery && userGrantFilter.lastName(lastNameQuery.method, lastNameQuery.lastName),
    emailQuery && userGrantFilter.email(emailQuery.method, emailQuery.email),
    orgNameQuery && userGrantFilter.orgName(orgNameQuery.method, orgNameQuery.orgName),
    orgDomainQuery && userGrantFilter.orgDomain(orgDomainQuery.method, orgDomainQuery.orgDomain),
    projectNameQuery && userGrantFilter.projectName(projectNameQuery.method, projectNameQuery.projectName),
    displayNameQuery && userGrantFilter.displayName(displayNameQuery.method, displayNameQuery.displayName),
    userTypeQuery && userTypeQuery.type !== 'unspecified' ? userGrantFilter.userKind(userTypeQuery.type) : undefined,
  ].filter((filter) => filter !== undefined);
}
