import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CachedReads } from '../../foundation/database/cached-reads.js';
import { ChangeChannel, EVERYTHING } from '../../foundation/database/change-channel.js';
import { changedValues, definedValues } from '../../foundation/database/changed-values.js';
import type { Transaction } from '../../foundation/database/database.js';
import { isUniqueViolation } from '../../foundation/database/database-failure.js';
import type { Details } from '../../foundation/database/recorded.js';
import { statement } from '../../foundation/database/statement.js';
import { type EventMark, Journal } from '../../foundation/event/journal.js';
import { instanceMissing } from '../instance/instance.errors.js';
import { InstanceService } from '../instance/instance.service.js';
import { orgNotFound } from '../org.errors.js';
import { OrgService } from '../org.service.js';
import { LabelImage } from './label-image.entity.js';
import type { Policy } from './policy.entity.js';
import { policyExists, policyInvalid, policyNotFound } from './policy.errors.js';
import { PolicyRepository } from './policy.repository.js';
import { ALL_KINDS, KINDS, type Policies, type PolicyKind, type Settings } from './policy-kind.js';

/** Blocks the removal of the organization, so that no policy is left without it. */
const HOLD_ORG = statement('policy.hold_org', 'SELECT 1 FROM org WHERE id = :ownerId FOR KEY SHARE');

export interface FoundPolicy<Kind extends PolicyKind> {
  readonly policy: Policies[Kind];
  /** Whether the policy is the instance's. */
  readonly isDefault: boolean;
}

/**
 * Called within the transaction with the owner and the changed settings of a policy; without settings, any may have
 * changed.
 */
export type PolicyFollower = (tx: Transaction, ownerId: string, changed?: object) => Promise<void>;

/**
 * The policies that apply to an organization: its own of a kind, otherwise the instance's. The owner is the id of
 * either; nothing else differs between the two levels.
 */
@Injectable()
export class PolicyService {
  private readonly cache: CachedReads<Policy>;
  private readonly followers = new Map<PolicyKind, PolicyFollower[]>();

  constructor(
    @InjectRepository(LabelImage) private readonly images: Repository<LabelImage>,
    private readonly policies: PolicyRepository,
    private readonly journal: Journal,
    private readonly instances: InstanceService,
    private readonly orgs: OrgService,
    private readonly changes: ChangeChannel,
  ) {
    this.cache = new CachedReads(changes, 'policy', (key) => this.load(key));
  }

  /** Rows of other modules that are derived from a policy must be updated with it. */
  follow(kind: PolicyKind, follower: PolicyFollower): void {
    this.followers.set(kind, [...(this.followers.get(kind) ?? []), follower]);
  }

  /** The policy that applies to an organization, cached, for checks at each sign-in. Do not modify. */
  async effective<Kind extends PolicyKind>(kind: Kind, orgId: string): Promise<Readonly<Policies[Kind]>> {
    const policy = await this.cache.find(`${kind}:${orgId}`);
    if (!policy) throw instanceMissing();
    return policy as Policies[Kind];
  }

  /** The policy that applies to an owner, from the database. `tx`: as the transaction sees it. */
  async read<Kind extends PolicyKind>(kind: Kind, ownerId: string, tx?: Transaction): Promise<FoundPolicy<Kind>> {
    const { id: instanceId } = await this.instances.get();
    const policy = await this.policies.find(kind, [ownerId, instanceId], tx);
    if (!policy) throw instanceMissing();
    return { policy, isDefault: policy.ownerId === instanceId };
  }

  /**
   * The policy that applies to an organization in a request.
   * @throws DomainError NotFound `org.not_found`
   */
  async readOf<Kind extends PolicyKind>(kind: Kind, orgId: string): Promise<FoundPolicy<Kind>> {
    if (!(await this.orgs.exists(orgId))) throw orgNotFound();
    return this.read(kind, orgId);
  }

