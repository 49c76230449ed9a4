import { type JWK, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import { type CompactJws, readCompactJwsOr } from './compact-jws.js';
import { algorithmsOf, importOnce, SIGNATURE_ALGORITHMS } from './verification-key.js';

/** Tolerated clock skew. */
export const TOLERANCE_SECONDS = 60;
const MAX_KEY_ID_CHARACTERS = 200;

/** Why a JWT is not accepted; for the log only. */
export class JwtRefused extends Error {
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`JWT refused: ${reason}`, { cause });
  }
}

/** The conditions under which a JWT is looked at at all. */
export interface ExpectedJwt {
  /** Longer texts are refused before anything is parsed. */
  readonly maxCharacters: number;
  /** Values of `typ`, in lower case, without `application/`. A JWT without one may be of any type. */
  readonly types: readonly string[];
}

/** The key as the header names it. */
export interface SignedBy {
  readonly alg: string;
  readonly kid: string | undefined;
}

/** A JWT of which nothing is proved yet. */
export interface ReadJwt {
  readonly text: string;
  readonly signedBy: SignedBy;
  readonly payload: CompactJws['payload'];
}

/**
 * Reads a JWT that somebody else has signed, before a key is looked for. Keys and their addresses in the header are
 * ignored: they come from our own registration (RFC 8725 §3.10).
 * @throws JwtRefused
 */
export function readJwt(text: string, { maxCharacters, types }: ExpectedJwt): ReadJwt {
  const { header, payload } = readCompactJwsOr(text, maxCharacters, (error) => new JwtRefused(error.flaw, error));
  const { alg, kid, typ } = header;
  // RFC 8725 §3.11: a token of another type, such as an access token, proves something else.
  if (typ !== undefined && !(typeof typ === 'string' && types.includes(shortType(typ))))
    throw new JwtRefused('typ_wrong');
  if (typeof alg !== 'string' || !SIGNATURE_ALGORITHMS.includes(alg)) throw new JwtRefused('alg_wrong');
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > MAX_KEY_ID_CHARACTERS))
    throw new JwtRefused('kid_malformed');
  return { text, signedBy: { alg, kid }, payload };
}

/**
 * The claims, once the key has signed them and jose has checked them as `expected` says.
 * @param key undefined if none fits the header
 * @throws JwtRefused
 */
export async function verifyJwt(
  { text, signedBy: { alg } }: ReadJwt,
  key: JWK | undefined,
  expected: JWTVerifyOptions & { readonly currentDate: Date },
): Promise<JWTPayload> {
  if (!key) throw new JwtRefused('key_unknown');
  // The key decides which algorithms there are, not the header (RFC 8725 §3.1).
  if (!algorithmsOf(key).includes(alg)) throw new JwtRefused('alg_wrong');
  try {
    const { payload } = await jwtVerify(text, await importOnce(key, alg), {
      ...expected,
      algorithms: [alg],
      clockTolerance: TOLERANCE_SECONDS,
    });
    return payload;
  } catch (error) {
    throw new JwtRefused(reasonOf(error), error);
  }
}

/** RFC 7515 §4.1.9: media types are compared without case, and `application/` may be left out. */
function shortType(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, '');
}

/** jose's code, and the claim in question: `ERR_JWT_CLAIM_VALIDATION_FAILED aud`. */
function reasonOf(error: unknown): string {
  const { code = 'invalid', claim } = error as { code?: string; claim?: string };
  return claim === undefined ? code : `${code} ${claim}`;
}
