import { Injectable } from '@nestjs/common';
import { OrgService } from '../../org/org.service.js';
import { Urn } from '../../token/claims/urn.js';
import { refusal } from '../oidc.errors.js';

/** The organization whose users alone may sign in, if a scope names one. */
@Injectable()
export class RequiredOrgs {
  constructor(
    private readonly orgs: OrgService,
    private readonly urn: Urn,
  ) {}

  /**
   * The id of the organization that the scopes require; undefined if they name none.
   * @throws OAuthError invalid_scope for an unknown one: ignoring it would admit users whom the client wants to exclude
   */
  async find(scopes: readonly string[]): Promise<string | undefined> {
    const orgId = scopes.map((scope) => this.urn.orgIdOf(scope)).find((id) => id !== undefined);
    const domain = scopes.map((scope) => this.urn.orgDomainOf(scope)).find((name) => name !== undefined);
    if (orgId === undefined && domain === undefined) return undefined;
    const org =
      orgId === undefined ? await this.orgs.findByVerifiedDomain(domain ?? '') : await this.orgs.findActive(orgId);
    if (!org) throw refusal.orgUnknown();
    return org.id;
  }
}
