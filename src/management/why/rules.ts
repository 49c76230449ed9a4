import { Injectable } from '@nestjs/common';
import { SYSTEM } from '../../foundation/event/journal.js';
import { LastChanges, type SoughtChange } from '../../foundation/event/last-changes.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { OrgDirectory } from '../../org/org-directory.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { KINDS, type Policies, type PolicyKind } from '../../org/policy/policy-kind.js';
import type { Rule } from './link.js';
import type { Sight } from './sight.js';
import { type Change, HIDDEN, type Voice, voiceOf } from './wording.js';

/** A setting of a policy as it applies to an organization. */
export interface PolicyRule<Kind extends PolicyKind> {
  readonly policy: Policies[Kind];
  readonly isOfInstance: boolean;
  readonly voice: Voice;
}

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

/** Finds whose rules are, since when, and who made them so, for a caller who may read them. */
@Injectable()
export class Rules {
  constructor(
    private readonly policies: PolicyService,
    private readonly changes: LastChanges,
    private readonly instances: InstanceService,
    private readonly orgs: OrgDirectory,
  ) {}

  /** The policy that applies to the users of an organization, from the database. */
  async policy<Kind extends PolicyKind>(
    sight: Sight,
    kind: Kind,
    orgId: string,
    setting: Exclude<keyof Policies[Kind], symbol | number>,
  ): Promise<PolicyRule<Kind>> {
    const { policy, isDefault: isOfInstance } = await this.policies.read(kind, orgId);
    const voice = sight.seesPolicies(orgId) ? await this.voiceOfPolicy(sight, kind, policy.ownerId, setting) : HIDDEN;
    return { policy, isOfInstance, voice };
  }

  /** A setting of a project or an application, which the caller may read. */
  async own(sight: Sight, given: OwnSetting): Promise<Voice> {
    const { subject, aggregateType, ...rule } = given;
    const change = await this.change(sight, { aggregateType, aggregateId: rule.ownerId, setting: rule.setting });
    return voiceOf(subject, { ...rule, ...madeBy(change) }, change);
  }

  /** Who made something what it is. */
  async change(sight: Sight, sought: SoughtChange): Promise<Change | undefined> {
    const found = await this.changes.find(sought);
    if (!found) return undefined;
    const { at, type, payload, editorId, editorName, editorOrgId } = found;
    const isByService = editorId === SYSTEM;
    const isShown = sight.seesChangesBy(editorOrgId, sought.aggregateId);
    return {
      at,
      type,
      payload,
      byId: isShown ? editorId : '',
      byName: isShown ? (editorName ?? '') : '',
      isByService,
    };
  }

  /** `organization Acme`; without a name for those who may not read it. */
  async nameOfOrg(sight: Sight, orgId: string): Promise<{ readonly name: string; readonly spoken: string }> {
    if (!sight.may('org.read', { orgId })) return { name: '', spoken: 'the organization' };
    const { name } = await this.orgs.get(orgId);
    return { name, spoken: `organization ${name}` };
  }

  private async voiceOfPolicy(sight: Sight, kind: PolicyKind, ownerId: string, setting: string): Promise<Voice> {
    const { id: instanceId } = await this.instances.get();
    const isOfInstance = ownerId === instanceId;
    const owner = isOfInstance ? { name: '', spoken: 'the instance' } : await this.nameOfOrg(sight, ownerId);
    const aggregateType = `policy.${KINDS[kind].word}`;
    const change = await this.change(sight, { aggregateType, aggregateId: ownerId, setting });
    const name = `${KINDS[kind].name} policy`;
    const rule: Rule = {
      name,
      setting,
      ownerType: isOfInstance ? 'instance' : 'organization',
      ownerId,
      ownerName: owner.name,
      ...madeBy(change),
    };
    return voiceOf(`The ${name} of ${owner.spoken}`, rule, change);
  }
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
