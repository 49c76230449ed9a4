import type { RoleQuestion } from './scope.js';
import type { RoleGrant } from './subject.js';
import type { Urn } from './urn.js';
import type { Claims } from './user-claims.js';

/** `{ role: { orgId: primaryDomain } }` */
type RolesByOrg = Map<string, Map<string, string>>;

/**
 * The roles of a user, as objects per project, and for the current project also unqualified; with `flat` also as a
 * `roles` array, which is what most tools expect.
 */
export function roleClaims(
  grants: readonly RoleGrant[] | null,
  question: RoleQuestion | undefined,
  urn: Urn,
  flat: boolean,
): Claims {
  if (!question || !grants) return {};
  const claims = new Map<string, unknown>();
  for (const projectId of question.projectIds) {
    const isCurrent = projectId === question.currentProjectId;
    const roles = rolesOf(grants, projectId, question, isCurrent);
    if (roles.size === 0) continue;
    claims.set(urn.projectRolesClaimOf(projectId), toObject(roles));
    if (!isCurrent) continue;
    claims.set(urn.projectRolesClaim, toObject(roles));
    if (flat) claims.set('roles', [...roles.keys()]);
  }
  return Object.fromEntries(claims);
}

/** Names of `roleClaims` that say once more what another one of them says: that of the project, then the objects. */
export function repeatedRoleClaims(question: RoleQuestion | undefined, urn: Urn, flat: boolean): readonly string[] {
  const projectId = question?.currentProjectId;
  if (projectId === undefined) return [];
  return [urn.projectRolesClaimOf(projectId), ...(flat ? [urn.projectRolesClaim] : [])];
}

function rolesOf(
  grants: readonly RoleGrant[],
  projectId: string,
  question: RoleQuestion,
  isCurrent: boolean,
): RolesByOrg {
  const roles: RolesByOrg = new Map();
  for (const grant of grants) {
    if (grant.projectId !== projectId) continue;
    if (question.orgIds && !question.orgIds.includes(grant.orgId)) continue;
    for (const key of grant.roleKeys) {
      // Role scopes name roles of the client's own project; other projects are requested as a whole.
      const named = question.roleKeys === undefined || question.roleKeys.includes(key);
      if (!named && (isCurrent || question.currentProjectId === undefined)) continue;
      const orgs = roles.get(key) ?? new Map<string, string>();
      roles.set(key, orgs.set(grant.orgId, grant.orgDomain ?? ''));
    }
  }
  return roles;
}

/** Object.fromEntries defines own members, so that a role called `__proto__` is only a name. */
function toObject(roles: RolesByOrg): Record<string, Record<string, string>> {
  return Object.fromEntries([...roles].map(([key, orgs]) => [key, Object.fromEntries(orgs)]));
}
