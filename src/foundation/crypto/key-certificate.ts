import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { JWK } from 'jose';

/** More certificates than there are authorities between one and its root. */
const MAX_CERTIFICATES = 10;

/**
 * What is wrong with the certificates that a public key brings along (`x5c`), or undefined: the first must contain this
 * very key (RFC 7517 §4.7) and be the one of which `x5t` and `x5t#S256` are the digests (RFC 7517 §4.8, §4.9). Nobody
 * asks whether they are valid: keys are trusted because they are registered or published by their owner. `x5u` is never
 * fetched.
 */
export function certificateProblem(jwk: JWK): string | undefined {
  const { x5c, x5t, 'x5t#S256': x5tS256 } = jwk as Readonly<Record<string, unknown>>;
  if (x5c === undefined) return undefined;
  if (!Array.isArray(x5c) || x5c.length === 0 || x5c.length > MAX_CERTIFICATES)
    return `must have 1 to ${MAX_CERTIFICATES} certificates as x5c`;
  const certificates = x5c.map(read);
  const [first] = certificates;
  if (!first || certificates.includes(undefined)) return 'must have certificates in base64, not base64url, as x5c';
  if (keyIn(first)?.equals(createPublicKey({ key: jwk, format: 'jwk' })) !== true)
    return 'must be the key in the first certificate of x5c';
  if (x5t !== undefined && x5t !== digestOf(first, 'sha1')) return 'must have the digest of that certificate as x5t';
  return x5tS256 !== undefined && x5tS256 !== digestOf(first, 'sha256')
    ? 'must have the digest of that certificate as x5t#S256'
    : undefined;
}

/** Written in one way only, since certificates are compared as they are written. */
function read(text: unknown): X509Certificate | undefined {
  if (typeof text !== 'string') return undefined;
  const der = Buffer.from(text, 'base64');
  if (der.toString('base64') !== text) return undefined;
  try {
    const x509 = new X509Certificate(der);
    return x509.raw.equals(der) ? x509 : undefined;
  } catch {
    return undefined; // not a certificate
  }
}

/** Undefined for one that OpenSSL cannot read, such as on an unknown curve: a certificate is parsed without its key. */
function keyIn(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
}

function digestOf({ raw }: X509Certificate, algorithm: 'sha1' | 'sha256'): string {
  return createHash(algorithm).update(raw).digest('base64url');
}
