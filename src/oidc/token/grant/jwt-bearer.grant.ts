import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { JwtRefused } from '../../../foundation/crypto/jwt-verifier.js';
import type { Form } from '../../../foundation/http/form.js';
import { Clock } from '../../../foundation/time/clock.js';
import { type Assertion, verifyAssertion } from '../../../token/assertion.js';
import { AssertionUse } from '../../../token/assertion-use.js';
import type { Entitlement } from '../../../token/token-issuer.js';
import { ServiceUserService } from '../../../user/service-user.service.js';
import { refusal } from '../../oidc.errors.js';
import { endpoints } from '../../oidc.paths.js';
import { readScopes, required } from '../../parameters.js';
import { RequestedResources } from '../../requested-resources.js';
import { ServiceEntitlements } from '../service-entitlement.js';
import type { ServiceGrant } from './grant.js';

/**
 * RFC 7523 §2.1, with the machine key of a service user. Every failure of the assertion is invalid_grant (RFC 7523
 * §3.1).
 */
@Injectable()
export class JwtBearerGrant implements ServiceGrant {
  readonly type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  readonly actsFor = 'service-user';
  private readonly audiences: readonly string[];

  constructor(
    private readonly serviceUsers: ServiceUserService,
    private readonly assertionUse: AssertionUse,
    private readonly entitlements: ServiceEntitlements,
    private readonly resources: RequestedResources,
    private readonly clock: Clock,
    issuer: IssuerConfig,
  ) {
    this.audiences = [issuer.publicUrl, issuer.publicUrl + endpoints.token];
  }

  async exchange(form: Form): Promise<Entitlement> {
    const text = required(form, 'assertion');
    const scopes = readScopes(form) ?? [];
    const now = this.clock.now();
    const assertion = await this.verify(text, now);
    const account = await this.serviceUsers.findActive(assertion.issuer);
    if (account?.id !== assertion.issuer) throw refusal.assertionRefused('user_unknown'); // a user name is not a valid `iss`
    // Scopes and resources are checked before the assertion is used up, so that it can be sent again after a mistake in
    // them.
    const resources = await this.resources.read(form);
    const signIn = { authTime: now, amr: [], acrRequested: false, nonce: undefined, claimNames: [] };
    const entitlement = await this.entitlements.make(account, account.id, { scopes, resources }, signIn);
    if (!(await this.assertionUse.spend('grant', assertion, now))) throw refusal.assertionRefused('jti_used');
    return entitlement;
  }

  private async verify(text: string, now: Date): Promise<Assertion> {
    try {
      return await verifyAssertion(text, {
        audiences: this.audiences,
        now,
        findKey: async (userId, signedBy) => {
          const account = await this.serviceUsers.findActive(userId);
          return account?.id === userId
            ? account.keys.find((key) => key.id === signedBy.kid && key.expiresAt > now)?.publicKey
            : undefined;
        },
      });
    } catch (error) {
      throw error instanceof JwtRefused ? refusal.assertionRefused(error.reason) : error;
    }
  }
}
