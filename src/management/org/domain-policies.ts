import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import type { Details } from '../../foundation/database/recorded.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import type { Settings } from '../../org/policy/policy-kind.js';
import { NameScopeService } from '../../user/name-scope.service.js';

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

  /**
   * @throws DomainError as `PolicyService.update`; FailedPrecondition `user.names_collide`; Aborted `user.names_busy`
   */
  async update(ownerId: string, settings: DomainSettings, editorId: string): Promise<Details> {
    await this.reserveNames(ownerId, 'own', settings.userLoginMustBeDomain);
    return this.database.transaction((tx) => this.policies.update(tx, 'domain', ownerId, settings, editorId));
  }

  /** @throws DomainError as `PolicyService.add`; FailedPrecondition `user.names_collide`; Aborted `user.names_busy` */
  async add(orgId: string, settings: DomainSettings, editorId: string): Promise<Details> {
    await this.reserveNames(orgId, 'default', settings.userLoginMustBeDomain);
    return this.database.transaction((tx) => this.policies.add(tx, 'domain', orgId, settings, editorId));
  }

  /**
   * @throws DomainError as `PolicyService.reset`; FailedPrecondition `user.names_collide`; Aborted `user.names_busy`
   */
  async reset(orgId: string, editorId: string): Promise<Details> {
    const { policy } = await this.policies.read('domain', (await this.instances.get()).id);
    await this.reserveNames(orgId, 'own', policy.userLoginMustBeDomain);
    return this.database.transaction((tx) => this.policies.reset(tx, 'domain', orgId, editorId));
  }

  /**
   * Reserves names ahead if the scope of names widens: the policy to be replaced demands the domain, the next one does
   * not. Does nothing if the effective policy is not the one that the change expects, which is then refused.
   */
  private async reserveNames(ownerId: string, replaces: 'own' | 'default', nextDemandsDomain?: boolean): Promise<void> {
    if (nextDemandsDomain !== false) return;
    const { policy } = await this.policies.read('domain', ownerId);
    const effective = policy.ownerId === ownerId ? 'own' : 'default';
    if (effective === replaces && policy.userLoginMustBeDomain) await this.nameScopes.reserveAhead(ownerId);
  }
}
