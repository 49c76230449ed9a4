import { Injectable } from '@nestjs/common';
import type { Form } from '../../../foundation/http/form.js';
import { ScopeRules } from '../../../token/claims/scope.js';
import { RefreshTokens } from '../../../token/refresh-tokens.js';
import type { Entitlement } from '../../../token/token-issuer.js';
import type { AuthenticatedClient } from '../../client-auth/client-authenticator.js';
import { refusal } from '../../oidc.errors.js';
import { readScopes, required } from '../../parameters.js';
import { RequestedResources } from '../../requested-resources.js';
import type { ClientGrant, RequestFacts } from './grant.js';

/** RFC 6749 §6, with the rotation and reuse detection of RFC 9700 §4.14.2. */
@Injectable()
export class RefreshTokenGrant implements ClientGrant {
  readonly type = 'refresh_token';
  readonly actsFor = 'client';
  readonly registeredAs = 'refresh_token';

  constructor(
    private readonly refreshTokens: RefreshTokens,
    private readonly scopeRules: ScopeRules,
    private readonly resources: RequestedResources,
  ) {}

  async exchange(form: Form, client: AuthenticatedClient, { proof }: RequestFacts): Promise<Entitlement> {
    const requested = await this.knownOf(readScopes(form), client);
    const resources = await this.resources.read(form);
    const request = { scopes: requested, resources, thumbprint: proof?.thumbprint };
    const result = await this.refreshTokens.spend(required(form, 'refresh_token'), request, client);
    if ('refusal' in result) {
      // RFC 6749 §6: the scope may shrink, never grow; omitted means unchanged.
      if (result.refusal === 'scope-exceeds-grant') throw refusal.scopeExceedsGrant();
      // RFC 8707 §2.2: the same for resources; the grant stays what it was.
      if (result.refusal === 'resource-exceeds-grant') throw refusal.resourceExceedsGrant();
      throw refusal.refreshTokenRefused(result.refusal, { clientId: client.id, ...result.ended });
    }
    const { family } = result;
    return {
      userId: family.subject.userId,
      userEpoch: family.subject.userEpoch,
      client,
      clientId: client.id,
      accessTokenType: client.settings.accessTokenType,
      accessTokenHeaderType: client.settings.accessTokenHeaderType,
      scopes: requested === undefined ? family.grantedScopes : [...new Set(requested)],
      resources: resources.length > 0 ? resources : family.grantedResources,
      familyId: family.familyId,
      // Refresh tokens outlive the login session, and so must the tokens issued from them.
      sessionId: family.livingSessionId ?? undefined,
      userinfoClaims: family.claims?.userinfo ?? [],
      subject: family.subject,
      signIn: {
        // OIDC Core §12.2: auth_time is that of the original sign-in, and the nonce is not repeated.
        authTime: family.authTime,
        amr: family.amr,
        acrRequested: family.acrRequested || family.claims?.idToken.includes('acr') === true,
        nonce: undefined,
        claimNames: family.claims?.idToken ?? [],
      },
      refreshToken: result.refreshToken,
    };
  }

  /**
   * Clients repeat the scope of their authorization request, and what was dropped there is dropped here as well. A
   * scope that could have been granted but was not requested then exceeds the grant.
   */
  private async knownOf(
    asked: readonly string[] | undefined,
    client: AuthenticatedClient,
  ): Promise<readonly string[] | undefined> {
    if (asked === undefined) return undefined;
    const known = await this.scopeRules.grantToClient(asked, client, true);
    if (known.length === 0) throw refusal.scopeUnknown();
    return known;
  }
}
