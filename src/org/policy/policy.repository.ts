import { Injectable } from '@nestjs/common';
import { type EntityManager, type EntityTarget, In, type ObjectLiteral, type QueryDeepPartialEntity } from 'typeorm';
import type { Transaction } from '../../foundation/database/database.js';
import { toFailure } from '../../foundation/database/database-failure.js';
import type { EventMark } from '../../foundation/event/journal.js';
import type { Policy } from './policy.entity.js';
import { KINDS, type Policies, type PolicyKind, type Settings } from './policy-kind.js';

/** One table for each kind, all with the same structure. */
@Injectable()
export class PolicyRepository {
  /** The first owner's policy, otherwise the second's. */
  async find<Kind extends PolicyKind>(
    on: EntityManager,
    kind: Kind,
    ownerIds: readonly [string, string],
  ): Promise<Policies[Kind] | undefined> {
    const rows = await on.findBy(target(kind), { ownerId: In([...ownerIds]) }).catch((error: unknown) => {
      throw toFailure(error);
    });
    return (rows.find(({ ownerId }) => ownerId === ownerIds[0]) ?? rows[0]) as Policies[Kind] | undefined;
  }

  /** The owner's policy, locked until the transaction ends. */
  async findLocked<Kind extends PolicyKind>(
    tx: Transaction,
    kind: Kind,
    ownerId: string,
  ): Promise<Policies[Kind] | undefined> {
    const row = await tx.entities.findOne(target(kind), { where: { ownerId }, lock: { mode: 'pessimistic_write' } });
    return (row ?? undefined) as Policies[Kind] | undefined;
  }

  async insert<Kind extends PolicyKind>(
    tx: Transaction,
    kind: Kind,
    ownerId: string,
    settings: Partial<Settings<Kind>>,
    mark: EventMark,
  ): Promise<void> {
    await tx.entities.insert(
      target(kind),
      row({ ...settings, ownerId, sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at }),
    );
  }

  async update<Kind extends PolicyKind>(
    tx: Transaction,
    kind: Kind,
    ownerId: string,
    settings: Partial<Settings<Kind>>,
    mark: EventMark,
  ): Promise<void> {
    await tx.entities.update(
      target(kind),
      { ownerId },
      row({ ...settings, sequence: mark.sequence, changeDate: mark.at }),
    );
  }

  async remove(tx: Transaction, kind: PolicyKind, ownerId: string): Promise<void> {
    await tx.entities.delete(target(kind), { ownerId });
  }
}

function target(kind: PolicyKind): EntityTarget<Policy & ObjectLiteral> {
  return KINDS[kind].entity;
}

/** TypeORM's types support a row of one table, not of several. */
function row(values: object): QueryDeepPartialEntity<Policy & ObjectLiteral> {
  return values;
}
