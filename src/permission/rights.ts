import type { MemberLevel } from './member.entity.js';
import { type Permission, permissionsOf } from './role.js';

/** One membership, and the organization that its object belongs to. */
export interface Membership {
  readonly level: MemberLevel;
  /** Id of the instance, organization, project or grant. */
  readonly objectId: string;
  /** Of an organization itself, of a project its owner's, of a grant the granted one; empty for the instance. */
  readonly orgId: string;
  readonly roles: readonly string[];
}

/** What a permission is asked for: an organization, and where an operation names them, one of its projects or of the grants to it. */
export interface Reach {
  readonly orgId: string;
  readonly projectId?: string | undefined;
  readonly grantId?: string | undefined;
}

/** What somebody may do, and where. */
export class Rights {
  constructor(private readonly memberships: readonly Membership[]) {}

  /** Whether the permission is held there: by a role of the instance, of the organization, or of the very project or grant. */
  may(permission: Permission, { orgId, projectId, grantId }: Reach): boolean {
    return this.memberships.some(({ level, objectId, orgId: owner, roles }) => {
      const reaches =
        level === 'instance' ||
        (level === 'org' && objectId === orgId) ||
        (level === 'project' && objectId === projectId && owner === orgId) ||
        (level === 'project_grant' && objectId === grantId && owner === orgId);
      return reaches && roles.some((role) => permissionsOf(role).includes(permission));
    });
  }

  /** Whether the permission is held over the whole instance. */
  mayEverywhere(permission: Permission): boolean {
    return this.memberships.some(
      ({ level, roles }) => level === 'instance' && roles.some((role) => permissionsOf(role).includes(permission)),
    );
  }

  /** The projects and grants of an organization over which the permission is held by a role of their own. */
  objectsWith(permission: Permission, level: 'project' | 'project_grant', orgId: string): string[] {
    return this.memberships
      .filter(
        (one) =>
          one.level === level &&
          one.orgId === orgId &&
          one.roles.some((role) => permissionsOf(role).includes(permission)),
      )
      .map(({ objectId }) => objectId);
  }

  /** Whether whoever holds these rights could give that membership away: everything that it allows, they may in the same place. */
  covers({ level, objectId, orgId, roles }: Membership): boolean {
    const permissions = roles.flatMap(permissionsOf);
    if (level === 'instance') return permissions.every((permission) => this.mayEverywhere(permission));
    const reach = {
      orgId,
      ...(level === 'project' ? { projectId: objectId } : {}),
      ...(level === 'project_grant' ? { grantId: objectId } : {}),
    };
    return permissions.every((permission) => this.may(permission, reach));
  }

  /** Every permission, as a list of words: those of one project or grant wear its id. */
  words(orgId: string): string[] {
    const words = this.memberships.flatMap(({ level, objectId, roles }) => {
      if (level === 'org' && objectId !== orgId) return [];
      const suffix = level === 'project' || level === 'project_grant' ? `:${objectId}` : '';
      return roles.flatMap(permissionsOf).map((permission) => permission + suffix);
    });
    return [...new Set(words)].sort();
  }
}
