import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import type { Details } from '../../foundation/database/recorded.js';
import type { IdpOwner } from '../../idp/idp-owner.js';
import { type ListedIdp, LoginPolicyIdps } from '../../idp/login-policy-idps.js';
import { type ListedProvider, ManagedPolicies } from '../../management/org/managed-policies.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { LabelService } from '../../org/policy/label.service.js';
import { LoginFactorService } from '../../org/policy/login-factor.service.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import type { Actor } from '../../user/permission/actor.js';
import type { AddIdpToOrgLoginPolicyRequest } from '../idp/login-policy-idp.dto.js';
import type { Level } from '../kit/level.js';
import { type DetailsResponse, toOwnDetails } from '../kit/wire/details.dto.js';

const MAX_LISTED = 1_000;

/** The operations that controllers of policies share: they differ in whose policy it is. */
@Injectable()
export class PolicyOperations {
  constructor(
    readonly policies: PolicyService,
    readonly managed: ManagedPolicies,
    readonly labels: LabelService,
    readonly factors: LoginFactorService,
    private readonly idps: LoginPolicyIdps,
    private readonly instances: InstanceService,
    private readonly issuer: IssuerConfig,
  ) {}

  get publicUrl(): string {
    return this.issuer.publicUrl;
  }

  async instanceId(): Promise<string> {
    return (await this.instances.get()).id;
  }

  /** The providers that an owner's login policy lists. */
  async idpsOf(ownerId: string): Promise<readonly ListedIdp[]> {
    return (await this.idps.list(ownerId, await this.instanceId(), { offset: 0n, limit: MAX_LISTED, ascending: true }))
      .rows;
  }

  /** The providers that an organization's new login policy is to list. */
  async providersOf(orgId: string, idps: readonly AddIdpToOrgLoginPolicyRequest[]): Promise<ListedProvider[]> {
    const org: IdpOwner = { level: 'org', id: orgId };
    const instance: IdpOwner = { level: 'instance', id: await this.instanceId() };
    return idps.map(({ idpId, ownerType }) => ({ idpId, owner: ownerType === 'org' ? org : instance }));
  }

  async ownerId(level: Level, actor: Actor): Promise<string> {
    return level.ownerId(actor, this.instances);
  }

  /** Makes one change of what the instance or an organization owns. */
  async change(
    level: Level,
    actor: Actor,
    work: (ownerId: string, editorId: string) => Promise<Details>,
  ): Promise<DetailsResponse> {
    const ownerId = await this.ownerId(level, actor);
    return { details: toOwnDetails(await work(ownerId, actor.userId)) };
  }
}
