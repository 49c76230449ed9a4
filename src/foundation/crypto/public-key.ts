import { createPublicKey, type KeyObject } from 'node:crypto';
import type { JWK } from 'jose';

/** RFC 7518 §3.3 requires at least 2048 bits; beyond 8192 a signature costs the verifier too much. */
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 8192;
/** OpenSSL's names of P-256, P-384 and P-521 (RFC 7518 §3.4). */
const CURVES: ReadonlyArray<string | undefined> = ['prime256v1', 'secp384r1', 'secp521r1'];
const MIN_RSA_EXPONENT = 65_537n;
/** Members of private and symmetric keys (RFC 7518 §6). A key that was sent is compromised. */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;

/** Whether it contains more than a public key. */
export function isSecretKey(jwk: object): boolean {
  return SECRET_MEMBERS.some((member) => (jwk as JWK)[member] !== undefined);
}

/**
 * What is wrong with a public key for assertions, or undefined. Checked once, at registration: verification trusts what
 * is registered (RFC 8725 §3.5).
 */
export function publicKeyProblem(jwk: JWK): string | undefined {
  if (isSecretKey(jwk)) return 'must be a public key; this one is private, do not use it any more';
  const key = read(jwk);
  if (!key) return 'must be a JSON Web Key of type RSA, EC or OKP';
  const { modulusLength = 0, publicExponent = 0n, namedCurve } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'rsa':
      if (modulusLength < MIN_RSA_BITS || modulusLength > MAX_RSA_BITS)
        return `must have ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits`;
      return publicExponent < MIN_RSA_EXPONENT
        ? `must have the public exponent ${MIN_RSA_EXPONENT} or a larger one`
        : undefined;
    case 'ec':
      return CURVES.includes(namedCurve) ? undefined : 'must be on the curve P-256, P-384 or P-521';
    case 'ed25519':
      return undefined;
    default:
      return 'must be an RSA key, or one on the curve P-256, P-384, P-521 or Ed25519';
  }
}

/** Whether it can be read as a key of its type at all. */
export function isReadableKey(jwk: JWK): boolean {
  return read(jwk) !== undefined;
}

/** OpenSSL refuses invalid keys, such as a point that is not on the curve. */
function read(jwk: JWK): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
}
