import type { MemberLevel } from './member.entity.js';

/** What an operation may demand. */
export const PERMISSIONS = ['iam.policy.read'] as const;
export type Permission = (typeof PERMISSIONS)[number];

interface Role {
  readonly level: MemberLevel;
  readonly permissions: readonly Permission[];
}

/** The manager roles, and what each allows. */
export const ROLES = {
  IAM_OWNER: { level: 'instance', permissions: ['iam.policy.read'] },
  IAM_OWNER_VIEWER: { level: 'instance', permissions: ['iam.policy.read'] },
  ORG_OWNER: { level: 'org', permissions: [] },
} as const satisfies Record<string, Role>;

export type RoleName = keyof typeof ROLES;

export function permissionsOf(roleName: string): readonly Permission[] {
  return Object.hasOwn(ROLES, roleName) ? ROLES[roleName as RoleName].permissions : [];
}
