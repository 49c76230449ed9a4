import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../foundation/database/database.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import type { Idp } from '../../idp/idp.entity.js';
import type { IdpOwner } from '../../idp/idp-owner.js';
import { ProviderGroups } from '../../idp/provider-groups.js';
import { GroupService } from '../../user/group/group.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';

/** Who is in a group has its roles, those of today and those that it gets. */
const NEEDED = ['group.write', 'user.grant.write', 'user.grant.delete'] as const;

/**
 * Whoever configures a provider that decides about groups fills them through others, so they must be allowed to do it
 * themselves (IDP-049).
 */
@Injectable()
export class DecidedGroups {
  constructor(
    private readonly decided: ProviderGroups,
    private readonly groups: GroupService,
  ) {}

  /**
   * For settings that are being stored. A provider of an organization decides about groups of that alone. A group that
   * does not exist is refused: it might come into being later, without anybody's consent to this.
   * @throws DomainError InvalidArgument; PermissionDenied `permission.missing`
   */
  async checkMaySet(tx: Transaction, actor: Actor, { level, id: ownerId }: IdpOwner, idp: Idp): Promise<void> {
    const ids = await this.decided.of(idp);
    if (ids.length === 0) return;
    const found = await this.groups.ownersOf(tx, ids);
    const known = found.filter(({ orgId }) => level === 'instance' || orgId === ownerId);
    const unknown = ids.filter((id) => !known.some((group) => group.id === id));
    checkRights(actor, level === 'org' ? [ownerId] : known.map(({ orgId }) => orgId));
    if (unknown.length > 0)
      throw invalidFields(
        unknown.map((id) => ({ field: 'settings', description: `names the group ${id}, which does not exist` })),
      );
  }

  /**
   * For any other change of a provider by which somebody may sign in.
   * @throws DomainError PermissionDenied `permission.missing`
   */
  async checkMayKeep(tx: Transaction, actor: Actor, idp: Idp): Promise<void> {
    const ids = await this.decided.of(idp);
    if (ids.length === 0) return;
    const found = await this.groups.ownersOf(tx, ids);
    checkRights(
      actor,
      found.map(({ orgId }) => orgId),
    );
  }
}

function checkRights({ rights }: Actor, orgIds: readonly string[]): void {
  for (const orgId of new Set(orgIds)) {
    const missing = NEEDED.find((permission) => !rights.may(permission, { orgId }));
    if (missing !== undefined) throw permissionMissing(missing);
  }
}
