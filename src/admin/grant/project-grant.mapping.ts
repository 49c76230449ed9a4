import type { ListFilter } from '../../foundation/database/condition.js';
import type { Page } from '../../foundation/database/listing.js';
import { type ProjectGrantEntry, projectGrantWhere } from '../../project/project-grant-directory.js';
import { toDetails } from '../kit/wire/details.dto.js';
import { toListDetails } from '../kit/wire/list.dto.js';
import type { ProjectQuery } from '../project/project.dto.js';
import type { AllProjectGrantQuery, GrantedProject, ListProjectGrantsResponse } from './project-grant.dto.js';

export function toGrantedProject(grant: ProjectGrantEntry): GrantedProject {
  return {
    grantId: grant.id,
    grantedOrgId: grant.grantedOrgId,
    grantedOrgName: grant.grantedOrgName,
    grantedRoleKeys: grant.roleKeys,
    state: grant.state,
    projectId: grant.projectId,
    projectName: grant.projectName,
    projectOwnerId: grant.orgId,
    projectOwnerName: grant.orgName,
    details: toDetails(grant, grant.orgId),
  };
}

export function toGrantList(page: Page<ProjectGrantEntry>): ListProjectGrantsResponse {
  return { details: toListDetails(page), result: page.rows.map(toGrantedProject) };
}

export function toGrantConditions(queries: readonly AllProjectGrantQuery[]): ListFilter[] {
  return queries.flatMap(({ projectNameQuery, roleKeyQuery, projectIdQuery, grantedOrgIdQuery }) => [
    ...(projectNameQuery ? [projectGrantWhere.projectName(projectNameQuery.method, projectNameQuery.name)] : []),
    ...(roleKeyQuery ? [projectGrantWhere.roleKey(roleKeyQuery.method, roleKeyQuery.roleKey)] : []),
    ...(projectIdQuery ? [projectGrantWhere.ofProject(projectIdQuery.projectId)] : []),
    ...(grantedOrgIdQuery ? [projectGrantWhere.toOrg(grantedOrgIdQuery.grantedOrgId)] : []),
  ]);
}

export function toGrantedConditions(queries: readonly ProjectQuery[]): ListFilter[] {
  return queries.flatMap(({ nameQuery, projectResourceOwnerQuery }) => [
    ...(nameQuery ? [projectGrantWhere.projectName(nameQuery.method, nameQuery.name)] : []),
    ...(projectResourceOwnerQuery ? [projectGrantWhere.ofOrg(projectResourceOwnerQuery.resourceOwner)] : []),
  ]);
}
