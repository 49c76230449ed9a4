import type { JWK } from 'jose';
import {
  JwtRefused,
  type ReadJwt,
  readJwt,
  type SignedBy,
  TOLERANCE_SECONDS,
  verifyJwt,
} from '../foundation/crypto/jwt-verifier.js';

/** TOK-041 */
const EXPECTED = { maxCharacters: 16_384, types: ['jwt', 'client-authentication+jwt'] };
const MAX_LIFETIME_SECONDS = 3600;
/** The format of our ids and client ids; a look-up for anything else would find nothing. */
const ISSUER = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

export interface AssertionRules {
  /** The key of this issuer that fits the header, if it is valid now. */
  readonly findKey: (issuer: string, signedBy: SignedBy) => Promise<JWK | undefined>;
  /** One of these must be in `aud`. */
  readonly audiences: readonly string[];
  readonly now: Date;
}

export interface Assertion {
  /** The issuer, which is both `iss` and `sub`. */
  readonly issuer: string;
  readonly jti: string | undefined;
  readonly algorithm: string;
  /** `aud` as it was sent: one string, or a list. */
  readonly audience: string | readonly string[];
  readonly expiresAt: Date;
}

/**
 * Verifies a JWT that authenticates a client or service user (RFC 7523 §3).
 * @throws JwtRefused
 */
export async function verifyAssertion(text: string, { findKey, audiences, now }: AssertionRules): Promise<Assertion> {
  const jwt = readJwt(text, EXPECTED);
  const issuer = issuerOf(jwt);
  const key = await findKey(issuer, jwt.signedBy);
  const {
    exp = 0,
    iat = 0,
    aud = [],
    jti,
  } = await verifyJwt(jwt, key, {
    audience: [...audiences],
    requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
    currentDate: now,
  });
  const nowSeconds = now.getTime() / 1000;
  if (iat > nowSeconds + TOLERANCE_SECONDS) throw new JwtRefused('iat_ahead');
  if (iat < nowSeconds - MAX_LIFETIME_SECONDS - TOLERANCE_SECONDS) throw new JwtRefused('iat_old');
  if (!(exp - iat <= MAX_LIFETIME_SECONDS)) throw new JwtRefused('exp_far');
  if (![aud].flat().every((audience) => typeof audience === 'string')) throw new JwtRefused('aud_malformed');
  if (jti !== undefined && typeof jti !== 'string') throw new JwtRefused('jti_malformed');
  return {
    issuer,
    jti,
    algorithm: jwt.signedBy.alg,
    audience: aud,
    expiresAt: new Date((exp + TOLERANCE_SECONDS) * 1000),
  };
}

/** The claimed issuer, before anything is verified; undefined if there is none. */
export function issuerIn(text: string): string | undefined {
  try {
    return issuerOf(readJwt(text, EXPECTED));
  } catch {
    return undefined; // `verifyAssertion` reports the reason.
  }
}

function issuerOf({ payload: { iss, sub } }: ReadJwt): string {
  if (typeof iss !== 'string' || !ISSUER.test(iss)) throw new JwtRefused('iss_missing');
  if (sub !== iss) throw new JwtRefused('sub_differs'); // RFC 7523 §3: delegation is not supported.
  return iss;
}
