import type { Condition } from '../../foundation/database/condition.js';
import type { Page } from '../../foundation/database/listing.js';
import type { Project as ProjectRow } from '../../project/project.entity.js';
import type { ProjectSettings } from '../../project/project.service.js';
import { projectWhere, roleWhere } from '../../project/project-directory.js';
import type { ProjectRole } from '../../project/project-role.entity.js';
import { toDetails } from '../kit/wire/details.dto.js';
import { toListDetails } from '../kit/wire/list.dto.js';
import type { ListProjectsResponse, Project, ProjectQuery } from './project.dto.js';
import type { ListProjectRolesResponse, RoleQuery } from './project-role.dto.js';

export function toProject(row: ProjectRow): Project {
  const { id, orgId, name, state, projectRoleAssertion, projectRoleCheck, hasProjectCheck, privateLabelingSetting } =
    row;
  return {
    id,
    details: toDetails(row, orgId),
    name,
    state,
    projectRoleAssertion,
    projectRoleCheck,
    hasProjectCheck,
    privateLabelingSetting,
  };
}

export function toProjectList(page: Page<ProjectRow>): ListProjectsResponse {
  return { details: toListDetails(page), result: page.rows.map(toProject) };
}

export function toSettings(request: ProjectSettings): ProjectSettings {
  const { name, projectRoleAssertion, projectRoleCheck, hasProjectCheck, privateLabelingSetting } = request;
  return { name, projectRoleAssertion, projectRoleCheck, hasProjectCheck, privateLabelingSetting };
}

export function toProjectConditions(queries: readonly ProjectQuery[]): Condition[] {
  return queries.flatMap(({ nameQuery, projectResourceOwnerQuery }) => [
    ...(nameQuery ? [projectWhere.name(nameQuery.method, nameQuery.name)] : []),
    ...(projectResourceOwnerQuery ? [projectWhere.ofOrg(projectResourceOwnerQuery.resourceOwner)] : []),
  ]);
}

export function toRoleList(page: Page<ProjectRole>, orgId: string): ListProjectRolesResponse {
  const result = page.rows.map((role) => ({
    key: role.key,
    details: toDetails(role, orgId),
    displayName: role.displayName,
    group: role.roleGroup,
  }));
  return { details: toListDetails(page), result };
}

export function toRoleConditions(queries: readonly RoleQuery[]): Condition[] {
  return queries.flatMap(({ keyQuery, displayNameQuery }) => [
    ...(keyQuery ? [roleWhere.key(keyQuery.method, keyQuery.key)] : []),
    ...(displayNameQuery ? [roleWhere.displayName(displayNameQuery.method, displayNameQuery.displayName)] : []),
  ]);
}
