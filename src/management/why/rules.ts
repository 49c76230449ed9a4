import { Injectable } from '@nestjs/common';
import { SYSTEM } from '../../foundation/event/journal.js';
import { LastChanges, type SoughtChange } from '../../foundation/event/last-changes.js';
import { OrgDirectory, type OrgEntry } from '../../org/org-directory.js';
import { type FoundPolicy, PolicyService } from '../../org/policy/policy.service.js';
import { KINDS, type Policies, type PolicyKind } from '../../org/policy/policy-kind.js';
import type { Rule } from './link.js';
import type { Sight } from './sight.js';
import { type Change, HIDDEN, type Voice, voiceOf } from './wording.js';

/** A setting of something else than a policy. */
export interface OwnSetting {
  /** `Project Shop` */
  readonly subject: string;
  readonly name: string;
  readonly setting: string;
  readonly ownerType: Rule['ownerType'];
  readonly ownerId: string;
  readonly ownerName: string;
  readonly aggregateType: string;
}

/**
 * Whose rules are, since when, and who made them so, for a caller who may read them. They belong to one explanation and
 * are read once: all its sentences are about the same policy, and the next explanation is about what has changed since.
 */
export class Rules {
  private readonly orgs = new Map<string, Promise<OrgEntry>>();
  private readonly policies = new Map<string, Promise<FoundPolicy<PolicyKind>>>();
  private readonly changes = new Map<string, Promise<Change | undefined>>();

  constructor(
    private readonly sight: Sight,
    private readonly sources: RuleSources,
  ) {}

  /** @throws DomainError NotFound `org.not_found` */
  org(orgId: string): Promise<OrgEntry> {
    return once(this.orgs, orgId, () => this.sources.orgs.get(orgId));
  }

  /** The policy that applies to the users of an organization, from the database. */
  policy<Kind extends PolicyKind>(kind: Kind, orgId: string): Promise<FoundPolicy<Kind>> {
    const read = (): Promise<FoundPolicy<PolicyKind>> => this.sources.policies.read(kind, orgId);
    return once(this.policies, `${kind}:${orgId}`, read) as Promise<FoundPolicy<Kind>>;
  }

  /** A setting of the policy that applies to the users of an organization. */
  async voice<Kind extends PolicyKind>(
    kind: Kind,
    orgId: string,
    setting: Exclude<keyof Policies[Kind], symbol | number>,
  ): Promise<Voice> {
    if (!this.sight.seesPolicies(orgId)) return HIDDEN;
    const { policy, isDefault } = await this.policy(kind, orgId);
    const { ownerId } = policy;
    const owner = isDefault ? { name: '', spoken: 'the instance' } : await this.nameOfOrg(ownerId);
    const aggregateType = `policy.${KINDS[kind].word}`;
    const change = await this.change({ aggregateType, aggregateId: ownerId, setting });
    const name = `${KINDS[kind].name} policy`;
    const rule: Rule = {
      name,
      setting,
      ownerType: isDefault ? 'instance' : 'organization',
      ownerId,
      ownerName: owner.name,
      ...madeBy(change),
    };
    return voiceOf(`The ${name} of ${owner.spoken}`, rule, change);
  }

  /** A setting of a project or an application, which the caller may read. */
  async own(given: OwnSetting): Promise<Voice> {
    const { subject, aggregateType, ...rule } = given;
    const change = await this.change({ aggregateType, aggregateId: rule.ownerId, setting: rule.setting });
    return voiceOf(subject, { ...rule, ...madeBy(change) }, change);
  }

  /** Who made something what it is. */
  change(sought: SoughtChange): Promise<Change | undefined> {
    const { aggregateType, aggregateId, types, setting, idpId } = sought;
    const key = JSON.stringify([aggregateType, aggregateId, types, setting, idpId]);
    return once(this.changes, key, () => this.readChange(sought));
  }

  /** `organization Acme`; without a name for those who may not read it. */
  async nameOfOrg(orgId: string): Promise<{ readonly name: string; readonly spoken: string }> {
    if (!this.sight.may('org.read', { orgId })) return { name: '', spoken: 'the organization' };
    const { name } = await this.org(orgId);
    return { name, spoken: `organization ${name}` };
  }

  private async readChange(sought: SoughtChange): Promise<Change | undefined> {
    const found = await this.sources.changes.find(sought);
    if (!found) return undefined;
    const { at, type, payload, editorId, editorName, editorOrgId } = found;
    const isByService = editorId === SYSTEM;
    const isShown = this.sight.seesChangesBy(editorOrgId, sought.aggregateId);
    return {
      at,
      type,
      payload,
      byId: isShown ? editorId : '',
      byName: isShown ? (editorName ?? '') : '',
      isByService,
    };
  }
}

/** Where rules are read. */
@Injectable()
export class RuleSources {
  constructor(
    readonly policies: PolicyService,
    readonly changes: LastChanges,
    readonly orgs: OrgDirectory,
  ) {}

  /** The rules of one explanation. */
  for(sight: Sight): Rules {
    return new Rules(sight, this);
  }
}

function once<Value>(known: Map<string, Promise<Value>>, key: string, read: () => Promise<Value>): Promise<Value> {
  const found = known.get(key) ?? read();
  known.set(key, found);
  return found;
}

export function madeBy(
  change: Change | undefined,
): Pick<Rule, 'since' | 'changedById' | 'changedByName' | 'isDefault'> {
  return {
    since: change?.at,
    changedById: change?.byId ?? '',
    changedByName: change?.byName ?? '',
    isDefault: change === undefined,
  };
}
