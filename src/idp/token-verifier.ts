import { Injectable } from '@nestjs/common';
import type { JWTPayload, JWTVerifyOptions } from 'jose';
import { JwtRefused, readJwt, TOLERANCE_SECONDS, verifyJwt } from '../foundation/crypto/jwt-verifier.js';
import { chooseKey } from '../foundation/jwk-set/choose-key.js';
import { type JsonObject, MAX_ANSWER_BYTES } from '../foundation/outbound/outbound-client.js';
import { Clock } from '../foundation/time/clock.js';
import { fromUnixSeconds, secondsAfter } from '../foundation/time/duration.js';
import { isSubject } from './external-identity.js';
import { answerRefused } from './idp.errors.js';
import { ProviderDocuments } from './provider-documents.js';

/**
 * A token with thousands of groups is as long as the answer that it comes in may be. One of another type, such as an
 * access or logout token, does not prove an identity (RFC 8725 §3.11).
 */
const EXPECTED = { maxCharacters: MAX_ANSWER_BYTES, types: ['jwt', 'id_token+jwt'] };

export interface TokenRules {
  readonly issuer: string;
  /** One of these must be in `aud`. */
  readonly audiences: readonly string[];
  readonly keysUrl: string;
  /** The id of the provider. */
  readonly ownerId: string;
  /** Maximum age; undefined if only `exp` counts. */
  readonly maxAgeSeconds?: number;
}

/** The claims of a verified token. */
export type TokenClaims = JsonObject & { readonly sub: string };

/**
 * The only way to verify a provider's token: with a key that the provider publishes, chosen by issuer and `kid`. Keys
 * and their addresses in the header are ignored (RFC 8725 §3.10).
 */
@Injectable()
export class TokenVerifier {
  constructor(
    private readonly documents: ProviderDocuments,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError FailedPrecondition `idp.answer_refused`; Unavailable `idp.provider_failed` */
  async verify(token: string, rules: TokenRules): Promise<TokenClaims> {
    const claims = await this.check(token, rules, {
      issuer: rules.issuer,
      audience: [...rules.audiences],
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
    });
    if (!isSubject(claims.sub)) throw answerRefused('token_sub_malformed');
    this.checkTimes(claims, rules);
    return claims as TokenClaims;
  }

  /**
   * A UserInfo answer that is a JWT (OIDC Core §5.3.2). The answer has come from the provider itself, so that it
   * needs no times; `iss` and `aud` may be missing.
   * @throws DomainError FailedPrecondition `idp.answer_refused`; Unavailable `idp.provider_failed`
   */
  async verifyUserInfo(token: string, rules: TokenRules): Promise<JsonObject> {
    const payload = await this.check(token, rules, {});
    const { iss = rules.issuer, aud = rules.audiences } = payload;
    if (iss !== rules.issuer) throw answerRefused('userinfo_iss_wrong');
    if (![aud].flat().some((one) => rules.audiences.includes(one))) throw answerRefused('userinfo_aud_wrong');
    return payload;
  }

  private async check(
    token: string,
    { keysUrl, ownerId }: TokenRules,
    expected: JWTVerifyOptions,
  ): Promise<JWTPayload> {
    try {
      const jwt = readJwt(token, EXPECTED);
      const key = await this.documents.findKey({ url: keysUrl, ownerId }, (keys) => chooseKey(keys, jwt.signedBy));
      return await verifyJwt(jwt, key, { ...expected, currentDate: this.clock.now() });
    } catch (error) {
      throw error instanceof JwtRefused ? answerRefused(`token_${error.reason}`) : error;
    }
  }

  /** jose checks `exp` and `nbf`, but of `iat` only the type. */
  private checkTimes({ iat }: JWTPayload, { maxAgeSeconds }: TokenRules): void {
    const ageSeconds = this.clock.nowSeconds() - Number(iat);
    if (ageSeconds < -TOLERANCE_SECONDS) throw answerRefused('token_iat_ahead');
    if (maxAgeSeconds !== undefined && ageSeconds > maxAgeSeconds + TOLERANCE_SECONDS)
      throw answerRefused('token_iat_old');
  }
}

/**
 * When the user authenticated, if the token says so: many never do, even if it is requested (OIDC Core §3.1.2.1,
 * `max_age`). A time to come, such as one in milliseconds, says nothing.
 * @throws DomainError FailedPrecondition `idp.answer_refused` if that was before `provedAfter`
 */
export function authTimeOf(
  { auth_time: authTime }: TokenClaims,
  provedAfter: Date | null,
  nowSeconds: number,
): Date | undefined {
  if (typeof authTime !== 'number' || authTime > nowSeconds + TOLERANCE_SECONDS) return undefined;
  const authenticatedAt = fromUnixSeconds(Math.max(authTime, 0));
  if (provedAfter !== null && authenticatedAt < secondsAfter(provedAfter, -TOLERANCE_SECONDS))
    throw answerRefused('token_auth_time_old');
  return authenticatedAt;
}
