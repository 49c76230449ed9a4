import type { FactoryProvider } from '@nestjs/common';
import { getRepositoryToken } from '@nestjs/typeorm';
import { In, type ObjectLiteral, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import type { Transaction } from '../../foundation/database/database.js';
import { toFailure } from '../../foundation/database/database-failure.js';
import type { EventMark } from '../../foundation/event/journal.js';
import type { Policy } from './policy.entity.js';
import { ALL_KINDS, KINDS, type Policies, type PolicyKind, type Settings } from './policy-kind.js';

/** TypeORM's types support a row of one table, not of several. */
type Rows = Repository<Policy & ObjectLiteral>;

/** One table for each kind, all with the same structure. */
export class PolicyRepository {
  static readonly provider: FactoryProvider<PolicyRepository> = {
    provide: PolicyRepository,
    inject: ALL_KINDS.map((kind) => getRepositoryToken(KINDS[kind].entity)),
    useFactory: (...rows: readonly Rows[]) =>
      new PolicyRepository(new Map(ALL_KINDS.map((kind, index) => [kind, rows[index]!]))),
  };

  constructor(private readonly tables: ReadonlyMap<PolicyKind, Rows>) {}

  /** The first owner's policy, otherwise the second's. */
  async find<Kind extends PolicyKind>(
    kind: Kind,
    ownerIds: readonly [string, string],
    tx?: Transaction,
  ): Promise<Policies[Kind] | undefined> {
    const table = tx ? this.of(tx, kind) : this.rows(kind);
    const found = await table.findBy({ ownerId: In([...ownerIds]) }).catch((error: unknown) => {
      throw toFailure(error);
    });
    return (found.find(({ ownerId }) => ownerId === ownerIds[0]) ?? found[0]) as Policies[Kind] | undefined;
  }

  /** The owner's policy, locked until the transaction ends. */
  async findLocked<Kind extends PolicyKind>(
    tx: Transaction,
    kind: Kind,
    ownerId: string,
  ): Promise<Policies[Kind] | undefined> {
    const found = await this.of(tx, kind).findOne({ where: { ownerId }, lock: { mode: 'pessimistic_write' } });
    return (found ?? undefined) as Policies[Kind] | undefined;
  }

  async insert<Kind extends PolicyKind>(
    tx: Transaction,
    kind: Kind,
    ownerId: string,
    settings: Partial<Settings<Kind>>,
    mark: EventMark,
  ): Promise<void> {
    await this.of(tx, kind).insert(
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
    await this.of(tx, kind).update({ ownerId }, row({ ...settings, sequence: mark.sequence, changeDate: mark.at }));
  }

  async remove(tx: Transaction, kind: PolicyKind, ownerId: string): Promise<void> {
    await this.of(tx, kind).delete({ ownerId });
  }

  private of(tx: Transaction, kind: PolicyKind): Rows {
    return tx.of(this.rows(kind));
  }

  private rows(kind: PolicyKind): Rows {
    return this.tables.get(kind)!;
  }
}

function row(values: object): QueryDeepPartialEntity<Policy & ObjectLiteral> {
  return values;
}
