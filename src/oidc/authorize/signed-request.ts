import type { JWK } from 'jose';
import { readCompactJws } from '../../foundation/crypto/compact-jws.js';
import {
  JwtRefused,
  readJwt,
  type SignedBy,
  TOLERANCE_SECONDS,
  verifyJwt,
} from '../../foundation/crypto/jwt-verifier.js';
import { MAX_OBJECT_CHARACTERS } from '../../project/client/referenced-requests.js';

/** RFC 9101 §10.8: its own type, or the general one that clients sent before there was one. */
const EXPECTED = { maxCharacters: MAX_OBJECT_CHARACTERS, types: ['jwt', 'oauth-authz-req+jwt'] };
/** More members than there are parameters. The limit is checked before anything else is looked at. */
const MAX_MEMBERS = 100;
/** The longest lifetime of a request object, for clients whose objects must expire. */
const MAX_SECONDS = 3_600;

export interface SignedRequestRules {
  readonly clientId: string;
  /** Our issuer, which `aud` must contain. */
  readonly issuer: string;
  readonly now: Date;
  /** Asked only for algorithms that are offered at all. */
  readonly takesAlgorithm: (algorithm: string) => boolean;
  /** Whether it must say from when on and until when it counts (FAPI 2.0 Message Signing §5.3.1). */
  readonly mustExpire: boolean;
  /** The key of the client that fits the header. */
  readonly findKey: (signedBy: SignedBy) => Promise<JWK | undefined>;
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
 * @throws JwtRefused
 */
export async function verifySignedRequest(text: string, rules: SignedRequestRules): Promise<Members> {
  const jwt = readJwt(text, EXPECTED);
  const { signedBy, payload } = jwt;
  if (Object.keys(payload).length > MAX_MEMBERS) throw new JwtRefused('too_many_members');
  if (!rules.takesAlgorithm(signedBy.alg)) throw new JwtRefused('alg_wrong');
  checkMembers(payload, rules);
  await verifyJwt(jwt, await rules.findKey(signedBy), {
    audience: rules.issuer,
    requiredClaims: ['iss', 'aud'],
    currentDate: rules.now,
  });
  return payload;
}

function checkMembers({ iss, sub, client_id: clientId, iat, ...others }: Members, rules: SignedRequestRules): void {
  if (iss !== rules.clientId) throw new JwtRefused('iss_wrong');
  if (clientId !== rules.clientId) throw new JwtRefused('client_id_differs'); // RFC 9101 §5
  // RFC 9101 §10.8: an assertion, with which the client authenticates, must not pass as a request, or the other way
  // round.
  if (sub === rules.clientId) throw new JwtRefused('sub_is_client');
  // RFC 9101 §4
  if ('request' in others || 'request_uri' in others) throw new JwtRefused('nested');
  const now = rules.now.getTime() / 1000;
  if (iat !== undefined && !(typeof iat === 'number' && iat <= now + TOLERANCE_SECONDS))
    throw new JwtRefused('iat_ahead');
  if (rules.mustExpire) checkTimes(others, now);
}

/** FAPI 2.0 Message Signing §5.3.1: `nbf` at most an hour ago, and `exp` at most an hour later. */
function checkTimes({ nbf, exp }: Members, now: number): void {
  if (typeof nbf !== 'number' || typeof exp !== 'number') throw new JwtRefused('times_missing');
  if (nbf < now - MAX_SECONDS - TOLERANCE_SECONDS || exp > nbf + MAX_SECONDS) throw new JwtRefused('times_far');
}
