import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../../token/access-tokens.js';
import { isPersonalAccessToken } from '../../token/personal-access-tokens.js';
import { RefreshTokens } from '../../token/refresh-tokens.js';
import { TokenEnds } from '../../token/token-ends.js';
import type { AuthenticatedClient } from '../client-auth/client-authenticator.js';
import { type Actors, refusal } from '../oidc.errors.js';

/** RFC 7009. Tokens identify their own type, so `token_type_hint` is not needed. */
@Injectable()
export class RevokeEndpoint {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly ends: TokenEnds,
  ) {}

  /**
   * Unknown and expired tokens count as revoked (RFC 7009 §2.2). When it returns, the token is invalid everywhere.
   * @returns the affected user and client, for the log; undefined if there was nothing to revoke
   * @throws OAuthError invalid_grant for a token of another client, which stays alive (RFC 7009 §2.1)
   */
  async revoke(token: string, client: AuthenticatedClient): Promise<Actors | undefined> {
    // Created by an administrator and not by a client; reporting success without effect would be wrong.
    if (isPersonalAccessToken(token)) throw refusal.tokenOfAnotherClient();
    const refreshToken = this.refreshTokens.open(token);
    if (refreshToken) return this.revokeFamily(refreshToken.familyId, client);
    const facts = await this.accessTokens.read(token);
    if (!facts) return undefined;
    if (facts.clientId !== client.id) throw refusal.tokenOfAnotherClient();
    await this.ends.endAccessToken(facts);
    return { userId: facts.userId };
  }

  /**
   * RFC 7009 §2.1: revoking a refresh token, of any generation, also revokes the access tokens of the same
   * authorization.
   */
  private async revokeFamily(familyId: string, client: AuthenticatedClient): Promise<Actors | undefined> {
    const family = await this.refreshTokens.find(familyId);
    if (!family) return undefined;
    if (family.clientId !== client.id) throw refusal.tokenOfAnotherClient();
    return this.refreshTokens.revokeFamily(familyId, client.id);
  }
}
