import type { MemberLevel } from './member.entity.js';
import { type AnyPermission, isOfImpersonation } from './role.js';
import type { RoleBook } from './role-book.js';

/** A membership, and the organization of its object. */
export interface Membership {
  readonly level: MemberLevel;
  /** Id of the instance, organization, project or grant. */
  readonly objectId: string;
  /**
   * For an organization itself, for a project its owner, for a grant the organization granted to; empty for the
   * instance.
   */
  readonly orgId: string;
  readonly roles: readonly string[];
}

/**
 * The scope of a permission: an organization and, for operations that name them, one of its projects or project grants.
 */
export interface Reach {
  readonly orgId: string;
  readonly projectId?: string | undefined;
  readonly grantId?: string | undefined;
}

/** Objects on which a permission is held. */
export type Places =
  | 'everywhere'
  | {
      readonly orgIds: readonly string[];
      readonly projectIds: readonly string[];
      readonly projectGrantIds: readonly string[];
    };

/** What a user may do, and where. */
export class Rights {
  constructor(
    private readonly memberships: readonly Membership[],
    private readonly book: RoleBook,
  ) {}

  /**
   * Whether the permission is held there: by a role of the instance, of the organization, or of that project or grant.
   */
  may(permission: AnyPermission, { orgId, projectId, grantId }: Reach): boolean {
    return this.memberships.some(({ level, objectId, orgId: owner, roles }) => {
      const reaches =
        level === 'instance' ||
        (level === 'org' && objectId === orgId) ||
        (level === 'project' && objectId === projectId && owner === orgId) ||
        (level === 'project_grant' && objectId === grantId && owner === orgId);
      return reaches && this.gives(roles, permission);
    });
  }

  /** Whether the permission is held over the whole instance. */
  mayEverywhere(permission: AnyPermission): boolean {
    return this.memberships.some(({ level, roles }) => level === 'instance' && this.gives(roles, permission));
  }

  /** Whether the permission is held anywhere. */
  maySomewhere(permission: AnyPermission): boolean {
    return this.memberships.some(({ roles }) => this.gives(roles, permission));
  }

  /** Where the permission is held: on the whole instance, or on these objects. */
  placesOf(permission: AnyPermission): Places {
    if (this.mayEverywhere(permission)) return 'everywhere';
    const held = this.memberships.filter(({ roles }) => this.gives(roles, permission));
    const idsAt = (level: MemberLevel): string[] =>
      held.filter((one) => one.level === level).map(({ objectId }) => objectId);
    return { orgIds: idsAt('org'), projectIds: idsAt('project'), projectGrantIds: idsAt('project_grant') };
  }

  /** The projects and grants of an organization for which the permission is held by a role of their own. */
  objectsWith(permission: AnyPermission, level: 'project' | 'project_grant', orgId: string): string[] {
    return this.memberships
      .filter((one) => one.level === level && one.orgId === orgId && this.gives(one.roles, permission))
      .map(({ objectId }) => objectId);
  }

  /**
   * Whether the holder of these rights could grant that membership: everything that it allows, they may do in the same
   * place. Those who may set the credentials of users there may also allow others to act for them.
   */
  covers({ level, objectId, orgId, roles }: Membership): boolean {
    const permissions = roles
      .flatMap((role) => this.book.permissionsOf(role))
      .map((permission) => (isOfImpersonation(permission) ? 'user.credential.write' : permission));
    if (level === 'instance') return permissions.every((permission) => this.mayEverywhere(permission));
    const reach = {
      orgId,
      ...(level === 'project' ? { projectId: objectId } : {}),
      ...(level === 'project_grant' ? { grantId: objectId } : {}),
    };
    return permissions.every((permission) => this.may(permission, reach));
  }

  private gives(roles: readonly string[], permission: AnyPermission): boolean {
    return roles.some((role) => this.book.permissionsOf(role).includes(permission));
  }

  /** Every permission, as a list of words: those for a single project or grant are followed by its id. */
  words(orgId: string): string[] {
    const words = this.memberships.flatMap(({ level, objectId, roles }) => {
      if (level === 'org' && objectId !== orgId) return [];
      const suffix = level === 'project' || level === 'project_grant' ? `:${objectId}` : '';
      return roles.flatMap((role) => this.book.permissionsOf(role)).map((permission) => permission + suffix);
    });
    return [...new Set(words)].sort();
  }
}
