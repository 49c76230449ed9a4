import { allOf, anyOf, type Condition, type ListFilter, not } from '../../../foundation/database/condition.js';
import { invalidFields } from '../../../foundation/error/domain-error.js';
import { type ManagerEntry, managerWhere } from '../../../user/permission/manager-list.js';
import { checkWholeText, type TimestampFilterV2, toMoment } from '../kit/filter.dto.js';
import type { AdministratorV2 } from './administrator.dto.js';
import type { AdministratorSearchFilterV2, ResourceFilterV2 } from './administrator-search.dto.js';

const MAX_DEPTH = 5;
const MAX_CONDITIONS = 100;

/** @throws DomainError InvalidArgument for filters that are nested too deep, too many, or lack their value */
export function toManagerFilters(filters: readonly AdministratorSearchFilterV2[]): ListFilter[] {
  let left = MAX_CONDITIONS;
  const toFilter = (filter: AdministratorSearchFilterV2, path: string, depth: number): ListFilter => {
    if (depth > MAX_DEPTH)
      throw invalidFields([{ field: path, description: `must not be nested more than ${MAX_DEPTH} levels deep` }]);
    left -= 1;
    if (left < 0)
      throw invalidFields([{ field: 'filters', description: `must contain at most ${MAX_CONDITIONS} conditions` }]);
    const inner = (parts: readonly AdministratorSearchFilterV2[], name: string): Condition[] =>
      parts.map((one, index) => asCondition(toFilter(one, `${path}.${name}.queries[${index}]`, depth + 1)));
    if (filter.and) return allOf(inner(filter.and.queries, 'and'));
    if (filter.or) return anyOf(inner(filter.or.queries, 'or'));
    if (filter.not) return not(asCondition(toFilter(filter.not.query, `${path}.not.query`, depth + 1)));
    return toLeaf(filter, path);
  };
  return filters.map((one, index) => toFilter(one, `filters[${index}]`, 1));
}

/** What other tables hold is looked up first only if it narrows the whole list. */
function asCondition(filter: ListFilter): Condition {
  return typeof filter === 'function' ? filter : filter.otherwise;
}

function toLeaf(filter: AdministratorSearchFilterV2, path: string): ListFilter {
  const { creationDate, changeDate, userPreferredLoginName: loginName, userDisplayName, resource, role } = filter;
  if (creationDate) return compared(creationDate, managerWhere.created, `${path}.creationDate`);
  if (changeDate) return compared(changeDate, managerWhere.changed, `${path}.changeDate`);
  if (filter.inUserIdsFilter) return managerWhere.users(filter.inUserIdsFilter.ids);
  if (filter.userOrganizationId) return managerWhere.usersOf(filter.userOrganizationId.id);
  if (loginName) {
    checkWholeText(loginName.method, `${path}.userPreferredLoginName.method`);
    return managerWhere.loginName(loginName.method, loginName.preferredLoginName);
  }
  if (userDisplayName) return managerWhere.displayName(userDisplayName.method, userDisplayName.displayName);
  if (resource) return ofResource(resource);
  return managerWhere.role(role!.roleKey);
}

function ofResource({ instance, organizationId, projectId, projectGrant }: ResourceFilterV2): Condition {
  if (organizationId !== undefined) return managerWhere.of('org', organizationId);
  if (projectId !== undefined) return managerWhere.of('project', projectId);
  if (projectGrant) return managerWhere.ofProjectGrant(projectGrant.projectId, projectGrant.organizationId);
  return instance === true ? managerWhere.instance : not(managerWhere.instance);
}

function compared(filter: TimestampFilterV2, compare: typeof managerWhere.created, path: string): Condition {
  return compare(filter.method, toMoment(filter, path));
}

export function toAdministrator(entry: ManagerEntry): AdministratorV2 {
  const { userId, preferredLoginName, displayName, userOrgId, creationDate, changeDate, roles } = entry;
  return {
    ...{ creationDate, changeDate },
    user: { id: userId, preferredLoginName, displayName, organizationId: userOrgId },
    ...resourceOf(entry),
    roles,
  };
}

function resourceOf({
  level,
  objectId: id,
  object,
}: ManagerEntry): Pick<AdministratorV2, 'instance' | 'organization' | 'project' | 'projectGrant'> {
  const { name = '', orgId = '', projectId = '', grantedOrgId = '' } = object ?? {};
  switch (level) {
    case 'instance':
      return { instance: true };
    case 'org':
      return { organization: { id, name } };
    case 'project':
      return { project: { id, name, organizationId: orgId } };
    case 'project_grant':
      return {
        projectGrant: {
          ...{ id, projectId },
          projectName: name,
          organizationId: orgId,
          grantedOrganizationId: grantedOrgId,
        },
      };
  }
}
