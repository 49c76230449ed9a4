import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import type { Details } from '../../foundation/database/recorded.js';
import type { IdpOwner } from '../../idp/idp-owner.js';
import { LoginPolicyIdps } from '../../idp/login-policy-idps.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import type { PolicyKind, Settings } from '../../org/policy/policy-kind.js';

/** A provider in a login policy. */
export interface ListedProvider {
  readonly idpId: string;
  /** The owner of the provider. */
  readonly owner: IdpOwner;
}

/** Policies as their managers change them, but for domain policies (`DomainPolicies`). */
@Injectable()
export class ManagedPolicies {
  constructor(
    private readonly database: Database,
    private readonly policies: PolicyService,
    private readonly listed: LoginPolicyIdps,
  ) {}

  /** @throws DomainError as `PolicyService.add` */
  async add<Kind extends PolicyKind>(
    kind: Kind,
    ownerId: string,
    settings: Partial<Settings<Kind>>,
    editorId: string,
  ): Promise<Details> {
    return this.database.transaction((tx) => this.policies.add(tx, kind, ownerId, settings, editorId));
  }

  /**
   * Adds a login policy with the providers that it lists: all of it or nothing.
   * @throws DomainError as `PolicyService.add` and `LoginPolicyIdps.add`
   */
  async addLogin(
    orgId: string,
    settings: Partial<Settings<'login'>>,
    providers: readonly ListedProvider[],
    editorId: string,
  ): Promise<Details> {
    return this.database.transaction(async (tx) => {
      const details = await this.policies.add(tx, 'login', orgId, settings, editorId);
      for (const { idpId, owner } of providers)
        await this.listed.add(tx, { level: 'org', id: orgId }, owner, idpId, editorId);
      return details;
    });
  }

  /** @throws DomainError as `PolicyService.update` */
  async update<Kind extends PolicyKind>(
    kind: Kind,
    ownerId: string,
    settings: Partial<Settings<Kind>>,
    editorId: string,
  ): Promise<Details> {
    return this.database.transaction((tx) => this.policies.update(tx, kind, ownerId, settings, editorId));
  }

  /** @throws DomainError as `PolicyService.reset` */
  async reset(kind: PolicyKind, orgId: string, editorId: string): Promise<Details> {
    return this.database.transaction((tx) => this.policies.reset(tx, kind, orgId, editorId));
  }
}
