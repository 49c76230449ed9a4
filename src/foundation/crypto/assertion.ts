import { type JWK, type JWTPayload, jwtVerify } from 'jose';
import { type CompactJws, readCompactJwsOr } from './compact-jws.js';
import { algorithmsOf, importOnce } from './verification-key.js';

/** Longer assertions are refused before anything is parsed (TOK-041). */
const MAX_CHARACTERS = 16_384;
const MAX_KEY_ID_CHARACTERS = 200;
/** Tolerated clock skew. */
const TOLERANCE_SECONDS = 60;
const MAX_LIFETIME_SECONDS = 3600;
/** The format of our ids and client ids; a look-up for anything else would find nothing. */
const ISSUER = /^[^\p{Cc}\p{Cs}]{1,200}$/u;
const ASSERTION_TYPE = /^(application\/)?(jwt|client-authentication\+jwt)$/i;

export interface AssertionRules {
  /** The key of this issuer that fits the header, if it is valid now. `kid` is undefined if the header has none. */
  readonly findKey: (
    issuer: string,
    signedBy: { readonly alg: string; readonly kid: string | undefined },
  ) => Promise<JWK | undefined>;
  /** One of these must be in `aud`. */
  readonly audiences: readonly string[];
  readonly now: Date;
}

export interface Assertion {
  /** Both `iss` and `sub`. */
  readonly issuer: string;
  readonly jti: string | undefined;
  readonly algorithm: string;
  /** `aud` as it was sent: one string, or a list. */
  readonly audience: string | readonly string[];
  readonly expiresAt: Date;
}

/** Why an assertion is refused; for the log only. */
export class AssertionRefused extends Error {
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`assertion refused: ${reason}`, { cause });
  }
}

/**
 * Verifies a JWT that authenticates a client or service user (RFC 7523 §3). Keys come from our own registration only;
 * `jwk`, `jku` and `x5u` of the header are ignored (RFC 8725 §3.10).
 * @throws AssertionRefused
 */
export async function verifyAssertion(token: string, rules: AssertionRules): Promise<Assertion> {
  const { issuer, signedBy } = readOutline(token);
  const jwk = await rules.findKey(issuer, signedBy);
  if (!jwk) throw new AssertionRefused('key_unknown');
  const payload = await verifySignature(token, jwk, signedBy.alg, rules);
  checkClaims(payload, rules);
  return {
    issuer,
    jti: payload.jti,
    algorithm: signedBy.alg,
    audience: payload.aud ?? [],
    expiresAt: new Date((payload.exp ?? 0) * 1000 + TOLERANCE_SECONDS * 1000),
  };
}

/** The claimed issuer, before anything is verified; undefined if there is none. */
export function issuerIn(token: string): string | undefined {
  try {
    return readOutline(token).issuer;
  } catch {
    return undefined; // `verifyAssertion` reports the reason.
  }
}

interface Outline {
  readonly issuer: string;
  readonly signedBy: { readonly alg: string; readonly kid: string | undefined };
}

function readOutline(token: string): Outline {
  const { header, payload } = readJws(token);
  const { alg, kid, typ } = header;
  if (kid !== undefined && (typeof kid !== 'string' || kid === '' || kid.length > MAX_KEY_ID_CHARACTERS))
    throw new AssertionRefused('kid_malformed');
  // RFC 8725 §3.11: a token of another type is not an assertion.
  if (typ !== undefined && !(typeof typ === 'string' && ASSERTION_TYPE.test(typ)))
    throw new AssertionRefused('typ_wrong');
  if (typeof alg !== 'string') throw new AssertionRefused('alg_wrong');
  const { iss, sub } = payload;
  if (typeof iss !== 'string' || !ISSUER.test(iss)) throw new AssertionRefused('iss_missing');
  if (sub !== iss) throw new AssertionRefused('sub_differs'); // RFC 7523 §3: delegation is not supported.
  return { issuer: iss, signedBy: { alg, kid } };
}

function readJws(token: string): CompactJws {
  return readCompactJwsOr(token, MAX_CHARACTERS, (error) => new AssertionRefused(error.flaw, error));
}

async function verifySignature(token: string, jwk: JWK, algorithm: string, rules: AssertionRules): Promise<JWTPayload> {
  if (!algorithmsOf(jwk).includes(algorithm)) throw new AssertionRefused('alg_wrong');
  try {
    const { payload } = await jwtVerify(token, await importOnce(jwk, algorithm), {
      algorithms: [algorithm],
      audience: [...rules.audiences],
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: rules.now,
    });
    return payload;
  } catch (error) {
    throw new AssertionRefused((error as { code?: string }).code ?? 'invalid', error);
  }
}

function checkClaims(payload: JWTPayload, rules: AssertionRules): void {
  const now = rules.now.getTime() / 1000;
  const { exp = 0, iat = 0 } = payload;
  if (iat > now + TOLERANCE_SECONDS) throw new AssertionRefused('iat_ahead');
  if (iat < now - MAX_LIFETIME_SECONDS - TOLERANCE_SECONDS) throw new AssertionRefused('iat_old');
  if (!(exp - iat <= MAX_LIFETIME_SECONDS)) throw new AssertionRefused('exp_far');
  if (![payload.aud].flat().every((audience) => typeof audience === 'string'))
    throw new AssertionRefused('aud_malformed');
  if (payload.jti !== undefined && typeof payload.jti !== 'string') throw new AssertionRefused('jti_malformed');
}
