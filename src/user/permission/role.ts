import type { MemberLevel } from './member.entity.js';

/** The permissions that operations require, by resource. Those in the first group apply to the whole instance only. */
export const PERMISSIONS = [
  'iam.read',
  'iam.write',
  'iam.policy.read',
  'iam.policy.write',
  'iam.policy.delete',
  'iam.idp.read',
  'iam.idp.write',
  'iam.webhook.read',
  'iam.webhook.write',
  'iam.member.read',
  'iam.member.write',
  'iam.member.delete',
  'iam.migrate',
  'events.read',

  'org.read',
  'org.global.read',
  'org.create',
  'org.write',
  'org.delete',
  'org.member.read',
  'org.member.write',
  'org.member.delete',
  'org.webhook.read',
  'org.webhook.write',
  'org.idp.read',
  'org.idp.write',
  'policy.read',
  'policy.write',
  'policy.delete',
  'user.read',
  'user.global.read',
  'user.write',
  'user.delete',
  'user.credential.write',
  'user.membership.read',
  'user.grant.read',
  'user.grant.write',
  'user.grant.delete',
  'user.impersonate',
  'user.impersonate.admin',
  'group.read',
  'group.write',
  'group.delete',
  'project.read',
  'project.create',
  'project.write',
  'project.delete',
  'project.member.read',
  'project.member.write',
  'project.member.delete',
  'project.role.read',
  'project.role.write',
  'project.role.delete',
  'project.app.read',
  'project.app.write',
  'project.app.delete',
  'project.grant.read',
  'project.grant.write',
  'project.grant.delete',
  'project.grant.member.read',
  'project.grant.member.write',
  'project.grant.member.delete',
] as const;

/**
 * Permissions that no operation requires: they allow a user to act for others in an exchange of tokens (RFC 8693), for
 * users without a manager role, or for all. Only the roles that exist for this hold them, not even IAM_OWNER.
 */
export const IMPERSONATION = ['user.impersonate', 'user.impersonate.admin'] as const satisfies readonly Permission[];

/** A permission of the product. */
export type Permission = (typeof PERMISSIONS)[number];

/** A permission of an extension: `ext.hr.employee.read`. */
export type ExtPermissionName = `ext.${string}`;

export type AnyPermission = Permission | ExtPermissionName;

const OF_OPERATIONS = PERMISSIONS.filter((permission) => !isOfImpersonation(permission));

export function isOfImpersonation(permission: AnyPermission): boolean {
  return (IMPERSONATION as readonly string[]).includes(permission);
}

/** Every permission that begins with one of these words: `org` stands for `org.read`, `org.member.write` and so on. */
function all(...words: readonly string[]): readonly Permission[] {
  return OF_OPERATIONS.filter((permission) =>
    words.some((word) => permission === word || permission.startsWith(`${word}.`)),
  );
}

/** The reading permissions that begin with one of these words. */
function reads(...words: readonly string[]): readonly Permission[] {
  return all(...words).filter((permission) => permission.endsWith('.read'));
}

interface Role {
  readonly level: MemberLevel;
  readonly permissions: readonly Permission[];
}

const OF_AN_ORG = ['org', 'policy', 'user', 'group', 'project'];
/** Creating organizations and reading those of others is not part of managing an organization. */
const BEYOND_ONE_ORG: readonly string[] = ['org.create', 'user.global.read'];
const within = (permissions: readonly Permission[]): readonly Permission[] =>
  permissions.filter((one) => !BEYOND_ONE_ORG.includes(one));

/**
 * The manager roles, and what each allows: a role of the instance in every organization, one of an organization in that
 * one, one of a project or a project grant in that only. Export and import (`iam.migrate`) can contain hashes and seeds
 * of second factors, so they are reserved for IAM_OWNER.
 */
export const ROLES = {
  IAM_OWNER: { level: 'instance', permissions: OF_OPERATIONS },
  IAM_OWNER_VIEWER: { level: 'instance', permissions: reads('iam', 'events', ...OF_AN_ORG) },
  IAM_ORG_MANAGER: {
    level: 'instance',
    permissions: [...reads('iam.policy', 'iam.idp'), 'iam.read', ...all(...OF_AN_ORG)],
  },
  IAM_USER_MANAGER: {
    level: 'instance',
    permissions: [...all('user', 'group'), ...reads('org', 'policy', 'project'), 'iam.policy.read'],
  },
  IAM_LOGIN_CLIENT: {
    level: 'instance',
    permissions: [
      ...reads('iam', 'policy', 'org', 'user', 'project'),
      'user.write',
      'user.credential.write',
      'user.grant.write',
      'iam.member.write',
      'org.member.write',
    ],
  },
  IAM_ADMIN_IMPERSONATOR: { level: 'instance', permissions: IMPERSONATION },
  IAM_END_USER_IMPERSONATOR: { level: 'instance', permissions: ['user.impersonate'] },

  ORG_OWNER: { level: 'org', permissions: within(all(...OF_AN_ORG)) },
  ORG_OWNER_VIEWER: { level: 'org', permissions: within(reads(...OF_AN_ORG)) },
  ORG_USER_MANAGER: {
    level: 'org',
    permissions: [
      ...within(all('user', 'group')),
      'org.read',
      'policy.read',
      ...reads('project.role'),
      'project.read',
      'project.grant.read',
    ],
  },
  ORG_SETTINGS_MANAGER: {
    level: 'org',
    permissions: ['org.read', 'org.write', 'org.member.read', ...all('org.idp', 'policy')],
  },
  ORG_USER_PERMISSION_EDITOR: {
    level: 'org',
    permissions: [
      'org.read',
      'user.read',
      'group.read',
      ...all('user.grant'),
      'policy.read',
      'project.read',
      'project.role.read',
      'project.grant.read',
    ],
  },
  ORG_PROJECT_PERMISSION_EDITOR: {
    level: 'org',
    permissions: ['org.read', 'org.global.read', 'project.read', 'project.role.read', ...all('project.grant')],
  },
  ORG_PROJECT_CREATOR: {
    level: 'org',
    permissions: ['org.read', 'user.read', 'policy.read', 'project.read', 'project.create'],
  },
  ORG_ADMIN_IMPERSONATOR: { level: 'org', permissions: IMPERSONATION },
  ORG_END_USER_IMPERSONATOR: { level: 'org', permissions: ['user.impersonate'] },
  ORG_USER_SELF_MANAGER: { level: 'org', permissions: [] },

  PROJECT_OWNER: {
    level: 'project',
    permissions: [...all('project').filter((one) => one !== 'project.create'), ...all('user.grant')],
  },
  PROJECT_OWNER_VIEWER: { level: 'project', permissions: [...reads('project'), 'user.grant.read'] },
  PROJECT_OWNER_GLOBAL: {
    level: 'project',
    permissions: [...all('project').filter((one) => one !== 'project.create'), ...all('user.grant')],
  },
  PROJECT_OWNER_VIEWER_GLOBAL: { level: 'project', permissions: [...reads('project'), 'user.grant.read'] },

  PROJECT_GRANT_OWNER: {
    level: 'project_grant',
    permissions: [
      'project.read',
      'project.role.read',
      'project.grant.read',
      ...all('project.grant.member', 'user.grant'),
    ],
  },
  PROJECT_GRANT_OWNER_VIEWER: {
    level: 'project_grant',
    permissions: ['project.read', 'project.role.read', ...reads('project.grant', 'user.grant')],
  },
} as const satisfies Record<string, Role>;

export type RoleName = keyof typeof ROLES;
