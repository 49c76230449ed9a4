import { Injectable } from '@nestjs/common';
import { type JWK, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose';
import { type CompactJws, readCompactJwsOr } from '../foundation/crypto/compact-jws.js';
import { importOnce, SIGNATURE_ALGORITHMS } from '../foundation/crypto/verification-key.js';
import { chooseKey, type SignedBy } from '../foundation/jwk-set/choose-key.js';
import { type JsonObject, MAX_ANSWER_BYTES } from '../foundation/outbound/outbound-client.js';
import { Clock } from '../foundation/time/clock.js';
import { fromUnixSeconds, secondsAfter } from '../foundation/time/duration.js';
import { isSubject } from './external-identity.js';
import { answerRefused } from './idp.errors.js';
import { ProviderDocuments } from './provider-documents.js';

const MAX_KEY_ID_CHARACTERS = 200;
/** Tolerated clock skew. */
export const TOLERANCE_SECONDS = 60;
/** RFC 8725 §3.11: a token of another type, such as an access or logout token, does not prove an identity. */
const TOKEN_TYPE = /^(application\/)?(jwt|id_token\+jwt)$/i;

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
    const signedBy = readHeader(token);
    const key = await this.findKey(rules, signedBy);
    const claims = await this.verifySignature(token, key, signedBy.alg, rules);
    this.checkTimes(claims, rules);
    return claims;
  }

  /**
   * A UserInfo answer that is a JWT (OIDC Core §5.3.2). The answer has come from the provider itself, so that it
   * needs no times; `iss` and `aud` may be missing.
   * @throws DomainError FailedPrecondition `idp.answer_refused`; Unavailable `idp.provider_failed`
   */
  async verifyUserInfo(token: string, rules: TokenRules): Promise<JsonObject> {
    const signedBy = readHeader(token);
    const key = await this.findKey(rules, signedBy);
    const { payload } = await this.check(token, key, signedBy.alg, {});
    const { iss = rules.issuer, aud = rules.audiences } = payload;
    if (iss !== rules.issuer) throw answerRefused('userinfo_iss_wrong');
    if (![aud].flat().some((one) => rules.audiences.includes(one))) throw answerRefused('userinfo_aud_wrong');
    return payload;
  }

  private async findKey({ keysUrl, ownerId }: TokenRules, signedBy: SignedBy): Promise<JWK> {
    const key = await this.documents.findKey({ url: keysUrl, ownerId }, (keys) => chooseKey(keys, signedBy));
    if (!key) throw answerRefused('token_key_unknown');
    return key;
  }

  private async verifySignature(token: string, key: JWK, alg: string, rules: TokenRules): Promise<TokenClaims> {
    const { payload } = await this.check(token, key, alg, {
      issuer: rules.issuer,
      audience: [...rules.audiences],
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
    });
    if (!isSubject(payload.sub)) throw answerRefused('token_sub_malformed');
    return payload as TokenClaims;
  }

  private async check(token: string, key: JWK, alg: string, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
    try {
      return await jwtVerify(token, await importOnce(key, alg), {
        ...options,
        algorithms: [alg],
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: this.clock.now(),
      });
    } catch (error) {
      throw answerRefused(detailOf(error));
    }
  }

  /** jose checks `exp` and `nbf`, but of `iat` only the type. */
  private checkTimes(claims: TokenClaims, { maxAgeSeconds }: TokenRules): void {
    const ageSeconds = this.clock.nowSeconds() - Number(claims['iat']);
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

function readHeader(token: string): SignedBy {
  const { alg, kid, typ } = readJws(token).header;
  if (typeof alg !== 'string' || !SIGNATURE_ALGORITHMS.includes(alg)) throw answerRefused('token_alg_refused');
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > MAX_KEY_ID_CHARACTERS))
    throw answerRefused('token_kid_malformed');
  if (typ !== undefined && !(typeof typ === 'string' && TOKEN_TYPE.test(typ))) throw answerRefused('token_typ_wrong');
  return { alg, kid };
}

/** A token with thousands of groups is as long as the answer that it comes in may be. */
function readJws(token: string): CompactJws {
  return readCompactJwsOr(token, MAX_ANSWER_BYTES, ({ flaw }) => answerRefused(`token_${flaw}`));
}

/** jose's error code and the claim in question, such as `token_err_jwt_claim_validation_failed_aud`. */
function detailOf(error: unknown): string {
  const { code = 'invalid', claim } = error as { code?: string; claim?: string };
  return `token_${code.toLowerCase()}${claim === undefined ? '' : `_${claim}`}`;
}
