import { type JWK, jwtVerify } from 'jose';
import { readCompactJws, readCompactJwsOr } from './compact-jws.js';
import { algorithmsOf, importOnce, SIGNATURE_ALGORITHMS } from './verification-key.js';

/** Longer objects are refused before anything is parsed. */
export const MAX_OBJECT_CHARACTERS = 16_384;
/** More than there are parameters; nothing else is looked at before this is checked. */
const MAX_MEMBERS = 100;
/** Tolerated clock skew. */
const TOLERANCE_SECONDS = 60;
/** RFC 9101 §10.8: its own type, or the general one that clients sent before there was one. */
const OBJECT_TYPE = /^(application\/)?(jwt|oauth-authz-req\+jwt)$/i;

/** How long an object may count, for clients whose objects must expire. */
const MAX_SECONDS = 3_600;

/** Why a request object is refused; for the log only. */
export class SignedRequestRefused extends Error {
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`request object refused: ${reason}`, { cause });
  }
}

export interface SignedRequestRules {
  readonly clientId: string;
  /** Must be in `aud`. */
  readonly issuer: string;
  readonly now: Date;
  /** Asked only for algorithms that are offered at all. */
  readonly takesAlgorithm: (algorithm: string) => boolean;
  /** Whether it must say from when on and until when it counts (FAPI 2.0 Message Signing §5.3.1). */
  readonly mustExpire: boolean;
  /** The key of the client that fits the header. */
  readonly findKey: (signedBy: { readonly alg: string; readonly kid: string | undefined }) => Promise<JWK | undefined>;
}

type Members = Readonly<Record<string, unknown>>;

/** Whether it is a JWT that nobody has signed, or whose contents are encrypted: both are kinds that are not offered. */
export function isUnsignedOrEncrypted(text: string): boolean {
  if (text.split('.', 6).length === 5) return true;
  try {
    return readCompactJws(text, MAX_OBJECT_CHARACTERS).header['alg'] === 'none';
  } catch {
    return false;
  }
}

/**
 * The members of a signed authorization request (RFC 9101 §4, OIDC Core §6.1).
 * @throws SignedRequestRefused
 */
export async function verifySignedRequest(text: string, rules: SignedRequestRules): Promise<Members> {
  const { header, payload } = read(text);
  const { alg, kid, typ } = header;
  if (Object.keys(payload).length > MAX_MEMBERS) throw new SignedRequestRefused('too_many_members');
  if (typ !== undefined && !(typeof typ === 'string' && OBJECT_TYPE.test(typ)))
    throw new SignedRequestRefused('typ_wrong');
  if (kid !== undefined && (typeof kid !== 'string' || kid === '')) throw new SignedRequestRefused('kid_malformed');
  if (typeof alg !== 'string' || !SIGNATURE_ALGORITHMS.includes(alg) || !rules.takesAlgorithm(alg))
    throw new SignedRequestRefused('alg_wrong');
  checkMembers(payload, rules);
  const key = await rules.findKey({ alg, kid });
  if (!key) throw new SignedRequestRefused('key_unknown');
  if (!algorithmsOf(key).includes(alg)) throw new SignedRequestRefused('alg_wrong');
  try {
    await jwtVerify(text, await importOnce(key, alg), {
      algorithms: [alg],
      audience: rules.issuer,
      requiredClaims: ['iss', 'aud'],
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: rules.now,
    });
  } catch (error) {
    throw new SignedRequestRefused((error as { code?: string }).code ?? 'invalid', error);
  }
  return payload;
}

function read(text: string): { readonly header: Members; readonly payload: Members } {
  return readCompactJwsOr(text, MAX_OBJECT_CHARACTERS, (error) => new SignedRequestRefused(error.flaw, error));
}

function checkMembers({ iss, sub, client_id: clientId, iat, ...others }: Members, rules: SignedRequestRules): void {
  if (iss !== rules.clientId) throw new SignedRequestRefused('iss_wrong');
  if (clientId !== rules.clientId) throw new SignedRequestRefused('client_id_differs'); // RFC 9101 §5
  // RFC 9101 §10.8: an assertion, with which the client authenticates, must not pass as a request, or the other way
  // round.
  if (sub === rules.clientId) throw new SignedRequestRefused('sub_is_client');
  // RFC 9101 §4
  if ('request' in others || 'request_uri' in others) throw new SignedRequestRefused('nested');
  const now = rules.now.getTime() / 1000;
  if (iat !== undefined && !(typeof iat === 'number' && iat <= now + TOLERANCE_SECONDS))
    throw new SignedRequestRefused('iat_ahead');
  if (rules.mustExpire) checkTimes(others, now);
}

/** FAPI 2.0 Message Signing §5.3.1: `nbf` at most an hour ago, and `exp` at most an hour later. */
function checkTimes({ nbf, exp }: Members, now: number): void {
  if (typeof nbf !== 'number' || typeof exp !== 'number') throw new SignedRequestRefused('times_missing');
  if (nbf < now - MAX_SECONDS - TOLERANCE_SECONDS || exp > nbf + MAX_SECONDS)
    throw new SignedRequestRefused('times_far');
}
