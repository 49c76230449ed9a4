import { type KeyPair, KeyPairs } from '../../src/foundation/crypto/key-pairs.js';
import { testServer } from './test-server.js';

/**
 * Hands out the RSA keys that the run has made for all its services: making one takes longer than all else that a start
 * does.
 */
export class KeyStock extends KeyPairs {
  private readonly keys = [...testServer().keys];

  override async make(algorithm: string): Promise<KeyPair> {
    const stocked = algorithm === 'RS256' ? this.keys.shift() : undefined;
    return stocked ?? super.make(algorithm);
  }
}