  /** The policies of a new instance. */
  async addDefaults(tx: Transaction, instanceId: string, editorId: string): Promise<void> {
    for (const kind of ALL_KINDS) await this.insert(tx, kind, instanceId, firstSettings(kind), editorId);
  }

  /**
   * Adds an organization's own policy. Settings that are omitted are copied from the instance.
   * @throws DomainError NotFound `org.not_found`; AlreadyExists `policy.exists`; InvalidArgument with every violation
   */
  async add<Kind extends PolicyKind>(
    tx: Transaction,
    kind: Kind,
    ownerId: string,
    settings: Partial<Settings<Kind>>,
    editorId: string,
  ): Promise<Details> {
    const known = definedValues(settings);
    check(kind, known);
    const { policy, isDefault } = await this.read(kind, ownerId, tx);
    if (!isDefault || policy.ownerId === ownerId) throw policyExists(kind);
    if ((await tx.query(HOLD_ORG, { ownerId })).length === 0) throw orgNotFound();
    return this.insert(tx, kind, ownerId, { ...settingsOf(policy), ...known }, editorId);
  }

  /**
   * Changes the given settings; without any difference there is no event.
   * @throws DomainError NotFound `policy.not_found`; InvalidArgument with every violation
   */
  async update<Kind extends PolicyKind>(
    tx: Transaction,
    kind: Kind,
    ownerId: string,
    settings: Partial<Settings<Kind>>,
    editorId: string,
  ): Promise<Details> {
    const known = definedValues(settings);
    check(kind, known);
    const policy = await this.getLocked(tx, kind, ownerId);
    const changed = changedValues(policy, known);
    if (Object.keys(changed).length === 0) return detailsOf(policy);
    const mark = await this.append(tx, kind, ownerId, 'changed', changed, editorId);
    await this.policies.update(tx, kind, ownerId, changed, mark);
    await this.notify(tx, kind, ownerId, changed);
    return { ...detailsOf(policy), sequence: mark.sequence, changeDate: mark.at };
  }

  /** Adds or changes the policy, as needed. */
  async set<Kind extends PolicyKind>(
    tx: Transaction,
    kind: Kind,
    ownerId: string,
    settings: Partial<Settings<Kind>>,
    editorId: string,
  ): Promise<Details> {
    const own = await this.policies.findLocked(tx, kind, ownerId);
    return own ? this.update(tx, kind, ownerId, settings, editorId) : this.add(tx, kind, ownerId, settings, editorId);
  }

  /**
   * Removes it; the instance's policy applies again.
   * @throws DomainError NotFound `policy.not_found`
   */
  async reset(tx: Transaction, kind: PolicyKind, orgId: string, editorId: string): Promise<Details> {
    const policy = await this.getLocked(tx, kind, orgId);
    const mark = await this.append(tx, kind, orgId, 'removed', {}, editorId);
    await this.policies.remove(tx, kind, orgId);
    await this.notify(tx, kind, orgId);
    return { ...detailsOf(policy), sequence: mark.sequence, changeDate: mark.at };
  }

  /**
   * Removes the policies of an organization with it: an event for each policy. Nothing derived is updated, because it
   * is removed as well.
   */
  async removeAllOf(tx: Transaction, orgId: string, editorId: string): Promise<void> {
    for (const kind of ALL_KINDS) {
      if (!(await this.policies.findLocked(tx, kind, orgId))) continue;
      // The published label is removed with its preview, under one event.
      if (kind !== 'label') await this.append(tx, kind, orgId, 'removed', {}, editorId);
      await this.policies.remove(tx, kind, orgId);
    }
    await tx.of(this.images).delete({ ownerId: orgId });
    await this.changes.announce(tx, 'policy', EVERYTHING);
  }

  /**
   * The policy, locked for changes of several fields that depend on the current values.
   * @throws DomainError NotFound `policy.not_found`
   */
  async getLocked<Kind extends PolicyKind>(tx: Transaction, kind: Kind, ownerId: string): Promise<Policies[Kind]> {
    const policy = await this.policies.findLocked(tx, kind, ownerId);
    if (!policy) throw policyNotFound(kind);
    return policy;
  }

