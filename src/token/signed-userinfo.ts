import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import type { Client } from '../project/client/client.js';
import type { Claims } from './claims/user-claims.js';
import { KeyService } from './key/key.service.js';
import { signingPurposeOf } from './signing-purpose.js';
import { withoutTokenClaims } from './token-kind.js';

/**
 * Userinfo responses as JWTs, for applications that want them (docs/adr/0037).
 */
@Injectable()
export class SignedUserinfo {
  constructor(
    private readonly keys: KeyService,
    private readonly issuer: IssuerConfig,
  ) {}

  /**
   * OIDC Core §5.3.2, signed as the ID tokens of this client are. It has no time at which it expires: it is an answer,
   * not a token.
   * @throws DomainError Unavailable `key.none_active`
   */
  async sign(claims: Claims, client: Client): Promise<string> {
    const signer = await this.keys.signer(signingPurposeOf(client));
    return signer.sign('JWT', { ...withoutTokenClaims(claims), iss: this.issuer.publicUrl, aud: client.id });
  }
}
