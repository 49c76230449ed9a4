import { Injectable } from '@nestjs/common';
import { Database } from '../foundation/database/database.js';
import type { Details } from '../foundation/database/recorded.js';
import { InstanceService } from '../instance/instance.service.js';
import { PolicyService } from '../policy/policy.service.js';
import type { Settings } from '../policy/policy-kind.js';
import { NameScopeService } from '../user/name-scope.service.js';

type DomainSettings = Partial<Settings<'domain'>>;

/**
 * Changes of domain policies. One that makes many names unique in the instance first reserves them there, outside the
 * transaction that changes the policy (docs/adr/0039).
 */
@Injectable()
export class DomainPolicies {
  constructor(
    private readonly database: Database,
    private readonly policies: PolicyService,
    private readonly nameScopes: NameScopeService,
    private readonly instances: InstanceService,
  ) {}

  /** @throws DomainError as `PolicyService.update`; FailedPrecondition `user.names_collide`; Aborted `user.names_busy` */
  async update(ownerId: string, settings: DomainSettings, editorId: string): Promise<Details> {
    const { policy, isDefault } = await this.policies.read('domain', ownerId);
    const isOwn = !isDefault || policy.ownerId === ownerId;
    if (isOwn && policy.userLoginMustBeDomain && settings.userLoginMustBeDomain === false)
      await this.nameScopes.reserveAhead(ownerId);
    return this.database.transaction((tx) => this.policies.update(tx, 'domain', ownerId, settings, editorId));
  }

  /** @throws DomainError as `PolicyService.add`; FailedPrecondition `user.names_collide`; Aborted `user.names_busy` */
  async add(orgId: string, settings: DomainSettings, editorId: string): Promise<Details> {
    const { policy, isDefault } = await this.policies.read('domain', orgId);
    if (isDefault && policy.userLoginMustBeDomain && settings.userLoginMustBeDomain === false)
      await this.nameScopes.reserveAhead(orgId);
    return this.database.transaction((tx) => this.policies.add(tx, 'domain', orgId, settings, editorId));
  }

  /** @throws DomainError as `PolicyService.reset`; FailedPrecondition `user.names_collide`; Aborted `user.names_busy` */
  async reset(orgId: string, editorId: string): Promise<Details> {
    const { policy, isDefault } = await this.policies.read('domain', orgId);
    const { policy: common } = await this.policies.read('domain', (await this.instances.get()).id);
    if (!isDefault && policy.userLoginMustBeDomain && !common.userLoginMustBeDomain)
      await this.nameScopes.reserveAhead(orgId);
    return this.database.transaction((tx) => this.policies.reset(tx, 'domain', orgId, editorId));
  }
}
