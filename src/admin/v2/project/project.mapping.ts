import type { Condition } from '../../../foundation/database/condition.js';
import type { ListedProject } from '../../../management/project/projects.js';
import type { Project as ProjectRow } from '../../../project/project.entity.js';
import type { NewProjectSettings, ProjectSettings } from '../../../project/project.service.js';
import { projectWhere } from '../../../project/project-directory.js';
import type {
  CreateProjectRequestV2,
  ProjectSearchFilterV2,
  ProjectV2,
  UpdateProjectRequestV2,
} from './project.dto.js';

export function toProject(row: ProjectRow & Partial<Pick<ListedProject, 'grant'>>): ProjectV2 {
  return {
    projectId: row.id,
    organizationId: row.orgId,
    creationDate: row.creationDate,
    changeDate: row.changeDate,
    name: row.name,
    state: row.state,
    projectRoleAssertion: row.projectRoleAssertion,
    authorizationRequired: row.projectRoleCheck,
    projectAccessRequired: row.hasProjectCheck,
    privateLabelingSetting: row.privateLabelingSetting,
    ...(row.grant ? { grantedOrganizationId: row.grant.orgId, grantedOrganizationName: row.grant.orgName } : {}),
    grantedState: row.grant?.state ?? 'unspecified',
  };
}

export function toNewSettings(request: CreateProjectRequestV2): NewProjectSettings {
  return {
    ...(request.projectId === undefined || request.projectId === '' ? {} : { id: request.projectId }),
    name: request.name,
    projectRoleAssertion: request.projectRoleAssertion,
    projectRoleCheck: request.authorizationRequired,
    hasProjectCheck: request.projectAccessRequired,
    privateLabelingSetting: request.privateLabelingSetting,
  };
}

export function toChanges(request: UpdateProjectRequestV2): Partial<ProjectSettings> {
  const { name, projectRoleAssertion, authorizationRequired, projectAccessRequired, privateLabelingSetting } = request;
  return {
    ...(name === undefined ? {} : { name }),
    ...(projectRoleAssertion === undefined ? {} : { projectRoleAssertion }),
    ...(authorizationRequired === undefined ? {} : { projectRoleCheck: authorizationRequired }),
    ...(projectAccessRequired === undefined ? {} : { hasProjectCheck: projectAccessRequired }),
    ...(privateLabelingSetting === undefined ? {} : { privateLabelingSetting }),
  };
}

export function toProjectConditions(filters: readonly ProjectSearchFilterV2[]): Condition[] {
  return filters.flatMap(({ projectNameFilter, inProjectIdsFilter, organizationIdFilter }) => [
    ...(projectNameFilter ? [projectWhere.name(projectNameFilter.method, projectNameFilter.projectName)] : []),
    ...(inProjectIdsFilter ? [projectWhere.isOneOf(inProjectIdsFilter.ids)] : []),
    ...(organizationIdFilter ? [ofOrganization(organizationIdFilter)] : []),
  ]);
}

function ofOrganization({
  organizationId,
  type,
}: NonNullable<ProjectSearchFilterV2['organizationIdFilter']>): Condition {
  switch (type) {
    case 'owned':
      return projectWhere.ofOrg(organizationId);
    case 'granted':
      return projectWhere.grantedTo(organizationId);
    case 'unspecified':
    case 'owned_or_granted':
      return projectWhere.ownedOrGrantedTo(organizationId);
  }
}

/** The organization whose grants are shown beside the projects: the one that was searched for, unless as the owner. */
export function grantedToIn(filters: readonly ProjectSearchFilterV2[]): string | undefined {
  return filters.find(({ organizationIdFilter: filter }) => filter && filter.type !== 'owned')?.organizationIdFilter
    ?.organizationId;
}
