import { type JWK, type JWTPayload, jwtVerify } from 'jose';
import { type CompactJws, MalformedJws, readCompactJws } from './compact-jws.js';
import { algorithmsOf, importOnce } from './verification-key.js';

/** Longer assertions are refused before anything is parsed (TOK-041). */
const MAX_CHARACTERS = 16_384;
const MAX_KEY_ID_CHARACTERS = 200;
/** Clocks may differ by this much. */
const TOLERANCE_SECONDS = 60;
const MAX_LIFETIME_SECONDS = 3600;
/** Ids and client ids of ours; a look-up for anything else would find nobody. */
const ISSUER = /^[^\p{Cc}\p{Cs}]{1,200}$/u;
const ASSERTION_TYPE = /^(application\/)?(jwt|client-authentication\+jwt)$/i;

/** The algorithms with which clients and service users may sign, for the discovery document. */
export const ASSERTION_ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA'];

export interface AssertionRules {
  /** The registered key of this issuer under this id, if it is valid now. */
  readonly findKey: (issuer: string, keyId: string) => Promise<JWK | undefined>;
  /** One of these must be in `aud`. */
  readonly audiences: readonly string[];
  readonly now: Date;
}

export interface Assertion {
  /** Both `iss` and `sub`. */
  readonly issuer: string;
  readonly jti: string | undefined;
  readonly expiresAt: Date;
}

/** Why an assertion is refused; for the log, never for the caller. */
export class AssertionRefused extends Error {
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`assertion refused: ${reason}`, { cause });
  }
}

/**
 * A JWT with which a client or service user proves who it is (RFC 7523 §3). Keys come from our own registration
 * alone; `jwk`, `jku` and `x5u` of the header are never looked at (RFC 8725 §3.10).
 * @throws AssertionRefused
 */
export async function verifyAssertion(token: string, rules: AssertionRules): Promise<Assertion> {
  const { issuer, keyId, algorithm } = readOutline(token);
  const jwk = await rules.findKey(issuer, keyId);
  if (!jwk) throw new AssertionRefused('key_unknown');
  const payload = await verifySignature(token, jwk, algorithm, rules);
  checkClaims(payload, rules);
  return {
    issuer,
    jti: payload.jti,
    expiresAt: new Date((payload.exp ?? 0) * 1000 + TOLERANCE_SECONDS * 1000),
  };
}

/** Whom an assertion says it is from, before anything about it is proven; undefined when it says nothing of use. */
export function issuerIn(token: string): string | undefined {
  try {
    return readOutline(token).issuer;
  } catch {
    return undefined; // `verifyAssertion` says why
  }
}

interface Outline {
  readonly issuer: string;
  readonly keyId: string;
  readonly algorithm: string;
}

function readOutline(token: string): Outline {
  const { header, payload } = readJws(token);
  const { alg, kid, typ } = header;
  if (typeof kid !== 'string' || kid === '' || kid.length > MAX_KEY_ID_CHARACTERS)
    throw new AssertionRefused('kid_missing');
  // RFC 8725 §3.11: a token that says it is something else is not an assertion.
  if (typ !== undefined && !(typeof typ === 'string' && ASSERTION_TYPE.test(typ)))
    throw new AssertionRefused('typ_wrong');
  if (typeof alg !== 'string') throw new AssertionRefused('alg_wrong');
  const { iss, sub } = payload;
  if (typeof iss !== 'string' || !ISSUER.test(iss)) throw new AssertionRefused('iss_missing');
  if (sub !== iss) throw new AssertionRefused('sub_differs'); // RFC 7523 §3: we know no delegation
  return { issuer: iss, keyId: kid, algorithm: alg };
}

function readJws(token: string): CompactJws {
  try {
    return readCompactJws(token, MAX_CHARACTERS);
  } catch (error) {
    throw error instanceof MalformedJws ? new AssertionRefused(error.flaw, error) : error;
  }
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
