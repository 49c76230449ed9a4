import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import type { SigningAlgorithm } from '../../org/instance/instance.entity.js';

/** One of our published keys, ready to verify what it has signed (RFC 7515, compact serialization). */
export class JwsVerifier {
  private readonly key: KeyObject;

  constructor(
    publicKey: JsonWebKey,
    private readonly algorithm: SigningAlgorithm,
  ) {
    this.key = createPublicKey({ key: publicKey, format: 'jwk' });
  }

  /**
   * Whether this key has signed the text, which was read by `readCompactJws`. The key determines the algorithm, and the
   * header must agree (RFC 8725 §3.1). At once: verifying takes less time than handing it to a thread.
   */
  hasSigned(text: string, header: { readonly alg?: unknown }): boolean {
    if (header.alg !== this.algorithm) return false;
    const end = text.lastIndexOf('.');
    const input = Buffer.from(text.slice(0, end), 'latin1');
    return this.verifyBytes(input, Buffer.from(text.slice(end + 1), 'base64url'));
  }

  private verifyBytes(bytes: Buffer, signature: Buffer): boolean {
    switch (this.algorithm) {
      case 'RS256':
        return verify('sha256', bytes, this.key, signature);
      case 'ES256':
        return verify('sha256', bytes, { key: this.key, dsaEncoding: 'ieee-p1363' }, signature); // RFC 7518 §3.4
      case 'EdDSA':
        return verify(null, bytes, this.key, signature);
    }
  }
}
