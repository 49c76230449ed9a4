import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { anyOf, type Condition, equals, not } from '../foundation/database/condition.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { isUniqueViolation, sqlState } from '../foundation/database/database-failure.js';
import { Listing, type Page } from '../foundation/database/listing.js';
import { type EventMark, Journal } from '../foundation/event/journal.js';
import { Idp, type IdpType } from './idp.entity.js';
import { idpListed, idpNotFound, idpNotListed, idpPolicyMissing } from './idp.errors.js';
import type { IdpOwner } from './idp-owner.js';
import { LoginPolicyIdp } from './login-policy-idp.entity.js';

export interface ListedIdp {
  readonly idpId: string;
  readonly idpName: string;
  readonly idpType: IdpType;
}

const FOREIGN_KEY_VIOLATION = '23503';

const LISTING = new Listing<ListedIdp, 'name'>({
  select: 'l.idp_id AS "idpId", i.name AS "idpName", i.type AS "idpType"',
  from: 'login_policy_idp l JOIN idp i ON i.id = l.idp_id',
  key: 'l.idp_id',
  sort: { name: 'i.name' },
});

/** The providers that a login policy lists explicitly. A policy that lists none offers every active one. */
@Injectable()
export class LoginPolicyIdps {
  constructor(
    @InjectRepository(LoginPolicyIdp) private readonly rows: Repository<LoginPolicyIdp>,
    @InjectRepository(Idp) private readonly idps: Repository<Idp>,
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
  ) {}

  /**
   * Adds a provider to the policy of `owner`; `ownerOfIdp` is the owner of the provider.
   * @throws DomainError NotFound `idp.not_found`; AlreadyExists `idp.listed`; FailedPrecondition `idp.policy_missing`
   */
  async add(
    tx: Transaction,
    owner: IdpOwner,
    ownerOfIdp: IdpOwner,
    idpId: string,
    editorId: string,
  ): Promise<EventMark> {
    // Locks the key only: a removal waits, a change of the provider does not.
    const idp = await tx.of(this.idps).findOne({
      where: { id: idpId, ownerId: ownerOfIdp.id },
      lock: { mode: 'for_key_share' },
    });
    if (!idp) throw idpNotFound();
    const mark = await this.append(tx, owner.id, 'added', editorId, idpId);
    try {
      await tx.of(this.rows).insert({ ownerId: owner.id, idpId });
    } catch (error) {
      if (isUniqueViolation(error, 'login_policy_idp_pkey')) throw idpListed();
      throw sqlState(error).code === FOREIGN_KEY_VIOLATION ? idpPolicyMissing() : error;
    }
    return mark;
  }

  /** @throws DomainError NotFound `idp.not_listed` */
  async remove(tx: Transaction, owner: IdpOwner, idpId: string, editorId: string): Promise<EventMark> {
    const { affected } = await tx.of(this.rows).delete({ ownerId: owner.id, idpId });
    if (affected !== 1) throw idpNotListed();
    return this.append(tx, owner.id, 'removed', editorId, idpId);
  }

  /** Removes it from every policy, with an event for each. */
  async removeAllOfIdp(tx: Transaction, idpId: string, editorId: string): Promise<void> {
    for (const { ownerId } of await tx.of(this.rows).findBy({ idpId })) {
      await this.append(tx, ownerId, 'cascade.removed', editorId, idpId);
    }
    await tx.of(this.rows).delete({ idpId });
  }

  /** The list that applies to an owner: of its own policy, otherwise of the instance's. */
  async list(
    ownerId: string,
    instanceId: string,
    range: { offset: bigint; limit: number; ascending: boolean },
  ): Promise<Page<ListedIdp>> {
    const hasOwnPolicy: Condition = (bind) =>
      `EXISTS (SELECT 1 FROM login_policy p WHERE p.owner_id = ${bind(ownerId)})`;
    const own: Condition = (bind) => `${equals('l.owner_id', ownerId)(bind)}`;
    const inherited: Condition = (bind) => `${equals('l.owner_id', instanceId)(bind)} AND ${not(hasOwnPolicy)(bind)}`;
    return LISTING.page(this.database, { ...range, sortBy: 'name', where: [anyOf([own, inherited])] });
  }

  private async append(
    tx: Transaction,
    ownerId: string,
    what: string,
    editorId: string,
    idpId: string,
  ): Promise<EventMark> {
    await this.changes.announce(tx, 'idp', EVERYTHING);
    return this.journal.append(tx, {
      aggregateType: 'policy.login',
      aggregateId: ownerId,
      type: `policy.login.idpprovider.${what}`,
      orgId: ownerId,
      editorId,
      payload: { idpConfigId: idpId },
    });
  }
}
