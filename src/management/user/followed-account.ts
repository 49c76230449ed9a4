import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import type { Idp } from '../../idp/idp.entity.js';
import { IdpService } from '../../idp/idp.service.js';
import { IdpLinks } from '../../idp/idp-links.js';
import { ProviderGroups } from '../../idp/provider-groups.js';
import type { SaidOfAccount } from '../../idp/provider-kind.js';
import { GroupService } from '../../user/group/group.service.js';

interface Member {
  readonly userId: string;
  readonly orgId: string;
}

/**
 * Lets groups and attributes of users follow what their provider says. Only groups of the user's own organization are
 * touched, and of these only those about which the provider decides (IDP-050).
 */
@Injectable()
export class FollowedAccount {
  constructor(
    private readonly database: Database,
    private readonly groups: GroupService,
    private readonly links: IdpLinks,
    private readonly idps: IdpService,
    private readonly decided: ProviderGroups,
  ) {}

  /** @throws DomainError Unavailable `idp.provider_failed` */
  async follow(idp: Idp, account: Member & { readonly externalUserId: string }, said: SaidOfAccount): Promise<void> {
    const { attributes } = said;
    const decided = await this.decided.of(idp);
    if (decided.length === 0 && attributes === undefined) return;
    await this.database.transaction(async (tx) => {
      await this.followWithin(tx, decided, account, said);
      if (attributes) await this.links.describe(tx, { ...account, idpId: idp.id }, attributes);
    });
  }

  /** @param decided the ids of the groups about which the provider decides */
  async followWithin(
    tx: Transaction,
    decided: readonly string[],
    member: Member,
    { groups = [] }: SaidOfAccount,
  ): Promise<void> {
    if (decided.length > 0) await this.groups.decideMemberships(tx, member, decided, groups, SYSTEM);
  }

  /**
   * The ids of the groups about which an active provider decides.
   * @throws DomainError Unavailable `idp.provider_failed`
   */
  async decidedBy(idpId: string): Promise<readonly string[]> {
    const idp = await this.idps.findActive(idpId);
    return idp ? this.decided.of(idp) : [];
  }
}
