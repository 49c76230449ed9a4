import { orgNotFound } from '../../org/org.errors.js';
import type { OrgService } from '../../org/org.service.js';
import type { Actor } from '../../user/permission/actor.js';
import type { Memberships } from '../../user/permission/memberships.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';
import { Rights } from '../../user/permission/rights.js';
import type { AnyPermission, Permission } from '../../user/permission/role.js';
import { userNotFound } from '../../user/user.errors.js';
import type { Users } from './users.js';

/** Who calls an operation, or a route of the extension's own. Members may be added in a minor version. @public */
export interface Caller {
  readonly userId: string;
  /**
   * The organization that the call is about, in which the caller has the permission: below `management/v1`, read
   * nothing else. The one that the path names, if `Requires` says so.
   */
  readonly orgId: string;
  /** The organization that the caller belongs to. */
  readonly ownOrgId: string;
}

/** What callers may do. Inject it by this class. @public */
export abstract class Callers {
  /** Whether the caller has a permission in the organization of the call: `user.credential.write`. */
  abstract may(caller: Caller, permission: string): boolean;

  /**
   * An active user as a caller, with what that user may do now: for work without a request, such as that of a listener.
   * @param orgId the organization that the work is about; by default the user's own
   * @throws DomainError NotFound `user.not_found`, `org.not_found`
   */
  abstract of(userId: string, orgId?: string): Promise<Caller>;
}

/** The façade over the product's own rules. */
export class SharedCallers extends Callers {
  constructor(
    private readonly memberships: Memberships,
    private readonly users: Users,
    private readonly orgs: OrgService,
  ) {
    super();
  }

  override may(caller: Caller, permission: string): boolean {
    const { rights, orgId } = actorOf(caller);
    return rights.may(permission as AnyPermission, { orgId });
  }

  override async of(userId: string, orgId?: string): Promise<Caller> {
    const user = await this.users.find(userId);
    if (!user) throw userNotFound();
    if (orgId !== undefined && !(await this.orgs.exists(orgId))) throw orgNotFound();
    const rights = await this.memberships.rightsOf(userId);
    return { userId, orgId: orgId ?? user.orgId, ownOrgId: user.orgId, rights } as Caller;
  }
}

/**
 * The actor behind a caller.
 * @throws Error if an extension has made it
 */
export function actorOf(caller: Caller): Actor {
  if ((caller as Partial<Actor>).rights instanceof Rights) return caller as Actor;
  throw new Error('This is no caller of Gatehouse. Give what @Asking() or Callers.of has given.');
}

/**
 * The actor, if it has the permission in the organization of the call.
 * @throws DomainError PermissionDenied `permission.missing`
 */
export function actorWith(caller: Caller, permission: Permission): Actor {
  const actor = actorOf(caller);
  if (!actor.rights.may(permission, { orgId: actor.orgId })) throw permissionMissing(permission);
  return actor;
}
