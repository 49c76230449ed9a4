import { Injectable } from '@nestjs/common';
import type { Form } from '../../../foundation/http/form.js';
import { CodeRedemption } from '../../../token/code-redemption.js';
import { ProofRefused } from '../../../token/proof/proof-refused.js';
import { RefreshTokens } from '../../../token/refresh-tokens.js';
import type { Entitlement } from '../../../token/token-issuer.js';
import type { AuthenticatedClient } from '../../client-auth/client-authenticator.js';
import { refusal } from '../../oidc.errors.js';
import { required } from '../../parameters.js';
import { RequestedResources } from '../../requested-resources.js';
import type { ClientGrant, RequestFacts } from './grant.js';

/** RFC 7636 §4.1. */
const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** RFC 6749 §4.1.3 with PKCE (RFC 7636 §4.6). */
@Injectable()
export class AuthorizationCodeGrant implements ClientGrant {
  readonly type = 'authorization_code';
  readonly actsFor = 'client';
  readonly registeredAs = 'authorization_code';

  constructor(
    private readonly codes: CodeRedemption,
    private readonly refreshTokens: RefreshTokens,
    private readonly resources: RequestedResources,
  ) {}

  async exchange(form: Form, client: AuthenticatedClient, { proof }: RequestFacts): Promise<Entitlement> {
    const code = required(form, 'code');
    const redirectUri = required(form, 'redirect_uri');
    const codeVerifier = form.find('code_verifier');
    if (codeVerifier !== undefined && !CODE_VERIFIER.test(codeVerifier)) throw refusal.codeVerifierMalformed();
    // A URI that has since been removed from the client must not receive tokens any more (TOK-012).
    if (!client.mayAskFor('code')) throw refusal.codeRefused('response_type_not_allowed', { clientId: client.id });
    if (!client.acceptsRedirectUri(redirectUri))
      throw refusal.codeRefused('redirect_uri_not_registered', { clientId: client.id });
    const resources = await this.resources.read(form);
    const thumbprint = proof?.thumbprint;
    const redeemed = await this.codes.redeem({ code, redirectUri, codeVerifier, resources, client, thumbprint });
    if ('refusal' in redeemed && redeemed.refusal === 'resource-exceeds-grant') throw refusal.resourceExceedsGrant();
    if ('refusal' in redeemed && redeemed.refusal === 'of-another-key') throw new ProofRefused('other-key');
    if ('refusal' in redeemed) throw refusal.codeRefused(redeemed.refusal, { clientId: client.id, ...redeemed.ended });
    return {
      userId: redeemed.subject.userId,
      userEpoch: redeemed.subject.userEpoch,
      client,
      clientId: client.id,
      accessTokenType: client.settings.accessTokenType,
      accessTokenHeaderType: client.settings.accessTokenHeaderType,
      scopes: redeemed.grantedScopes.filter((scope) => scope !== 'offline_access' || redeemed.hasFamily),
      resources: resources.length > 0 ? resources : redeemed.grantedResources,
      familyId: redeemed.requestId,
      sessionId: redeemed.sessionId,
      userinfoClaims: redeemed.claims?.userinfo ?? [],
      subject: redeemed.subject,
      signIn: {
        authTime: redeemed.authTime,
        amr: redeemed.amr,
        acrRequested: redeemed.acrRequested || redeemed.claims?.idToken.includes('acr') === true,
        nonce: redeemed.nonce ?? undefined,
        claimNames: redeemed.claims?.idToken ?? [],
        isDirect: redeemed.isProved,
      },
      refreshToken: redeemed.hasFamily ? this.refreshTokens.first(redeemed.requestId) : undefined,
    };
  }
}
