import { exportJWK, generateKeyPair, type JWK } from 'jose';

const RSA_BITS = 2048;

export interface KeyPair {
  readonly publicKey: JWK;
  readonly privateKey: JWK;
}

/**
 * Generates signing keys. An RSA key takes a tenth of a second, so tests that start many services may supply a stock.
 */
export class KeyPairs {
  /** @param algorithm an `alg` of JWS (RFC 7518 §3.1), such as `RS256` */
  async make(algorithm: string): Promise<KeyPair> {
    const pair = await generateKeyPair(algorithm, { extractable: true, modulusLength: RSA_BITS });
    return { publicKey: await exportJWK(pair.publicKey), privateKey: await exportJWK(pair.privateKey) };
  }
}
