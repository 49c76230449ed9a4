import type { Actor } from '../../user/permission/actor.js';
import type { Reach } from '../../user/permission/rights.js';
import type { Permission } from '../../user/permission/role.js';
import type { Mend } from './link.js';

/** The operation and its parameters; the rest follows from the caller's rights. */
export interface Remedy {
  readonly operationId: string;
  readonly permission: Permission;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Where the permission is needed; absent for the instance. */
  readonly reach?: Reach;
}

/**
 * What a manager may read, and so what an explanation may name (ADM-064): it answers through somebody else what the
 * caller could not ask for.
 */
export class Sight {
  constructor(
    private readonly actor: Actor,
    readonly instanceId: string,
  ) {}

  may(permission: Permission, reach: Reach): boolean {
    return this.actor.rights.may(permission, reach);
  }

  /** Policies of the instance apply to organizations, whose managers read them as their own. */
  seesPolicies(orgId: string): boolean {
    return this.may('policy.read', { orgId });
  }

  /** Who changed it: for what the instance owns, only those who read its own policies. */
  seesChangesBy(editorOrgId: string | null, ownerId: string): boolean {
    if (editorOrgId === null || !this.may('user.read', { orgId: editorOrgId })) return false;
    return ownerId !== this.instanceId || this.actor.rights.mayEverywhere('iam.policy.read');
  }

  seesProvider(ownerId: string): boolean {
    return ownerId === this.instanceId
      ? this.actor.rights.mayEverywhere('iam.idp.read')
      : this.may('org.idp.read', { orgId: ownerId });
  }

  mend({ operationId, permission, parameters = {}, reach }: Remedy): Mend {
    const isAllowed = reach ? this.may(permission, reach) : this.actor.rights.mayEverywhere(permission);
    return { operationId, permission, parameters, orgId: reach?.orgId ?? '', isAllowed };
  }
}
