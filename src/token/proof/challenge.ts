import { SIGNATURE_ALGORITHMS } from '../../foundation/crypto/verification-key.js';
import type { AccessTokenScheme } from '../../foundation/http/access-token-header.js';

const REALM = 'realm="gatehouse"';
const ALGORITHMS = `algs="${SIGNATURE_ALGORITHMS.join(' ')}"`;

/** RFC 6750 §3.1: no error code when no token was sent; RFC 9449 §7.1: both schemes are possible. */
export const CHALLENGE_WITHOUT_TOKEN = `Bearer ${REALM}, DPoP ${REALM}, ${ALGORITHMS}`;

/** The challenge of the scheme that was used. `more`: further parameters, each as `name="value"`. */
export function challengeOf(scheme: AccessTokenScheme, error: string, more: readonly string[] = []): string {
  const parameters = [REALM, `error="${error}"`, ...more, ...(scheme === 'DPoP' ? [ALGORITHMS] : [])];
  return `${scheme} ${parameters.join(', ')}`;
}

/** The scheme of a request that was refused; Bearer if it had none of ours. */
export function schemeOf(authorization: string | undefined): AccessTokenScheme {
  return /^DPoP(?:\s|$)/i.test(authorization ?? '') ? 'DPoP' : 'Bearer';
}
