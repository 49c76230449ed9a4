import { Injectable } from '@nestjs/common';
import type { Client } from '../../project/client/client.js';
import { ClientService } from '../../project/client/client.service.js';
import { type RoleQuestion, ScopeRules } from '../../token/claims/scope.js';
import { Urn } from '../../token/claims/urn.js';
import type { Claims } from '../../token/claims/user-claims.js';
import type { PresentedToken } from '../../token/proof/presented-token.js';
import { SignedUserinfo } from '../../token/signed-userinfo.js';
import { TokenAnswers } from '../../token/token-answers.js';
import { TokenReader } from '../../token/token-reader.js';
import { askedBy } from '../../token/token-status.js';
import { refusal } from '../oidc.errors.js';

/** OIDC Core §5.3. */
@Injectable()
export class UserinfoEndpoint {
  constructor(
    private readonly tokens: TokenReader,
    private readonly clients: ClientService,
    private readonly scopeRules: ScopeRules,
    private readonly answers: TokenAnswers,
    private readonly signed: SignedUserinfo,
    private readonly urn: Urn,
  ) {}

  /**
   * The claims; signed, as a JWT, where the client of the token wants them so.
   * @throws OAuthError invalid_token for an invalid token, insufficient_scope without `openid`; ProofRefused
   */
  async userinfo(presented: PresentedToken): Promise<Claims | string> {
    let roles: RoleQuestion | undefined;
    let ofToken: Client | undefined;
    const living = await this.tokens.findUsed(presented, async ({ scopes, clientId }) => {
      const client = clientId === '' ? undefined : await this.clients.findActive(clientId);
      roles = await this.scopeRules.roleQuestion(scopes, client);
      ofToken = client;
      return { projectIds: roles?.projectIds, ...askedBy(scopes, this.urn) };
    });
    if (!living) throw refusal.bearerDead();
    if (!living.scopes.includes('openid')) throw refusal.openidScopeMissing();
    const claims = await this.answers.userinfo(living, roles, ofToken);
    return ofToken?.settings.signedUserinfo === true ? this.signed.sign(claims, ofToken) : claims;
  }
}
