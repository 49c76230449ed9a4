import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import type { SigningAlgorithm } from '../instance/instance.entity.js';
import { KeyService } from '../key/key.service.js';
import type { SigningKeyPurpose } from '../key/signing-key.entity.js';
import type { ExchangeFacts } from './access-token.js';
import type { Claims } from './claims/user-claims.js';
import { actOf, EXCHANGED } from './exchange/exchange-claims.js';
import { withoutAccessTokenClaims } from './token-kind.js';

/** The claims of an id_token about the sign-in itself; claims about the user are added. */
export interface IdTokenFacts {
  readonly userId: string;
  readonly clientId: string;
  /** With which key it is signed. */
  readonly purpose: SigningKeyPurpose;
  /** Unix seconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly authTime: number | undefined;
  readonly amr: readonly string[];
  readonly sessionId: string | undefined;
  readonly nonce: string | undefined;
  /** The access token issued with it, for `at_hash`. */
  readonly accessToken: string | undefined;
  /** Only if the client requested it. */
  readonly acr: string | undefined;
  /** For which token it was exchanged (RFC 8693), if it was. */
  readonly exchange?: ExchangeFacts | undefined;
}

/** OIDC Core §3.1.3.6: the left half of the hash of the signature algorithm. */
const HALF_HASH: Readonly<Record<SigningAlgorithm, { digest: string; bytes: number }>> = {
  RS256: { digest: 'sha256', bytes: 16 },
  ES256: { digest: 'sha256', bytes: 16 },
  EdDSA: { digest: 'sha512', bytes: 32 },
};

@Injectable()
export class IdTokens {
  constructor(
    private readonly keys: KeyService,
    private readonly issuer: IssuerConfig,
  ) {}

  /** OIDC Core §2. `claims` are about the user and never replace a claim about the token. */
  async issue(facts: IdTokenFacts, claims: Claims): Promise<string> {
    const signer = await this.keys.signer(facts.purpose);
    const payload = {
      ...withoutAccessTokenClaims(claims),
      iss: this.issuer.publicUrl,
      sub: facts.userId,
      aud: facts.clientId,
      azp: facts.clientId,
      exp: facts.expiresAt,
      iat: facts.issuedAt,
      ...present('auth_time', facts.authTime),
      ...(facts.amr.length > 0 ? { amr: [...facts.amr] } : {}),
      ...present('sid', facts.sessionId),
      ...present('nonce', facts.nonce),
      ...present('acr', facts.acr),
      ...present(
        'at_hash',
        facts.accessToken === undefined ? undefined : halfHash(facts.accessToken, signer.algorithm),
      ),
      ...(facts.exchange ? this.exchangeClaims(facts.exchange) : {}),
    };
    return signer.sign('JWT', payload);
  }

  /** It does not say what it ends with, so it is never exchanged again. */
  private exchangeClaims(exchange: ExchangeFacts): Claims {
    return { ...present('act', actOf(exchange, this.issuer.publicUrl)), [EXCHANGED]: true };
  }
}

function halfHash(token: string, algorithm: SigningAlgorithm): string {
  const { digest, bytes } = HALF_HASH[algorithm];
  return hash(digest, token, 'buffer').subarray(0, bytes).toString('base64url');
}

function present(name: string, value: unknown): Claims {
  return value === undefined ? {} : { [name]: value };
}
