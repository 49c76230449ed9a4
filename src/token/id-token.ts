import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { Logger } from '../foundation/log/logger.js';
import type { SigningAlgorithm } from '../org/instance/instance.entity.js';
import type { ExchangeFacts } from './access-token.js';
import { type Asserted, type FittingToken, fit, type TokenLimits } from './claims/fitting-claims.js';
import type { Claims } from './claims/user-claims.js';
import { actOf, EXCHANGED } from './exchange-claims.js';
import { MAX_ID_TOKEN_CHARACTERS } from './id-token-hint.js';
import { KeyService } from './key/key.service.js';
import type { SigningKeyPurpose } from './key/signing-key.entity.js';
import { withoutAccessTokenClaims } from './token-kind.js';

/** The claims of an id_token about the sign-in itself; claims about the user are added. */
export interface IdTokenFacts {
  readonly userId: string;
  readonly clientId: string;
  /** Selects the key that signs the token. */
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
  /** Set only if the client has requested it. */
  readonly acr: string | undefined;
  /** What the token was exchanged for (RFC 8693), if it was. */
  readonly exchange?: ExchangeFacts | undefined;
}

/**
 * An ID token comes back as a hint. Up to the first of these lengths it passes through every proxy in an address,
 * beside other parameters; up to the second in the form of a POST.
 */
const LIMITS: TokenLimits = { usual: 6_000, most: MAX_ID_TOKEN_CHARACTERS };

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
    private readonly log: Logger,
  ) {}

  /**
   * OIDC Core §2. `profile` and `asserted` are about the user and never replace a claim about the token. What would
   * make it longer than a hint may be is left out.
   */
  async issue(facts: IdTokenFacts, profile: Claims, asserted: Asserted): Promise<string> {
    const { token, omitted, characters } = await this.make(facts, profile, asserted);
    if (omitted !== undefined)
      this.log.warn(
        { reason: 'token.claims_left_out', omitted, characters, clientId: facts.clientId, userId: facts.userId },
        'an ID token was too long to come back as a hint: claims about its user were left out',
      );
    return token;
  }

  /** An ID token as `issue` would sign it, for a preview, and the names of the claims that were left out. */
  async preview(facts: IdTokenFacts, profile: Claims, asserted: Asserted): Promise<FittingToken> {
    return this.make(facts, profile, asserted);
  }

  private async make(facts: IdTokenFacts, profile: Claims, asserted: Asserted): Promise<FittingToken> {
    const signer = await this.keys.signer(facts.purpose);
    const claims = this.claimsOf(facts, signer.algorithm);
    const { own, contributed, repeated } = asserted;
    const mayBeAdded = (more: Claims): Claims => withoutAccessTokenClaims(more);
    return fit({ own: mayBeAdded(own), repeated, contributed: mayBeAdded(contributed) }, LIMITS, async (more) =>
      signer.sign('JWT', { ...more, ...mayBeAdded(profile), ...claims }),
    );
  }

  private claimsOf(facts: IdTokenFacts, algorithm: SigningAlgorithm): Claims {
    return {
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
      ...present('at_hash', facts.accessToken === undefined ? undefined : halfHash(facts.accessToken, algorithm)),
      ...(facts.exchange ? this.exchangeClaims(facts.exchange) : {}),
    };
  }

  /** The claims of an exchanged ID token. They do not say with what it ends, so that it is never exchanged again. */
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
