import { Injectable } from '@nestjs/common';
import { ScopeRules } from '../../token/claims/scope.js';
import { refusal } from '../oidc.errors.js';

/** The organization whose users alone may sign in, if a scope names one. */
@Injectable()
export class RequiredOrgs {
  constructor(private readonly scopes: ScopeRules) {}

  /**
   * The id of the organization that the scopes require; undefined if they name none.
   * @throws OAuthError invalid_scope for an unknown one: ignoring it would admit users whom the client wants to exclude
   */
  async find(scopes: readonly string[]): Promise<string | undefined> {
    const orgId = await this.scopes.requiredOrg(scopes);
    if (orgId === '') throw refusal.orgUnknown();
    return orgId;
  }
}