  /**
   * Stores settings, or adds the policy, under an event that the caller names; without any difference there is no
   * event. For policies derived from another (`LabelService`).
   */
  async copy<Kind extends PolicyKind>(
    tx: Transaction,
    kind: Kind,
    ownerId: string,
    settings: Partial<Settings<Kind>>,
    append: () => Promise<EventMark>,
  ): Promise<Details> {
    const policy = await this.policies.findLocked(tx, kind, ownerId);
    if (policy && Object.keys(changedValues(policy, settings)).length === 0) return detailsOf(policy);
    const mark = await append();
    if (policy) await this.policies.update(tx, kind, ownerId, settings, mark);
    else await this.policies.insert(tx, kind, ownerId, settings, mark);
    await this.notify(tx, kind, ownerId);
    return {
      sequence: mark.sequence,
      creationDate: policy?.creationDate ?? mark.at,
      changeDate: mark.at,
      resourceOwner: ownerId,
    };
  }

  /** Removes a policy without an event: as the part of a policy that is removed with another. */
  async drop(tx: Transaction, kind: PolicyKind, ownerId: string): Promise<void> {
    await this.policies.remove(tx, kind, ownerId);
    await this.notify(tx, kind, ownerId);
  }

  private async insert<Kind extends PolicyKind>(
    tx: Transaction,
    kind: Kind,
    ownerId: string,
    settings: Partial<Settings<Kind>>,
    editorId: string,
  ): Promise<Details> {
    const mark = await this.append(tx, kind, ownerId, 'added', settings, editorId);
    try {
      await this.policies.insert(tx, kind, ownerId, settings, mark);
    } catch (error) {
      throw isUniqueViolation(error) ? policyExists(kind) : error;
    }
    await this.notify(tx, kind, ownerId);
    return { sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at, resourceOwner: ownerId };
  }

  private async append(
    tx: Transaction,
    kind: PolicyKind,
    ownerId: string,
    what: 'added' | 'changed' | 'removed',
    payload: object,
    editorId: string,
  ): Promise<EventMark> {
    const aggregateType = `policy.${KINDS[kind].word}`;
    return this.journal.append(tx, {
      aggregateType,
      aggregateId: ownerId,
      type: `${aggregateType}.${what}`,
      orgId: ownerId,
      editorId,
      payload: { ...payload },
    });
  }

  private async notify(tx: Transaction, kind: PolicyKind, ownerId: string, changed?: object): Promise<void> {
    // Organizations without their own policy use the instance's, so all of them are dropped from the cache.
    await this.changes.announce(tx, 'policy', EVERYTHING);
    for (const follower of this.followers.get(kind) ?? []) await follower(tx, ownerId, changed);
  }

  private async load(key: string): Promise<Policy | undefined> {
    const colon = key.indexOf(':');
    const { id: instanceId } = await this.instances.get();
    return this.policies.find(key.slice(0, colon) as PolicyKind, [key.slice(colon + 1), instanceId]);
  }
}

/** @throws DomainError InvalidArgument with every violation */
function check<Kind extends PolicyKind>(kind: Kind, settings: Partial<Settings<Kind>>): void {
  const violations = KINDS[kind].violations?.(settings) ?? [];
  if (violations.length > 0) throw policyInvalid(violations);
}

function firstSettings<Kind extends PolicyKind>(kind: Kind): Partial<Settings<Kind>> {
  return KINDS[kind].atFirst ?? {};
}

export function settingsOf<Kind extends PolicyKind>(policy: Policies[Kind]): Settings<Kind> {
  const { ownerId: _owner, sequence: _sequence, creationDate: _created, changeDate: _changed, ...settings } = policy;
  return settings;
}

export function detailsOf({ ownerId, sequence, creationDate, changeDate }: Policy): Details {
  return { resourceOwner: ownerId, sequence, creationDate, changeDate };
}
