import { type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { toJoseSignature } from '../../foundation/crypto/ecdsa-signature.js';
import type { SigningAlgorithm } from '../../org/instance/instance.entity.js';

const signAside = promisify(sign);

/** The active key, ready to sign JWTs (RFC 7515, compact serialization). Made once per key, shared by all requests. */
export class JwtSigner {
  private readonly headers = new Map<string, string>();

  constructor(
    readonly keyId: string,
    readonly algorithm: SigningAlgorithm,
    private readonly key: KeyObject,
  ) {}

  /** `type` is the `typ` of the header: `JWT`, or `at+jwt` for access tokens. */
  async sign(type: string, claims: Readonly<Record<string, unknown>>): Promise<string> {
    const input = `${this.header(type)}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    const signature = await this.signBytes(Buffer.from(input));
    return `${input}.${signature.toString('base64url')}`;
  }

  /**
   * Made on a thread of Node's pool, so that signatures use more than one core and the event loop goes on meanwhile.
   */
  private async signBytes(bytes: Buffer): Promise<Buffer> {
    switch (this.algorithm) {
      case 'RS256':
        return signAside('sha256', bytes, this.key);
      case 'ES256':
        return toJoseSignature(await signAside('sha256', bytes, this.key));
      case 'EdDSA':
        return signAside(null, bytes, this.key);
    }
  }

  private header(type: string): string {
    let header = this.headers.get(type);
    if (header === undefined) {
      header = Buffer.from(JSON.stringify({ alg: this.algorithm, kid: this.keyId, typ: type })).toString('base64url');
      this.headers.set(type, header);
    }
    return header;
  }
}
