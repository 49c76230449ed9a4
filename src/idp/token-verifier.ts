import { Injectable } from '@nestjs/common';
import { type JWK, jwtVerify } from 'jose';
import { type CompactJws, readCompactJwsOr } from '../foundation/crypto/compact-jws.js';
import { importOnce } from '../foundation/crypto/verification-key.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { chooseKey, type SignedBy } from '../foundation/jwk-set/choose-key.js';
import type { JsonObject } from '../foundation/outbound/outbound-client.js';
import { Clock } from '../foundation/time/clock.js';
import { fromUnixSeconds, secondsAfter } from '../foundation/time/duration.js';
import { isSubject } from './external-identity.js';
import { answerRefused } from './idp.errors.js';
import { ProviderDocuments } from './provider-documents.js';

/** A token with groups and roles may be long; a longer one is refused before it is parsed. */
const MAX_CHARACTERS = 65_536;
const MAX_KEY_ID_CHARACTERS = 200;
/** Tolerated clock skew. */
export const TOLERANCE_SECONDS = 60;
/**
 * RFC 8725 §3.1: a fixed list, without `none` and without symmetric algorithms, for which a public key would be a
 * secret.
 */
export const TOKEN_ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
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
    const place = { url: rules.keysUrl, ownerId: rules.ownerId };
    const key = await this.documents.findKey(place, (keys) => chooseKey(keys, signedBy));
    if (!key) throw answerRefused('token_key_unknown');
    const claims = await this.verifySignature(token, key, signedBy.alg, rules);
    this.checkTimes(claims, rules);
    return claims;
  }

  private async verifySignature(token: string, key: JWK, alg: string, rules: TokenRules): Promise<TokenClaims> {
    try {
      const { payload } = await jwtVerify(token, await importOnce(key, alg), {
        algorithms: [alg],
        issuer: rules.issuer,
        audience: [...rules.audiences],
        requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: this.clock.now(),
      });
      if (!isSubject(payload.sub)) throw answerRefused('token_sub_malformed');
      return payload as TokenClaims;
    } catch (error) {
      throw error instanceof DomainError ? error : answerRefused(detailOf(error));
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
  if (typeof alg !== 'string' || !TOKEN_ALGORITHMS.includes(alg)) throw answerRefused('token_alg_refused');
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > MAX_KEY_ID_CHARACTERS))
    throw answerRefused('token_kid_malformed');
  if (typ !== undefined && !(typeof typ === 'string' && TOKEN_TYPE.test(typ))) throw answerRefused('token_typ_wrong');
  return { alg, kid };
}

function readJws(token: string): CompactJws {
  return readCompactJwsOr(token, MAX_CHARACTERS, ({ flaw }) => answerRefused(`token_${flaw}`));
}

/** jose's error code and the claim in question, such as `token_err_jwt_claim_validation_failed_aud`. */
function detailOf(error: unknown): string {
  const { code = 'invalid', claim } = error as { code?: string; claim?: string };
  return `token_${code.toLowerCase()}${claim === undefined ? '' : `_${claim}`}`;
}
